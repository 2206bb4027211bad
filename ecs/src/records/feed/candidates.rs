//! The slots that the next delta of a feed may have to mention.

use alloc::vec::Vec;
use core::mem;

use super::visibility::Visibility;
use crate::reactions::feeds::{FeedBits, FeedState, SentSlot};
use crate::state::core::{Core, HasCore};
use crate::words::signature::Bits;

/// A slot that may have to be mentioned.
pub(super) struct Candidate {
    pub(super) slot: u32,
    /// The components that have changed.
    pub(super) changed: FeedBits,
    /// The components that are visible because its entity is in a set.
    pub(super) visible: FeedBits,
}

/// The slots to look at, ascending: for a delta that is `everything`, or with changes.
pub(super) fn candidates<C: HasCore>(
    core: &Core<C>,
    (state, shows): (&FeedState, &Visibility<C>),
    everything: bool,
    before: &[(u32, SentSlot)],
) -> Vec<Candidate> {
    let of = |slot, changed, visible| Candidate {
        slot,
        changed,
        visible,
    };
    let (mut all, unlimited) = (Vec::new(), shows.unlimited());
    for (ids, visible) in shows.listed() {
        let alive = ids.iter().filter(|id| core.world.is_alive(**id));
        merge(&mut all, alive.map(|id| of(id.index(), 0, visible)));
    }
    if (everything || state.looks_again) && unlimited != 0 {
        let alive = core.world.slots.iter();
        merge(&mut all, alive.map(|(id, _)| of(id.index(), 0, 0)));
    }
    if everything {
        return all;
    }
    for bit in Bits(shows.decisive()) {
        let Some(&journal) = state.journals.get(bit as usize) else {
            break;
        };
        let recent = core.subs.feeds.journals[journal].recent.since(state.read);
        let mut recent: Vec<_> = recent.collect();
        recent.sort_unstable();
        merge(&mut all, recent.iter().map(|&slot| of(slot, 1 << bit, 0)));
    }
    match state.unlimited == unlimited {
        true => merge(&mut all, state.sent.listed().map(|slot| of(slot, 0, 0))),
        false => merge(&mut all, state.sent.all().iter().map(|it| of(it.0, 0, 0))),
    }
    merge(&mut all, before.iter().map(|it| of(it.0, 0, 0)));
    all
}

/// Adds more candidates; both are ascending.
fn merge(all: &mut Vec<Candidate>, more: impl Iterator<Item = Candidate>) {
    let mut merged = Vec::with_capacity(all.len() + more.size_hint().1.unwrap_or(0));
    let mut old = mem::take(all).into_iter().peekable();
    let mut push = |next: Candidate| match merged.last_mut() {
        Some(Candidate {
            slot,
            changed,
            visible,
        }) if *slot == next.slot => {
            (*changed, *visible) = (*changed | next.changed, *visible | next.visible);
        }
        _ => merged.push(next),
    };
    for next in more {
        while let Some(earlier) = old.next_if(|it| it.slot <= next.slot) {
            push(earlier);
        }
        push(next);
    }
    old.for_each(push);
    *all = merged;
}
