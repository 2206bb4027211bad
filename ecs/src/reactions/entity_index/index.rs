//! An entity index: its key function, a structure of the keys, and the dirty entities.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;
use core::borrow::Borrow;
use core::hash::Hash;

use hashbrown::HashSet;

use super::buckets::{Buckets, MemberIter};
use super::circle::Circle;
use super::dirty_set::DirtySet;
use super::found::Found;
use super::structure::Structure;
use crate::reactions::handle::{HandleWatch, Watched};
use crate::storage::heap::{Heap, heap};
#[cfg(any(test, feature = "__checks"))]
use crate::storage::slots::Slots;
use crate::words::entity_id::UntypedId;

/// The key function of an index, which reads from `S`: a closure that passes each key of an entity
/// to `each`.
pub(crate) trait KeysOf<S: ?Sized, T: Structure>: Send + Sync {
    /// Passes the keys of an entity to `each`.
    fn each_key(&self, source: &S, id: UntypedId, each: &mut dyn FnMut(T::Key));

    /// Adds the entities whose keys differ from those in the structure.
    ///
    /// A single call for all of them, so that the key function can be inlined.
    fn changed(
        &self,
        source: &S,
        ids: &[UntypedId],
        structure: &T,
        changed: &mut ChangedKeys<T::Key>,
    );
}

impl<S: ?Sized, T: Structure, F> KeysOf<S, T> for F
where
    F: Fn(&S, UntypedId, &mut dyn FnMut(T::Key)) + Send + Sync,
{
    fn each_key(&self, source: &S, id: UntypedId, each: &mut dyn FnMut(T::Key)) {
        self(source, id, each);
    }

    fn changed(
        &self,
        source: &S,
        ids: &[UntypedId],
        structure: &T,
        changed: &mut ChangedKeys<T::Key>,
    ) {
        for &id in ids {
            let start = changed.keys.len();
            self(source, id, &mut |key| changed.keys.push(key));
            match structure.has_keys(id, &changed.keys[start..]) {
                true => changed.keys.truncate(start),
                false => changed.ids.push((id, changed.keys.len() - start)),
            }
        }
    }
}

/// Entities with their new keys.
pub(crate) struct ChangedKeys<K> {
    /// Each with the number of its keys.
    ids: Vec<(UntypedId, usize)>,
    keys: Vec<K>,
}

heap!(ChangedKeys<K>: ids, keys);

impl<K> Default for ChangedKeys<K> {
    fn default() -> Self {
        Self {
            ids: Vec::new(),
            keys: Vec::new(),
        }
    }
}

/// The dirty entities to be updated.
#[derive(Clone, Copy)]
pub(crate) enum Dirty<'a> {
    One(UntypedId),
    /// The batch, to which these were added, and those of these that are dirty if it was dissolved since.
    Many(&'a [UntypedId]),
}

/// An index with a structure of type `T`, whose keys are read from `S`.
pub(crate) struct KeyIndex<S: ?Sized, T: Structure> {
    keys_of: Box<dyn KeysOf<S, T>>,
    structure: T,
    /// Members of the group whose keys in the structure may be out of date.
    dirty: DirtySet,
    /// Whether dirty entities were set apart, and are to be updated with the next change.
    is_apart: bool,
    /// Memory to reuse.
    scratch: ChangedKeys<T::Key>,
    /// Whether the keys of an entity are being computed to be stored.
    asking: bool,
    circle: Circle,
    /// The handle, if users have one.
    watch: Option<HandleWatch>,
}

impl<S: ?Sized, T: Structure> Heap for KeyIndex<S, T> {
    fn bytes(&self) -> usize {
        let lists = self.scratch.bytes() + self.watch.bytes();
        size_of_val(&*self.keys_of) + self.structure.bytes() + self.dirty.bytes() + lists
    }

    fn trim(&mut self) {
        self.structure.trim();
        self.dirty.trim();
        self.scratch.trim();
    }
}

impl<S: ?Sized, K: Hash + Eq + Send + Sync + 'static> KeyIndex<S, Buckets<K>> {
    /// The number of keys with entities, excluding keys of dirty entities.
    pub(crate) fn len(&self) -> usize {
        self.structure.len()
    }

    /// The keys with entities, excluding keys of dirty entities.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &K> + '_ {
        self.structure.keys()
    }

    /// The entities with a key.
    #[track_caller]
    pub(crate) fn find<Q>(&self, source: &S, key: &Q) -> Found<'_>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        self.check_idle();
        let members = self.structure.members(key);
        match self.dirty.is_empty() {
            true => Found::Members(members),
            false => Found::Asked(self.ask(source, members, key).into_iter()),
        }
    }

    /// The first entity with a key.
    #[inline]
    #[track_caller]
    pub(crate) fn find_first<Q>(&self, source: &S, key: &Q) -> Option<UntypedId>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        self.check_idle();
        match self.dirty.is_empty() {
            true => self.structure.first(key),
            false => self.find(source, key).next(),
        }
    }

    /// The entities of a key. Computes the keys of dirty entities.
    #[cold]
    #[track_caller]
    fn ask<Q>(&self, source: &S, members: MemberIter<'_>, key: &Q) -> Vec<UntypedId>
    where
        K: Borrow<Q>,
        Q: Eq + ?Sized,
    {
        let asked: Vec<_> = self.dirty.ids().collect();
        let dirty: HashSet<_> = asked.iter().copied().collect();
        let mut found: Vec<_> = members.filter(|id| !dirty.contains(id)).collect();
        let Some(_asking) = self.circle.ask() else {
            self.reject_circle();
        };
        for id in asked {
            let mut has = false;
            let is_key = &mut |k: K| has |= k.borrow() == key;
            self.keys_of.each_key(source, id, is_key);
            if has {
                found.push(id);
            }
        }
        found.sort_unstable_by_key(|id| id.index());
        found.dedup(); // the batch may have it twice
        found
    }
}

impl<S: ?Sized, T: Structure> KeyIndex<S, T> {
    pub(crate) fn new(keys_of: Box<dyn KeysOf<S, T>>, structure: T) -> Self {
        Self {
            keys_of,
            structure,
            dirty: DirtySet::default(),
            is_apart: false,
            scratch: ChangedKeys::default(),
            asking: false,
            circle: Circle::default(),
            watch: None,
        }
    }

    /// Panics if it is used by its own key function.
    #[inline]
    #[track_caller]
    fn check_idle(&self) {
        if self.asking {
            self.reject_circle();
        }
    }

    #[cold]
    #[track_caller]
    fn reject_circle(&self) -> ! {
        panic!(
            "the key function of an entity index uses that index itself, which cannot answer \
             before it has the key: read components or another index instead"
        )
    }

    /// The structure, unless there are dirty entities.
    #[track_caller]
    pub(crate) fn current(&self) -> Option<&T> {
        self.check_idle();
        self.dirty.is_empty().then_some(&self.structure)
    }

    /// The structure, current or not.
    pub(crate) fn structure_mut(&mut self) -> &mut T {
        &mut self.structure
    }

    /// Whether changed entities stay dirty for now.
    #[inline]
    pub(crate) fn is_taken(&self) -> bool {
        self.structure.is_taken()
    }

    /// Makes one batch of all dirty entities.
    pub(crate) fn gather_dirty(&mut self) {
        self.dirty.gather();
    }

    /// Creates the watched part of the handle.
    pub(crate) fn watch(&mut self) -> Watched {
        let watched = Watched::new();
        self.watch = Some(watched.watch());
        watched
    }

    fn has_no_handle(&self) -> bool {
        self.watch.as_ref().is_some_and(HandleWatch::is_dropped)
    }

    /// Starts to compute keys of dirty entities, with all that were set apart; returns memory for those that have
    /// changed.
    pub(crate) fn start_update(&mut self, dirty: &mut Dirty<'_>) -> ChangedKeys<T::Key> {
        if core::mem::take(&mut self.is_apart) {
            self.dirty.gather();
            *dirty = Dirty::Many(&[]);
        }
        self.dirty.dedup_batch();
        core::mem::take(&mut self.scratch)
    }

    /// Computes the keys of dirty entities, and adds those that have changed; none if no handle is left.
    pub(crate) fn changed(&self, source: &S, dirty: Dirty<'_>, changed: &mut ChangedKeys<T::Key>) {
        if self.has_no_handle() {
            return;
        }
        let listed: Vec<_>;
        let ids = match &dirty {
            Dirty::One(id) if self.dirty.is_listed(*id) => core::slice::from_ref(id),
            Dirty::One(_) => &[], // it has left since
            Dirty::Many(ids) => match self.dirty.batch_and_listed(ids) {
                Some(both) => {
                    listed = both;
                    &listed
                }
                None => self.dirty.batch(),
            },
        };
        self.keys_of.changed(source, ids, &self.structure, changed);
    }

    /// Gives entities their new keys, and removes them from the dirty ones. Comparing and hashing keys is user
    /// code: after a panic, all of them stay dirty.
    pub(crate) fn update(&mut self, dirty: Dirty<'_>, changed: &mut ChangedKeys<T::Key>) {
        let mut keys = changed.keys.drain(..);
        for (id, count) in changed.ids.drain(..) {
            self.structure.insert(id, keys.by_ref().take(count));
        }
        match dirty {
            Dirty::One(id) => self.dirty.remove(id),
            Dirty::Many(ids) => {
                self.dirty.end_batch();
                self.dirty.remove_all(ids);
            }
        }
    }

    /// Keeps memory to be reused.
    pub(crate) fn keep_scratch(&mut self, scratch: ChangedKeys<T::Key>) {
        self.scratch = scratch;
    }

    /// Panics if one of these entities, which are all members of the group, is neither dirty nor in
    /// the structure with its present keys. Computes all keys, which runs user code.
    #[cfg(any(test, feature = "__checks"))]
    pub(crate) fn check_keys(&self, source: &S, members: &[UntypedId]) {
        if self.has_no_handle() {
            return; // lookups are no longer possible
        }
        for &id in members {
            let is_found = self.dirty.contains(id) || self.has_its_keys(source, id);
            assert!(is_found, "index: {id} has other keys");
        }
    }

    /// Whether the structure has exactly the present keys of an entity. Keys may repeat.
    #[cfg(any(test, feature = "__checks"))]
    fn has_its_keys(&self, source: &S, id: UntypedId) -> bool {
        let held: Vec<_> = self.structure.keys_of(id).collect();
        let (mut has, mut known, mut next) = (alloc::vec![false; held.len()], true, 0);
        self.keys_of.each_key(source, id, &mut |key| {
            let is_next = held.get(next).is_some_and(|held| **held == key);
            let search = || held.iter().position(|held| **held == key);
            let place = if is_next { Some(next) } else { search() };
            known &= place.is_some();
            if let Some(place) = place {
                (has[place], next) = (true, place + 1);
            }
        });
        known && has.iter().all(|has| *has)
    }
}

/// An index with keys of any type.
pub(crate) trait AnyIndex: Any + Send + Sync + Heap {
    /// Whether it depends on the values of components; if not, on the members of its group alone.
    fn follows_values(&self) -> bool {
        true
    }

    /// Marks an entity dirty.
    fn mark_dirty(&mut self, id: UntypedId);

    /// Marks a batch of entities dirty.
    fn mark_batch_dirty(&mut self, ids: &mut dyn Iterator<Item = UntypedId>);

    /// Removes dirty entities from the structure; they stay dirty. Runs no user code.
    fn set_dirty_apart(&mut self);

    /// Removes an entity that has left the group.
    fn leave(&mut self, id: UntypedId);

    /// Sets whether the keys of an entity are being computed.
    fn set_asking(&mut self, asking: bool);

    /// Does the work left for when all state is final: user code.
    fn settle(&mut self);

    /// Removes all entities; returns what is to be dropped.
    fn empty(&mut self) -> Box<dyn Any>;

    fn is_dropped(&self) -> bool;

    /// Panics if the contents are inconsistent, or contain an entity that is not a member of the
    /// group. Runs no user code.
    #[cfg(any(test, feature = "__checks"))]
    fn check_invariants(&self, slots: &Slots, is_member: &dyn Fn(UntypedId) -> bool);
}

impl<S: ?Sized + 'static, T: Structure> AnyIndex for KeyIndex<S, T> {
    fn mark_dirty(&mut self, id: UntypedId) {
        self.dirty.insert(id);
    }

    fn mark_batch_dirty(&mut self, ids: &mut dyn Iterator<Item = UntypedId>) {
        self.dirty.insert_batch(ids);
    }

    fn set_dirty_apart(&mut self) {
        self.dirty.dissolve_batch();
        for id in self.dirty.ids() {
            self.structure.remove(id);
        }
        self.is_apart = !self.dirty.is_empty();
    }

    fn leave(&mut self, id: UntypedId) {
        self.dirty.remove(id);
        self.structure.remove(id);
    }

    fn set_asking(&mut self, asking: bool) {
        (self.asking, self.is_apart) = (asking, false);
    }

    fn settle(&mut self) {
        self.structure.settle();
    }

    fn empty(&mut self) -> Box<dyn Any> {
        (self.dirty, self.is_apart) = (DirtySet::default(), false);
        Box::new(self.structure.empty())
    }

    fn is_dropped(&self) -> bool {
        self.has_no_handle()
    }

    #[cfg(any(test, feature = "__checks"))]
    fn check_invariants(&self, _: &Slots, is_member: &dyn Fn(UntypedId) -> bool) {
        self.structure.check_invariants(is_member);
        self.dirty.check_invariants();
    }
}
