//! The places of sources among those of their targets, in ordered relations, before and after a
//! step.

use alloc::vec::Vec;

use hashbrown::HashMap;

use super::ids::CurrentIds;
use crate::reactions::entity_index::LinkMove;
use crate::state::{HasCore, restore_place, source_before, target_in};
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::UntypedId;

/// All moves of sources during a step, with their first ids. Each depends on those before it, so all are
/// kept; only what a source did between two places where nothing else moved is not.
#[derive(Default)]
pub(super) struct SourceMoves {
    moves: Vec<(RawComponentIndex, LinkMove)>,
    /// Of each source that was moved within a relation, the one before it when it was first removed.
    first: HashMap<(RawComponentIndex, UntypedId), MovedSource>,
}

/// A source that was removed from its place, or appended to its first.
struct MovedSource {
    /// The source before it, if it was removed first.
    removed_after: Option<Option<UntypedId>>,
    is_placed: bool,
}

impl SourceMoves {
    pub(super) fn extend(
        &mut self,
        moves: Vec<(RawComponentIndex, LinkMove)>,
        current: &CurrentIds,
    ) {
        for (component, moved) in moves {
            let moved = moved.map(|id| current.first_of(id));
            let source = moved.source();
            let removed_after = moved.removed_after();
            let known = self.first.entry((component, source));
            let known = known.or_insert(MovedSource {
                removed_after,
                is_placed: false,
            });
            known.is_placed |= removed_after.is_none();
            let last = self.moves.last();
            let goes_on = last.is_some_and(|(relation, last)| {
                *relation == component && last.source() == source && last.removed_after().is_none()
            });
            match removed_after.is_some() && goes_on {
                true => _ = self.moves.pop(),
                false => self.moves.push((component, moved)),
            }
        }
    }

    /// Whether a source may have another place among those of its target than before the step.
    pub(super) fn is_moved<C: HasCore>(
        &self,
        context: &C,
        (component, source): (RawComponentIndex, UntypedId),
        current: &CurrentIds,
    ) -> bool {
        let mut source = source;
        loop {
            let Some(moved) = self.first.get(&(component, source)) else {
                return false;
            };
            let (Some(before), true) = (moved.removed_after, moved.is_placed) else {
                return false;
            };
            let current_before = before.map(|before| current.of(before));
            let id = current.of(source);
            if source_before(&context.core().subs, component, id) != current_before {
                return true;
            }
            match before {
                Some(before) => source = before, // it may have moved, too
                None => return false,
            }
        }
    }

    /// The moves of sources that others have not moved in the same relation.
    pub(super) fn except(mut self, others: &Self) -> Self {
        let is_other = |component, source| others.first.contains_key(&(component, source));
        self.moves
            .retain(|(component, moved)| !is_other(*component, moved.source()));
        self.first
            .retain(|(component, source), _| !is_other(*component, *source));
        self
    }

    /// All ids.
    pub(super) fn ids(&self) -> impl Iterator<Item = UntypedId> + '_ {
        self.moves.iter().flat_map(|(_, moved)| moved.ids())
    }

    /// Restores the places of sources before (0) or after (1) the step. Their targets must have
    /// been restored.
    ///
    /// Before: each source is put where it was removed, the last one first, so each list goes back
    /// through its earlier states. After: sources are placed in the same order again.
    pub(super) fn restore<C: HasCore>(&self, context: &mut C, side: usize, current: &CurrentIds) {
        let mut restore = |at: usize| {
            let (component, moved) = self.moves[at];
            if moved.removed_after().is_some() == (side == 0) {
                let moved = self.after_present(context, at, side, current);
                let moved = moved.map(|id| current.of(id));
                let core = context.core_mut();
                // The slot of one that has died since may have another entity.
                if moved.ids().all(|id| core.world.is_alive(id)) {
                    restore_place(&mut core.subs, component, moved);
                }
            }
        };
        match side {
            0 => (0..self.moves.len()).rev().for_each(&mut restore),
            _ => (0..self.moves.len()).for_each(&mut restore),
        }
    }

    /// A move whose place is after a source that is there. One that was placed in the step is not there before it, and
    /// one that was removed is not there after it: then the source before that one counts.
    fn after_present<C: HasCore>(
        &self,
        context: &C,
        mut at: usize,
        side: usize,
        current: &CurrentIds,
    ) -> LinkMove {
        let (component, mut moved) = self.moves[at];
        let core = context.core();
        let target_of = |id| {
            let id = core.world.is_alive(id).then_some(id)?;
            target_in(&core.subs, component, id)
        };
        while let (target, Some(before)) = moved.place()
            && target_of(current.of(before)) != Some(current.of(target))
        {
            let is_of = |(relation, other): &(RawComponentIndex, LinkMove)| {
                (*relation, other.source(), other.place().0) == (component, before, target)
            };
            let place = match side {
                0 => self.moves[..at].iter().rposition(is_of),
                _ => { self.moves.iter() }
                    .skip(at)
                    .position(is_of)
                    .map(|it| it + at),
            };
            let Some(place) = place else { break };
            at = place;
            moved = moved.after(self.moves[at].1.place().1);
        }
        moved
    }
}
