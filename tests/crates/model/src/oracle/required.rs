//! Required components.

use super::{Id, Numbers, Oracle};
use crate::op::Kind;

/// The components that a component requires, in the order of its declaration, with their values.
fn required(kind: Kind) -> &'static [(Kind, u64)] {
    match kind {
        Kind::E => &[(Kind::L, 6)],
        Kind::G => &[(Kind::D, 0), (Kind::O, 3)],
        Kind::J => &[(Kind::O, 1), (Kind::L, 2)],
        Kind::M => &[(Kind::O, 2)],
        Kind::O => &[(Kind::N, 4), (Kind::M, 5)],
        _ => &[],
    }
}

/// The transitive requirements of a component, which may include the component itself.
fn all_required(kind: Kind) -> Vec<Kind> {
    let (mut all, mut at) = (Vec::new(), 0);
    let mut by = Some(kind);
    while let Some(kind) = by {
        for &(other, _) in required(kind) {
            if !all.contains(&other) {
                all.push(other);
            }
        }
        by = all.get(at).copied();
        at += 1;
    }
    all
}

impl Oracle {
    /// Adds a component to an entity, with its missing requirements.
    pub(super) fn put_new(&mut self, id: Id, kind: Kind, value: u64) {
        if self.lacks_required(id, kind) {
            return self.store_bundle(id, &vec![(kind, value)]);
        }
        self.put(id, kind, Some(value));
        self.changed(id, kind, None);
    }

    fn lacks_required(&self, id: Id, kind: Kind) -> bool {
        let mut all = all_required(kind).into_iter();
        all.any(|kind| self.value(id, kind).is_none())
    }

    /// The values of a bundle, followed by the requirements of its new components that neither the
    /// bundle nor the entity has, nearest first.
    pub(super) fn completed(&self, id: Option<Id>, values: &Numbers) -> Numbers {
        let has = |kind: Kind| id.is_some_and(|id| self.value(id, kind).is_some());
        let is_new = |kind: &Kind| !has(*kind);
        let mut requiring: Vec<Kind> = values.iter().map(|(kind, _)| *kind).collect();
        requiring.retain(is_new);
        let (mut all, mut at) = (values.clone(), 0);
        while let Some(&kind) = requiring.get(at) {
            for &(other, value) in required(kind) {
                if !has(other) && all.iter().all(|(kind, _)| *kind != other) {
                    all.push((other, value));
                }
                if !requiring.contains(&other) {
                    requiring.push(other);
                }
            }
            at += 1;
        }
        all
    }
}
