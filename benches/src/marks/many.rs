//! Changes of many entities in one call, beside a subscriber: a history, an index or an observer.

use ecs::{Component, Context as _, EntityId, History, Mark};

use crate::workload::{Prepared, Workload};

/// The context.
#[ecs::context]
pub(super) struct Crowd;

/// A component without an index.
#[derive(Clone, Copy, Debug, PartialEq, Component)]
#[component(context = Crowd)]
pub(super) struct Level(u32);

/// A component with an index.
#[derive(Clone, Copy, Debug, PartialEq, Component)]
#[component(context = Crowd)]
pub(super) struct Team(#[component(index)] u32);

/// What all entities have.
#[derive(Clone, Copy, Debug, PartialEq, Component)]
#[component(context = Crowd)]
pub(super) struct Person;

/// The number of entities with the same key.
const TEAM: u32 = 10;

/// Nothing else follows the changes.
pub(super) const ALONE: u8 = 0;
/// A history records them.
pub(super) const RECORDED: u8 = 1;
/// The component has an index.
pub(super) const INDEXED: u8 = 2;
/// An observer is notified.
pub(super) const OBSERVED: u8 = 3;

struct State {
    crowd: Crowd,
    ids: Vec<EntityId<Crowd>>,
    history: Option<(History<Crowd>, Mark<Crowd>)>,
}

impl State {
    fn new(items: usize, beside: u8) -> Self {
        let mut crowd = Crowd::new();
        let ids = crowd.create_many((0..items).map(|_| Person));
        if beside == OBSERVED {
            let levels = crowd.group(Crowd::all_of::<Level>());
            levels.on_entered(&mut crowd, |_, _| {});
            levels.on_updated(&mut crowd, |_, _| {});
            levels.on_left(&mut crowd, |_, _| {});
        }
        let history = (beside == RECORDED).then(|| {
            let history = crowd.record();
            let mark = history.mark(&mut crowd);
            (history, mark)
        });
        Self {
            crowd,
            ids,
            history,
        }
    }

    /// Discards what was recorded.
    fn forget(&mut self) {
        if let Some((history, mark)) = &mut self.history {
            *mark = history.mark(&mut self.crowd);
            history.forget_before(&mut self.crowd, *mark);
        }
    }

    fn add(&mut self, indexed: bool, offset: u32) {
        let many = self.crowd.many(&self.ids);
        match indexed {
            true => many.add_with(|id| Team(id.index() / TEAM + offset)),
            false => many.add_with(|id| Level(id.index() / TEAM + offset)),
        }
    }

    fn replace(&mut self, indexed: bool, offset: u32) {
        let many = self.crowd.many(&self.ids);
        match indexed {
            true => many.replace_with(|id| Team(id.index() / TEAM + offset)),
            false => many.replace_with(|id| Level(id.index() / TEAM + offset)),
        }
    }

    fn remove(&mut self, indexed: bool) {
        let many = self.crowd.many(&self.ids);
        match indexed {
            true => many.remove::<Team>(),
            false => many.remove::<Level>(),
        }
    }

    fn check(&self, indexed: bool, offset: Option<u32>) {
        for &id in &self.ids {
            let entity = self.crowd.entity(id);
            let value = match indexed {
                true => entity.get::<Team>().map(|team| team.0),
                false => entity.get::<Level>().map(|level| level.0),
            };
            assert_eq!(value, offset.map(|offset| id.index() / TEAM + offset));
        }
    }
}

/// Adds a component to all entities.
pub(super) fn add<const BESIDE: u8>(items: usize) -> Box<dyn Workload> {
    let indexed = BESIDE == INDEXED;
    let mut state = State::new(items, BESIDE);
    state.add(indexed, 0);
    Box::new(Prepared {
        state,
        prepare: move |state: &mut State| {
            state.remove(indexed);
            state.forget();
        },
        run: move |state: &mut State| state.add(indexed, 1),
        check: move |state: &mut State| state.check(indexed, Some(1)),
    })
}

/// Replaces a component of all entities.
pub(super) fn replace<const BESIDE: u8>(items: usize) -> Box<dyn Workload> {
    let indexed = BESIDE == INDEXED;
    let mut state = State::new(items, BESIDE);
    state.add(indexed, 0);
    Box::new(Prepared {
        state,
        prepare: move |state: &mut State| {
            state.replace(indexed, 0);
            state.forget();
        },
        run: move |state: &mut State| state.replace(indexed, 1),
        check: move |state: &mut State| state.check(indexed, Some(1)),
    })
}

/// Removes a component of all entities.
pub(super) fn remove<const BESIDE: u8>(items: usize) -> Box<dyn Workload> {
    let indexed = BESIDE == INDEXED;
    Box::new(Prepared {
        state: State::new(items, BESIDE),
        prepare: move |state: &mut State| {
            state.add(indexed, 0);
            state.forget();
        },
        run: move |state: &mut State| state.remove(indexed),
        check: move |state: &mut State| state.check(indexed, None),
    })
}
