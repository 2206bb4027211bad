//! The sources of one target, as a list or, after a change in the middle of many, as a linked
//! chain.
//!
//! ```text
//! list     [7, 2, 9, 4]                    places[source's slot].at is the place in the list
//! chain    7 ◄─► 2 ◄─► 9 ◄─► 4             hops[source's slot] { before, after }
//!          list [·, ·, 7, 2, 9, 4]         or none
//! ```
//!
//! Removing an entity from an ordered list moves all entities after it. If these are more than
//! [`NEAR`], the list becomes a chain, where a removal takes two writes regardless of length.
//! Changes at either end also update the chain's own list; any other change discards that list, and
//! the next reader recreates it.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::{iter, mem};

use once_cell::race::OnceBox;

use crate::reactions::entity_index::flags::ChangedLinks;
use crate::storage::heap::{Heap, bytes_of, heap, trim_end};
use crate::words::entity_id::UntypedId;

/// How many entities of a list may be moved by a change.
const NEAR: usize = 64;

/// A chain this short becomes a list again.
const FEW: usize = NEAR / 2;

/// The places of sources, by slot.
#[derive(Default)]
pub(super) struct Tables {
    places: Vec<SourcePlace>,
    /// The number of sources with a target.
    linked: usize,
    /// For sources in chains; stale for others.
    hops: Vec<Hop>,
    /// For flags of terms.
    pub(super) changed: ChangedLinks,
}

impl Heap for Tables {
    bytes_of!(places, hops);

    fn trim(&mut self) {
        self.hops = Vec::new();
        trim_end(&mut self.places, |place| place.target.is_some());
    }
}

/// The place of an entity among the sources of its target.
struct SourcePlace {
    target: Option<UntypedId>,
    /// The place in the list, unless that is a chain.
    at: u32,
}

/// The neighbors of an entity in a chain.
#[derive(Clone, Copy)]
struct Hop {
    before: Option<UntypedId>,
    after: Option<UntypedId>,
}

pub(super) enum Sources {
    List(Vec<UntypedId>),
    Chain(Box<SourceChain>),
}

impl Heap for Sources {
    fn bytes(&self) -> usize {
        match self {
            Self::List(list) => list.bytes(),
            Self::Chain(chain) => chain.bytes(),
        }
    }
}

/// Linked sources; never empty.
pub(super) struct SourceChain {
    first: UntypedId,
    last: UntypedId,
    len: usize,
    /// The sources as a list, preceded by `skipped` that have been removed from its start.
    list: Option<Vec<UntypedId>>,
    skipped: usize,
    /// The list created by a reader, if there was none.
    read: OnceBox<Vec<UntypedId>>,
}

heap!(SourceChain: list, read);

impl Tables {
    #[inline]
    pub(super) fn target(&self, source: UntypedId) -> Option<UntypedId> {
        self.places.get(source.index() as usize)?.target
    }

    pub(super) fn set_target(&mut self, source: UntypedId, target: Option<UntypedId>) {
        let before = mem::replace(&mut self.place(source).target, target);
        self.changed.push(source, before);
        self.changed.push(source, target);
        self.linked += usize::from(target.is_some());
        self.linked -= usize::from(before.is_some());
    }

    /// The number of sources with a target.
    pub(super) fn linked(&self) -> usize {
        self.linked
    }

    /// The targets of all sources.
    #[cfg(any(test, feature = "__checks"))]
    pub(super) fn targets(&self) -> impl Iterator<Item = UntypedId> + Clone + '_ {
        self.places.iter().filter_map(|place| place.target)
    }

    fn place(&mut self, source: UntypedId) -> &mut SourcePlace {
        let nowhere = || SourcePlace {
            target: None,
            at: 0,
        };
        entry(&mut self.places, source, nowhere)
    }

    fn at(&self, source: UntypedId) -> usize {
        self.places[source.index() as usize].at as usize
    }

    /// Records the places in a list, starting at a place.
    fn record_places(&mut self, list: &[UntypedId], from: usize) {
        for (at, &source) in list.iter().enumerate().skip(from) {
            self.place(source).at = u32::try_from(at).expect("fewer than 2^32 entities");
        }
    }

    fn hop(&self, source: UntypedId) -> Hop {
        self.hops[source.index() as usize]
    }

    fn hop_mut(&mut self, source: UntypedId) -> &mut Hop {
        let alone = || Hop {
            before: None,
            after: None,
        };
        entry(&mut self.hops, source, alone)
    }

    /// Links two entities of a chain; `None` is an end.
    fn join(&mut self, before: Option<UntypedId>, after: Option<UntypedId>) {
        if let Some(before) = before {
            self.hop_mut(before).after = after;
        }
        if let Some(after) = after {
            self.hop_mut(after).before = before;
        }
    }
}

impl Default for Sources {
    fn default() -> Self {
        Self::List(Vec::new())
    }
}

impl Sources {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::List(list) => list.len(),
            Self::Chain(chain) => chain.len,
        }
    }

    #[inline]
    pub(super) fn as_slice(&self, tables: &Tables) -> &[UntypedId] {
        match self {
            Self::List(list) => list,
            Self::Chain(chain) => chain.as_slice(tables),
        }
    }

    pub(super) fn into_vec(self, tables: &Tables) -> Vec<UntypedId> {
        match self {
            Self::List(list) => list,
            Self::Chain(chain) => chain.iter(tables).collect(),
        }
    }

    /// The sources in order. Does not need a chain's list.
    pub(super) fn iter<'a>(&'a self, tables: &'a Tables) -> impl Iterator<Item = UntypedId> + 'a {
        let (list, chain) = match self {
            Self::List(list) => (&list[..], None),
            Self::Chain(chain) => (&[][..], Some(chain)),
        };
        let chained = chain.into_iter().flat_map(|chain| chain.iter(tables));
        list.iter().copied().chain(chained)
    }

    /// The source after this one.
    pub(super) fn next(&self, source: UntypedId, tables: &Tables) -> Option<UntypedId> {
        match self {
            Self::List(list) => list.get(tables.at(source) + 1).copied(),
            Self::Chain(_) => tables.hop(source).after,
        }
    }

    /// The source before this one.
    pub(super) fn previous(&self, source: UntypedId, tables: &Tables) -> Option<UntypedId> {
        match self {
            Self::List(list) => list.get(tables.at(source).checked_sub(1)?).copied(),
            Self::Chain(_) => tables.hop(source).before,
        }
    }

    pub(super) fn last(&self) -> Option<UntypedId> {
        match self {
            Self::List(list) => list.last().copied(),
            Self::Chain(chain) => Some(chain.last),
        }
    }

    /// Appends a source.
    pub(super) fn push(&mut self, source: UntypedId, tables: &mut Tables) {
        match self {
            Self::List(list) => {
                list.push(source);
                tables.record_places(list, list.len() - 1);
            }
            Self::Chain(chain) => chain.insert_after(Some(chain.last), source, tables),
        }
    }

    /// Removes a source, whose place the last one takes; returns that place.
    pub(super) fn swap_take(&mut self, source: UntypedId, tables: &mut Tables) -> usize {
        let at = tables.at(source);
        if let Self::List(list) = self {
            list.swap_remove(at);
            tables.record_places(&list[..list.len().min(at + 1)], at);
        }
        at
    }

    /// Undoes [`swap_take`](Self::swap_take).
    pub(super) fn swap_back(&mut self, source: UntypedId, at: usize, tables: &mut Tables) {
        if let Self::List(list) = self {
            list.push(source);
            let last = list.len() - 1;
            list.swap(at, last);
            tables.record_places(&list[..=at], at);
            tables.record_places(list, last);
        }
    }

    /// Removes a source, and keeps the order of the others; returns the one before it.
    pub(super) fn take(&mut self, source: UntypedId, tables: &mut Tables) -> Option<UntypedId> {
        if let Self::List(list) = self {
            let at = tables.at(source);
            if list.len() - at <= NEAR {
                list.remove(at);
                tables.record_places(list, at);
                return at.checked_sub(1).map(|before| list[before]);
            }
            self.become_chain(tables);
        }
        let Self::Chain(chain) = self else {
            return None;
        };
        let before = chain.take(source, tables);
        if chain.len <= FEW {
            self.become_list(tables);
        }
        before
    }

    /// Inserts a source after another one, or as the first.
    pub(super) fn insert_after(
        &mut self,
        before: Option<UntypedId>,
        source: UntypedId,
        tables: &mut Tables,
    ) {
        if let Self::List(list) = self {
            let at = before.map_or(0, |before| tables.at(before) + 1);
            if list.len() - at <= NEAR {
                list.insert(at, source);
                return tables.record_places(list, at);
            }
            self.become_chain(tables);
        }
        if let Self::Chain(chain) = self {
            chain.insert_after(before, source, tables);
        }
    }

    fn become_list(&mut self, tables: &mut Tables) {
        let list: Vec<_> = self.iter(tables).collect();
        tables.record_places(&list, 0);
        *self = Self::List(list);
    }

    /// Converts a list, which must not be empty, to a chain.
    fn become_chain(&mut self, tables: &mut Tables) {
        let Self::List(list) = self else {
            return;
        };
        let list = mem::take(list);
        let (first, last) = (list[0], list[list.len() - 1]);
        tables.join(None, Some(first));
        for pair in list.windows(2) {
            tables.join(Some(pair[0]), Some(pair[1]));
        }
        tables.join(Some(last), None);
        *self = Self::Chain(Box::new(SourceChain {
            first,
            last,
            len: list.len(),
            list: Some(list),
            skipped: 0,
            read: OnceBox::new(),
        }));
    }

    /// Frees unused memory.
    pub(super) fn trim(&mut self, tables: &mut Tables) {
        if let Self::Chain(_) = self {
            self.become_list(tables);
        }
        if let Self::List(list) = self {
            list.shrink_to_fit();
        }
    }

    /// Panics if a source is not at its recorded place.
    #[cfg(any(test, feature = "__checks"))]
    pub(super) fn check_invariants(&self, tables: &Tables) {
        match self {
            Self::List(list) => {
                let mut places = list.iter().zip(0..);
                assert!(
                    places.all(|(source, at)| tables.at(*source) == at),
                    "links: the places in a list"
                );
            }
            Self::Chain(chain) => {
                let sources: Vec<_> = chain.iter(tables).take(chain.len + 1).collect();
                assert_eq!(sources.len(), chain.len, "links: how long a chain is");
                assert_eq!(
                    sources.last(),
                    Some(&chain.last),
                    "links: the end of a chain"
                );
                assert_eq!(
                    sources,
                    chain.as_slice(tables),
                    "links: the list of a chain"
                );
            }
        }
    }
}

impl SourceChain {
    fn iter<'a>(&self, tables: &'a Tables) -> impl Iterator<Item = UntypedId> + use<'a> {
        let first = (self.len > 0).then_some(self.first);
        iter::successors(first, |source| tables.hop(*source).after)
    }

    fn as_slice(&self, tables: &Tables) -> &[UntypedId] {
        let read = || {
            self.read
                .get_or_init(|| Box::new(self.iter(tables).collect()))
        };
        let list = self.list.as_ref().unwrap_or_else(read);
        &list[self.skipped..]
    }

    /// The list, to be changed at one end.
    fn list_mut(&mut self) -> Option<&mut Vec<UntypedId>> {
        if let Some(read) = self.read.get() {
            self.list = Some(read.clone());
            self.read = OnceBox::new();
        }
        self.list.as_mut()
    }

    fn forget_list(&mut self) {
        (self.list, self.skipped, self.read) = (None, 0, OnceBox::new());
    }

    /// Removes a source; returns the one before it.
    fn take(&mut self, source: UntypedId, tables: &mut Tables) -> Option<UntypedId> {
        let Hop { before, after } = tables.hop(source);
        tables.join(before, after);
        match (before, after) {
            (None, Some(after)) => {
                self.first = after;
                self.skip_first();
            }
            (Some(before), None) => {
                self.last = before;
                self.list_mut().map(Vec::pop);
            }
            _ => self.forget_list(),
        }
        self.len -= 1;
        before
    }

    /// Skips the first one in the list. At most half of a list is skipped.
    fn skip_first(&mut self) {
        let skipped = self.skipped + 1;
        if let Some(list) = self.list_mut() {
            let is_most = skipped > list.len() / 2;
            list.drain(..if is_most { skipped } else { 0 });
            self.skipped = if is_most { 0 } else { skipped };
        }
    }

    fn insert_after(&mut self, before: Option<UntypedId>, source: UntypedId, tables: &mut Tables) {
        let after = match before {
            Some(before) => tables.hop(before).after,
            None => Some(self.first),
        };
        tables.join(before, Some(source));
        tables.join(Some(source), after);
        if before.is_none() {
            self.first = source;
        }
        match after {
            Some(_) => self.forget_list(),
            None => {
                self.last = source;
                self.list_mut()
                    .into_iter()
                    .for_each(|list| list.push(source));
            }
        }
        self.len += 1;
    }
}

/// The entry for the slot of an entity; the table grows if needed.
pub(super) fn entry<T>(table: &mut Vec<T>, id: UntypedId, empty: fn() -> T) -> &mut T {
    let at = id.index() as usize;
    if at >= table.len() {
        table.resize_with(at + 1, empty);
    }
    &mut table[at]
}
