//! Structures of users, and the keys that they have.
//!
//! ```text
//! keys[slot] = (id, key)     what the structure has once it is flushed
//! left = [(id, key), …]      entities that have left since
//! ```
//!
//! The structure is user code: it may panic in the middle of a change. Then it is cleared and given all keys again before
//! the next change.

use alloc::vec::Vec;
use core::mem;

use super::structure::Structure;
use crate::storage::heap::{Heap, trim_end};
use crate::words::entity_id::{EntityId, UntypedId};

/// A structure of entities that a context keeps up to date: a tree of places, the words of names.
///
/// Pass it to [`index_with`](crate::Context::index_with), with a function that returns what it has to know of an
/// entity. [`Grid`](crate::Grid) and [`Ordered`](crate::Ordered) are such structures; the guide's page
/// [finding](crate::guide::finding) has two more.
///
/// It is notified of every change of the context in the same form, also of rewinds, restores, loads and merges: one call
/// for each entity whose key has changed, when all state is final, before observers. What it returns should depend on
/// the entities and keys that it has, not on the order of calls: then a loaded or rewound context finds the same.
///
/// # Panics
///
/// If a function panics, [`get`](crate::IndexHandle::get) panics until
/// [`refresh`](crate::IndexHandle::refresh) has [cleared](Self::clear) the structure and given it all entities again.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use ecs::Index;
/// # use sample::*;
/// /// The sum of a number, over all entities.
/// struct Sum(u64);
///
/// impl<C> Index<C> for Sum {
///     type Key = u64;
///
///     fn update(&mut self, _: EntityId<C>, old: Option<&u64>, new: Option<&u64>) {
///         self.0 = self.0 - old.unwrap_or(&0) + new.unwrap_or(&0);
///     }
///
///     fn clear(&mut self) {
///         self.0 = 0;
///     }
/// }
///
/// let mut game = Game::new();
/// let sum = game.index_with(Game::all_of::<Health>(), |e| u64::from(e.health().0), Sum(0));
/// let ids = game.create_many([Health(3), Health(4)]);
/// game.entity_mut(ids[0]).replace_health(5);
/// game.destroy(ids[1]);
/// assert_eq!(sum.get(&game).0, 5);
/// ```
pub trait Index<C>: Send + Sync + 'static {
    /// What the structure has to know of an entity. It is not notified if the key stays equal.
    type Key: PartialEq + Send + Sync + 'static;

    /// An entity has started to match (`old` is `None`), has got another key, or has stopped to match (`new` is
    /// `None`).
    fn update(&mut self, id: EntityId<C>, old: Option<&Self::Key>, new: Option<&Self::Key>);

    /// Removes all entities.
    fn clear(&mut self);

    /// Returns the heap memory of the structure in bytes, for
    /// [`Storage::memory`](crate::Storage::memory).
    fn memory(&self) -> usize {
        0
    }
}

/// See the [module](self).
pub(crate) struct Kept<C, I: Index<C>> {
    /// `None` while it is taken out.
    structure: Option<I>,
    /// By slot.
    keys: Vec<Option<(EntityId<C>, I::Key)>>,
    left: Vec<(EntityId<C>, I::Key)>,
    /// Whether the structure has to be cleared and given all keys.
    is_outdated: bool,
}

impl<C, I: Index<C>> Heap for Kept<C, I> {
    fn bytes(&self) -> usize {
        self.keys.bytes() + self.left.bytes() + self.structure.as_ref().map_or(0, I::memory)
    }

    fn trim(&mut self) {
        trim_end(&mut self.keys, Option::is_some);
        self.left.trim();
    }
}

impl<C: 'static, I: Index<C>> Kept<C, I> {
    pub(crate) fn new(structure: I) -> Self {
        Self {
            structure: Some(structure),
            keys: Vec::new(),
            left: Vec::new(),
            is_outdated: true, // it may have other entities
        }
    }

    /// The structure, unless it has not been notified of all changes.
    #[inline]
    pub(crate) fn structure(&self) -> Option<&I> {
        let is_flushed = !self.is_outdated && self.left.is_empty();
        self.structure.as_ref().filter(|_| is_flushed)
    }

    /// Takes the structure out; from now on changes wait for it.
    pub(crate) fn take(&mut self) -> Option<I> {
        self.structure()?;
        self.structure.take()
    }

    pub(crate) fn put_back(&mut self, structure: I) {
        self.structure = Some(structure);
    }

    /// Clears the structure and gives it all keys.
    #[cold]
    fn rebuild(&mut self) {
        let Some(structure) = &mut self.structure else {
            return;
        };
        self.is_outdated = true;
        self.left.clear();
        structure.clear();
        for (id, key) in self.keys.iter().flatten() {
            structure.update(*id, None, Some(key));
        }
        self.is_outdated = false;
    }

    /// Notifies the structure of the entities that have left.
    fn notify_left(&mut self) {
        let Some(structure) = &mut self.structure else {
            return;
        };
        self.is_outdated = true; // in case of a panic
        for (id, key) in self.left.drain(..) {
            structure.update(id, Some(&key), None);
        }
        self.is_outdated = false;
    }
}

impl<C: 'static, I: Index<C>> Structure for Kept<C, I> {
    type Key = I::Key;

    fn keys_of(&self, id: UntypedId) -> impl Iterator<Item = &I::Key> {
        let kept = self.keys.get(id.index() as usize);
        kept.into_iter().flatten().map(|(_, key)| key)
    }

    fn is_taken(&self) -> bool {
        self.structure.is_none()
    }

    fn insert(&mut self, id: UntypedId, keys: impl Iterator<Item = I::Key>) {
        self.settle();
        let slot = id.index() as usize;
        if slot >= self.keys.len() {
            self.keys.resize_with(slot + 1, || None);
        }
        let new = keys.last().map(|key| (id.typed(), key));
        let old = mem::replace(&mut self.keys[slot], new);
        let [old_key, new_key] = [&old, &self.keys[slot]].map(|it| it.as_ref().map(|it| &it.1));
        self.is_outdated = true; // in case of a panic
        let structure = self
            .structure
            .as_mut()
            .expect("a structure that is taken out is given no keys");
        structure.update(id.typed(), old_key, new_key);
        self.is_outdated = false;
    }

    fn remove(&mut self, id: UntypedId) {
        let kept = self.keys.get_mut(id.index() as usize);
        self.left.extend(kept.and_then(Option::take));
    }

    fn empty(&mut self) -> impl Sized + 'static + use<C, I> {
        self.is_outdated = true;
        (mem::take(&mut self.keys), mem::take(&mut self.left))
    }

    fn settle(&mut self) {
        match (self.is_outdated, self.left.is_empty()) {
            (true, _) => self.rebuild(),
            (false, true) => {}
            (false, false) => self.notify_left(),
        }
    }

    #[cfg(any(test, feature = "__checks"))]
    fn check_invariants(&self, is_member: &dyn Fn(UntypedId) -> bool) {
        for (slot, (id, _)) in self
            .keys
            .iter()
            .enumerate()
            .filter_map(|(slot, it)| Some((slot, it.as_ref()?)))
        {
            assert_eq!(id.index() as usize, slot, "kept: the slot of {id}");
            assert!(is_member(id.untyped()), "kept: {id} is not a member");
        }
    }
}
