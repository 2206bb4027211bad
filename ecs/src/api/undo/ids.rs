//! The ids of entities that could not get their old ids back, because another entity has the slot.
//!
//! Steps keep the ids that entities had first. A table has their current ids, and only of entities
//! that steps mention.

use hashbrown::{HashMap, HashSet};

use crate::storage::mailbox::Mailbox;
use crate::words::entity_id::UntypedId;
use crate::words::map_ids::IdMap;

/// The least number of ids at which unused ones are looked for.
const FEW: usize = 64;

/// The current ids of entities that were created again under other ids.
#[derive(Default)]
pub(super) struct CurrentIds {
    current: HashMap<UntypedId, UntypedId>,
    first: HashMap<UntypedId, UntypedId>,
    /// How often an entity got a new id.
    pub(super) renames: u64,
    /// The number of ids that were in use when unused ones were removed last.
    used: usize,
}

impl CurrentIds {
    /// The current id of an entity in a step.
    pub(super) fn of(&self, first: UntypedId) -> UntypedId {
        self.current.get(&first).copied().unwrap_or(first)
    }

    /// The id that steps keep for an entity with this id.
    pub(super) fn first_of(&self, id: UntypedId) -> UntypedId {
        self.first.get(&id).copied().unwrap_or(id)
    }

    /// Whether all entities in steps have the ids that they had first.
    pub(super) fn is_empty(&self) -> bool {
        self.current.is_empty()
    }

    /// Records the new id of an entity in a step.
    pub(super) fn record(&mut self, first: UntypedId, id: UntypedId) {
        if let Some(before) = self.current.insert(first, id) {
            self.first.remove(&before);
        }
        self.first.insert(id, first);
        self.renames += 1;
    }

    /// Removes the ids that no step mentions, if there may be many. `visit` passes all ids of the
    /// steps to a map, which costs as much as they have; it is called only when the table has
    /// doubled.
    pub(super) fn remove_unused<C: 'static>(
        &mut self,
        visit: impl FnOnce(&dyn Fn(UntypedId) -> UntypedId, &IdMap<'_>),
    ) {
        if self.current.len() <= FEW.max(2 * self.used) {
            return;
        }
        let mailbox = Mailbox::new();
        let mention = |id| {
            mailbox.put(id);
            id
        };
        visit(&mention, &IdMap::of::<C>(&mention));
        let mentioned: HashSet<_> = mailbox.take().into_iter().collect();
        self.current.retain(|first, _| mentioned.contains(first));
        self.first.retain(|_, first| mentioned.contains(first));
        self.current.shrink_to_fit();
        self.first.shrink_to_fit();
        self.used = self.current.len();
    }
}
