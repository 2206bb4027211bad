//! Messages: values that are sent to whoever reads their type, and the inboxes they are read from.
//!
//! ```text
//! Channel<Explosion>
//!   latest   [e4, e5]                 unread by every inbox
//!   inboxes  0: [e1, e2] [e3]         batches that were handed over, still unread by it
//!            1: [e3]
//! ```
//!
//! A message is moved into `latest` and nothing else, as long as nobody reads. Whoever reads takes
//! `latest` along, if its is the only inbox; else `latest` becomes a batch that all inboxes share.
//! So each inbox is handed each message once, and a message ends with the last who has it.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::{Any, TypeId};
use core::fmt;
use core::marker::PhantomData;
use core::mem;

use hashbrown::HashMap;

use crate::reactions::handle::{Watch, Watched};
use crate::words::heap_size::heap_size;
use crate::words::slab::Slab;
use crate::words::thread_safe::ThreadSafe;
use crate::words::type_hash::ByTypeId;

/// The number of the channel of a type of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ChannelNumber(pub(crate) u32);

/// Receives every message of one type that is sent after it was made, once.
///
/// Made by [`Context::inbox`](crate::Context::inbox). Each inbox receives every message, whoever
/// else reads it and in whatever order; a message is dropped when the last inbox has read it.
///
/// A handle of the context that made it; every method is given that context again and panics if it
/// is handed another one. Dropping it ends it.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// struct Explosion { radius: f32 }
///
/// let mut game = Game::new();
/// let inbox = game.inbox::<Explosion>();
/// game.send(Explosion { radius: 2.0 });
/// for explosion in &inbox.drain(&mut game) {
///     assert_eq!(explosion.radius, 2.0);
/// }
/// assert!(inbox.is_empty(&game));
/// ```
#[must_use = "messages that nobody reads only take up memory"]
pub struct Inbox<C, T> {
    pub(crate) instance: u64,
    pub(crate) channel: ChannelNumber,
    pub(crate) place: usize,
    _watched: Watched,
    types: PhantomData<fn() -> (C, T)>,
}

impl<C, T> Inbox<C, T> {
    pub(crate) fn new(
        instance: u64,
        channel: ChannelNumber,
        (place, watched): (usize, Watched),
    ) -> Self {
        Self {
            instance,
            channel,
            place,
            _watched: watched,
            types: PhantomData,
        }
    }
}

impl<C, T> fmt::Debug for Inbox<C, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Inbox({}, {})", self.channel.0, self.place)
    }
}

/// Messages read from an [`Inbox`], in the order in which they were sent.
///
/// They are lent, because other inboxes may still have them.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// let inbox = game.inbox::<&'static str>();
/// game.send("one");
/// game.send("two");
/// let messages = inbox.drain(&mut game);
/// assert_eq!(messages.len(), 2);
/// assert!(messages.iter().eq(&["one", "two"]));
/// ```
pub struct Messages<T> {
    batches: Vec<Arc<[T]>>,
    latest: Vec<T>,
}

impl<T> Messages<T> {
    /// No messages.
    pub const fn new() -> Self {
        Self {
            batches: Vec::new(),
            latest: Vec::new(),
        }
    }

    /// Returns the messages in the order in which they were sent.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = &T> + '_ {
        let batches = self.batches.iter().flat_map(|batch| &**batch);
        batches.chain(&self.latest)
    }

    /// Returns how many there are.
    pub fn len(&self) -> usize {
        let batches = self.batches.iter().map(|batch| batch.len());
        batches.sum::<usize>() + self.latest.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Drops the messages; the memory is kept.
    #[inline]
    pub fn clear(&mut self) {
        self.batches.clear();
        self.latest.clear();
    }
}

impl<T> Default for Messages<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'a, T> IntoIterator for &'a Messages<T> {
    type Item = &'a T;
    type IntoIter = core::iter::Chain<
        core::iter::FlatMap<core::slice::Iter<'a, Arc<[T]>>, &'a [T], fn(&Arc<[T]>) -> &[T]>,
        core::slice::Iter<'a, T>,
    >;

    fn into_iter(self) -> Self::IntoIter {
        let messages: fn(&Arc<[T]>) -> &[T] = |batch| batch;
        self.batches.iter().flat_map(messages).chain(&self.latest)
    }
}

impl<T: fmt::Debug> fmt::Debug for Messages<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

/// What an inbox has not read of the batches handed over.
struct Unread<T> {
    batches: Vec<Arc<[T]>>,
    watch: Watch,
}

// By hand, because a derive would ask the same of `T`.
impl<T> Clone for Unread<T> {
    fn clone(&self) -> Self {
        Self {
            batches: self.batches.clone(),
            watch: self.watch.clone(),
        }
    }
}

/// What each inbox had not read at some moment.
type UnreadThen<T> = Slab<Unread<T>>;

/// What the inboxes of one channel had not read at some moment, shared with them.
pub(crate) struct UnreadCopy {
    channel: usize,
    unread: Box<dyn Any + Send + Sync>,
    bytes: usize,
}

impl UnreadCopy {
    /// The bytes held, but for the messages themselves.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.unread) + self.bytes
    }
}

/// The messages of one type.
pub(crate) struct Channel<T> {
    /// Unread by every inbox.
    latest: Vec<T>,
    inboxes: Slab<Unread<T>>,
}

impl<T: ThreadSafe> Channel<T> {
    /// Keeps a message for all inboxes.
    #[inline]
    pub(crate) fn send(&mut self, message: T) {
        if self.latest.len() == self.latest.capacity() {
            return self.send_and_grow(message);
        }
        self.latest.push(message);
    }

    /// Keeps a message if there is still an inbox to read it.
    #[cold]
    #[inline(never)]
    fn send_and_grow(&mut self, message: T) {
        self.end_dropped();
        if self.inboxes.len() > 0 {
            self.latest.push(message);
        } else {
            drop((mem::take(&mut self.latest), message)); // user code
        }
    }

    /// Keeps a message for all inboxes, and returns it to be shared with observers.
    pub(crate) fn send_shared(&mut self, message: T) -> Arc<[T]> {
        self.hand_over();
        self.end_dropped();
        let message: Arc<[T]> = Arc::new([message]);
        for unread in self.inboxes.values_mut() {
            unread.batches.push(message.clone());
        }
        message
    }

    /// Makes an inbox, which receives what is sent from now on.
    pub(crate) fn add_inbox(&mut self) -> (usize, Watched) {
        self.hand_over();
        let watched = Watched::new();
        let place = self.inboxes.insert(Unread {
            batches: Vec::new(),
            watch: watched.watch(),
        });
        (place, watched)
    }

    /// How many messages an inbox has not read.
    pub(crate) fn len(&self, place: usize) -> usize {
        let unread = self.inboxes.get(place).into_iter();
        let unread = unread.flat_map(|unread| &unread.batches);
        unread.map(|batch| batch.len()).sum::<usize>() + self.latest.len()
    }

    /// Hands an inbox what it has not read; `into` is empty, and its memory is used again.
    #[inline]
    pub(crate) fn read(&mut self, place: usize, into: &mut Messages<T>) {
        let alone = self.inboxes.len() == 1;
        if alone {
            mem::swap(&mut self.latest, &mut into.latest);
        } else {
            self.hand_over();
        }
        if let Some(unread) = self.inboxes.get_mut(place) {
            mem::swap(&mut unread.batches, &mut into.batches);
        }
    }

    /// Hands the latest messages over to the inboxes, as one batch that they share: to those whose
    /// handles are still there.
    fn hand_over(&mut self) {
        if !self.latest.is_empty() {
            self.end_dropped();
            let batch: Arc<[T]> = self.latest.drain(..).collect();
            for unread in self.inboxes.values_mut() {
                unread.batches.push(batch.clone());
            }
        }
    }

    /// Ends the inboxes whose handles have been dropped.
    fn end_dropped(&mut self) {
        let inboxes = self.inboxes.iter();
        let dropped = inboxes.filter(|(_, unread)| unread.watch.is_dropped());
        let dropped: Vec<usize> = dropped.map(|(place, _)| place).collect();
        for place in dropped {
            drop(self.inboxes.remove(place)); // user code: the channel is whole
        }
    }
}

/// A channel whose type is not known.
trait AnyChannel: Any + Send + Sync {
    /// Takes all messages out; returns them to be dropped.
    fn empty(&mut self) -> Box<dyn Any>;
    /// What the inboxes have not read, shared with them, if that is anything, and the bytes of its lists.
    fn share(&mut self) -> Option<(Box<dyn Any + Send + Sync>, usize)>;
    /// Has the inboxes of then have these messages to read.
    fn put_back(&mut self, unread: &dyn Any);
    /// How many inboxes there are.
    fn inboxes(&self) -> usize;
    /// Ends the inboxes whose handles have been dropped.
    fn end_dropped(&mut self);
    /// Gives up spare memory.
    fn trim(&mut self);
    /// Shows each inbox: the type of its messages, and how many it has not read.
    fn visit(&self, visitor: &mut dyn FnMut(&'static str, usize));
    /// The bytes held, each batch counted once, however many inboxes share it.
    fn bytes(&self) -> usize;
}

impl<T: ThreadSafe> AnyChannel for Channel<T> {
    fn empty(&mut self) -> Box<dyn Any> {
        let unread = self.inboxes.values_mut();
        let batches: Vec<_> = unread
            .flat_map(|unread| mem::take(&mut unread.batches))
            .collect();
        Box::new((mem::take(&mut self.latest), batches))
    }

    fn share(&mut self) -> Option<(Box<dyn Any + Send + Sync>, usize)> {
        self.hand_over();
        let mut unread = self.inboxes.values();
        if unread.all(|unread| unread.batches.is_empty()) {
            return None;
        }
        let copy = self.inboxes.clone();
        let lists = copy.values();
        let bytes = lists
            .map(|unread| heap_size(&unread.batches))
            .sum::<usize>()
            + copy.bytes();
        Some((Box::new(copy), bytes))
    }

    fn put_back(&mut self, unread: &dyn Any) {
        let then: Option<&UnreadThen<T>> = unread.downcast_ref();
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

    fn trim(&mut self) {
        if self.inboxes.len() == 0 {
            drop(mem::take(&mut self.latest)); // user code: the channel is whole
        }
        self.latest.shrink_to_fit();
        for unread in self.inboxes.values_mut() {
            unread.batches.shrink_to_fit();
        }
        self.inboxes.trim();
    }

    fn visit(&self, visitor: &mut dyn FnMut(&'static str, usize)) {
        for (place, inbox) in self.inboxes.iter() {
            if !inbox.watch.is_dropped() {
                visitor(core::any::type_name::<T>(), self.len(place));
            }
        }
    }

    fn bytes(&self) -> usize {
        let unread = self.inboxes.values();
        let lists = unread.clone();
        let lists = lists.map(|unread| heap_size(&unread.batches) + unread.watch.bytes());
        let batches = unread.flat_map(|unread| &unread.batches);
        let tables = size_of::<Self>() + heap_size(&self.latest) + self.inboxes.bytes();
        tables + lists.sum::<usize>() + bytes_of(batches)
    }
}

/// The bytes of batches, with their counts of who shares them.
fn bytes_of<'a, T: 'a>(batches: impl Iterator<Item = &'a Arc<[T]>>) -> usize {
    let counts = 2 * size_of::<usize>();
    let places = batches.map(|batch| (Arc::as_ptr(batch).addr(), counts + size_of_val(&**batch)));
    let mut places: Vec<_> = places.collect();
    places.sort_unstable();
    places.dedup();
    places.iter().map(|(_, bytes)| bytes).sum()
}

/// The channels of a context.
#[derive(Default)]
pub(crate) struct Channels {
    numbers: HashMap<TypeId, ChannelNumber, ByTypeId>,
    channels: Vec<Box<dyn AnyChannel>>,
}

impl Channels {
    /// The channel of messages of type `T`, if somebody has asked for them.
    #[inline]
    pub(crate) fn find<T: ThreadSafe>(&self) -> Option<ChannelNumber> {
        if self.channels.is_empty() {
            return None; // nobody reads anything
        }
        self.numbers.get(&TypeId::of::<T>()).copied()
    }

    /// The channel of messages of type `T`, made if there is none yet.
    pub(crate) fn find_or_add<T: ThreadSafe>(&mut self) -> ChannelNumber {
        let number = u32::try_from(self.channels.len()).expect("fewer than 2^32 types");
        let number = ChannelNumber(number);
        *self.numbers.entry(TypeId::of::<T>()).or_insert_with(|| {
            self.channels.push(Box::new(Channel::<T> {
                latest: Vec::new(),
                inboxes: Slab::new(),
            }));
            number
        })
    }

    /// A channel, if it is one of messages of type `T`.
    #[inline]
    pub(crate) fn get<T: ThreadSafe>(&self, channel: ChannelNumber) -> Option<&Channel<T>> {
        let channel: &dyn Any = &**self.channels.get(channel.0 as usize)?;
        channel.downcast_ref()
    }

    /// A channel to be changed, if it is one of messages of type `T`.
    #[inline]
    pub(crate) fn get_mut<T: ThreadSafe>(
        &mut self,
        channel: ChannelNumber,
    ) -> Option<&mut Channel<T>> {
        let channel: &mut dyn Any = &mut **self.channels.get_mut(channel.0 as usize)?;
        channel.downcast_mut()
    }

    /// Takes all messages out; returns them to be dropped.
    pub(crate) fn empty_all(&mut self) -> Vec<impl Sized + use<>> {
        self.channels
            .iter_mut()
            .map(|channel| channel.empty())
            .collect()
    }

    /// Keeps what inboxes have not read: of the channels where that is anything.
    pub(crate) fn copy_all(&mut self) -> Vec<UnreadCopy> {
        let copy = |(channel, shared): (usize, &mut Box<dyn AnyChannel>)| {
            let (unread, bytes) = shared.share()?;
            Some(UnreadCopy {
                channel,
                unread,
                bytes,
            })
        };
        self.channels
            .iter_mut()
            .enumerate()
            .filter_map(copy)
            .collect()
    }

    /// Has inboxes have these messages to read, and no others; those that they had are handed over
    /// to be dropped.
    pub(crate) fn put_back(&mut self, copies: &[UnreadCopy]) -> impl Sized + use<> {
        let emptied: Vec<_> = self.empty_all();
        for copy in copies {
            if let Some(channel) = self.channels.get_mut(copy.channel) {
                channel.put_back(&*copy.unread);
            }
        }
        emptied
    }

    /// Shows each inbox: the type of its messages, and how many it has not read.
    pub(crate) fn visit(&self, visitor: &mut dyn FnMut(&'static str, usize)) {
        self.channels
            .iter()
            .for_each(|channel| channel.visit(visitor));
    }

    /// How many inboxes there are.
    pub(crate) fn inboxes(&self) -> usize {
        self.channels.iter().map(|channel| channel.inboxes()).sum()
    }

    /// Ends the inboxes whose handles have been dropped.
    pub(crate) fn end_dropped(&mut self) {
        let channels = self.channels.iter_mut();
        channels.for_each(|channel| channel.end_dropped());
    }

    /// Gives up spare memory.
    pub(crate) fn trim(&mut self) {
        self.channels.iter_mut().for_each(|channel| channel.trim());
    }

    /// The bytes held, but for what messages have put elsewhere.
    pub(crate) fn bytes(&self) -> usize {
        let held = self.channels.iter().map(|channel| channel.bytes());
        heap_size(&self.channels) + self.numbers.allocation_size() + held.sum::<usize>()
    }
}
