//! A view that is updated from changes alone, and stays active while its context rewinds.

use std::collections::{BTreeMap, BTreeSet};

use ecs::prelude::*;

use ::model::game::{A, Game};

/// The value of each entity that has the component.
type Values = BTreeMap<EntityId<Game>, u8>;

/// The values of a component, updated from changes alone.
pub(super) struct View {
    changed: Collector<Game>,
    /// Never drained: invariants of collectors must hold for such a collector, too.
    _undrained: Collector<Game>,
    values: Values,
}

impl View {
    pub(super) fn new(game: &mut Game) -> Self {
        let changed = game.collector(Game::all_of::<A>().any_change().with_rewinds());
        Self {
            changed,
            _undrained: game.collector(Game::all_of::<A>().updated().with_rewinds()),
            values: values(game),
        }
    }

    /// The entities changed since the last update of the view.
    pub(super) fn concerned(&self, game: &Game) -> Vec<EntityId<Game>> {
        self.changed.ids(game).to_vec()
    }

    /// The entities whose value differs, or which were created or destroyed, in order.
    pub(super) fn differing(before: &Values, game: &Game) -> BTreeSet<EntityId<Game>> {
        let now = values(game);
        let all = before.keys().chain(now.keys()).copied();
        all.filter(|id| before.get(id) != now.get(id)).collect()
    }

    /// Updates the view from the changes; returns whether it equals the game.
    pub(super) fn is_right(&mut self, game: &mut Game) -> bool {
        for id in self.changed.drain(game) {
            match game
                .get_entity(id)
                .and_then(|entity| entity.get_a().map(|a| a.0.get()))
            {
                Some(value) => _ = self.values.insert(id, value),
                None => _ = self.values.remove(&id),
            }
        }
        self.values == values(game)
    }
}

pub(super) fn values(game: &Game) -> Values {
    let values = game.query::<(EntityId<Game>, &A)>().iter();
    values.map(|(id, a)| (id, a.0.get())).collect()
}
