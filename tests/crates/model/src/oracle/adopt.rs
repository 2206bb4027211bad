//! Taking over the state of the library after an operation in which user code panicked.

use ecs::__private::limits::{LAST_GENERATION, ROWS};
use ecs::Snapshot;
use ecs::prelude::*;
use serde_json::Value;

use super::states::{Purpose, Seen};
use super::systems::Reacting;
use super::{Components, Does, Id, Oracle, Subject, matching};
use crate::Real;
use crate::game::{B, C, Game, groups, number_of};
use crate::op::{Kind, MANY, Sets};
use crate::real::Hand;

fn id(id: EntityId<Game>) -> Id {
    (id.index(), id.generation())
}

impl Oracle {
    /// Takes over the visible state: it is unpredictable only how much of the operation was done.
    pub(crate) fn adopt(&mut self, real: &mut Real) {
        self.queue.clear();
        (self.delivering, self.dying) = (false, None);
        self.doomed.clear();
        self.log.clear();
        self.clear_observers();
        self.inboxes.iter_mut().flatten().for_each(Vec::clear);
        let lost = self.removed.iter_mut().flatten();
        lost.for_each(|lost| lost.values.clear());
        self.restart_events();
        self.orders.clear();
        self.adopt_entities(&real.game);
        self.restart_systems();
        real.with_hand(|hand, game| {
            self.adopt_hand(hand, game);
            self.adopt_systems(hand);
            self.adopt_entered(hand, game);
        });
        self.adopt_free(&mut real.game);
        self.reserve(MANY); // in the operation
        self.adopt_groups(&real.game);
    }

    fn adopt_entities(&mut self, game: &Game) {
        self.entities.clear();
        self.links.clear();
        for entity in game.entities() {
            let has = |kind| Some((kind, number_of(entity, kind)?));
            let components: Components = Kind::ALL.into_iter().filter_map(has).collect();
            self.entities.insert(id(entity.id()), components);
            let lists = [entity.of_h(), entity.of_i(), entity.of_j(), entity.of_k()];
            for (kind, list) in [Kind::H, Kind::I, Kind::J, Kind::K].into_iter().zip(lists) {
                let sources = list.iter().copied().map(id).collect();
                self.links.insert((kind, id(entity.id())), sources);
            }
        }
        let with_c = self
            .entities
            .iter()
            .filter(|(_, kinds)| kinds.contains_key(&Kind::C));
        let blocks = with_c.map(|(id, _)| id.0 as usize / ROWS + 1).max();
        self.blocks = self.blocks.max(blocks.unwrap_or(0));
        self.pooled = game.storage().pooled::<C>();
    }

    /// The free slots, in the order in which a copy of the context uses them.
    fn adopt_free(&mut self, game: &mut Game) {
        let snapshot = Snapshot::builder().without::<B>().snapshot(game);
        let mut copy = Game::new();
        copy.restore(&snapshot);
        let free = game.storage().reusable_entities();
        let free: Vec<Id> = (0..free).map(|_| id(copy.create_entity().id())).collect();
        let slots = copy.create_entity().id().index() as usize;
        self.generations = vec![LAST_GENERATION + 1; slots]; // other slots are retired
        for (index, generation) in free.iter().chain(self.entities.keys()) {
            self.generations[*index as usize] = *generation;
        }
        self.free = free.into_iter().rev().map(|(index, _)| index).collect();
    }

    fn adopt_groups(&mut self, game: &Game) {
        let bits = |set: &ecs::ComponentSet<Game>| {
            let bits = set.iter().map(|index| 1 << index.get());
            bits.fold(0, |all: u16, bit| all | bit)
        };
        self.groups.clear();
        for group in groups(game) {
            let matcher = group.matcher(game);
            let sets = Sets {
                all: bits(matcher.all()),
                any: matcher.any().iter().map(bits).fold(0, |all, any| all | any),
                none: bits(matcher.none()),
            };
            self.groups.push((sets, matching(&self.entities, sets)));
        }
    }

    /// Takes over the handles of the program. Handles created by observers in the operation are
    /// dropped.
    pub(crate) fn adopt_hand(&mut self, hand: &mut Hand, game: &Game) {
        self.known = hand.known.iter().copied().map(id).collect();
        (self.moved, self.shrunk) = (hand.moved, hand.shrunk);
        self.followed = hand.followed;
        self.listened = hand.listened;
        self.subscriptions.resize(hand.subscriptions.len(), 0);
        self.listeners.resize(hand.listeners.len(), 0);
        if self.observers.is_empty() {
            self.observe(Subject::Created, Does::Script(0, Vec::new()));
            self.clear_observers();
        }
        hand.collectors.truncate(self.collectors.len());
        hand.guards.truncate(self.guards.len());
        hand.inboxes.truncate(self.inboxes.len());
        hand.removed.truncate(self.removed.len());
        hand.templates.truncate(self.templates.len());
        for (known, real) in self.collectors.iter_mut().zip(&hand.collectors) {
            match (known.as_mut(), real) {
                (Some(known), Some(real)) => {
                    known.active = real.is_active(game);
                    known.ids = real.ids(game).iter().copied().map(id).collect();
                }
                _ => *known = None,
            }
        }
        forget_dropped(&mut self.guards, &hand.guards);
        forget_dropped(&mut self.inboxes, &hand.inboxes);
        forget_dropped(&mut self.removed, &hand.removed);
        for (known, real) in self.removed.iter_mut().zip(&hand.removed) {
            if let (Some(known), Some(real)) = (known, real) {
                known.active = real.is_active(game);
            }
        }
    }
}

impl Oracle {
    /// Drops lists of systems that were created or changed in the operation.
    fn adopt_systems(&mut self, hand: &mut Hand) {
        hand.systems.truncate(self.systems.len());
        for (known, real) in self.systems.iter_mut().zip(&mut hand.systems) {
            let parts = known.as_ref().map(Reacting::len);
            if parts != real.as_ref().map(|real| real.plugged) {
                (*known, *real) = (None, None);
            }
        }
    }

    /// Takes over what systems have seen of states. It is known which of them has seen it if there is
    /// only one with its purpose; other lists are dropped.
    fn adopt_entered(&mut self, hand: &mut Hand, game: &Game) {
        let save = serde_json::to_value(game.save()).expect("all can be saved");
        let entered = save["entered"].as_array();
        self.entered = entered.into_iter().flatten().map(seen_in).collect();
        for list in 0..self.systems.len() {
            if !self.own_all(list) {
                (self.systems[list], hand.systems[list]) = (None, None);
                self.abandon(list);
            }
        }
    }
}

/// What a system has seen, as it is saved.
fn seen_in(saved: &Value) -> Seen {
    let number = saved[2].as_u64();
    let state = number.unwrap_or_default();
    match saved[1].as_str() {
        Some("entered") => Seen::free(Purpose::Enter(state), number),
        Some("enter") => Seen::free(Purpose::Enter(state), None),
        Some("inside") => Seen::free(Purpose::Exit(state), number),
        Some("outside") => Seen::free(Purpose::Exit(state), None),
        _ => Seen::free(Purpose::Change, number),
    }
}

fn forget_dropped<T, U>(known: &mut [Option<T>], real: &[Option<U>]) {
    for (known, real) in known.iter_mut().zip(real) {
        if real.is_none() {
            *known = None;
        }
    }
}
