//! Messages and inboxes.
//!
//! ```text
//! Channel<Explosion>
//!   latest   [e4, e5]                 unread by every inbox
//!   inboxes  0: [e1, e2] [e3]         batches that were distributed, still unread by this inbox
//!            1: [e3]
//! ```
//!
//! Sending only moves a message into `latest`. If a channel has a single inbox, reading takes
//! `latest`; otherwise `latest` becomes a batch that all inboxes share. So each inbox receives each
//! message once, and a message is dropped when the last inbox has released it.

mod channel;
mod inbox;

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::{Any, TypeId};
use core::hash::{BuildHasher as _, BuildHasherDefault, Hasher};

use hashbrown::HashMap;

use self::channel::ErasedChannel;
use crate::reactions::handle::HandleWatch;
use crate::storage::heap::{Heap, heap};
use crate::words::demands::FitsIn;

pub(crate) use self::channel::Channel;
pub(crate) use self::inbox::ChannelNumber;
pub use self::inbox::{Inbox, Messages};

/// The unread messages of a channel's inboxes at a checkpoint, shared with them.
pub(crate) struct UnreadCopy {
    channel: usize,
    unread: Box<dyn Any + Send + Sync>,
    bytes: usize,
}

impl Heap for UnreadCopy {
    fn bytes(&self) -> usize {
        size_of_val(&*self.unread) + self.bytes
    }
}

/// The number of entries in [`Channels::recent`].
const RECENT: usize = 8;

#[derive(Default)]
pub(crate) struct Channels {
    numbers: HashMap<TypeId, ChannelNumber, ByTypeId>,
    /// For each remainder of the hash of a type, the channel sent to most recently: found without a search.
    recent: [ChannelNumber; RECENT],
    channels: Vec<ErasedChannel>,
}

heap!(Channels: numbers, channels; each channels);

impl Channels {
    /// The channel of messages of type `T`, if it is one of those sent to most recently.
    #[inline]
    pub(crate) fn recent_mut<T: 'static>(&mut self) -> Option<&mut Channel<T>> {
        self.get_mut(self.recent[recent_place::<T>()])
    }

    /// The channel of messages of type `T`, if it exists.
    pub(crate) fn find<T: 'static>(&mut self) -> Option<ChannelNumber> {
        if self.channels.is_empty() {
            return None; // nothing reads messages
        }
        let number = self.numbers.get(&TypeId::of::<T>()).copied()?;
        self.recent[recent_place::<T>()] = number;
        Some(number)
    }

    /// The channel of messages of type `T`; created if missing.
    pub(crate) fn find_or_add<C, T: FitsIn<C>>(&mut self) -> ChannelNumber {
        let number = u32::try_from(self.channels.len()).expect("fewer than 2^32 types");
        let number = ChannelNumber(number);
        *self.numbers.entry(TypeId::of::<T>()).or_insert_with(|| {
            self.channels.push(ErasedChannel::new::<C, T>());
            number
        })
    }

    /// A channel, if its messages are of type `T`.
    #[inline]
    pub(crate) fn get<T: 'static>(&self, channel: ChannelNumber) -> Option<&Channel<T>> {
        self.channels.get(channel.0 as usize)?.of()
    }

    /// A channel, if its messages are of type `T`.
    #[inline]
    pub(crate) fn get_mut<T: 'static>(
        &mut self,
        channel: ChannelNumber,
    ) -> Option<&mut Channel<T>> {
        self.channels.get_mut(channel.0 as usize)?.of_mut()
    }

    /// Takes all messages; returns them to be dropped.
    pub(crate) fn empty_all(&mut self) -> Vec<impl Sized + use<>> {
        self.channels
            .iter_mut()
            .map(|channel| channel.empty())
            .collect()
    }

    /// Shares the unread messages of all channels that have any.
    pub(crate) fn copy_all(&mut self) -> Vec<UnreadCopy> {
        let copy = |(channel, shared): (usize, &mut ErasedChannel)| {
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

    /// Restores the unread messages of inboxes, and clears all others; returns the old ones, to be
    /// dropped.
    pub(crate) fn put_back(&mut self, copies: &[UnreadCopy]) -> impl Sized + use<> {
        let emptied: Vec<_> = self.empty_all();
        for copy in copies {
            if let Some(channel) = self.channels.get_mut(copy.channel) {
                channel.put_back(&*copy.unread);
            }
        }
        emptied
    }

    /// Visits each inbox: the type of its messages, how many are unread, and its handle.
    pub(crate) fn visit(&self, visitor: &mut dyn FnMut(&'static str, usize, &HandleWatch)) {
        self.channels
            .iter()
            .for_each(|channel| channel.visit(visitor));
    }

    /// The number of inboxes.
    pub(crate) fn inboxes(&self) -> usize {
        self.channels.iter().map(|channel| channel.inboxes()).sum()
    }

    /// Removes the inboxes whose handles have been dropped.
    pub(crate) fn end_dropped(&mut self) {
        let channels = self.channels.iter_mut();
        channels.for_each(|channel| channel.end_dropped());
    }
}

#[inline]
fn recent_place<T: 'static>() -> usize {
    ByTypeId::default().hash_one(TypeId::of::<T>()) as usize % RECENT
}

/// Hashes a [`TypeId`].
pub(crate) type ByTypeId = BuildHasherDefault<TypeHasher>;

/// Returns what `TypeId` writes, because all of its bits are random.
#[derive(Default)]
pub(crate) struct TypeHasher(u64);

impl Hasher for TypeHasher {
    #[inline]
    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }

    /// Used if `TypeId` ever writes anything else.
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::any::TypeId;

    #[test]
    fn types_have_different_hashes() {
        let hash = |id: TypeId| ByTypeId::default().hash_one(id);
        let all = [
            TypeId::of::<u8>(),
            TypeId::of::<u16>(),
            TypeId::of::<u32>(),
            TypeId::of::<()>(),
        ]
        .map(hash);
        for (at, one) in all.iter().enumerate() {
            assert!(!all[..at].contains(one));
        }
    }

    #[test]
    fn the_hash_depends_on_each_byte_and_its_position() {
        let hash = |bytes: &[u8]| {
            let mut hasher = TypeHasher::default();
            hasher.write(bytes);
            hasher.finish()
        };
        let all: [&[u8]; 5] = [&[1, 2, 3], &[1, 2, 4], &[1, 3, 3], &[2, 2, 3], &[3, 2, 1]];
        for (at, one) in all.iter().enumerate() {
            assert!(all[..at].iter().all(|other| hash(other) != hash(one)));
        }
    }
}
