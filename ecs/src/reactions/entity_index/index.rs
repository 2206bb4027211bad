//! An entity index: its key function, the buckets of its keys, and the dirty entities.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;
use core::borrow::Borrow;
use core::hash::Hash;

use hashbrown::HashSet;

use super::buckets::{Buckets, Member, NewKeys};
use super::circle::Circle;
use super::dirty_set::DirtySet;
use super::journal::{BucketsCopy, IndexCopy};
use crate::reactions::handle::{HandleWatch, Watched};
use crate::storage::heap::{Heap, heap};
#[cfg(any(test, feature = "__checks"))]
use crate::storage::slots::Slots;
use crate::words::entity_id::UntypedId;

/// The key function of an index, which reads from `S`: a closure that passes each key of an entity
/// to `each`.
pub(crate) trait KeysOf<S: ?Sized, K>: Send + Sync {
    /// Passes the keys of an entity to `each`.
    fn each_key(&self, source: &S, id: UntypedId, each: &mut dyn FnMut(K));

    /// Returns the entities whose keys differ from those of their buckets.
    ///
    /// A single call for all of them, so that the key function can be inlined; unchanged keys are
    /// only compared, neither hashed nor stored.
    fn changed(&self, source: &S, ids: &[UntypedId], buckets: &Buckets<K>) -> Vec<UntypedId>;
}

impl<S: ?Sized, K, F> KeysOf<S, K> for F
where
    K: Hash + Eq,
    F: Fn(&S, UntypedId, &mut dyn FnMut(K)) + Send + Sync,
{
    fn each_key(&self, source: &S, id: UntypedId, each: &mut dyn FnMut(K)) {
        self(source, id, each);
    }

    fn changed(&self, source: &S, ids: &[UntypedId], buckets: &Buckets<K>) -> Vec<UntypedId> {
        let mut changed = Vec::new();
        for &id in ids {
            let (mut before, mut same) = (buckets.keys_of(id), true);
            self(source, id, &mut |key| same &= before.next() == Some(&key));
            if !same || before.next().is_some() {
                changed.push(id);
            }
        }
        changed
    }
}

/// An index with keys of type `K`, read from `S`.
pub(crate) struct Index<S: ?Sized, K> {
    keys_of: Box<dyn KeysOf<S, K>>,
    buckets: Buckets<K>,
    /// Members of the group whose buckets may be out of date.
    dirty: DirtySet,
    /// Keys to drop once all state is final.
    pending_drops: Vec<K>,
    /// Memory to reuse.
    scratch: NewKeys<K>,
    /// Whether the keys of an entity are being computed to be stored.
    asking: bool,
    circle: Circle,
    /// The handle, if users have one.
    watch: Option<HandleWatch>,
}

impl<S: ?Sized, K> Heap for Index<S, K> {
    fn bytes(&self) -> usize {
        let lists = self.pending_drops.bytes() + self.scratch.bytes() + self.watch.bytes();
        size_of_val(&*self.keys_of) + self.buckets.bytes() + self.dirty.bytes() + lists
    }

    fn trim(&mut self) {
        self.buckets.trim();
        self.dirty.trim();
        self.pending_drops.trim();
        self.scratch.trim();
    }
}

/// The position of an index in its journal, and its dirty entities.
pub(crate) struct JournalPosition {
    pub(super) position: u64,
    pub(super) dirty: Vec<UntypedId>,
    pub(super) handle: Option<HandleWatch>,
}

heap!(JournalPosition: dirty);

/// The result of a lookup: a slice of a bucket, or a list if there were dirty entities.
#[derive(Clone)]
pub(crate) enum Found<'a> {
    Members(core::slice::Iter<'a, Member>),
    Asked(alloc::vec::IntoIter<UntypedId>),
}

impl<S: ?Sized, K: Hash + Eq> Index<S, K> {
    pub(crate) fn new(keys_of: Box<dyn KeysOf<S, K>>) -> Self {
        Self {
            keys_of,
            buckets: Buckets::new(),
            dirty: DirtySet::default(),
            pending_drops: Vec::new(),
            scratch: NewKeys::default(),
            asking: false,
            circle: Circle::default(),
            watch: None,
        }
    }

    /// The number of keys with entities, excluding keys of dirty entities.
    pub(crate) fn len(&self) -> usize {
        self.buckets.len()
    }

    /// The keys with entities, excluding keys of dirty entities.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &K> + '_ {
        self.buckets.keys()
    }

    #[track_caller]
    pub(crate) fn find<Q>(&self, source: &S, key: &Q) -> Found<'_>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        if self.asking {
            self.reject_circle();
        }
        let members = self.buckets.members(key).iter();
        match self.dirty.is_empty() {
            true => Found::Members(members),
            false => Found::Asked(self.ask(source, members, key).into_iter()),
        }
    }

    /// The entities of a key. Computes the keys of dirty entities.
    #[cold]
    #[track_caller]
    fn ask<Q>(&self, source: &S, members: core::slice::Iter<'_, Member>, key: &Q) -> Vec<UntypedId>
    where
        K: Borrow<Q>,
        Q: Eq + ?Sized,
    {
        let asked: Vec<_> = self.dirty.ids().collect();
        let dirty: HashSet<_> = asked.iter().copied().collect();
        let clean = members.map(|member| member.id);
        let mut found: Vec<_> = clean.filter(|id| !dirty.contains(id)).collect();
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
        found
    }

    #[cold]
    #[track_caller]
    fn reject_circle(&self) -> ! {
        panic!(
            "the key function of an entity index uses that index itself, which cannot answer \
             before it has the key: read components or another index instead"
        )
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

    /// Finds the buckets of an entity's keys; none if no handle is left.
    pub(crate) fn want(&self, source: &S, id: UntypedId, new_keys: &mut NewKeys<K>) {
        if self.has_no_handle() {
            return;
        }
        let each = &mut |key| self.buckets.want(id, key, new_keys);
        self.keys_of.each_key(source, id, each);
    }

    /// The entities of the batch whose keys have changed; none if no handle is left.
    pub(crate) fn changed_in_batch(&self, source: &S) -> Vec<UntypedId> {
        if self.has_no_handle() {
            return Vec::new();
        }
        let batch = self.dirty.batch();
        self.keys_of.changed(source, batch, &self.buckets)
    }

    /// Panics if one of these entities, which are all members of the group, is neither dirty nor in
    /// the buckets of its current keys. Computes all keys, which runs user code.
    #[cfg(any(test, feature = "__checks"))]
    pub(crate) fn check_keys(&self, source: &S, members: &[UntypedId]) {
        if self.has_no_handle() {
            return; // lookups are no longer possible
        }
        for &id in members {
            let is_found = self.dirty.contains(id) || self.is_under_its_keys(source, id);
            assert!(is_found, "index: {id} has other keys");
        }
    }

    /// Whether an entity is in exactly the buckets of its keys. Keys may repeat.
    #[cfg(any(test, feature = "__checks"))]
    fn is_under_its_keys(&self, source: &S, id: UntypedId) -> bool {
        let held: Vec<_> = self.buckets.keys_of(id).collect();
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

    /// Ends the batch; the changed entities stay dirty.
    pub(crate) fn end_batch(&mut self, changed: &[UntypedId]) {
        self.dirty.end_batch(changed);
    }

    /// Puts a dirty entity into the buckets of its keys.
    pub(crate) fn insert(&mut self, id: UntypedId, mut new_keys: NewKeys<K>) {
        self.dirty.remove(id);
        self.buckets
            .insert(id, &mut new_keys, &mut self.pending_drops);
        self.scratch = new_keys;
    }

    /// Memory for the keys of an entity.
    pub(crate) fn scratch(&mut self) -> NewKeys<K> {
        core::mem::take(&mut self.scratch)
    }
}

/// An index with keys of any type.
pub(crate) trait AnyIndex: Any + Send + Sync + Heap {
    /// Marks an entity dirty.
    fn mark_dirty(&mut self, id: UntypedId);

    /// Marks a batch of entities dirty.
    fn mark_batch_dirty(&mut self, ids: Vec<UntypedId>);

    /// Removes dirty entities from their buckets; they stay dirty. Runs no user code.
    fn set_dirty_apart(&mut self);

    /// Removes an entity that has left the group.
    fn leave(&mut self, id: UntypedId);

    /// Sets whether the keys of an entity are being computed.
    fn set_asking(&mut self, asking: bool);

    /// Drops the keys that are no longer used.
    fn drop_pending(&mut self);

    /// Removes all entities; returns what is to be dropped.
    fn empty(&mut self) -> Box<dyn Any>;

    fn is_dropped(&self) -> bool;

    /// A copy of the contents, without keys.
    fn copy(&self) -> IndexCopy;

    /// Restores the order of a copy, if it has the same contents. Runs no user code.
    fn arrange(&mut self, copy: &IndexCopy);

    /// Panics if the contents are inconsistent, or contain an entity that is not a member of the
    /// group. Runs no user code.
    #[cfg(any(test, feature = "__checks"))]
    fn check_invariants(&self, slots: &Slots, is_member: &dyn Fn(UntypedId) -> bool);

    /// Starts or stops recording steps for undo.
    fn record(&mut self, recording: bool);

    /// The current position in the journal, and the dirty entities.
    fn checkpoint(&self) -> JournalPosition;

    /// Undoes or redoes steps until a recorded position; returns whether that is possible.
    fn seek(&mut self, checkpoint: &JournalPosition) -> bool;

    /// Forgets the steps before a position.
    fn forget_before(&mut self, checkpoint: &JournalPosition);
}

impl<S: ?Sized + 'static, K> AnyIndex for Index<S, K>
where
    K: Hash + Eq + Send + Sync + 'static,
{
    fn mark_dirty(&mut self, id: UntypedId) {
        self.dirty.insert(id);
    }

    fn mark_batch_dirty(&mut self, ids: Vec<UntypedId>) {
        self.dirty.insert_batch(ids);
    }

    fn set_dirty_apart(&mut self) {
        for id in self.dirty.ids() {
            self.buckets.remove(id, &mut self.pending_drops);
        }
    }

    fn leave(&mut self, id: UntypedId) {
        self.dirty.remove(id);
        self.buckets.remove(id, &mut self.pending_drops);
    }

    fn set_asking(&mut self, asking: bool) {
        self.asking = asking;
    }

    fn drop_pending(&mut self) {
        self.pending_drops.clear();
    }

    fn empty(&mut self) -> Box<dyn Any> {
        self.dirty = DirtySet::default();
        let emptied = self.buckets.emptied();
        let buckets = core::mem::replace(&mut self.buckets, emptied);
        Box::new((buckets, core::mem::take(&mut self.pending_drops)))
    }

    fn is_dropped(&self) -> bool {
        self.has_no_handle()
    }

    fn copy(&self) -> IndexCopy {
        IndexCopy::Buckets(BucketsCopy {
            dirty: self.dirty.ids().collect(),
            ..self.buckets.copied()
        })
    }

    fn arrange(&mut self, copy: &IndexCopy) {
        if let IndexCopy::Buckets(copy) = copy {
            self.buckets.arrange(copy);
            self.dirty.put_last(&copy.dirty);
        }
    }

    #[cfg(any(test, feature = "__checks"))]
    fn check_invariants(&self, _: &Slots, is_member: &dyn Fn(UntypedId) -> bool) {
        self.buckets.shape().check_invariants(is_member);
        self.dirty.check_invariants();
    }

    fn record(&mut self, recording: bool) {
        self.buckets
            .set_recording(recording, &mut self.pending_drops);
    }

    fn checkpoint(&self) -> JournalPosition {
        JournalPosition {
            position: self.buckets.position(),
            dirty: self.dirty.ids().collect(),
            handle: self.watch.clone(),
        }
    }

    fn seek(&mut self, checkpoint: &JournalPosition) -> bool {
        if self.watch != checkpoint.handle {
            return false; // the index was created later
        }
        self.dirty = DirtySet::default();
        checkpoint
            .dirty
            .iter()
            .for_each(|id| self.dirty.insert(*id));
        self.buckets.seek(checkpoint.position)
    }

    fn forget_before(&mut self, checkpoint: &JournalPosition) {
        if self.watch == checkpoint.handle {
            self.buckets
                .forget_before(checkpoint.position, &mut self.pending_drops);
        }
    }
}

impl Found<'_> {
    pub(crate) fn none() -> Self {
        Self::Members([].iter())
    }
}

impl Iterator for Found<'_> {
    type Item = UntypedId;

    #[inline]
    fn next(&mut self) -> Option<UntypedId> {
        match self {
            Self::Members(members) => members.next().map(|member| member.id),
            Self::Asked(ids) => ids.next(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Self::Members(members) => members.size_hint(),
            Self::Asked(ids) => ids.size_hint(),
        }
    }
}
