//! Which entities, and which of their components, a feed shows.
//!
//! ```text
//! components without a set    of all entities: their journals are read
//! components with a set       of the entities in the set: each is looked up
//! ```

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::reactions::feeds::FeedBits;
use crate::state::core::HasCore;
use crate::storage::registry::numbering;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::EntityId;

/// Decides which entities a feed includes.
pub(crate) type Sees<C> = Box<dyn Fn(&C, EntityId<C>) -> bool + Send + Sync>;

/// The entities for which a feed shows some of its components.
struct VisibleSet<C> {
    /// The components.
    components: FeedBits,
    /// Ascending.
    ids: Vec<EntityId<C>>,
}

/// What a feed shows.
pub(super) struct Visibility<C> {
    /// The components of the feed, ascending.
    components: Vec<RawComponentIndex>,
    only: Option<Sees<C>>,
    sets: Vec<VisibleSet<C>>,
}

impl<C: HasCore> Visibility<C> {
    /// Shows these components of all entities.
    pub(super) fn of_all(components: Vec<RawComponentIndex>) -> Self {
        Self {
            components,
            only: None,
            sets: Vec::new(),
        }
    }

    pub(super) fn limit(&mut self, only: Sees<C>) {
        self.only = Some(only);
    }

    /// Shows these components of these entities only.
    #[track_caller]
    pub(super) fn set(
        &mut self,
        components: &[RawComponentIndex],
        ids: impl IntoIterator<Item = EntityId<C>>,
    ) {
        let components = components.iter().fold(0, |bits, it| bits | self.bit(*it));
        let before = self.sets.last().map_or(0, |set| set.ids.len());
        let mut visible = Vec::with_capacity(before + before / 8); // most change little
        ids.into_iter().for_each(|id| visible.push(id)); // user code, which may panic
        visible.sort_unstable();
        for set in &mut self.sets {
            set.components &= !components;
        }
        self.sets.retain(|set| set.components != 0);
        self.sets.push(VisibleSet {
            components,
            ids: visible,
        });
    }

    #[track_caller]
    fn bit(&self, component: RawComponentIndex) -> FeedBits {
        let found = self.components.binary_search(&component);
        let found = found.unwrap_or_else(|_| {
            let descriptor = numbering::<C>().get(component);
            let name = descriptor.map_or("", |it| it.names.component);
            panic!(
                "component `{name}` is not in this feed, so it is not sent for any entity; add it to \
                 `feed::<(..)>()`, or do not set where it is visible"
            )
        });
        1 << found
    }

    /// The components that are shown for the entities of a set only.
    pub(super) fn limited(&self) -> FeedBits {
        self.sets.iter().fold(0, |bits, set| bits | set.components)
    }

    /// The components that are shown for all entities.
    pub(super) fn unlimited(&self) -> FeedBits {
        let all = (0..self.components.len()).fold(0, |bits, at| bits | 1 << at);
        all & !self.limited()
    }

    /// Components whose changes may make an entity visible that is in no set.
    pub(super) fn decisive(&self) -> FeedBits {
        match (self.unlimited(), &self.only) {
            (0, _) => 0,
            (unlimited, None) => unlimited,
            (_, Some(_)) => FeedBits::MAX, // the closure may read any of them
        }
    }

    /// The entities of each set, ascending, with the components shown for them; an entity may occur several
    /// times.
    pub(super) fn listed(&self) -> impl Iterator<Item = (&[EntityId<C>], FeedBits)> {
        self.sets.iter().map(|set| (&set.ids[..], set.components))
    }

    /// Whether the closure accepts an entity.
    pub(super) fn sees(&self, context: &C, id: EntityId<C>) -> bool {
        self.only.as_ref().is_none_or(|only| only(context, id))
    }
}
