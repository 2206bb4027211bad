//! What the systems of a context have seen of its states, and what undo stacks have [done](super::edits) in it.
//!
//! The systems that run when a state is entered or left compare the state with what they have seen
//! last. That belongs to the context: it is saved, rewound and copied with it, so new systems continue
//! where those before them stopped.
//!
//! ```text
//! seen  [ Mode, Enter Playing, is in │ Mode, Exit Playing, is in │ Mode, Change, Playing │ … ]
//!                                                   one per system, in the order of their lists
//! ```
//!
//! A system finds its own by its reader. One whose reader is gone, or was in another process or in the
//! original of this copy, goes to the first new system with the same purpose.

use alloc::sync::{Arc, Weak};
use alloc::vec::Vec;

use super::edits::Edits;
use crate::storage::descriptor::AnyValue;
use crate::storage::heap::heap;
use crate::words::component::RawComponentIndex;
use crate::words::signature::RawComponentSet;

/// What a system for states waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To enter one state.
    Enter,
    /// To leave one state.
    Exit,
    /// Any transition.
    Change,
}

/// What a system has seen.
#[derive(Clone)]
pub(crate) struct Seen {
    pub(crate) component: RawComponentIndex,
    pub(crate) purpose: Purpose,
    /// The state to enter or to leave; or the one seen last, if there was one.
    pub(crate) state: Option<Arc<AnyValue>>,
    /// Whether the context was in the state to enter or to leave.
    pub(crate) is_in: bool,
    /// Whether the state was restarted since then.
    pub(crate) is_restarted: bool,
    reader: Weak<()>,
    /// Whether it was seen in another context, of which this one is a copy, and not used here yet.
    is_inherited: bool,
}

impl Seen {
    /// Something seen in another process.
    #[cfg(feature = "serde")]
    pub(crate) fn loaded(
        component: RawComponentIndex,
        purpose: Purpose,
        (state, is_in, is_restarted): (Option<Arc<AnyValue>>, bool, bool),
    ) -> Self {
        Self {
            component,
            purpose,
            state,
            is_in,
            is_restarted,
            reader: Weak::new(),
            is_inherited: false,
        }
    }

    fn is_of(&self, reader: &Arc<()>) -> bool {
        self.reader.as_ptr() == Arc::as_ptr(reader)
    }

    /// Whether both are what one system has seen, at two times.
    fn is_of_same(&self, other: &Self) -> bool {
        let is_known = self.reader.strong_count() > 0;
        (self.component, self.purpose) == (other.component, other.purpose)
            && self.reader.ptr_eq(&other.reader)
            && (is_known || self.is_unchanged(other))
    }

    /// Whether a system that has seen one has seen nothing new since.
    fn is_unchanged(&self, other: &Self) -> bool {
        let states = [&self.state, &other.state].map(|it| it.as_ref().map(Arc::as_ptr));
        states[0] == states[1]
            && (self.component, self.purpose) == (other.component, other.purpose)
            && (self.is_in, self.is_restarted) == (other.is_in, other.is_restarted)
            && self.reader.ptr_eq(&other.reader)
    }

    fn is_free(&self) -> bool {
        self.is_inherited || self.reader.strong_count() == 0
    }
}

/// The identity of a system for states.
pub(crate) struct StateReader {
    component: RawComponentIndex,
    purpose: Purpose,
    reader: Arc<()>,
    /// Where its state was found last.
    place: usize,
}

impl StateReader {
    pub(crate) fn new(component: RawComponentIndex, purpose: Purpose) -> Self {
        Self {
            component,
            purpose,
            reader: Arc::new(()),
            place: 0,
        }
    }
}

/// What the systems of a context have seen of its states.
#[derive(Clone)]
pub(crate) struct Entered {
    seen: Vec<Seen>,
    /// What undo stacks have done.
    pub(crate) edits: Edits,
    /// At this length, what systems that are gone have seen is forgotten.
    limit: usize,
}

heap!(Entered: seen); // states are shared with marks and snapshots

/// What a system had seen before some changes, and after them.
pub(crate) type SeenChange = [Option<Seen>; 2];

/// How much of what systems that are gone have seen is kept at least.
const KEPT: usize = 64;

impl Default for Entered {
    fn default() -> Self {
        Self::loaded(Vec::new())
    }
}

impl Entered {
    pub(crate) fn loaded(seen: Vec<Seen>) -> Self {
        Self::of_edits(seen, Edits::default())
    }

    fn of_edits(seen: Vec<Seen>, edits: Edits) -> Self {
        let limit = 2 * seen.len().max(KEPT);
        Self { seen, edits, limit }
    }

    #[cfg(feature = "serde")]
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Seen> {
        self.seen.iter()
    }

    /// What a system has seen. A new system takes over from one that is gone if `is_own` accepts its
    /// state, which may be user code; otherwise it has seen nothing, and gets this state.
    pub(crate) fn of(
        &mut self,
        by: &mut StateReader,
        state: Option<&Arc<AnyValue>>,
        is_own: impl Fn(Option<&AnyValue>) -> bool,
    ) -> &mut Seen {
        let found = self.seen.get(by.place);
        if !found.is_some_and(|it| it.is_of(&by.reader)) {
            let own = self.seen.iter().position(|it| it.is_of(&by.reader));
            let place = own.or_else(|| self.take(by, is_own));
            by.place = place.unwrap_or_else(|| self.push(by, state));
        }
        let seen = &mut self.seen[by.place];
        seen.is_inherited = false;
        seen
    }

    /// The places of what was seen of a state last. `is_present` compares it with the present one.
    pub(crate) fn places(
        &self,
        component: RawComponentIndex,
        is_present: impl Fn(&AnyValue) -> bool,
    ) -> Vec<usize> {
        let is_place = |place: &usize| {
            let seen = &self.seen[*place];
            let is_there = seen.is_in || seen.purpose == Purpose::Change;
            let state = seen.state.as_deref().filter(|_| is_there);
            seen.component == component && state.is_some_and(&is_present)
        };
        (0..self.seen.len()).filter(is_place).collect()
    }

    /// Marks states as restarted.
    pub(crate) fn restart(&mut self, places: &[usize]) {
        for &place in places {
            self.seen[place].is_restarted = true;
        }
    }

    fn take(
        &mut self,
        by: &StateReader,
        is_own: impl Fn(Option<&AnyValue>) -> bool,
    ) -> Option<usize> {
        let free = self.seen.iter().position(|it| {
            (it.component, it.purpose) == (by.component, by.purpose)
                && it.is_free()
                && is_own(it.state.as_deref())
        })?;
        self.seen[free].reader = Arc::downgrade(&by.reader);
        Some(free)
    }

    fn push(&mut self, by: &StateReader, state: Option<&Arc<AnyValue>>) -> usize {
        if self.seen.len() >= self.limit {
            self.forget_oldest();
        }
        self.seen.push(Seen {
            component: by.component,
            purpose: by.purpose,
            state: state.cloned(),
            is_in: false,
            is_restarted: false,
            reader: Arc::downgrade(&by.reader),
            is_inherited: false,
        });
        self.seen.len() - 1
    }

    /// Forgets what systems that are gone have seen, except for the latest.
    fn forget_oldest(&mut self) {
        let free = self.seen.iter().filter(|it| it.is_free()).count();
        let mut surplus = free.saturating_sub(KEPT);
        let is_surplus = |it: &mut Seen| {
            let forgets = surplus > 0 && it.is_free();
            surplus -= usize::from(forgets);
            forgets
        };
        let forgotten: Vec<_> = self.seen.extract_if(.., is_surplus).collect();
        self.limit = 2 * self.seen.len().max(KEPT);
        drop(forgotten); // user code
    }

    /// What a copy of the context starts with: its systems may be the same, or new ones.
    pub(crate) fn inherited(&self) -> Self {
        let inherited = |seen: &Seen| Seen {
            is_inherited: true,
            ..seen.clone()
        };
        Self::of_edits(
            self.seen.iter().map(inherited).collect(),
            self.edits.clone(),
        )
    }

    /// What systems have seen since then.
    pub(crate) fn changes_since(&self, then: &Self) -> Vec<SeenChange> {
        let mut changes = Vec::new();
        for seen in &self.seen {
            match then.seen.iter().find(|it| it.is_of_same(seen)) {
                Some(before) if before.is_unchanged(seen) => {}
                before => changes.push([before.cloned(), Some(seen.clone())]),
            }
        }
        for before in &then.seen {
            if !self.seen.iter().any(|it| it.is_of_same(before)) {
                changes.push([Some(before.clone()), None]);
            }
        }
        changes
    }

    /// Restores what systems had seen on a side of these changes, 0 before and 1 after each, except of states of which
    /// one has seen something else since then. Returns what is replaced, to be dropped.
    pub(crate) fn put_sides<'c>(
        &mut self,
        changes: impl Iterator<Item = &'c SeenChange> + Clone,
        side: usize,
    ) -> Vec<Seen> {
        let is_of = |change: &SeenChange, component: &RawComponentIndex| {
            change.iter().flatten().any(|it| it.component == *component)
        };
        let mut outdated: Vec<RawComponentIndex> = Vec::new();
        loop {
            let mut seen = self.seen.clone();
            let mut current = { changes.clone() }
                .filter(|change| !outdated.iter().any(|component| is_of(change, component)));
            let Some(failed) = current.find(|change| !put_side(&mut seen, change, side)) else {
                return core::mem::replace(&mut self.seen, seen);
            };
            outdated.extend(failed.iter().flatten().map(|it| it.component));
        }
    }

    /// Forgets what was seen. Systems that are there keep their places, as if they had just been added. Returns what is
    /// replaced, to be dropped.
    pub(crate) fn forget(&mut self) -> impl Sized + use<> {
        let there = self.seen.iter().filter(|it| it.reader.strong_count() > 0);
        let unseen = there.map(|seen| Seen {
            state: seen
                .state
                .clone()
                .filter(|_| seen.purpose != Purpose::Change),
            is_in: false,
            is_restarted: false,
            ..seen.clone()
        });
        let unseen = Self::loaded(unseen.collect());
        core::mem::replace(self, unseen)
    }

    /// Restores what had been seen then, except of excluded components. Returns what is replaced, to be
    /// dropped.
    pub(crate) fn put_back(
        &mut self,
        then: &Self,
        excluded: &RawComponentSet,
    ) -> impl Sized + use<> {
        let is_kept = |it: &&Seen| excluded.contains(it.component);
        let kept = self.seen.iter().filter(is_kept);
        let restored = then.seen.iter().filter(|it| !is_kept(it));
        let seen = restored.chain(kept).cloned().collect();
        core::mem::replace(self, Self::of_edits(seen, then.edits.clone()))
    }
}

/// Restores a side of a change; returns whether nothing else was seen since.
fn put_side(seen: &mut Vec<Seen>, change: &SeenChange, side: usize) -> bool {
    let place = match &change[1 - side] {
        Some(present) => seen.iter().position(|it| it.is_unchanged(present)),
        None => Some(seen.len()),
    };
    let then = change[side].as_ref();
    let is_new = |then: &Seen| !seen.iter().any(|it| it.is_of_same(then));
    match (place, then) {
        (Some(place), Some(then)) if place < seen.len() => seen[place] = then.clone(),
        (Some(place), None) => _ = seen.remove(place),
        (Some(_), Some(then)) if is_new(then) => seen.push(then.clone()),
        _ => return false,
    }
    true
}
