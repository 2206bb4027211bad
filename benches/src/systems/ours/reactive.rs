//! The rows about notifications of changes.

use ecs::{Collector, Context as _, Group, Matcher};

use super::{Calls, Entity, mover, movers};
use crate::checks::{check_movers, check_positions};
use crate::flagging;
use crate::types::*;
use crate::workload::{Heard, Picks, Tally, Workload, steady};

/// Creates the context with entities that have only a position.
fn positioned(
    mut game: Game,
    entities: usize,
    position: fn(usize) -> Position,
) -> (Game, Vec<Entity>) {
    let ids = game.create_many((0..entities).map(position));
    (game, ids)
}

struct Reactive {
    game: Game,
    ids: Vec<Entity>,
    picked: Vec<Entity>,
    changed: Vec<Entity>,
    picks: Picks,
    tally: Tally,
}

impl Reactive {
    fn replace(&mut self) {
        for &at in self.picks.round() {
            let id = self.ids[at];
            self.game.entity_mut(id).replace_position(position(at).0);
        }
    }

    /// The slot of an entity is its place in the list.
    fn replace_many(&mut self) {
        self.picked.clear();
        let picks = self.picks.round();
        self.picked.extend(picks.iter().map(|&at| self.ids[at]));
        let place = |id: Entity| id.index() as usize;
        let replaced = self
            .game
            .many(&self.picked)
            .try_replace_with(|id| position(place(id)));
        replaced.unwrap();
    }
}

pub(super) fn reactive_replace(game: Game, items: usize, calls: Calls) -> Box<dyn Workload> {
    let (mut game, ids) = positioned(game, items * 10, stale);
    let moved = game.collector(Game::all_of::<Position>().updated());
    let state = Reactive {
        picks: Picks::new(items, ids.len()),
        picked: Vec::new(),
        changed: Vec::new(),
        tally: Tally::default(),
        game,
        ids,
    };
    let run = move |state: &mut Reactive| {
        match calls {
            Calls::OneByOne => state.replace(),
            Calls::Bulk => state.replace_many(),
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
        let position = |at: usize| *state.game.entity(state.ids[at]).position();
        state.picks.check(runs, position);
    })
}

pub(super) fn event_callback(items: usize, calls: Calls) -> Box<dyn Workload> {
    let (mut game, ids) = positioned(Game::new(), items, stale);
    let positions = game.group(Game::all_of::<Position>());
    let heard = Heard::default();
    let observer = heard.clone();
    positions.on_updated(&mut game, move |game: &mut Game, change| {
        observer.of(game.entity(change.entity()).position());
    });
    let run = move |(game, ids): &mut (Game, Vec<Entity>)| match calls {
        Calls::OneByOne => {
            for (index, &id) in ids.iter().enumerate() {
                game.entity_mut(id).replace_position(position(index).0);
            }
        }
        Calls::Bulk => {
            let entities = game.query_mut::<(Entity, &mut Position)>();
            entities.for_each(|(id, value)| *value = position(id.index() as usize));
        }
    };
    steady((game, ids), run, move |(game, ids), runs| {
        heard.check(items, runs);
        check_positions(ids, |id| *game.entity(id).position());
    })
}

struct Flagging {
    game: Game,
    ids: Vec<Entity>,
    /// The groups; events of the first one are handled.
    groups: Vec<Group<Game>>,
    entered: Collector<Game>,
    left: Collector<Game>,
    changed: Vec<Entity>,
    tally: Tally,
    members: usize,
    calls: Calls,
}

impl Flagging {
    /// Creates the context with these groups beside "Position and Flag".
    fn new(game: Game, entities: usize, beside: Vec<Matcher<Game>>, calls: Calls) -> Self {
        let (mut game, ids) = positioned(game, entities, position);
        let flagged = Game::all_of::<(Position, Flag)>();
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

    fn handle(&mut self, entered: bool) {
        let collector = if entered { &self.entered } else { &self.left };
        match self.calls {
            Calls::OneByOne => {
                collector.drain_into(&mut self.game, &mut self.changed);
                let positions = self.game.view::<Position>();
                let changed = self.changed.iter();
                self.tally
                    .add_all(changed.map(|&id| positions.get(id).unwrap()));
            }
            Calls::Bulk => handle_all(&mut self.game, collector, &mut self.tally),
        }
    }
}

impl flagging::Flags for Flagging {
    fn add(&mut self) {
        match self.calls {
            Calls::OneByOne => {
                for &id in &self.ids {
                    self.game.entity_mut(id).add_flag();
                }
            }
            Calls::Bulk => self.game.many(&self.ids).add_with(|_| Flag),
        }
        self.handle(true);
    }

    fn remove(&mut self) {
        match self.calls {
            Calls::OneByOne => {
                for &id in &self.ids {
                    self.game.entity_mut(id).remove_flag();
                }
            }
            Calls::Bulk => self.game.many(&self.ids).remove::<Flag>(),
        }
        self.handle(false);
    }

    fn count(&mut self) {
        let groups = self.groups.iter().take(NAMING_FLAG);
        self.members += groups.map(|group| group.len(&self.game)).sum::<usize>();
    }

    fn seen(&self) -> (Tally, usize) {
        (self.tally, self.members)
    }

    fn found(&self, index: usize) -> (Position, bool) {
        let entity = self.game.entity(self.ids[index]);
        (*entity.position(), entity.is_flag())
    }
}

pub(super) fn group_events(game: Game, items: usize, calls: Calls) -> Box<dyn Workload> {
    let state = Flagging::new(game, items, Vec::new(), calls);
    flagging::group_events(state, items)
}

/// The number of groups of W10 that name Flag.
const NAMING_FLAG: usize = 20;

/// The number of groups in W10.
const GROUPS: usize = 100;

pub(super) fn many_groups(game: Game, items: usize, calls: Calls) -> Box<dyn Workload> {
    let state = Flagging::new(game, items, groups_beside(), calls);
    assert_eq!(state.groups.len(), GROUPS);
    flagging::many_groups(state, items)
}

/// A context that has had entities with different memberships in the groups of W10 that name Flag.
pub(super) fn separated() -> Game {
    let mut game = Game::new();
    macro_rules! meet {
        ($($kind:ident)*) => {$(
            let id = game.create_with((position(0), Flag, $kind(0.0))).id();
            game.destroy(id);
        )*};
    }
    with_kinds!(meet);
    game
}

/// The groups beside "Position and Flag" in W10: 4 that are also entered, 15 that name Flag and stay
/// empty, 26 that contain every entity, 54 that stay empty.
fn groups_beside() -> Vec<Matcher<Game>> {
    let flagged = Game::all_of::<(Position, Flag)>();
    let mut groups = Vec::new();
    macro_rules! entered {
        ($($kind:ident)*) => { groups.extend([$(flagged.clone().none_of::<$kind>()),*]) };
    }
    macro_rules! naming_flag {
        ($($kind:ident)*) => { groups.extend([$(Game::all_of::<(Flag, $kind)>()),*]) };
    }
    macro_rules! others {
        ($($kind:ident)*) => {
            groups.extend([$(Game::all_of::<Position>().none_of::<$kind>()),*]);
            groups.extend([$(Game::all_of::<(Transform, $kind)>()),*]);
            groups.extend([$(Game::all_of::<(Rotation, $kind)>()),*]);
            groups.extend([$(Game::all_of::<(Velocity, $kind)>()),*]);
        };
    }
    with_kinds_without!(entered);
    with_kinds_beside_flag!(naming_flag);
    with_kinds!(others);
    groups.truncate(GROUPS - 1);
    groups
}

struct Moving {
    game: Game,
    ids: Vec<Entity>,
    movers: Group<Game>,
    moved: Collector<Game>,
    changed: Vec<Entity>,
    tally: Tally,
}

impl Moving {
    fn new(entities: usize) -> Self {
        let (mut game, ids) = movers(Game::new(), entities);
        Self {
            movers: game.group(Game::all_of::<(Position, Velocity)>()),
            moved: game.collector(Game::all_of::<Position>().updated()),
            changed: Vec::new(),
            tally: Tally::default(),
            game,
            ids,
        }
    }

    /// Moves all by a query that reports what it visits.
    fn advance(&mut self, calls: Calls) {
        let moving = self.game.query_mut::<(&mut Position, &Velocity)>();
        match calls {
            Calls::OneByOne => moving.for_each(|(position, velocity)| {
                advance(position, velocity);
            }),
            Calls::Bulk => moving.for_each_slice(|(positions, velocities)| {
                advance_all(positions, velocities);
            }),
        }
    }

    /// Handles the collected entities by a query.
    fn handle(&mut self, calls: Calls) {
        match calls {
            Calls::OneByOne => handle_each(&mut self.game, &self.moved, &mut self.tally),
            Calls::Bulk => handle_all(&mut self.game, &self.moved, &mut self.tally),
        }
    }

    /// Moves each entity by its accessors.
    fn advance_by_accessors(&mut self) {
        self.movers.for_each(&mut self.game, |mut entity| {
            let (mut position, velocity) = (*entity.position(), entity.velocity());
            advance(&mut position, velocity);
            entity.replace_position(position.0);
        });
    }

    /// Handles the collected entities by id, one by one.
    fn handle_by_id(&mut self) {
        self.moved.drain_into(&mut self.game, &mut self.changed);
        let positions = self.game.view::<Position>();
        let changed = self.changed.iter();
        self.tally
            .add_all(changed.map(|&id| positions.get(id).unwrap()));
    }
}

/// Handles collected entities by a query, item by item.
fn handle_each(game: &mut Game, collector: &Collector<Game>, tally: &mut Tally) {
    let changed = game.query_mut::<&Position>().drained_from(collector);
    let mut sum = *tally;
    changed.for_each(|position| sum.add(position));
    *tally = sum;
}

/// Handles collected entities by a query, one run of neighbours at a time.
fn handle_all(game: &mut Game, collector: &Collector<Game>, tally: &mut Tally) {
    let changed = game.query_mut::<&Position>().drained_from(collector);
    changed.for_each_slice(|positions| tally.add_all(positions.iter()));
}

/// The natural form: queries that report, and queries of collected entities.
pub(super) fn move_system(items: usize, calls: Calls) -> Box<dyn Workload> {
    let run = move |state: &mut Moving| {
        state.advance(calls);
        state.handle(calls);
    };
    moving(items, run)
}

/// Moves all by the accessors of one entity at a time, instead of by queries.
pub(super) fn move_by_accessors(items: usize) -> Box<dyn Workload> {
    moving(items, |state| {
        state.advance_by_accessors();
        state.handle_by_id();
    })
}

/// Moves all in a list of ids by one query of these, and handles what has changed by another.
pub(super) fn move_by_id(items: usize) -> Box<dyn Workload> {
    moving(items, |state| {
        let moving = state.game.query_mut::<(&mut Position, &Velocity)>();
        moving.among(&state.ids).for_each(|(position, velocity)| {
            advance(position, velocity);
        });
        state.handle(Calls::OneByOne);
    })
}

fn moving(items: usize, run: impl FnMut(&mut Moving) + 'static) -> Box<dyn Workload> {
    steady(Moving::new(items), run, move |state, runs| {
        assert_eq!(state.tally, Tally::of_moving(items, runs));
        check_movers(&state.ids, runs, |id| mover(&state.game, id));
    })
}
