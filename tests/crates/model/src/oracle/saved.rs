//! Saves of other contexts, merged into the context or loaded instead of it.

use std::collections::{BTreeMap, BTreeSet};

use super::{Components, Id, Oracle, Subject, bits, id_of, matching};
use crate::op::Op;
use crate::play::Player;

impl Oracle {
    /// Runs an operation with a save; returns `false` for other operations.
    pub(super) fn run_saved(&mut self, op: &Op) -> bool {
        match op {
            Op::Merge(program, binary) => self.merge(&Self::after(program), *binary),
            Op::Reload(program, _) => {
                let is_loaded = !self.delivering && self.dying.is_none();
                if is_loaded {
                    self.reload(Self::after(program));
                }
                self.answer(format!("reloaded {is_loaded}"));
            }
            _ => return false,
        }
        true
    }

    fn after(program: &[Op]) -> Self {
        let mut from = Self::new();
        program.iter().for_each(|op| drop(from.play(op)));
        (0..from.systems.len()).for_each(|list| from.abandon(list));
        from
    }

    /// Adds copies of all entities, which arrive in the order of the save.
    fn merge(&mut self, from: &Self, binary: bool) {
        let ids = from.order_of_ids(binary);
        let copies: BTreeMap<Id, Id> = ids.iter().map(|id| (*id, self.next_id())).collect();
        let arrived: Vec<Id> = from.entities.keys().map(|id| copies[id]).collect();
        for id in &arrived {
            self.entities.insert(*id, Components::new());
        }
        for (id, has) in &from.entities {
            for (kind, value) in has {
                let value = match kind.is_relation() {
                    true => bits(copies[&id_of(*value)]),
                    false => *value,
                };
                self.put(copies[id], *kind, Some(value));
            }
        }
        for ((kind, target), sources) in &from.links {
            let sources = sources.iter().map(|id| copies[id]).collect();
            self.links.insert((*kind, copies[target]), sources);
        }
        self.arrive(&arrived);
        self.known.extend(arrived);
    }

    /// The entities in the order in which their ids occur: in a text an entity stands before its
    /// values, in bytes all entities stand before all values.
    fn order_of_ids(&self, binary: bool) -> Vec<Id> {
        let (mut ids, mut seen) = (Vec::new(), BTreeSet::new());
        for (id, has) in &self.entities {
            let targets = has.iter().filter(|(kind, _)| kind.is_relation() && !binary);
            let targets = targets.map(|(_, value)| id_of(*value));
            ids.extend(
                [*id]
                    .into_iter()
                    .chain(targets)
                    .filter(|id| seen.insert(*id)),
            );
        }
        ids
    }

    /// Replaces all entities. No observer is notified; collectors are emptied, and what belongs to
    /// single entities ends.
    fn reload(&mut self, from: Self) {
        (self.entities, self.links) = (from.entities, from.links);
        (self.generations, self.free) = (from.generations, from.free);
        self.entered = from.entered;
        (self.moved, self.shrunk) = (false, true);
        self.known = self.entities.keys().copied().collect();
        for (sets, members) in &mut self.groups {
            *members = matching(&self.entities, *sets);
        }
        self.empty_collected();
        for observer in &mut self.observers {
            let is_own = matches!(
                observer.subject,
                Subject::Changes(Some(_)) | Subject::Event(_, Some(_))
            );
            observer.live &= !is_own;
        }
        self.forget_events();
    }
}
