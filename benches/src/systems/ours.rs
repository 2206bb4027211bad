//! `ecs`: the accessors for single entities, a query for iteration, a view for reading
//! many by id, groups and collectors for what is reactive.

use ecs::{Collector, EntityId, Group, Matcher};

use crate::rows::Id;
use crate::types::*;
use crate::workload::{Heard, Picks, Tally, Workload, fresh, in_shuffled_order, shuffled, steady};

type Entity = EntityId<Game>;

/// The workload of a row.
pub fn workload(row: Id, items: usize) -> Option<Box<dyn Workload>> {
    Some(match row {
        Id::W1i => incremental_create(items),
        Id::W2 => iter(items),
        Id::W3 => fragmented(items),
        Id::W4 => add_remove(items),
        Id::W4w => add_remove_wide(items),
        Id::W5 => get_random(items),
        Id::W6 => churn(items),
        Id::W8 => reactive_replace(items),
        Id::W8e => event_callback(items),
        Id::W9 => group_events(items, Calls::OneByOne),
        Id::W10 => many_groups(items, Calls::OneByOne),
        _ => return None,
    })
}

/// The workload of a row with calls that change many entities at once, where that
/// makes a difference.
pub fn bulk(row: Id, items: usize) -> Option<Box<dyn Workload>> {
    Some(match row {
        Id::W4 => add_remove_bulk(items),
        Id::W4w => add_remove_wide_bulk(items),
        Id::W9 => group_events(items, Calls::Bulk),
        Id::W10 => many_groups(items, Calls::Bulk),
        _ => return None,
    })
}

/// How many entities a call changes.
#[derive(Clone, Copy)]
enum Calls {
    OneByOne,
    Bulk,
}

fn incremental_create(items: usize) -> Box<dyn Workload> {
    let run = move |game: &mut Game| {
        for index in 0..items {
            let (transform, position, rotation, velocity) = wide(index);
            game.create_entity()
                .add_transform(transform.0)
                .add_position(position.0)
                .add_rotation(rotation.0)
                .add_velocity(velocity.0);
        }
    };
    fresh(Game::new, run, move |game| {
        let all = Matcher::all_of::<(Transform, Position, Rotation, Velocity)>();
        let mut tally = Tally::default();
        let entities = game.group(all).iter(game);
        tally.add_all(entities.map(|entity| entity.position()));
        assert_eq!(tally, Tally::of_all(items, 1));
    })
}

/// A context with the entities of W1i.
fn wide_game(entities: usize) -> (Game, Vec<Entity>) {
    let mut game = Game::new();
    let ids = game.create_many((0..entities).map(wide));
    (game, ids)
}

fn iter(items: usize) -> Box<dyn Workload> {
    let run = |(game, _): &mut (Game, Vec<Entity>)| {
        game.query::<(&mut Position, &Velocity)>()
            .for_each(|(position, velocity)| advance(position, velocity));
    };
    steady(wide_game(items), run, |(game, ids), steps| {
        for (index, &id) in ids.iter().enumerate() {
            assert_eq!(game.entity(id).position(), &advanced(index, steps));
        }
    })
}

fn fragmented(items: usize) -> Box<dyn Workload> {
    let mut game = Game::new();
    macro_rules! populate {
        ($($kind:ident)*) => {$(
            game.create_many((0..items / KINDS).map(|_| ($kind(0.0), Data(1.0))));
        )*};
    }
    with_kinds!(populate);
    let run = |game: &mut Game| game.query::<&mut Data>().for_each(|data| data.0 *= 2.0);
    steady(game, run, move |game, times| {
        let values = game.entities().map(|entity| entity.data().0);
        assert!(values.eq(std::iter::repeat_n(doubled(times), items)));
    })
}

fn add_remove(items: usize) -> Box<dyn Workload> {
    let mut game = Game::new();
    let ids = game.create_many((0..items).map(|_| A(0.0)));
    let run = |(game, ids): &mut (Game, Vec<Entity>)| {
        for &id in ids.iter() {
            game.entity_mut(id).add_b(1.0);
        }
        for &id in ids.iter() {
            game.entity_mut(id).remove_b();
        }
    };
    steady((game, ids), run, |(game, ids), _| {
        let has_both = |&id| game.entity(id).has_a() && game.entity(id).has_b();
        assert!(!ids.iter().any(has_both));
    })
}

fn add_remove_wide(items: usize) -> Box<dyn Workload> {
    let run = |(game, ids): &mut (Game, Vec<Entity>)| {
        for &id in ids.iter() {
            game.entity_mut(id).add_flag();
        }
        for &id in ids.iter() {
            game.entity_mut(id).remove_flag();
        }
    };
    steady(wide_game(items), run, |(game, ids), _| {
        assert!(!ids.iter().any(|&id| game.entity(id).is_flag()));
    })
}

fn add_remove_bulk(items: usize) -> Box<dyn Workload> {
    let mut game = Game::new();
    let ids = game.create_many((0..items).map(|_| A(0.0)));
    let run = |(game, ids): &mut (Game, Vec<Entity>)| {
        game.add_many(ids, |_| B(1.0)).unwrap();
        game.remove_many::<B>(ids).unwrap();
    };
    steady((game, ids), run, |(game, ids), _| {
        let has_both = |&id| game.entity(id).has_a() && game.entity(id).has_b();
        assert!(!ids.iter().any(has_both));
    })
}

fn add_remove_wide_bulk(items: usize) -> Box<dyn Workload> {
    let run = |(game, ids): &mut (Game, Vec<Entity>)| {
        game.add_many(ids, |_| Flag).unwrap();
        game.remove_many::<Flag>(ids).unwrap();
    };
    steady(wide_game(items), run, |(game, ids), _| {
        assert!(!ids.iter().any(|&id| game.entity(id).is_flag()));
    })
}

/// A context with entities that move.
fn movers(entities: usize) -> (Game, Vec<Entity>) {
    let mut game = Game::new();
    let ids = game.create_many((0..entities).map(|index| (position(index), velocity())));
    (game, ids)
}

fn get_random(items: usize) -> Box<dyn Workload> {
    let (game, ids) = movers(items);
    let state = (game, in_shuffled_order(&ids), Tally::default());
    let run = |(game, ids, tally): &mut (Game, Vec<Entity>, Tally)| {
        let positions = game.view::<Position>();
        tally.add_all(ids.iter().map(|&id| positions.get(id).unwrap()));
    };
    steady(state, run, move |state, runs| {
        assert_eq!(state.2, Tally::of_all(items, runs));
    })
}

fn churn(items: usize) -> Box<dyn Workload> {
    let (game, ids) = movers(items);
    let order = shuffled(items);
    let run = move |(game, ids): &mut (Game, Vec<Entity>)| {
        for &at in &order {
            game.destroy(ids[at]);
        }
        ids.clear();
        for index in 0..items {
            ids.push(game.create_with((position(index), velocity())).id());
        }
    };
    steady((game, ids), run, move |(game, ids), _| {
        let mut tally = Tally::default();
        tally.add_all(ids.iter().map(|&id| game.entity(id).position()));
        assert_eq!((tally, game.len()), (Tally::of_all(items, 1), items));
    })
}

/// A context with entities that have a position and no more.
fn positioned(entities: usize) -> (Game, Vec<Entity>) {
    let mut game = Game::new();
    let ids = game.create_many((0..entities).map(position));
    (game, ids)
}

struct Reactive {
    game: Game,
    ids: Vec<Entity>,
    changed: Vec<Entity>,
    picks: Picks,
    tally: Tally,
}

fn reactive_replace(items: usize) -> Box<dyn Workload> {
    let (mut game, ids) = positioned(items * 10);
    let moved = game.collector(Matcher::all_of::<Position>().updated());
    let state = Reactive {
        picks: Picks::new(items, ids.len()),
        changed: Vec::new(),
        tally: Tally::default(),
        game,
        ids,
    };
    let run = move |state: &mut Reactive| {
        for &at in state.picks.round() {
            let id = state.ids[at];
            state.game.entity_mut(id).replace_position(position(at).0);
        }
        moved.drain_into(&mut state.game, &mut state.changed);
        let positions = state.game.view::<Position>();
        let changed = state.changed.iter();
        state
            .tally
            .add_all(changed.map(|&id| positions.get(id).unwrap()));
    };
    steady(state, run, |state, runs| {
        assert_eq!(state.tally, state.picks.handled(runs));
    })
}

fn event_callback(items: usize) -> Box<dyn Workload> {
    let (mut game, ids) = positioned(items);
    let positions = game.group(Matcher::all_of::<Position>());
    let heard = Heard::default();
    let observer = heard.clone();
    positions.on_updated(&mut game, move |game: &mut Game, change| {
        observer.of(game.entity(change.entity()).position());
    });
    let run = |(game, ids): &mut (Game, Vec<Entity>)| {
        for (index, &id) in ids.iter().enumerate() {
            game.entity_mut(id).replace_position(position(index).0);
        }
    };
    steady((game, ids), run, move |_, runs| heard.check(items, runs))
}

struct Flagging {
    game: Game,
    ids: Vec<Entity>,
    /// The first is the one whose events are handled.
    groups: Vec<Group<Game>>,
    entered: Collector<Game>,
    left: Collector<Game>,
    changed: Vec<Entity>,
    tally: Tally,
    members: usize,
    calls: Calls,
}

impl Flagging {
    /// A context with such groups beside «Position and Flag».
    fn new(entities: usize, beside: Vec<Matcher<Game>>, calls: Calls) -> Self {
        let (mut game, ids) = positioned(entities);
        let flagged = Matcher::all_of::<(Position, Flag)>();
        let mut groups = vec![game.group(flagged.clone())];
        groups.extend(beside.into_iter().map(|matcher| game.group(matcher)));
        Self {
            entered: game.collector(flagged.entered()),
            left: game.collector(flagged.left()),
            changed: Vec::new(),
            tally: Tally::default(),
            members: 0,
            calls,
            groups,
            game,
            ids,
        }
    }

    fn add(&mut self) {
        match self.calls {
            Calls::OneByOne => {
                for &id in &self.ids {
                    self.game.entity_mut(id).add_flag();
                }
            }
            Calls::Bulk => self.game.add_many(&self.ids, |_| Flag).unwrap(),
        }
        self.entered.drain_into(&mut self.game, &mut self.changed);
        self.handle();
    }

    fn remove(&mut self) {
        match self.calls {
            Calls::OneByOne => {
                for &id in &self.ids {
                    self.game.entity_mut(id).remove_flag();
                }
            }
            Calls::Bulk => self.game.remove_many::<Flag>(&self.ids).unwrap(),
        }
        self.left.drain_into(&mut self.game, &mut self.changed);
        self.handle();
    }

    fn handle(&mut self) {
        let positions = self.game.view::<Position>();
        let changed = self.changed.iter();
        self.tally
            .add_all(changed.map(|&id| positions.get(id).unwrap()));
    }

    fn count(&mut self) {
        let groups = self.groups.iter().take(NAMING_FLAG);
        self.members += groups.map(|group| group.len(&self.game)).sum::<usize>();
    }
}

fn group_events(items: usize, calls: Calls) -> Box<dyn Workload> {
    let run = |state: &mut Flagging| {
        state.add();
        state.remove();
    };
    steady(
        Flagging::new(items, Vec::new(), calls),
        run,
        move |state, runs| {
            assert_eq!(state.tally, Tally::of_all(items, 2 * runs));
        },
    )
}

/// How many groups of W10 name Flag.
const NAMING_FLAG: usize = 20;

/// How many groups there are in W10.
const GROUPS: usize = 100;

fn many_groups(items: usize, calls: Calls) -> Box<dyn Workload> {
    let run = |state: &mut Flagging| {
        state.add();
        state.count();
        state.remove();
        state.count();
    };
    steady(
        Flagging::new(items, groups_beside(), calls),
        run,
        move |state, runs| {
            assert_eq!(state.groups.len(), GROUPS);
            assert_eq!(state.tally, Tally::of_all(items, 2 * runs));
            assert_eq!(state.members, 5 * items * runs as usize);
        },
    )
}

/// The groups beside «Position and Flag» in W10: 4 that are entered as well, 15 that
/// name Flag and stay empty, 26 that have everyone, 54 that stay empty.
fn groups_beside() -> Vec<Matcher<Game>> {
    let flagged = Matcher::<Game>::all_of::<(Position, Flag)>();
    let mut groups = Vec::new();
    macro_rules! entered {
        ($($kind:ident)*) => { groups.extend([$(flagged.none_of::<$kind>()),*]) };
    }
    macro_rules! naming_flag {
        ($($kind:ident)*) => { groups.extend([$(Matcher::all_of::<(Flag, $kind)>()),*]) };
    }
    macro_rules! others {
        ($($kind:ident)*) => {
            groups.extend([$(Matcher::all_of::<Position>().none_of::<$kind>()),*]);
            groups.extend([$(Matcher::all_of::<(Transform, $kind)>()),*]);
            groups.extend([$(Matcher::all_of::<(Rotation, $kind)>()),*]);
            groups.extend([$(Matcher::all_of::<(Velocity, $kind)>()),*]);
        };
    }
    with_kinds_without!(entered);
    with_kinds_beside_flag!(naming_flag);
    with_kinds!(others);
    groups.truncate(GROUPS - 1);
    groups
}
