//! A hash table in segments, so that growing never moves more than one segment.
//!
//! ```text
//! directory   the upper `depth` bits of a hash ─► segment      several entries may have the same one
//! segment     a table of up to `limit` items; a full one is split by the next bit of the hashes
//! ```
//!
//! Extendible hashing, after Fagin et al., "Extendible Hashing: a Fast Access Method for Dynamic Files" (1979). A segment
//! that a split would not divide, because most hashes are equal, grows instead.

use alloc::vec::Vec;
use core::mem::{needs_drop, take};

use hashbrown::HashTable;

use super::heap::Heap;

/// The most items of a segment that can be split: as many as fit into 4,096 places.
const MOST: usize = 3_584;

/// The most bits of a hash that choose a segment.
const MOST_BITS: u32 = 20;

/// An item that knows its hash.
pub(crate) trait Hashed {
    fn hash(&self) -> u32;
}

/// See the [module](self).
pub(crate) struct Segments<T> {
    directory: Vec<u32>,
    /// The directory has 2<sup>`depth`</sup> entries.
    depth: u32,
    segments: Vec<Segment<T>>,
    len: usize,
}

struct Segment<T> {
    table: HashTable<T>,
    /// How many bits of the hashes of all items are equal.
    depth: u32,
    limit: usize,
}

/// Where an item is, until the next one is inserted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Position {
    segment: u32,
    place: usize,
}

impl<T> Segment<T> {
    fn with_capacity(capacity: usize, depth: u32) -> Self {
        Self {
            table: HashTable::with_capacity(capacity),
            depth,
            limit: MOST,
        }
    }
}

impl<T> Drop for Segment<T> {
    /// Drops the items one by one: when one panics, the rest is dropped, which `HashTable` alone would leak.
    fn drop(&mut self) {
        if needs_drop::<T>() {
            self.table.drain().for_each(drop);
        }
    }
}

impl<T> Default for Segments<T> {
    fn default() -> Self {
        Self {
            directory: Vec::new(),
            depth: 0,
            segments: Vec::new(),
            len: 0,
        }
    }
}

/// The hash within a table of hashbrown, of which the lower bits choose the place and the upper ones are compared first.
#[inline]
pub(crate) fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl<T: Hashed> Segments<T> {
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    fn segment_of(&self, hash: u32) -> Option<usize> {
        let entry = (u64::from(hash) >> (32 - self.depth)) as usize;
        self.directory.get(entry).map(|&segment| segment as usize)
    }

    /// The item with this hash that `is_it` accepts.
    #[inline]
    pub(crate) fn find(&self, hash: u32, mut is_it: impl FnMut(&T) -> bool) -> Option<&T> {
        let segment = &self.segments[self.segment_of(hash)?];
        let is_it = |item: &T| item.hash() == hash && is_it(item);
        segment.table.find(spread(hash), is_it)
    }

    /// The position of the item with this hash that `is_it` accepts.
    pub(crate) fn position(
        &self,
        hash: u32,
        mut is_it: impl FnMut(&T) -> bool,
    ) -> Option<Position> {
        let segment = self.segment_of(hash)?;
        let is_it = |item: &T| item.hash() == hash && is_it(item);
        let table = &self.segments[segment].table;
        let place = table.find_bucket_index(spread(hash), is_it)?;
        Some(Position {
            segment: segment as u32,
            place,
        })
    }

    /// The item at a position.
    pub(crate) fn at(&self, Position { segment, place }: Position) -> Option<&T> {
        self.segments.get(segment as usize)?.table.get_bucket(place)
    }

    /// The item at a position.
    pub(crate) fn at_mut(&mut self, Position { segment, place }: Position) -> Option<&mut T> {
        let segment = self.segments.get_mut(segment as usize)?;
        segment.table.get_bucket_mut(place)
    }

    /// All items with this hash.
    pub(crate) fn all(&self, hash: u32) -> impl Iterator<Item = &T> {
        let segment = self.segment_of(hash).map(|at| &self.segments[at]);
        let items = segment.into_iter();
        let items = items.flat_map(move |segment| segment.table.iter_hash(spread(hash)));
        items.filter(move |item| item.hash() == hash)
    }

    /// The only item with this hash; `None` if there are others.
    #[inline]
    pub(crate) fn sole(&self, hash: u32) -> Option<&T> {
        let table = &self.segments[self.segment_of(hash)?].table;
        let mut items = table.iter_hash(spread(hash));
        let sole = items.find(|item| item.hash() == hash)?;
        items.all(|item| item.hash() != hash).then_some(sole)
    }

    #[cfg(any(test, feature = "__checks"))]
    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> + Clone {
        self.segments.iter().flat_map(|segment| &segment.table)
    }

    /// Removes the item with this hash that `is_it` accepts.
    pub(crate) fn remove(&mut self, hash: u32, mut is_it: impl FnMut(&T) -> bool) -> Option<T> {
        let segment = self.segment_of(hash)?;
        let is_it = |item: &T| item.hash() == hash && is_it(item);
        let table = &mut self.segments[segment].table;
        let (item, _) = table.find_entry(spread(hash), is_it).ok()?.remove();
        self.len -= 1;
        Some(item)
    }

    /// Inserts an item that is not there.
    ///
    /// Complexity: constant on average; at most linear in the items of a segment.
    pub(crate) fn insert(&mut self, item: T) {
        let hash = item.hash();
        let mut at = self.segment_of(hash).unwrap_or_else(|| self.start());
        while self.segments[at].table.len() >= self.segments[at].limit {
            self.split(at);
            at = self.segment_of(hash).unwrap_or(at);
        }
        let table = &mut self.segments[at].table;
        table.insert_unique(spread(hash), item, |item| spread(item.hash()));
        self.len += 1;
    }

    /// Creates the first segment; returns its number.
    fn start(&mut self) -> usize {
        self.segments.push(Segment::with_capacity(0, 0));
        self.directory.push(0);
        0
    }

    /// Divides the items of a full segment by the next bit of their hashes, or lets it grow if that hardly helps.
    #[cold]
    fn split(&mut self, at: usize) {
        let depth = self.segments[at].depth + 1;
        let is_upper = |item: &T| item.hash() >> (32 - depth) & 1 == 1;
        let table = &self.segments[at].table;
        let (len, upper) = (table.len(), table.iter().filter(|it| is_upper(it)).count());
        if depth > MOST_BITS || upper.min(len - upper) < len / 8 {
            self.segments[at].limit *= 2;
            return;
        }
        let mut halves = [(); 2].map(|()| Segment::with_capacity(MOST, depth));
        if depth > self.depth {
            self.directory = self.directory.iter().flat_map(|&it| [it; 2]).collect();
            self.depth = depth;
        }
        self.segments.reserve(1); // nothing may fail from here on
        for item in take(&mut self.segments[at].table) {
            let (hash, half) = (item.hash(), usize::from(is_upper(&item)));
            let table = &mut halves[half].table;
            table.insert_unique(spread(hash), item, |item| spread(item.hash()));
        }
        let [lower, upper] = halves;
        self.segments[at] = lower;
        let number = self.segments.len() as u32;
        self.segments.push(upper);
        let bit = self.depth - depth;
        for (prefix, entry) in self.directory.iter_mut().enumerate() {
            if *entry == at as u32 && prefix >> bit & 1 == 1 {
                *entry = number;
            }
        }
    }
}

impl<T: Hashed> Heap for Segments<T> {
    fn bytes(&self) -> usize {
        let tables = self.segments.iter().map(|it| it.table.bytes());
        self.directory.bytes() + self.segments.bytes() + tables.sum::<usize>()
    }

    /// Keeps the directory unless all is empty.
    fn trim(&mut self) {
        if self.len == 0 {
            *self = Self::default();
        }
        for segment in &mut self.segments {
            segment.table.shrink_to_fit(|item| spread(item.hash()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Hashed for (u32, u32) {
        fn hash(&self) -> u32 {
            self.0
        }
    }

    fn check(table: &Segments<(u32, u32)>, items: &[(u32, u32)]) {
        assert_eq!(table.len(), items.len());
        assert_eq!(table.iter().count(), items.len());
        check_some(table, items);
    }

    fn check_some(table: &Segments<(u32, u32)>, items: &[(u32, u32)]) {
        for item in items {
            assert_eq!(table.find(item.0, |it| it == item), Some(item));
            let position = table.position(item.0, |it| it == item).unwrap();
            assert_eq!(table.at(position), Some(item));
        }
    }

    #[test]
    fn items_are_found_however_many_there_are() {
        let mut table = Segments::default();
        assert_eq!(table.find(0, |_| true), None);
        let items: Vec<_> = (0..40_000u32)
            .map(|at| (at.wrapping_mul(0x9e37_79b9), at))
            .collect();
        items.iter().for_each(|&item| table.insert(item));
        check(&table, &items);
        assert!(table.segments.len() > 8);
        assert!(table.segments.iter().all(|it| it.table.len() <= MOST));
        let (gone, rest) = items.split_at(39_000);
        for item in gone {
            assert_eq!(table.remove(item.0, |it| it == item), Some(*item));
            assert_eq!(table.remove(item.0, |it| it == item), None);
        }
        check(&table, rest);
        let before = table.bytes();
        table.trim();
        check(&table, rest);
        assert!(table.bytes() < before / 4);
        rest.iter()
            .for_each(|item| _ = table.remove(item.0, |it| it == item));
        table.trim();
        assert_eq!(table.bytes(), 0);
    }

    #[test]
    fn equal_hashes_let_a_segment_grow() {
        let mut table = Segments::default();
        let items: Vec<_> = (0..10_000).map(|at| (7, at)).collect();
        items.iter().for_each(|&item| table.insert(item));
        check_some(&table, &items[..100]);
        assert_eq!(table.all(7).count(), 10_000);
        assert_eq!(table.segments.len(), 1);
        assert_eq!(table.remove(7, |it| it.1 == 9), Some((7, 9)));
        assert_eq!((table.len(), table.all(8).count()), (9_999, 0));
    }

    #[test]
    fn hashes_that_differ_in_their_last_bits_are_found() {
        let mut table = Segments::default();
        let items: Vec<_> = (0..20_000).map(|at| (at % 5_000, at)).collect();
        items.iter().for_each(|&item| table.insert(item));
        check_some(&table, &items[19_000..][..100]);
        assert_eq!(table.all(3).count(), 4);
    }

    #[test]
    fn an_item_is_the_sole_one_of_its_hash_until_another_is_inserted() {
        let mut table = Segments::default();
        assert_eq!(table.sole(7), None);
        (0..1_000).for_each(|hash| table.insert((hash, 0)));
        assert!((0..1_000).all(|hash| table.sole(hash) == Some(&(hash, 0))));
        table.insert((7, 1));
        assert_eq!((table.sole(7), table.sole(8)), (None, Some(&(8, 0))));
        table.remove(7, |it| it.1 == 0);
        assert_eq!(table.sole(7), Some(&(7, 1)));
    }
}
