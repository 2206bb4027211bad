//! Ids in a partial save whose entities are not part of it.
//!
//! Only the `Serialize` impl of an id sees ids inside user types, so the parts being written are
//! kept in a thread-local stack. A guard pops it, even on panic.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::any::TypeId;
use core::cell::{Cell, RefCell};
use core::fmt;
use core::marker::PhantomData;

use hashbrown::HashSet;

use crate::words::entity_id::{EntityId, RawEntityId, UntypedId};

std::thread_local! {
    /// Whether a part is being written on this thread. The only check for complete saves.
    static WRITES_PART: Cell<bool> = const { Cell::new(false) };
    /// The parts being written on this thread, innermost last.
    static PARTS: RefCell<Vec<WrittenPart>> = const { RefCell::new(Vec::new()) };
}

/// An id in a component of a partial save whose entity is not part of it. Returned by
/// [`Save::absent`](crate::Save::absent).
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// # #[derive(Component, Clone, serde::Serialize, serde::Deserialize)]
/// # #[component(context = Game)]
/// # struct ChildOf {
/// #     #[component(relation(reverse = children, acyclic))] parent: EntityId<Game>,
/// # }
/// let mut game = Game::new();
/// let ship = game.create_entity().id();
/// let sail = game.create_with(ChildOf { parent: ship }).id();
/// let absent = game.save().only([sail]).absent();
/// assert_eq!((absent[0].id, absent[0].entity), (ship, sail));
/// assert_eq!(absent[0].to_string(), "component `ChildOf` of entity 1v1 refers to 0v1");
/// ```
#[non_exhaustive]
pub struct AbsentId<C> {
    /// The entity that is not in the part. It may be dead.
    pub id: EntityId<C>,
    /// The first entity of the part, in order of components and ids, that refers to it.
    pub entity: EntityId<C>,
    /// The name of the component with the id.
    pub component: &'static str,
}

// By hand, because derives would add a bound on `C`.
impl<C> Clone for AbsentId<C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for AbsentId<C> {}

impl<C> PartialEq for AbsentId<C> {
    fn eq(&self, other: &Self) -> bool {
        (self.id, self.entity, self.component) == (other.id, other.entity, other.component)
    }
}

impl<C> Eq for AbsentId<C> {}

impl<C> fmt::Debug for AbsentId<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AbsentId({self})")
    }
}

/// Prints which component of which entity refers to the id.
impl<C> fmt::Display for AbsentId<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (id, entity) = (self.id, self.entity);
        let name = self.component;
        write!(f, "component `{name}` of entity {entity} refers to {id}")
    }
}

/// A part of a context that is being written.
struct WrittenPart {
    context: TypeId,
    /// The entities of the part, in ascending order.
    entities: Vec<UntypedId>,
    /// The entity and component being written, while ids are collected.
    of: Option<(UntypedId, &'static str)>,
    /// The ids of other entities, in order of first appearance.
    absent: Vec<FoundAbsent>,
    known: HashSet<RawEntityId>,
}

/// An absent id, and the entity and component where it first appeared.
pub(crate) type FoundAbsent = (RawEntityId, (UntypedId, &'static str));

impl WrittenPart {
    fn record(&mut self, id: RawEntityId) -> Result<(), String> {
        let is_there = self.entities.binary_search_by_key(&id, |it| it.raw());
        if is_there.is_ok() || self.known.contains(&id) {
            return Ok(());
        }
        let Some(of) = self.of else {
            return Err(format!(
                "id {id} did not come up when the ids outside of the part were looked for: it is written \
                 by a `Serialize` that writes other ids each time, or in another format"
            ));
        };
        self.absent.push((id, of));
        self.known.insert(id);
        Ok(())
    }
}

/// Guard of a part that is being written.
pub(crate) struct PartScope {
    /// Not `Send`: the guard must be dropped on its own thread.
    thread: PhantomData<*const ()>,
}

impl PartScope {
    /// Starts collecting ids of entities that are not in this sorted list.
    pub(crate) fn begin<C: 'static>(entities: Vec<UntypedId>) -> Self {
        let part = WrittenPart {
            context: TypeId::of::<C>(),
            entities,
            of: None,
            absent: Vec::new(),
            known: HashSet::new(),
        };
        PARTS.with_borrow_mut(|parts| parts.push(part));
        WRITES_PART.set(true);
        let thread = PhantomData;
        Self { thread }
    }

    /// Sets the entity and component written next, or `None` once ids are collected and values are
    /// written to the file.
    pub(crate) fn writing(&self, of: Option<(UntypedId, &'static str)>) {
        PARTS.with_borrow_mut(|parts| {
            if let Some(part) = parts.last_mut() {
                part.of = of;
            }
        });
    }

    /// Returns the absent ids found so far.
    pub(crate) fn absent(&self) -> Vec<FoundAbsent> {
        PARTS.with_borrow(|parts| parts.last().map_or_else(Vec::new, |it| it.absent.clone()))
    }
}

impl Drop for PartScope {
    fn drop(&mut self) {
        let (ended, is_last) = PARTS.with_borrow_mut(|parts| (parts.pop(), parts.is_empty()));
        WRITES_PART.set(!is_last);
        drop(ended);
    }
}

/// Records that an id is written.
#[inline]
pub(super) fn record_written<C: 'static>(id: RawEntityId) -> Result<(), String> {
    match WRITES_PART.get() {
        true => record::<C>(id),
        false => Ok(()),
    }
}

#[cold]
fn record<C: 'static>(id: RawEntityId) -> Result<(), String> {
    PARTS.with_borrow_mut(|parts| match parts.last_mut() {
        Some(part) if part.context == TypeId::of::<C>() => part.record(id),
        _ => Ok(()),
    })
}
