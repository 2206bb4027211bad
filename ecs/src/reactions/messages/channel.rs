//! The messages of one type and its inboxes.

#![expect(
    unsafe_code,
    reason = "gives a channel the type of its messages back without a call"
)]

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::{Any, TypeId};
use core::mem;
use core::ops::{Deref, DerefMut};

use super::inbox::Messages;
use crate::reactions::handle::{HandleWatch, Watched};
use crate::storage::heap::{Heap, heap};
use crate::storage::slab::Slab;
use crate::words::demands::{Confined, FitsIn};

/// The batches that an inbox has not read.
struct Unread<T> {
    batches: Confined<Vec<Arc<[T]>>>,
    watch: HandleWatch,
}

// Not derived, because that would require the same of `T`.
impl<T> Clone for Unread<T> {
    fn clone(&self) -> Self {
        Self {
            batches: self.batches.clone(),
            watch: self.watch.clone(),
        }
    }
}

/// The unread batches of each inbox at a checkpoint.
type InboxesCopy<T> = Slab<Unread<T>>;

pub(crate) struct Channel<T> {
    /// Unread by every inbox.
    latest: Confined<Vec<T>>,
    inboxes: Slab<Unread<T>>,
    /// Whether there may be observers.
    is_observed: bool,
}

impl<T: 'static> Heap for Channel<T> {
    /// Shared batches count once.
    fn bytes(&self) -> usize {
        let unread = self.inboxes.values();
        let lists = unread
            .clone()
            .map(|it| it.batches.bytes() + it.watch.bytes());
        let batches = unread.flat_map(|unread| &*unread.batches);
        self.latest.bytes() + self.inboxes.bytes() + lists.sum::<usize>() + bytes_of(batches)
    }

    fn trim(&mut self) {
        if self.inboxes.len() == 0 {
            drop(mem::take(&mut *self.latest)); // runs user code; the channel is consistent
        }
        self.latest.trim();
        let unread = self.inboxes.values_mut();
        unread.for_each(|unread| unread.batches.trim());
        self.inboxes.trim();
    }
}

impl<T: 'static> Channel<T> {
    pub(super) fn new<C>() -> Self
    where
        T: FitsIn<C>,
    {
        Self {
            latest: Confined::all::<C, T>(Vec::new()),
            inboxes: Slab::new(),
            is_observed: false,
        }
    }

    /// Whether there may be observers.
    #[inline]
    pub(crate) fn is_observed(&self) -> bool {
        self.is_observed
    }

    pub(crate) fn set_observed(&mut self, is_observed: bool) {
        self.is_observed = is_observed;
    }

    /// Stores a message for all inboxes.
    #[inline]
    pub(crate) fn send(&mut self, message: T) {
        if self.latest.len() == self.latest.capacity() {
            return self.send_and_grow(message);
        }
        self.latest.push(message);
    }

    /// Stores a message if any inbox is left.
    #[cold]
    #[inline(never)]
    fn send_and_grow(&mut self, message: T) {
        self.end_dropped();
        if self.inboxes.len() > 0 {
            self.latest.push(message);
        } else {
            drop((mem::take(&mut *self.latest), message)); // user code
        }
    }

    /// Stores a message for all inboxes; returns it to share it with observers.
    pub(crate) fn send_shared<C>(&mut self, message: T) -> Confined<Arc<[T]>>
    where
        T: FitsIn<C>,
    {
        self.distribute();
        self.end_dropped();
        let message: Arc<[T]> = Arc::new([message]);
        for unread in self.inboxes.values_mut() {
            unread.batches.push(message.clone());
        }
        Confined::all::<C, T>(message)
    }

    /// Adds an inbox for messages sent from now on.
    pub(crate) fn add_inbox<C>(&mut self) -> (usize, Watched)
    where
        T: FitsIn<C>,
    {
        self.distribute();
        let watched = Watched::new();
        let place = self.inboxes.insert(Unread {
            batches: Confined::all::<C, T>(Vec::new()),
            watch: watched.watch(),
        });
        (place, watched)
    }

    /// The number of unread messages of an inbox.
    pub(crate) fn len(&self, place: usize) -> usize {
        let unread = self.inboxes.get(place).into_iter();
        let unread = unread.flat_map(|unread| &*unread.batches);
        unread.map(|batch| batch.len()).sum::<usize>() + self.latest.len()
    }

    /// Moves the unread messages of an inbox to `into`, which is empty and whose memory is reused.
    #[inline]
    pub(crate) fn read(&mut self, place: usize, into: &mut Messages<T>) {
        let alone = self.inboxes.len() == 1;
        if alone {
            mem::swap(&mut *self.latest, &mut into.latest);
        } else {
            self.distribute();
        }
        if let Some(unread) = self.inboxes.get_mut(place) {
            mem::swap(&mut *unread.batches, &mut into.batches);
        }
    }

    /// Distributes the latest messages as a batch, which all inboxes share whose handles exist.
    fn distribute(&mut self) {
        if !self.latest.is_empty() {
            self.end_dropped();
            let batch: Arc<[T]> = self.latest.drain(..).collect();
            for unread in self.inboxes.values_mut() {
                unread.batches.push(batch.clone());
            }
        }
    }

    /// Removes the inboxes whose handles have been dropped.
    fn end_dropped(&mut self) {
        let inboxes = self.inboxes.iter();
        let dropped = inboxes.filter(|(_, unread)| unread.watch.is_dropped());
        let dropped: Vec<usize> = dropped.map(|(place, _)| place).collect();
        for place in dropped {
            drop(self.inboxes.remove(place)); // runs user code; the channel is consistent
        }
    }
}

/// A channel of messages of an unknown type.
pub(super) struct ErasedChannel {
    message: TypeId,
    /// A `Channel<T>`, where `message` is the id of `T`.
    channel: Box<dyn AnyChannel>,
}

heap!(ErasedChannel: channel);

impl ErasedChannel {
    pub(super) fn new<C, T: FitsIn<C>>() -> Self {
        Self {
            message: TypeId::of::<T>(),
            channel: Box::new(Channel::<T>::new::<C>()),
        }
    }

    /// The channel, if its messages are of type `T`.
    #[inline]
    pub(super) fn of<T: 'static>(&self) -> Option<&Channel<T>> {
        let channel = &raw const *self.channel;
        // SAFETY: the type is that of the messages; the channel is borrowed like `self`.
        (self.message == TypeId::of::<T>()).then(|| unsafe { &*channel.cast() })
    }

    /// Like [`of`](Self::of), mutable.
    #[inline]
    pub(super) fn of_mut<T: 'static>(&mut self) -> Option<&mut Channel<T>> {
        let channel = &raw mut *self.channel;
        // SAFETY: the type is that of the messages; the channel is borrowed like `self`.
        (self.message == TypeId::of::<T>()).then(|| unsafe { &mut *channel.cast() })
    }
}

impl Deref for ErasedChannel {
    type Target = dyn AnyChannel;

    fn deref(&self) -> &Self::Target {
        &*self.channel
    }
}

impl DerefMut for ErasedChannel {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut *self.channel
    }
}

/// The operations on a channel that need no type of messages.
pub(super) trait AnyChannel: Send + Sync + Heap {
    /// Takes all messages; returns them to be dropped.
    fn empty(&mut self) -> Box<dyn Any>;
    /// The unread messages, if any, shared with the inboxes, and the bytes of the lists.
    fn share(&mut self) -> Option<(Box<dyn Any + Send + Sync>, usize)>;
    /// Restores the unread messages of inboxes that still exist.
    fn put_back(&mut self, unread: &dyn Any);
    /// The number of inboxes.
    fn inboxes(&self) -> usize;
    /// Removes the inboxes whose handles have been dropped.
    fn end_dropped(&mut self);
    /// Visits each inbox: the type of its messages, how many are unread, and its handle.
    fn visit(&self, visitor: &mut dyn FnMut(&'static str, usize, &HandleWatch));
}

impl<T: 'static> AnyChannel for Channel<T> {
    fn empty(&mut self) -> Box<dyn Any> {
        let unread = self.inboxes.values_mut();
        let batches: Vec<_> = unread
            .flat_map(|unread| mem::take(&mut *unread.batches))
            .collect();
        Box::new((mem::take(&mut *self.latest), batches))
    }

    fn share(&mut self) -> Option<(Box<dyn Any + Send + Sync>, usize)> {
        self.distribute();
        let mut unread = self.inboxes.values();
        if unread.all(|unread| unread.batches.is_empty()) {
            return None;
        }
        let copy = self.inboxes.clone();
        let lists = copy.values();
        let bytes = lists.map(|unread| unread.batches.bytes()).sum::<usize>() + copy.bytes();
        Some((Box::new(copy), bytes))
    }

    fn put_back(&mut self, unread: &dyn Any) {
        let then: Option<&InboxesCopy<T>> = unread.downcast_ref();
        for (place, inbox) in self.inboxes.iter_mut() {
            let then = then.and_then(|then| then.get(place));
            if let Some(then) = then.filter(|then| inbox.watch == then.watch) {
                inbox.batches.clone_from(&then.batches);
            }
        }
    }

    fn inboxes(&self) -> usize {
        self.inboxes.len()
    }

    fn end_dropped(&mut self) {
        self.end_dropped();
    }

    fn visit(&self, visitor: &mut dyn FnMut(&'static str, usize, &HandleWatch)) {
        for (place, inbox) in self.inboxes.iter() {
            if !inbox.watch.is_dropped() {
                visitor(core::any::type_name::<T>(), self.len(place), &inbox.watch);
            }
        }
    }
}

/// The bytes of batches, including their reference counts.
fn bytes_of<'a, T: 'a>(batches: impl Iterator<Item = &'a Arc<[T]>>) -> usize {
    let counts = 2 * size_of::<usize>();
    let places = batches.map(|batch| (Arc::as_ptr(batch).addr(), counts + size_of_val(&**batch)));
    let mut places: Vec<_> = places.collect();
    places.sort_unstable();
    places.dedup();
    places.iter().map(|(_, bytes)| bytes).sum()
}
