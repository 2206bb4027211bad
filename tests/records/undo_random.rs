//! Random steps, with components of every kind and observers that react: undoing one gives the
//! save before it, redoing it the save after it, beside a history and a mirror.
//!
//! `ECS_TEST_PROGRAMS` sets the number of programs.

mod exact;
mod rewound;

use std::env;

use ecs::Mirror;
use ecs::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Has a relation of each policy, and everything can be saved.
#[ecs::context]
struct Level;

type Id = EntityId<Level>;

macro_rules! components {
    ($($(#[$attribute:meta])* $name:ident $fields:tt)*) => { $(
        #[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
        $(#[$attribute])*
        struct $name $fields;
    )* };
}

components! {
    #[component(context = Level)] Plain(u32)
    #[component(context = Level)] Kin(#[component(index)] u8)
    #[component(context = Level)] Seat(#[component(primary_index)] u8)
    #[component(context = Level, unique)] Only(u32)
    #[component(context = Level, requires(Plain = Plain(90)))] Armed(u32)
    #[component(context = Level)]
    Child(#[component(relation(reverse = children, on_target_destroyed = destroy, acyclic, ordered))] Id)
    #[component(context = Level)]
    Aims(#[component(relation(reverse = aimed_at, ordered))] Id)
    #[component(context = Level, requires(Plain = Plain(91)))]
    Kept(#[component(relation(reverse = keepers, on_target_destroyed = keep))] Id)
    #[component(context = Level)]
    Held(#[component(relation(reverse = holders, on_target_destroyed = reject))] Id)
    #[component(context = Level)]
    Below(#[component(relation(reverse = above, acyclic))] Id)
    #[component(context = Level)] Looks(Id)
}

#[derive(Component, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[component(context = Level, pooled)]
struct Pooled(u32);

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Level)]
struct Flag;

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Level, disables)]
struct Off;

/// The entities with their components, and the orders of ordered relations.
fn state_of(level: &Level) -> Value {
    let mut save = serde_json::to_value(level.save()).unwrap();
    let mut orders: Vec<_> = level
        .entities()
        .map(|it| {
            let slots = |ids: &[Id]| ids.iter().map(|id| id.index()).collect::<Vec<_>>();
            let lists = [it.children(), it.aimed_at()].map(slots);
            format!("{}: {lists:?}", it.id().index())
        })
        .collect();
    orders.sort();
    Value::from(vec![save["entities"].take(), Value::from(orders)])
}

/// Reactions that change, take, create and destroy. None of them undoes its own cause: an entity
/// that is `Off` destroys another one only if it is not destroyed with it.
fn observe(level: &mut Level) {
    let plain = level.group(Level::all_of::<Plain>());
    plain.on_updated(level, |level, change| {
        let id = change.entity();
        let Some(&Plain(value)) = level.get_entity(id).and_then(|it| it.get::<Plain>()) else {
            return;
        };
        match value % 8 {
            0 => drop(level.entity_mut(id).try_take::<Pooled>()),
            1 => _ = level.create_with((Plain(value + 1), Looks(id))),
            2 => drop(level.entity_mut(id).try_replace(Pooled(value))),
            3 => drop(level.entity_mut(id).try_take::<Aims>()),
            4 => drop(level.entity_mut(id).try_replace(Kept(id)).map(|_| ())),
            _ => {}
        }
    });
    let pooled = level.group(Level::all_of::<Pooled>());
    pooled.on_left(level, |level, change| {
        if level.contains(change.entity()) {
            drop(level.entity_mut(change.entity()).try_add(Flag).map(|_| ()));
        }
    });
    let child = level.group(Level::all_of::<Child>());
    child.on_entered(level, |level, change| {
        let id = change.entity();
        let child = level
            .get_entity(id)
            .and_then(|it| it.get::<Child>().cloned());
        if let Some(Child(parent)) = child {
            drop(level.entity_mut(id).try_replace(Looks(parent)).map(|_| ()));
        }
    });
    let off = level.group(Level::all_of::<Off>());
    off.on_entered(level, |level, change| {
        let looked = level
            .get_entity(change.entity())
            .and_then(|it| it.get::<Looks>().cloned());
        if let Some(Looks(other)) = looked
            .filter(|it| it.0 != change.entity() && !level.entity(change.entity()).has::<Child>())
        {
            drop(level.try_destroy(other));
        }
    });
}

struct Random(support::Random);

impl Random {
    fn entity(&mut self, level: &Level) -> Option<Id> {
        let ids: Vec<_> = level.entities().map(|it| it.id()).collect();
        (!ids.is_empty()).then(|| ids[self.0.below(ids.len() as u32) as usize])
    }

    fn change(&mut self, level: &mut Level) {
        let (kind, value) = (self.0.below(32), self.0.below(40));
        let key = (value % 10) as u8;
        let ids = (self.entity(level), self.entity(level));
        let (Some(id), Some(other)) = ids else {
            level.create_with(Plain(value));
            return;
        };
        let mut entity = level.entity_mut(id);
        match kind {
            0 | 1 => drop(level.try_destroy(id)),
            2 => _ = level.create_with((Plain(value), Kin(key))),
            3 => drop(level.try_create_with((Seat(key), Child(id))).map(|_| ())),
            4 => drop(
                level
                    .try_create_with((Child(id), Kept(other), Looks(other)))
                    .map(|_| ()),
            ),
            5 => drop(entity.try_replace(Plain(value)).map(|_| ())),
            6 => drop(entity.try_replace(Kin(key)).map(|_| ())),
            7 => drop(entity.try_replace(Seat(key)).map(|_| ())),
            8 => drop(entity.try_swap::<Seat>(other)),
            9 => drop(entity.try_replace(Only(value)).map(|_| ())),
            10 => drop(entity.try_add(Armed(value)).map(|_| ())),
            11..=13 => drop(entity.try_replace(Child(other)).map(|_| ())),
            14 => drop(entity.try_replace(Aims(other)).map(|_| ())),
            15 => drop(entity.try_replace(Kept(other)).map(|_| ())),
            16 => drop(entity.try_replace(Held(other)).map(|_| ())),
            17 | 18 => drop(entity.try_replace(Below(other)).map(|_| ())),
            19 => drop(entity.try_replace(Looks(other)).map(|_| ())),
            20 => drop(entity.try_replace(Pooled(value)).map(|_| ())),
            21 => _ = entity.set_flag(value % 2 == 0),
            22 => _ = entity.set_off(value % 2 == 0),
            23 => drop(
                entity
                    .try_insert((Plain(value), Kin(key), Aims(other)))
                    .map(|_| ()),
            ),
            24 => self.remove(level, id),
            25 => level
                .query_mut::<&mut Plain>()
                .for_each(|plain| plain.0 += 1),
            26 => self.rearrange(level),
            27..=30 => self.reorder(level, id),
            _ => drop(entity.try_take::<Plain>()),
        }
    }

    fn remove(&mut self, level: &mut Level, id: Id) {
        let mut entity = level.entity_mut(id);
        match self.0.below(7) {
            0 => drop(entity.try_remove::<Child>().map(|_| ())),
            1 => drop(entity.try_remove::<Held>().map(|_| ())),
            2 => drop(entity.try_remove::<Below>().map(|_| ())),
            3 => drop(entity.try_remove::<Plain>().map(|_| ())),
            4 => drop(entity.try_take::<Kept>()),
            5 => drop(entity.try_remove::<Only>().map(|_| ())),
            _ => drop(entity.try_take::<Pooled>()),
        }
    }

    /// Moves entities among those that refer to their target.
    fn reorder(&mut self, level: &mut Level, id: Id) {
        let parent = level.entity(id).get::<Child>().map_or(id, |it| it.0);
        let children = level.entity(parent).children().to_vec();
        let (at, turn) = (self.0.below(6) as usize, self.0.below(6));
        let (Some(&first), Some(&last)) = (children.first(), children.last()) else {
            drop(
                level
                    .sources_mut::<Aims>(parent)
                    .try_insert(at, id, Aims(parent)),
            );
            return;
        };
        let mut sources = level.sources_mut::<Child>(parent);
        match turn {
            0 => sources.move_to(id_or(&children, id), at),
            1 => sources.move_before(last, first),
            2 => sources.move_after(first, id_or(&children, id)),
            3 => sources.set(&[last, first][..children.len().min(2)]),
            4 => sources.sort_by_key(|child| child.get::<Plain>().map(|it| it.0 % 5)),
            _ => drop(sources.try_insert(at, id, Child(parent))),
        }
    }

    /// Turns relations around: removes some, and adds others.
    fn rearrange(&mut self, level: &mut Level) {
        for _ in 0..4 {
            if let (Some(id), Some(other)) = (self.entity(level), self.entity(level)) {
                drop(level.entity_mut(id).try_remove::<Below>().map(|_| ()));
                drop(level.entity_mut(other).try_remove::<Below>().map(|_| ()));
                drop(level.entity_mut(other).try_replace(Below(id)).map(|_| ()));
                drop(level.entity_mut(other).try_replace(Child(id)).map(|_| ()));
            }
        }
    }
}

/// The entity, if it is among these; else the first.
fn id_or(ids: &[Id], id: Id) -> Id {
    if ids.contains(&id) { id } else { ids[0] }
}

/// A level with a mirror.
struct Pair {
    level: Level,
    feed: ecs::Feed<Level>,
    other: Level,
    mirror: Mirror<Level>,
}

impl Pair {
    fn new(level: Level) -> Self {
        let mut level = level;
        let feed = level.feed::<(Plain, Seat, Child, Kept, Flag)>();
        let (other, mirror) = (Level::new(), Mirror::new());
        let mut pair = Self {
            level,
            feed,
            other,
            mirror,
        };
        pair.check("at the start");
        pair
    }

    /// Checks all invariants, and that the mirror has the same entities.
    fn check(&mut self, when: &str) {
        self.level.storage().check_invariants();
        let delta = self.feed.take(&mut self.level);
        self.mirror.apply(&mut self.other, &delta).unwrap();
        let (here, there) = (self.summary(&self.level), self.summary(&self.other));
        assert_eq!(here, there, "{when}: the mirror");
    }

    /// What the mirror shows of each entity, without ids.
    fn summary(&self, level: &Level) -> Vec<String> {
        let shown = level.entities().filter_map(|it| {
            let parent = it
                .get::<Child>()
                .map(|child| level.entity(child.0).get::<Seat>());
            let values = (
                it.get::<Plain>(),
                it.get::<Seat>(),
                parent,
                it.has::<Flag>(),
            );
            let is_shown = values != (None, None, None, false) || it.has::<Kept>();
            is_shown.then(|| format!("{values:?} {}", it.has::<Kept>()))
        });
        let mut shown: Vec<_> = shown.collect();
        shown.sort();
        shown
    }
}

fn run(seed: u64) {
    let mut random = Random(support::Random(seed));
    let mut level = Level::new();
    for n in 0..6 {
        let id = level.create_with((Plain(n + 10), Pooled(n))).id();
        level.entity_mut(id).replace(Seat(n as u8));
    }
    observe(&mut level);
    (0..30).for_each(|_| random.change(&mut level));
    let history = seed.is_multiple_of(2).then(|| level.record());
    let mut pair = Pair::new(level);
    let start = history.as_ref().map(|it| it.mark(&mut pair.level));
    let at_start = serde_json::to_value(pair.level.save()).unwrap();

    let mut edits = UndoStack::<Level>::all();
    let mut states = vec![state_of(&pair.level)];
    let mut marks: Vec<_> = start.into_iter().collect();
    for _ in 0..6 {
        let before = edits_of(&edits);
        let changes = 1 + random.0.below(6);
        edits.step(&mut pair.level, "Step", |level| {
            (0..changes).for_each(|_| random.change(level));
        });
        if random.0.below(3) == 0 && edits_of(&edits) > before {
            edits.amend(&mut pair.level, |level| random.change(level));
        }
        match edits_of(&edits) > before {
            true => {
                states.push(state_of(&pair.level));
                marks.extend(history.as_ref().map(|it| it.mark(&mut pair.level)));
            }
            false => assert_eq!(
                state_of(&pair.level),
                states[states.len() - 1],
                "seed {seed}"
            ),
        }
    }
    pair.check("after all steps");
    if let Some(history) = history.as_ref().filter(|_| seed.is_multiple_of(4)) {
        let to = random.0.below(states.len() as u32) as usize;
        history.rewind(&mut pair.level, marks[to]);
        states.truncate(to + 1);
        pair.check("after a rewind of steps");
    }
    let mut at = states.len() - 1;
    for _ in 0..20 {
        let back = random.0.below(2) == 0;
        let moved = match back {
            true => edits.try_undo(&mut pair.level),
            false => edits.try_redo(&mut pair.level),
        };
        let is_end = at == if back { 0 } else { states.len() - 1 };
        assert_eq!(moved, Ok(!is_end), "seed {seed}, {at}, back: {back}");
        if !is_end {
            at = if back { at - 1 } else { at + 1 };
        }
        assert_eq!(
            state_of(&pair.level),
            states[at],
            "seed {seed}, {at}, back: {back}"
        );
        pair.check(&format!("seed {seed}, {at}, back: {back}"));
    }
    if let (Some(history), Some(start)) = (history, start) {
        let end = history.mark(&mut pair.level);
        let at_end = serde_json::to_value(pair.level.save()).unwrap();
        for _ in 0..2 {
            history.rewind(&mut pair.level, start);
            let rewound = serde_json::to_value(pair.level.save()).unwrap();
            assert_eq!(rewound, at_start, "seed {seed}: rewound");
            pair.check(&format!("seed {seed}: rewound"));
            history.forward(&mut pair.level, end);
            let forwarded = serde_json::to_value(pair.level.save()).unwrap();
            assert_eq!(forwarded, at_end, "seed {seed}: forwarded");
            pair.check(&format!("seed {seed}: forwarded"));
        }
    }
}

/// The number of programs.
fn programs() -> u64 {
    let programs = env::var("ECS_TEST_PROGRAMS").ok();
    programs.map_or(100, |programs| programs.parse().unwrap())
}

/// The number of steps.
fn edits_of(edits: &UndoStack<Level>) -> usize {
    format!("{edits:?}").matches("Step").count()
}

#[test]
fn undo_gives_the_state_before_a_random_step_and_redo_the_one_after_it() {
    (0..programs()).for_each(run);
}
