//! Bundles for existing entities.

use ecs::{ChangeKind, GroupEvent};

use super::{Answer, Id, Numbers, Oracle, rejected};
use crate::op::Kind;

impl Oracle {
    /// One change: groups are notified of the difference of before and after, then of each
    /// component that was replaced.
    pub(super) fn insert(&mut self, id: Id, values: &Numbers) -> Answer {
        self.check_bundle(id, Some(id), values)?;
        self.store_bundle(id, values);
        Ok(())
    }

    /// Stores a bundle and its required components.
    pub(super) fn store_bundle(&mut self, id: Id, values: &Numbers) {
        let groups = self.groups.iter();
        let before: Vec<bool> = groups.map(|(_, members)| members.contains(&id)).collect();
        let (mut replaced, mut added) = (Vec::new(), Vec::new());
        for (kind, value) in self.completed(Some(id), values) {
            match self.put(id, kind, Some(value)) {
                Some(previous) => replaced.push((kind, previous)),
                None => added.push(kind),
            }
        }
        replaced.sort();
        self.pool(replaced.iter().any(|(kind, _)| *kind == Kind::C));
        let crossed = self.regroup(id);
        let stays = |at: &usize| before[*at] && self.groups[*at].1.contains(&id);
        let updates = |kind: Kind| {
            let groups = (0..self.groups.len()).filter(stays);
            let named = groups.filter(|at| self.groups[*at].0.watches(kind));
            named
                .map(|at| (at, GroupEvent::Updated))
                .collect::<Vec<_>>()
        };
        let updated: Vec<_> = replaced
            .iter()
            .map(|(kind, previous)| (*kind, *previous, updates(*kind)))
            .collect();
        let all: Vec<_> = updated
            .iter()
            .flat_map(|(_, _, facts)| facts)
            .copied()
            .collect();
        self.collect(id, &[crossed.clone(), all].concat());
        let only = (added.len() == 1).then(|| added[0]);
        self.enqueue_facts(id, &crossed, only, None);
        added.sort();
        for kind in added {
            self.enqueue_change(id, ChangeKind::Added, Some(kind), None);
        }
        for (kind, previous, facts) in updated {
            self.enqueue_update(id, &facts, kind, Some(previous));
        }
        self.deliver();
    }

    /// Adds a bundle to an entity that has none of the components.
    pub(super) fn add_all(&mut self, id: Id, values: &Numbers) -> Answer {
        self.check_bundle(id, Some(id), values)?;
        let mut kinds: Vec<_> = values.iter().map(|(kind, _)| *kind).collect();
        kinds.sort();
        if let Some(kind) = kinds
            .into_iter()
            .find(|kind| self.value(id, *kind).is_some())
        {
            self.pool(values.iter().any(|(kind, _)| *kind == Kind::C));
            return Err(rejected("add", Some(kind), id, "it already has one"));
        }
        self.insert(id, values)
    }
}
