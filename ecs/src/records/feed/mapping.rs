//! Which local entity stands for which entity of the origin.
//!
//! An id in a value names an entity that the feed may not include, or not yet. It gets a local entity
//! too, which must stay as long as a value has its id. So the mapping counts ids in values.

use alloc::vec::Vec;

use hashbrown::{HashMap, HashSet};

use crate::words::component::RawComponentIndex;
use crate::words::entity_id::EntityId;

/// The entities of a mirror, with their ids in the origin.
pub(super) struct Mapping<C: 'static> {
    /// Local entities by their ids in the origin.
    pub(super) locals: HashMap<EntityId<C>, EntityId<C>>,
    pub(super) origins: HashMap<EntityId<C>, EntityId<C>>,
    /// The ids in the origin of those that exist only because values refer to them.
    pub(super) placeholders: HashSet<EntityId<C>>,
    /// The ids in the values of entities, by component.
    referred: HashMap<EntityId<C>, Vec<Referred<C>>>,
    /// How many values have an id, several times if it is in a value several times.
    counts: HashMap<EntityId<C>, usize>,
    /// What values may have instead of the ids of entities that are gone: their last local ids, or those of no entity.
    former: HashMap<EntityId<C>, EntityId<C>>,
}

/// A component of an entity, and the ids in its value.
type Referred<C> = (RawComponentIndex, Vec<EntityId<C>>);

impl<C> Mapping<C> {
    pub(super) fn new() -> Self {
        Self {
            locals: HashMap::new(),
            origins: HashMap::new(),
            placeholders: HashSet::new(),
            referred: HashMap::new(),
            counts: HashMap::new(),
            former: HashMap::new(),
        }
    }

    /// Sets the ids in the value of a component of an entity.
    pub(super) fn refer(
        &mut self,
        owner: EntityId<C>,
        component: RawComponentIndex,
        ids: Vec<EntityId<C>>,
    ) {
        self.forget(owner, Some(component));
        for id in &ids {
            *self.counts.entry(*id).or_insert(0) += 1;
        }
        if !ids.is_empty() {
            let referred = self.referred.entry(owner).or_default();
            referred.push((component, ids));
        }
    }

    /// Forgets the ids in the value of a component of an entity, or in all of its values.
    pub(super) fn forget(&mut self, owner: EntityId<C>, component: Option<RawComponentIndex>) {
        let Some(referred) = self.referred.get_mut(&owner) else {
            return;
        };
        let is_it = |it: &mut Referred<C>| component.is_none_or(|component| component == it.0);
        for id in referred.extract_if(.., is_it).flat_map(|(_, ids)| ids) {
            if let Some(count) = self.counts.get_mut(&id) {
                *count -= 1;
                if *count == 0 {
                    self.counts.remove(&id);
                    self.former.remove(&id);
                }
            }
        }
        if referred.is_empty() {
            self.referred.remove(&owner);
        }
    }

    /// Forgets the ids in all values.
    pub(super) fn forget_all(&mut self) {
        self.referred.clear();
        self.counts.clear();
        self.former.clear();
    }

    /// Records that a value may have the id of no entity instead of this one, which is dead.
    pub(super) fn refer_to_dead(&mut self, origin: EntityId<C>) {
        if self.is_referred(origin) {
            self.former.entry(origin).or_insert(id_of_dead(origin));
        }
    }

    /// What values have instead of the ids of entities that are there again, with their present local ids.
    pub(super) fn returned(
        &mut self,
        appeared: &[EntityId<C>],
    ) -> HashMap<EntityId<C>, EntityId<C>> {
        let mut returned = HashMap::new();
        for origin in appeared {
            if let Some(former) = self.former.remove(origin)
                && let Some(local) = self.local(*origin)
            {
                returned.extend([(former, local), (id_of_dead(*origin), local)]);
            }
        }
        returned
    }

    /// The components with values that have one of these ids, with their owners, ascending.
    pub(super) fn referring(&self, ids: &[EntityId<C>]) -> Vec<(EntityId<C>, RawComponentIndex)> {
        let has = |it: &&Referred<C>| it.1.iter().any(|id| ids.binary_search(id).is_ok());
        let of_owner = |(owner, referred): (&EntityId<C>, &Vec<Referred<C>>)| {
            let (owner, components) = (*owner, referred.iter().filter(has).map(|it| it.0));
            components
                .map(|component| (owner, component))
                .collect::<Vec<_>>()
        };
        let mut referring: Vec<_> = self.referred.iter().flat_map(of_owner).collect();
        referring.sort_unstable();
        referring
    }

    /// Whether a value has the id.
    pub(super) fn is_referred(&self, id: EntityId<C>) -> bool {
        self.counts.contains_key(&id)
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
            if self.is_referred(origin) {
                self.former.insert(origin, local);
            }
        }
    }
}

/// What stands for an entity that does not exist: another id for each, and of no entity, unless a
/// context has had two billion entities at a time. The same again for one that stands for such an entity.
pub(super) fn id_of_dead<C>(origin: EntityId<C>) -> EntityId<C> {
    let index = origin.index().max(u32::MAX - origin.index());
    let id = EntityId::try_new(index, origin.generation());
    id.unwrap_or(origin)
}
