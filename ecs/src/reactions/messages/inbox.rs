//! The handle of an inbox, and the messages read from it.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use crate::reactions::handle::Watched;

/// The number of a message type's channel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ChannelNumber(pub(crate) u32);

/// Receives every message of one type that is sent after the inbox was created.
///
/// Created by [`Context::inbox`](crate::Context::inbox). Each inbox receives every message once,
/// independently of other readers; a message is dropped when the last inbox has read it.
///
/// It is a handle of the context that created it; every method takes that context and panics if
/// given another one. Dropping it removes the inbox.
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
#[must_use = "unread messages take up memory"]
pub struct Inbox<C, T> {
    pub(crate) instance: u64,
    pub(crate) channel: ChannelNumber,
    pub(crate) place: usize,
    watched: Watched,
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
            watched,
            types: PhantomData,
        }
    }

    /// Sets the name of the system that reads it.
    pub(crate) fn set_reader(&self, system: &str) {
        self.watched.set_reader(system);
    }
}

impl<C, T> fmt::Debug for Inbox<C, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Inbox({}, {})", self.channel.0, self.place)
    }
}

/// Messages read from an [`Inbox`], in the order in which they were sent.
///
/// They are borrowed, because other inboxes may share them; `for message in messages` clones those that
/// are shared.
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
/// for message in messages { assert_eq!(message.len(), 3); }
/// ```
pub struct Messages<T> {
    pub(super) batches: Vec<Arc<[T]>>,
    pub(super) latest: Vec<T>,
}

impl<T> Messages<T> {
    /// Returns an empty list.
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

    /// Returns the number of messages.
    pub fn len(&self) -> usize {
        let batches = self.batches.iter().map(|batch| batch.len());
        batches.sum::<usize>() + self.latest.len()
    }

    /// Returns whether there are no messages.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Drops the messages, but keeps the memory.
    #[inline]
    pub fn clear(&mut self) {
        let rest = RestOfMessages(&mut self.latest);
        self.batches.clear();
        drop(rest);
    }
}

/// Drops the messages of a list, also if one dropped before them panics.
struct RestOfMessages<'a, T>(&'a mut Vec<T>);

impl<T> Drop for RestOfMessages<'_, T> {
    fn drop(&mut self) {
        self.0.clear();
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

/// By value: messages that another inbox may read as well are cloned.
impl<T: Clone> IntoIterator for Messages<T> {
    type Item = T;
    type IntoIter = alloc::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        if self.batches.is_empty() {
            return self.latest.into_iter();
        }
        let shared = self.batches.iter().flat_map(|batch| batch.iter().cloned());
        let mut all: Vec<T> = shared.collect();
        all.extend(self.latest);
        all.into_iter()
    }
}

impl<T: fmt::Debug> fmt::Debug for Messages<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}
