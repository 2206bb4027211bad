//! The limits of a traversal beyond its columns: filters, a group, and the slots if nothing else
//! determines which rows have entities.
//!
//! Separate from the traversal, which usually has none of these and must start fast.

use alloc::borrow::Cow;
use alloc::sync::Arc;

use super::data::{Access, Term};
use super::narrowing::{Among, Narrowing};
use crate::matching::matcher::Condition;
use crate::matching::members::{Members, Terms};
use crate::state::Core;
use crate::storage::bit_set::BitSet;

/// The rows that may be visited, beyond what the columns determine.
pub(super) struct Limits<'a> {
    /// The condition that rows must match, if any.
    matching: Option<Members<'a, Terms>>,
    /// The group that rows must be members of.
    members: Option<Members<'a>>,
    /// The rows taken for the query, kept in the context; others are skipped.
    taken: Option<(&'a BitSet, &'a [u64])>,
    /// The query's own rows; others are skipped.
    among: Option<Arc<BitSet>>,
}

impl<'a> Limits<'a> {
    /// The limits of a query; `bounded` is whether its columns determine which rows have entities,
    /// and `access` lists its terms.
    #[inline(never)]
    pub(super) fn new<C: 'static>(
        core: &'a Core<C>,
        (bounded, access): (bool, Access),
        narrowing: &Narrowing<C>,
    ) -> Self {
        let (taken, among) = match &narrowing.among {
            Among::All => (None, None),
            Among::Taken => (Some(core.subs.collectors().drained()), None),
            Among::Rows(rows) => (None, Some(rows.clone())),
        };
        let bounded = bounded || narrowing.group.is_some() || taken.is_some() || among.is_some();
        let nothing = Condition::default();
        let mut condition = Cow::Borrowed(narrowing.condition().unwrap_or(&nothing));
        if narrowing.hides_disabled() {
            let mut disabling = core.world.columns().disabling().clone();
            access(&mut |term: Term| _ = disabling.remove(term.component()));
            condition = Cow::Owned(condition.into_owned().hiding(&disabling));
        }
        let matching = (!bounded || !condition.is_empty()).then(|| {
            let matching = core.matching(&condition);
            if bounded {
                matching.of_alive_rows()
            } else {
                matching
            }
        });
        Self {
            matching,
            members: narrowing.group.map(|group| core.world.members(group.index)),
            taken: taken.map(|rows| (rows, rows.words())),
            among,
        }
    }

    /// The number of leading blocks that may have visited rows.
    pub(super) fn len(&self) -> usize {
        let matching = self.matching.iter().map(Members::end);
        let lens = matching.chain(self.rows().map(BitSet::len));
        lens.fold(usize::MAX, usize::min)
    }

    fn rows(&self) -> Option<&BitSet> {
        let taken = self.taken.map(|(rows, _)| rows);
        taken.or(self.among.as_deref())
    }

    /// The first block at or after `at` that may have visited rows.
    pub(super) fn next(&self, at: usize) -> usize {
        let at = self.rows().map_or(at, |rows| rows.next_word(at));
        let matching = self.matching.as_ref();
        matching.map_or(at, |matching| matching.next(at))
    }

    /// Clears the bits of rows that are not visited, in a block before [`len`](Self::len).
    #[inline(never)] // keeps the plain loop tight
    pub(super) fn narrow(&self, mut word: u64, at: usize) -> u64 {
        if let Some(matching) = &self.matching {
            word &= matching.word(at);
        }
        if let Some((_, words)) = self.taken {
            word &= words[at];
        }
        if let Some(rows) = &self.among {
            word &= rows.word(at);
        }
        if let Some(members) = &self.members
            && word != 0
        {
            word &= members.word(at);
        }
        word
    }
}
