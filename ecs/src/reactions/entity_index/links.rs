//! The links of a relation: for each target the entities that lead to it.
//!
//! ```text
//! places[source's slot]  { target, at }      lists[target's slot]  [source, source, source]
//!                                  └──────────────────────────────── at ──┘
//! ```
//!
//! An index of the entities that have the component, with the target as the key. Targets are
//! entities, so a bucket is found by a slot: nothing is hashed, and no user code runs. Links lead
//! to living targets alone: when one ends, its list is taken away ([`Links::detach`]).

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;
use core::mem;

use super::index::AnyIndex;
use crate::words::component::ComponentIndex;
use crate::words::entity_id::EntityId;
use crate::words::relation::OnTargetDestroyed;

/// Where an entity stands among the sources of its target.
struct Place<C> {
    target: Option<EntityId<C>>,
    at: u32,
}

/// The links of one relation, and its rules.
pub(crate) struct Links<C> {
    pub(crate) component: ComponentIndex,
    pub(crate) on_target_destroyed: OnTargetDestroyed,
    ordered: bool,
    /// By the slots of sources.
    places: Vec<Place<C>>,
    /// The sources, by the slots of their targets.
    lists: Vec<Vec<EntityId<C>>>,
    /// How often links have changed.
    changes: u64,
}

impl<C> Links<C> {
    pub(crate) fn new(
        component: ComponentIndex,
        on_target_destroyed: OnTargetDestroyed,
        ordered: bool,
    ) -> Self {
        Self {
            component,
            on_target_destroyed,
            ordered,
            places: Vec::new(),
            lists: Vec::new(),
            changes: 0,
        }
    }

    /// The entities that lead to one that is alive.
    #[inline]
    pub(crate) fn sources(&self, target: EntityId<C>) -> &[EntityId<C>] {
        let list = self.lists.get(target.index() as usize);
        list.map_or(&[], Vec::as_slice)
    }

    /// The target of an entity that is alive, unless it is dead.
    #[inline]
    pub(crate) fn target(&self, source: EntityId<C>) -> Option<EntityId<C>> {
        self.places.get(source.index() as usize)?.target
    }

    /// The next entity of a walk along the relation, depth first, through all that lead to `top`.
    pub(crate) fn next_below(&self, top: EntityId<C>, id: EntityId<C>) -> Option<EntityId<C>> {
        if let Some(&first) = self.sources(id).first() {
            return Some(first);
        }
        let mut id = id;
        while id != top {
            let place = self.places.get(id.index() as usize)?;
            let target = place.target?;
            if let Some(&next) = self.sources(target).get(place.at as usize + 1) {
                return Some(next);
            }
            id = target;
        }
        None
    }

    /// How often links have changed.
    pub(crate) fn changes(&self) -> u64 {
        self.changes
    }

    /// Has an entity lead to a living target, and to no other one.
    pub(crate) fn link(&mut self, source: EntityId<C>, target: EntityId<C>) {
        if self.target(source) == Some(target) {
            return;
        }
        self.unlink(source);
        let list = entry(&mut self.lists, target, Vec::new);
        let at = u32::try_from(list.len()).expect("fewer than 2^32 entities");
        list.push(source);
        let target = Some(target);
        *entry(&mut self.places, source, Place::none) = Place { target, at };
        self.changes += 1;
    }

    /// Has an entity lead nowhere.
    ///
    /// Complexity: constant; linear in the sources of the target if they are ordered.
    pub(crate) fn unlink(&mut self, source: EntityId<C>) {
        let Some(place) = self.places.get_mut(source.index() as usize) else {
            return;
        };
        let Place { target, at } = mem::replace(place, Place::none());
        let Some(list) = target.and_then(|target| self.lists.get_mut(target.index() as usize))
        else {
            return;
        };
        let at = at as usize;
        let moved = match self.ordered {
            true => {
                list.remove(at);
                at..list.len()
            }
            false => {
                list.swap_remove(at);
                at..list.len().min(at + 1)
            }
        };
        for (source, at) in list[moved.clone()].iter().zip(moved) {
            self.places[source.index() as usize].at = at as u32; // as many as there were
        }
        self.changes += 1;
    }

    /// Has all sources of a target that ends lead nowhere; returns them.
    pub(crate) fn detach(&mut self, target: EntityId<C>) -> Vec<EntityId<C>> {
        let list = self.lists.get_mut(target.index() as usize);
        let sources = list.map(mem::take).unwrap_or_default();
        for source in &sources {
            self.places[source.index() as usize] = Place::none();
        }
        self.changes += u64::from(!sources.is_empty());
        sources
    }
}

impl<C> Place<C> {
    const fn none() -> Self {
        let (target, at) = (None, 0);
        Self { target, at }
    }
}

/// What a table has for the slot of an entity; it grows if it ends before.
fn entry<C, T>(table: &mut Vec<T>, id: EntityId<C>, empty: fn() -> T) -> &mut T {
    let at = id.index() as usize;
    if at >= table.len() {
        table.resize_with(at + 1, empty);
    }
    &mut table[at]
}

/// Links are changed as soon as a change is stored, so none of them is ever to be asked for again.
impl<C: 'static> AnyIndex<C> for Links<C> {
    fn mark_dirty(&mut self, _: EntityId<C>) {}

    fn mark_all_dirty(&mut self, _: Vec<EntityId<C>>) {}

    fn next_dirty(&self) -> Option<EntityId<C>> {
        None
    }

    fn leave(&mut self, id: EntityId<C>) {
        self.unlink(id);
    }

    fn set_asking(&mut self, _: bool) {}

    fn drop_spent(&mut self) {}

    fn empty(&mut self) -> Box<dyn Any> {
        (self.places, self.lists) = (Vec::new(), Vec::new());
        self.changes += 1;
        Box::new(())
    }

    fn is_dropped(&self) -> bool {
        false
    }
}
