//! Which local entity stands for which entity of the origin.

use hashbrown::{HashMap, HashSet};

use crate::words::entity_id::EntityId;

/// The entities of a mirror, with their ids in the origin.
pub(super) struct Mapping<C: 'static> {
    /// Local entities by their ids in the origin.
    pub(super) locals: HashMap<EntityId<C>, EntityId<C>>,
    pub(super) origins: HashMap<EntityId<C>, EntityId<C>>,
    /// The ids in the origin of those that exist only because relations refer to them.
    pub(super) placeholders: HashSet<EntityId<C>>,
}

impl<C> Mapping<C> {
    pub(super) fn new() -> Self {
        Self {
            locals: HashMap::new(),
            origins: HashMap::new(),
            placeholders: HashSet::new(),
        }
    }

    pub(super) fn local(&self, origin: EntityId<C>) -> Option<EntityId<C>> {
        self.locals.get(&origin).copied()
    }

    pub(super) fn origin(&self, local: EntityId<C>) -> Option<EntityId<C>> {
        self.origins.get(&local).copied()
    }

    /// Whether the origin has sent the entity.
    pub(super) fn is_known(&self, origin: EntityId<C>) -> bool {
        self.locals.contains_key(&origin) && !self.placeholders.contains(&origin)
    }

    pub(super) fn bind(&mut self, origin: EntityId<C>, local: EntityId<C>) {
        self.locals.insert(origin, local);
        self.origins.insert(local, origin);
    }

    pub(super) fn unbind(&mut self, origin: EntityId<C>) {
        self.placeholders.remove(&origin);
        if let Some(local) = self.locals.remove(&origin) {
            self.origins.remove(&local);
        }
    }
}
