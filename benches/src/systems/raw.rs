//! Raw arrays: the floor. There are no rows for what an array cannot do (checked access, events);
//! in rows about presence, a word of bits stands for 64 places.
//!
//! In W7 and W7c the arrays contain only the matching values, densely: the speed if nothing else
//! had to be stored.

mod around;

use super::columns::advance_in_parallel;
use crate::checks::{check_computed, check_movers, check_positions};
use crate::matrix::{compute, transform};
use crate::rows::Id;
use crate::types::*;
use crate::workload::{
    Heard, Picks, Tally, Workload, fresh, on_two_threads, pairs, shuffled, steady,
};

/// Returns the workload of a row.
pub fn workload(row: Id, items: usize) -> Option<Box<dyn Workload>> {
    Some(match row {
        Id::W1 => bulk_create(items),
        Id::W2 | Id::W2m | Id::W7 | Id::W7d | Id::W7c | Id::W7cd => iter(items),
        Id::W2x => iter(items),
        Id::W2p => iter_in_parallel(items),
        Id::W3 => fragmented(items),
        Id::W4 => add_remove(items),
        Id::W5 | Id::W5s => get_random(items),
        Id::W6 => churn(items),
        Id::W6d => destroy(items),
        Id::W8 => reactive_replace(items),
        Id::W11 => memory(items),
        Id::W12 => heavy_compute(items),
        Id::W13 | Id::W13a => move_system(items),
        Id::W1s | Id::W1i | Id::W4w | Id::W8e => return None,
        Id::W9 | Id::W10 | Id::W10d | Id::W11s | Id::W11sd => return None,
        other => return around::workload(other, items),
    })
}

/// Returns the workload of a row that iterates whole arrays, if flat floats make a difference.
pub fn flat(row: Id, items: usize) -> Option<Box<dyn Workload>> {
    match row {
        Id::W2 | Id::W2m | Id::W2x => Some(iter_flat(items)),
        Id::W7 | Id::W7d | Id::W7c | Id::W7cd => Some(iter_flat(items)),
        _ => None,
    }
}

/// W8e by a list of function pointers, the simplest form of a signal. It stands for the signals of
/// `EnTT`, which is written in C++.
pub fn function_list(row: Id, items: usize) -> Option<Box<dyn Workload>> {
    (row == Id::W8e).then(|| event_callback(items))
}

fn bulk_create(items: usize) -> Box<dyn Workload> {
    let columns = Columns::new(items);
    let run = move |copy: &mut Option<Columns>| *copy = Some(columns.clone());
    fresh(Option::default, run, move |copy| {
        let mut tally = Tally::default();
        let rows = copy.iter().flat_map(Columns::rows);
        rows.for_each(|(transform, position, rotation, velocity)| {
            tally.add_wide((&transform, &position, &rotation, &velocity));
        });
        assert_eq!(tally, Tally::of_wide(items));
    })
}

type Movers = (Vec<Position>, Vec<Velocity>);

fn movers(entities: usize) -> Movers {
    let positions = (0..entities).map(position).collect();
    let velocities = (0..entities).map(|_| velocity()).collect();
    (positions, velocities)
}

fn iter(items: usize) -> Box<dyn Workload> {
    let run = |(positions, velocities): &mut Movers| {
        for (position, velocity) in positions.iter_mut().zip(velocities.iter()) {
            advance(position, velocity);
        }
    };
    steady(movers(items), run, check_advanced)
}

fn iter_flat(items: usize) -> Box<dyn Workload> {
    let run = |(positions, velocities): &mut Movers| advance_all(positions, velocities);
    steady(movers(items), run, check_advanced)
}

fn iter_in_parallel(items: usize) -> Box<dyn Workload> {
    let run = |(positions, velocities): &mut Movers| advance_in_parallel(positions, velocities);
    steady(movers(items), run, check_advanced)
}

/// Panics unless all positions are those after `steps` steps.
fn check_advanced((positions, velocities): &mut Movers, steps: u64) {
    check_movers(&places(positions.len()), steps, |at| {
        (Some(positions[at]), velocities.get(at).copied())
    });
}

/// The places of values, used instead of ids.
fn places(count: usize) -> Vec<usize> {
    (0..count).collect()
}

fn fragmented(items: usize) -> Box<dyn Workload> {
    let run = |data: &mut Vec<f32>| {
        for value in data.iter_mut() {
            *value *= 2.0;
        }
    };
    steady(vec![1.0f32; items], run, |data, times| {
        assert!(data.iter().all(|&value| value == doubled(times)));
    })
}

/// Values, and a bit for each that is present.
#[derive(Default)]
struct Sparse {
    occupied: Vec<u64>,
    values: Vec<f32>,
}

impl Sparse {
    #[inline]
    fn add(&mut self, at: usize, value: f32) {
        self.occupied[at / 64] |= 1 << (at % 64);
        self.values[at] = value;
    }

    #[inline]
    fn remove(&mut self, at: usize) -> f32 {
        let word = &mut self.occupied[at / 64];
        assert!(*word >> (at % 64) & 1 == 1);
        *word &= !(1 << (at % 64));
        self.values[at]
    }
}

fn add_remove(items: usize) -> Box<dyn Workload> {
    let sparse = Sparse {
        occupied: vec![0; items.div_ceil(64)],
        values: vec![0.0; items],
    };
    type State = (Sparse, Vec<usize>);
    let add = |(sparse, ids): &mut State| ids.iter().for_each(|&at| sparse.add(at, 1.0));
    let remove = |(sparse, ids): &mut State| {
        ids.iter()
            .for_each(|&at| _ = std::hint::black_box(sparse.remove(at)));
    };
    let check = |(sparse, ids): &mut State, added: bool| {
        let occupied = |at: usize| sparse.occupied[at / 64] >> (at % 64) & 1 == 1;
        assert!(ids.iter().all(|&at| occupied(at) == added));
        assert!(!added || sparse.values.iter().all(|&value| value == 1.0));
    };
    pairs((sparse, places(items)), add, remove, check)
}

fn get_random(items: usize) -> Box<dyn Workload> {
    let positions: Vec<Position> = (0..items).map(position).collect();
    let order = shuffled(items);
    let run = move |(positions, tally): &mut (Vec<Position>, Tally)| {
        tally.add_all(order.iter().map(|&at| &positions[at]));
    };
    let state = (positions, Tally::default());
    steady(state, run, move |(positions, tally), runs| {
        assert_eq!(*tally, Tally::of_all(items, runs));
        check_positions(&places(items), |at| positions[at]);
    })
}

/// Slots with a generation, and a stack of free ones.
#[derive(Default)]
struct Slots {
    generations: Vec<u32>,
    free: Vec<u32>,
    positions: Vec<Position>,
    velocities: Vec<Velocity>,
}

impl Slots {
    #[inline]
    fn destroy(&mut self, (index, generation): (u32, u32)) {
        let known = &mut self.generations[index as usize];
        assert!(*known == generation);
        *known += 1;
        self.free.push(index);
    }

    #[inline]
    fn create(&mut self, position: Position, velocity: Velocity) -> (u32, u32) {
        let index = self.free.pop().unwrap_or_else(|| self.grow());
        let at = index as usize;
        (self.positions[at], self.velocities[at]) = (position, velocity);
        (index, self.generations[at])
    }

    #[cold]
    fn grow(&mut self) -> u32 {
        self.generations.push(0);
        self.positions.push(Position([0.0; 3]));
        self.velocities.push(Velocity([0.0; 3]));
        self.generations.len() as u32 - 1
    }
}

fn slots(items: usize) -> (Slots, Vec<(u32, u32)>) {
    let mut slots = Slots::default();
    let create = |index| slots.create(position(index), velocity());
    let ids = (0..items).map(create).collect();
    (slots, ids)
}

fn churn(items: usize) -> Box<dyn Workload> {
    let order = shuffled(items);
    let run = move |(slots, ids): &mut (Slots, Vec<(u32, u32)>)| {
        for &at in &order {
            slots.destroy(ids[at]);
        }
        ids.clear();
        for index in 0..items {
            ids.push(slots.create(position(index), velocity()));
        }
    };
    steady(slots(items), run, move |(slots, ids), _| {
        assert_eq!((ids.len(), slots.free.len()), (items, 0));
        check_movers(ids, 0, |(index, generation)| {
            let at = index as usize;
            assert_eq!(slots.generations[at], generation);
            (Some(slots.positions[at]), Some(slots.velocities[at]))
        });
    })
}

fn destroy(items: usize) -> Box<dyn Workload> {
    let run = |(slots, ids): &mut (Slots, Vec<(u32, u32)>)| {
        ids.iter().for_each(|&id| slots.destroy(id));
    };
    fresh(
        move || slots(items),
        run,
        move |(slots, ids)| {
            let alive =
                |&(index, generation): &(u32, u32)| slots.generations[index as usize] == generation;
            assert!(!ids.iter().any(alive));
            assert_eq!(slots.free.len(), items);
        },
    )
}

/// Values with the generation of each place.
fn memory(items: usize) -> Box<dyn Workload> {
    let run = move |slots: &mut Slots| {
        slots.generations = vec![0; items];
        // Written, not only reserved: untouched pages are not resident.
        slots.generations.fill(std::hint::black_box(1));
        (slots.positions, slots.velocities) = movers(items);
    };
    fresh(Slots::default, run, move |slots| {
        assert!(slots.generations.iter().eq(&vec![1; items]));
        check_advanced(&mut movers_of(slots), 0);
    })
}

fn movers_of(slots: &mut Slots) -> Movers {
    let positions = std::mem::take(&mut slots.positions);
    (positions, std::mem::take(&mut slots.velocities))
}

fn heavy_compute(items: usize) -> Box<dyn Workload> {
    let transforms: Vec<_> = (0..items).map(transform).collect();
    let positions: Vec<_> = (0..items).map(position).collect();
    let half = |transforms: &mut [Transform], positions: &mut [Position]| {
        let both = transforms.iter_mut().zip(positions);
        both.for_each(|(transform, position)| compute(transform, position));
    };
    let run = move |(transforms, positions): &mut (Vec<Transform>, Vec<Position>)| {
        let (transforms, other_transforms) = transforms.split_at_mut(items / 2);
        let (positions, other_positions) = positions.split_at_mut(items / 2);
        on_two_threads(|| {
            rayon::join(
                || half(transforms, positions),
                || half(other_transforms, other_positions),
            )
        });
    };
    let state = (transforms, positions);
    steady(state, run, move |(transforms, positions), runs| {
        check_computed(&places(items), runs, |at| (transforms[at], positions[at]));
    })
}

/// Values, and the list of changed ones, each once.
struct Reactive {
    positions: Vec<Position>,
    dirty: Vec<u64>,
    changed: Vec<usize>,
    tally: Tally,
}

impl Reactive {
    fn new(positions: Vec<Position>) -> Self {
        Self {
            dirty: vec![0; positions.len().div_ceil(64)],
            positions,
            changed: Vec::new(),
            tally: Tally::default(),
        }
    }

    #[inline]
    fn replace(&mut self, at: usize, position: Position) {
        self.positions[at] = position;
        let (word, bit) = (&mut self.dirty[at / 64], 1 << (at % 64));
        if *word & bit == 0 {
            *word |= bit;
            self.changed.push(at);
        }
    }

    fn handle(&mut self) {
        let (dirty, positions) = (&mut self.dirty, &self.positions);
        self.tally.add_all(self.changed.drain(..).map(|at| {
            dirty[at / 64] = 0;
            &positions[at]
        }));
    }
}

fn reactive_replace(items: usize) -> Box<dyn Workload> {
    let entities = items * 10;
    let positions = (0..entities).map(stale).collect();
    let state = (Reactive::new(positions), Picks::new(items, entities));
    let run = |(reactive, picks): &mut (Reactive, Picks)| {
        for &at in picks.round() {
            reactive.replace(at, position(at));
        }
        reactive.handle();
    };
    steady(state, run, |(reactive, picks), runs| {
        assert_eq!(reactive.tally, picks.handled(runs));
        picks.check(runs, |at| reactive.positions[at]);
    })
}

/// Positions, and what their listener has received.
struct Listened {
    positions: Vec<Position>,
    heard: Heard,
}

/// A listener, called with the values and the place of the replaced one.
type Listener = fn(&Listened, usize);

/// The list has one listener, which reads the new value in place.
fn event_callback(items: usize) -> Box<dyn Workload> {
    let listened = Listened {
        positions: (0..items).map(stale).collect(),
        heard: Heard::default(),
    };
    let listener: Listener = |listened, at| listened.heard.of(&listened.positions[at]);
    let run = |(listened, listeners): &mut (Listened, Vec<Listener>)| {
        for at in 0..listened.positions.len() {
            listened.positions[at] = position(at);
            for listener in listeners.iter() {
                listener(listened, at);
            }
        }
    };
    // A black box: otherwise the compiler would know the only listener and inline it.
    let listeners = std::hint::black_box(vec![listener]);
    steady((listened, listeners), run, move |(listened, _), runs| {
        listened.heard.check(items, runs);
        check_positions(&places(items), |at| listened.positions[at]);
    })
}

fn move_system(items: usize) -> Box<dyn Workload> {
    let (positions, velocities) = movers(items);
    let state = (Reactive::new(positions), velocities);
    let run = |(reactive, velocities): &mut (Reactive, Vec<Velocity>)| {
        for (at, velocity) in velocities.iter().enumerate() {
            let mut position = reactive.positions[at];
            advance(&mut position, velocity);
            reactive.replace(at, position);
        }
        reactive.handle();
    };
    steady(state, run, move |(reactive, velocities), runs| {
        assert_eq!(reactive.tally, Tally::of_moving(items, runs));
        check_movers(&places(items), runs, |at| {
            (Some(reactive.positions[at]), Some(velocities[at]))
        });
    })
}
