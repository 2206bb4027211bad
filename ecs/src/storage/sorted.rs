//! A sorted list in blocks: a change moves the items of one block, not of the whole list.
//!
//! ```text
//! blocks       [ 1 3 4 ] [ 7 8 9 ] [ 12 20 ]     a full one is split, a small one joins its neighbor
//! separators            7         11
//! ```
//!
//! The items of a block are less than the separator behind it; those of the next block are not. A search reads one list
//! of separators, then one block. Separators are clones of items that may be gone, as in a B+ tree.
//!
//! Items are compared by a closure before anything is changed, so comparisons may panic or contradict each other;
//! then only the order is unspecified.

use alloc::vec::Vec;
use core::cmp::Ordering;

use super::heap::{Heap, bytes_of};

/// The most items of a block.
const MOST: usize = 32;

/// See the [module](self).
pub(crate) struct Sorted<T> {
    /// None is empty.
    blocks: Vec<Vec<T>>,
    /// One between each two blocks.
    separators: Vec<T>,
    len: usize,
    /// Empty blocks, to be used again.
    spare: Vec<Vec<T>>,
}

/// The position of an item: its block, and its index there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    block: usize,
    at: usize,
}

impl<T> Heap for Sorted<T> {
    bytes_of!(blocks, separators, spare; each blocks, spare);

    fn trim(&mut self) {
        self.spare = Vec::new();
        self.blocks.iter_mut().for_each(Vec::shrink_to_fit);
        self.blocks.shrink_to_fit();
        self.separators.shrink_to_fit();
    }
}

impl<T> Default for Sorted<T> {
    fn default() -> Self {
        Self {
            blocks: Vec::new(),
            separators: Vec::new(),
            len: 0,
            spare: Vec::new(),
        }
    }
}

impl<T> Sorted<T> {
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The place of the item for which `compare` returns `Equal`, or else the place for it. `compare` returns how an
    /// item compares to the one that is sought.
    ///
    /// Complexity: logarithmic.
    #[inline]
    pub(crate) fn find(&self, mut compare: impl FnMut(&T) -> Ordering) -> Result<Place, Place> {
        let block = self.separators.partition_point(|it| compare(it).is_le());
        let items = self.blocks.get(block).map_or(&[][..], Vec::as_slice);
        match items.binary_search_by(compare) {
            Ok(at) => Ok(Place { block, at }),
            Err(at) => Err(Place { block, at }),
        }
    }

    /// The place of the first item that matches.
    ///
    /// Complexity: linear.
    pub(crate) fn position(&self, matches: impl Fn(&T) -> bool) -> Option<Place> {
        let blocks = self.blocks.iter().enumerate();
        let mut places = blocks.filter_map(|(block, items)| {
            let at = items.iter().position(&matches)?;
            Some(Place { block, at })
        });
        places.next()
    }

    /// Removes the item at a place.
    pub(crate) fn remove(&mut self, Place { block, at }: Place) -> T {
        self.len -= 1;
        let item = self.blocks[block].remove(at);
        self.join(block.saturating_sub(1));
        self.join(block);
        item
    }

    /// Replaces the item at a place by one that belongs in the same block; returns whether it does. `compare` returns
    /// how an item compares to the new one.
    pub(crate) fn replace_near(
        &mut self,
        Place { block, at }: Place,
        mut compare: impl FnMut(&T) -> Ordering,
        item: impl FnOnce() -> T,
    ) -> bool {
        let (before, behind) = self.separators.split_at(block.min(self.separators.len()));
        let is_before = before.last().is_some_and(|it| compare(it).is_gt());
        if is_before || behind.first().is_some_and(|it| compare(it).is_le()) {
            return false;
        }
        let items = &mut self.blocks[block];
        let to = items.partition_point(|other| compare(other).is_lt());
        let item = item();
        let to = match to > at {
            true => {
                items[at..to].rotate_left(1);
                to - 1
            }
            false => {
                items[to..=at].rotate_right(1);
                to
            }
        };
        items[to] = item;
        true
    }

    /// Merges a block with the next one if both are small, and removes an empty one.
    fn join(&mut self, block: usize) {
        let len = |block: usize| self.blocks.get(block).map(Vec::len);
        match (len(block), len(block + 1)) {
            (Some(0), _) => {
                self.spare.push(self.blocks.remove(block));
                let separator = block.saturating_sub(1);
                if separator < self.separators.len() {
                    self.separators.remove(separator);
                }
            }
            (Some(len), Some(next)) if len + next <= MOST / 2 => {
                let mut next = self.blocks.remove(block + 1);
                self.blocks[block].append(&mut next);
                self.spare.push(next);
                self.separators.remove(block);
            }
            _ => {}
        }
    }

    /// The number of items before a place.
    ///
    /// Complexity: linear in the number of blocks.
    pub(crate) fn rank(&self, place: Place) -> usize {
        let before = self.blocks.iter().take(place.block);
        before.map(Vec::len).sum::<usize>() + place.at
    }

    /// The items, in order.
    pub(crate) fn iter(&self) -> Items<'_, T> {
        self.between(Place { block: 0, at: 0 }, self.end())
    }

    /// The place after the last item.
    pub(crate) fn end(&self) -> Place {
        Place {
            block: self.blocks.len(),
            at: 0,
        }
    }

    /// The items from one place to another one, which is excluded.
    #[inline]
    pub(crate) fn between(&self, start: Place, end: Place) -> Items<'_, T> {
        let [start, end] = [start, end].map(|place| self.normal(place));
        Items {
            list: self,
            start,
            end,
        }
    }

    /// Moves a place after the last item of a block to the start of the next block.
    fn normal(&self, place: Place) -> Place {
        match self.blocks.get(place.block) {
            Some(items) if place.at >= items.len() => Place {
                block: place.block + 1,
                at: 0,
            },
            _ => place,
        }
    }

    #[cfg(any(test, feature = "__checks"))]
    pub(crate) fn check_invariants(&self) {
        let lens = self.blocks.iter().map(Vec::len);
        assert_eq!(lens.sum::<usize>(), self.len, "sorted: how many there are");
        let is_full = |block: &Vec<T>| (1..=MOST).contains(&block.len());
        assert!(
            self.blocks.iter().all(is_full),
            "sorted: a block is empty or too large"
        );
        let separators = self.blocks.len().saturating_sub(1);
        assert_eq!(self.separators.len(), separators, "sorted: separators");
    }
}

impl<T: Clone> Sorted<T> {
    /// A list with these items, which are sorted.
    pub(crate) fn of(items: &[T]) -> Self {
        let mut list = Self::default();
        for item in items {
            let block = list.blocks.len().saturating_sub(1);
            let at = list.blocks.last().map_or(0, Vec::len);
            list.insert(Place { block, at }, item.clone());
        }
        list
    }

    /// Inserts an item at a place that [`find`](Self::find) has returned.
    pub(crate) fn insert(&mut self, Place { block, at }: Place, item: T) {
        let is_last = block + 1 >= self.blocks.len();
        let items = match self.blocks.get_mut(block) {
            Some(items) if items.len() < MOST => items,
            Some(items) if !(is_last && at >= MOST) => {
                let separator = items[MOST / 2].clone();
                let mut second = self.spare.pop().unwrap_or_default();
                second.reserve_exact(MOST); // so that it never grows
                second.extend(items.drain(MOST / 2..));
                if at > MOST / 2 {
                    second.insert(at - MOST / 2, item);
                } else {
                    items.insert(at, item); // it may be less than the separator
                }
                self.len += 1;
                self.blocks.insert(block + 1, second);
                return self.separators.insert(block, separator);
            }
            _ => return self.push(item), // blocks that are filled in order stay full
        };
        items.insert(at, item);
        self.len += 1;
    }

    /// Adds a block with an item.
    fn push(&mut self, item: T) {
        let mut items = self.spare.pop().unwrap_or_default();
        if !self.blocks.is_empty() {
            self.separators.push(item.clone());
            items.reserve_exact(MOST); // so that it never grows
        }
        items.push(item);
        self.blocks.push(items);
        self.len += 1;
    }
}

/// The items of a [sorted list](Sorted), or of a part of it, in order.
pub(crate) struct Items<'a, T> {
    list: &'a Sorted<T>,
    start: Place,
    end: Place,
}

impl<T> Clone for Items<'_, T> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

impl<'a, T> Iterator for Items<'a, T> {
    type Item = &'a T;

    #[inline]
    fn next(&mut self) -> Option<&'a T> {
        if self.start >= self.end {
            return None;
        }
        let Place { block, at } = self.start;
        self.start = self.list.normal(Place { block, at: at + 1 });
        self.list.blocks.get(block)?.get(at)
    }

    /// Complexity: linear in the blocks between both ends, or before and behind them if these are fewer.
    fn size_hint(&self) -> (usize, Option<usize>) {
        if self.start >= self.end {
            return (0, Some(0));
        }
        let blocks = &self.list.blocks;
        let count = |blocks: &[Vec<T>]| blocks.iter().map(Vec::len).sum::<usize>();
        let (first, end) = (self.start.block, self.end.block);
        let len = match end - first > blocks.len() / 2 {
            true => self.list.len - count(&blocks[..first]) - count(&blocks[end..]),
            false => count(&blocks[first..end]),
        };
        let len = len + self.end.at - self.start.at;
        (len, Some(len))
    }
}

impl<T> DoubleEndedIterator for Items<'_, T> {
    fn next_back(&mut self) -> Option<Self::Item> {
        if self.start >= self.end {
            return None;
        }
        if self.end.at == 0 {
            let block = self.end.block - 1;
            let at = self.list.blocks[block].len();
            self.end = Place { block, at };
        }
        self.end.at -= 1;
        self.list.blocks[self.end.block].get(self.end.at)
    }
}

impl<T> ExactSizeIterator for Items<'_, T> {}

#[cfg(test)]
mod tests {
    use super::*;

    fn insert(list: &mut Sorted<u32>, item: u32) {
        let place = list
            .find(|other| other.cmp(&item))
            .unwrap_or_else(|place| place);
        list.insert(place, item);
        check(list);
    }

    /// Panics if a separator is on the wrong side of an item.
    fn check(list: &Sorted<u32>) {
        list.check_invariants();
        for (separator, blocks) in list.separators.iter().zip(list.blocks.windows(2)) {
            assert!(blocks[0].last() < Some(separator) && blocks[1].first() >= Some(separator));
        }
    }

    /// Each of `0..count` once, in an order that looks random; `count` is prime.
    fn shuffled(count: u32) -> impl Iterator<Item = u32> {
        (0..count).map(move |nth| nth * 997 % count)
    }

    #[test]
    fn items_are_sorted_after_any_changes() {
        let mut list = Sorted::default();
        shuffled(3001).for_each(|item| insert(&mut list, item));
        assert!(list.iter().copied().eq(0..3001) && list.iter().rev().copied().eq((0..3001).rev()));
        for item in shuffled(3001).take(2900) {
            let place = list.find(|other| other.cmp(&item)).unwrap();
            assert_eq!(list.remove(place), item);
            check(&list);
        }
        let mut rest: Vec<_> = shuffled(3001).skip(2900).collect();
        rest.sort_unstable();
        assert!(list.iter().eq(&rest) && list.len() == 101);
        let blocks = list.blocks.len();
        assert!(blocks < 4 * 101 / MOST, "{blocks} small blocks");
        assert!(list.find(|other| other.cmp(&4000)).is_err());
    }

    #[test]
    fn an_item_is_replaced_by_one_of_the_same_block() {
        let mut list = Sorted::default();
        (0..1000).for_each(|item| insert(&mut list, 4 * item));
        let mut expected: Vec<_> = list.iter().copied().collect();
        let mut replaced = 0;
        for (old, new) in
            shuffled(991).map(|nth| (4 * nth, 4 * (nth * 7 % 60 + nth - nth.min(30)) + 1))
        {
            let place = list.find(|other| other.cmp(&old)).unwrap();
            if list.replace_near(place, |other| other.cmp(&new), || new) {
                expected.retain(|item| *item != old);
                expected.push(new);
                expected.sort_unstable();
                replaced += 1;
                check(&list);
            }
            assert!(list.iter().eq(&expected), "{new} for {old}");
        }
        assert!((200..900).contains(&replaced), "{replaced} were replaced");
        list.check_invariants();
    }

    #[test]
    fn parts_are_between_places() {
        let mut list = Sorted::default();
        (0..1000).for_each(|item| insert(&mut list, 2 * item));
        assert_eq!(
            list.blocks.len(),
            1000_usize.div_ceil(MOST),
            "they are filled in order"
        );
        let place = |item: u32| {
            list.find(|other| other.cmp(&item))
                .unwrap_or_else(|place| place)
        };
        for (from, to) in [
            (0, 2000),
            (1, 3),
            (5, 5),
            (300, 301),
            (511, 1025),
            (1998, 3000),
        ] {
            let (start, end) = (place(from), place(to));
            let items = list.between(start, end);
            let expected = (from..to.min(2000)).filter(|item| item % 2 == 0);
            assert!(items.clone().copied().eq(expected.clone()), "{from}..{to}");
            assert!(items.clone().rev().copied().eq(expected.clone().rev()));
            assert_eq!(items.len(), expected.count());
        }
        assert_eq!(list.rank(place(1024)), 512);
        let mut both = list.iter();
        assert_eq!(
            [both.next(), both.next_back(), both.next()],
            [Some(&0), Some(&1998), Some(&2)]
        );
    }

    #[test]
    fn an_order_that_contradicts_itself_loses_no_item() {
        let mut list = Sorted::default();
        let mut count = 0;
        for item in 0..2000 {
            let mut compare = |_: &u32| {
                count += 1;
                [Ordering::Less, Ordering::Greater][count % 2]
            };
            let place = list.find(&mut compare).unwrap_or_else(|place| place);
            list.insert(place, item);
            list.check_invariants();
        }
        let mut items: Vec<_> = list.iter().copied().collect();
        items.sort_unstable();
        assert!(items.into_iter().eq(0..2000));
    }
}
