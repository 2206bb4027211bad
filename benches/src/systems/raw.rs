//! Raw arrays: the floor. What an array cannot do (an accessor that checks, an event)
//! is left out; where a row is about presence, a word of bits stands for 64 places.

use crate::rows::Id;
use crate::types::{Position, Velocity, advance, advanced, doubled, position, velocity, wide};
use crate::workload::{Picks, Tally, Workload, shuffled, steady};

/// The workload of a row.
pub fn workload(row: Id, items: usize) -> Option<Box<dyn Workload>> {
    Some(match row {
        Id::W2 => iter(items),
        Id::W3 => fragmented(items),
        Id::W4 => add_remove(items),
        Id::W5 => get_random(items),
        Id::W6 => churn(items),
        Id::W8 => reactive_replace(items),
        _ => return None,
    })
}

/// The workload of a row that whole arrays are walked in as flat floats.
pub fn flat(_row: Id, _items: usize) -> Option<Box<dyn Workload>> {
    None
}

fn iter(items: usize) -> Box<dyn Workload> {
    let positions: Vec<Position> = (0..items).map(position).collect();
    let velocities: Vec<Velocity> = (0..items).map(|index| wide(index).3).collect();
    let run = |(positions, velocities): &mut (Vec<Position>, Vec<Velocity>)| {
        for (position, velocity) in positions.iter_mut().zip(velocities.iter()) {
            advance(position, velocity);
        }
    };
    steady((positions, velocities), run, |(positions, _), steps| {
        for (index, &position) in positions.iter().enumerate() {
            assert_eq!(position, advanced(index, steps));
        }
    })
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

/// Values and which of them are there.
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
    let ids: Vec<usize> = (0..items).collect();
    let run = move |sparse: &mut Sparse| {
        for &at in &ids {
            sparse.add(at, 1.0);
        }
        for &at in &ids {
            std::hint::black_box(sparse.remove(at));
        }
    };
    steady(sparse, run, |sparse, _| {
        assert!(sparse.occupied.iter().all(|&word| word == 0));
    })
}

fn get_random(items: usize) -> Box<dyn Workload> {
    let positions: Vec<Position> = (0..items).map(position).collect();
    let order = shuffled(items);
    let run = move |(positions, tally): &mut (Vec<Position>, Tally)| {
        tally.add_all(order.iter().map(|&at| &positions[at]));
    };
    let state = (positions, Tally::default());
    steady(state, run, move |(_, tally), runs| {
        assert_eq!(*tally, Tally::of_all(items, runs));
    })
}

/// Slots with a generation, and the free ones as a stack.
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

fn churn(items: usize) -> Box<dyn Workload> {
    let mut slots = Slots::default();
    let create = |index| slots.create(position(index), velocity());
    let ids: Vec<(u32, u32)> = (0..items).map(create).collect();
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
    steady((slots, ids), run, move |(slots, ids), _| {
        let mut tally = Tally::default();
        let indices = ids.iter().map(|&(index, _)| index as usize);
        tally.add_all(indices.map(|index| &slots.positions[index]));
        assert_eq!(tally, Tally::of_all(items, 1));
    })
}

struct Reactive {
    positions: Vec<Position>,
    dirty: Vec<u64>,
    changed: Vec<usize>,
    picks: Picks,
    tally: Tally,
}

fn reactive_replace(items: usize) -> Box<dyn Workload> {
    let entities = items * 10;
    let state = Reactive {
        positions: (0..entities).map(position).collect(),
        dirty: vec![0; entities.div_ceil(64)],
        changed: Vec::new(),
        picks: Picks::new(items, entities),
        tally: Tally::default(),
    };
    let run = |state: &mut Reactive| {
        for &at in state.picks.round() {
            state.positions[at] = position(at);
            let (word, bit) = (&mut state.dirty[at / 64], 1 << (at % 64));
            if *word & bit == 0 {
                *word |= bit;
                state.changed.push(at);
            }
        }
        let (dirty, positions) = (&mut state.dirty, &state.positions);
        state.tally.add_all(state.changed.drain(..).map(|at| {
            dirty[at / 64] = 0;
            &positions[at]
        }));
    };
    steady(state, run, |state, runs| {
        assert_eq!(state.tally, state.picks.handled(runs));
    })
}
