//! The places of sources among those of their targets, in ordered relations, before and after a
//! step.

use alloc::vec::Vec;

use hashbrown::HashMap;

use super::ids::CurrentIds;
use crate::reactions::entity_index::LinkMove;
use crate::state::{HasCore, restore_place, source_before};
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::UntypedId;

/// The moves of all sources that a step has moved, with their first ids.
#[derive(Default)]
pub(super) struct SourceMoves {
    of_sources: HashMap<UntypedId, Vec<SourceMove>>,
    recorded: u64,
}

/// The moves of a source in a relation that matter: it was removed first from one place, and
/// appended last to one list. The numbers are positions in all moves.
struct SourceMove {
    component: RawComponentIndex,
    removed: Option<(u64, LinkMove)>,
    appended: Option<(u64, LinkMove)>,
}

impl SourceMoves {
    pub(super) fn extend(
        &mut self,
        moves: Vec<(RawComponentIndex, LinkMove)>,
        current: &CurrentIds,
    ) {
        for (component, moved) in moves {
            self.recorded += 1;
            let moved = moved.map(|id| current.first_of(id));
            let of_source = self.of_sources.entry(moved.source()).or_default();
            let known = of_source.iter_mut().find(|it| it.component == component);
            let numbered = Some((self.recorded, moved));
            let is_append = matches!(moved, LinkMove::Linked { .. });
            match (known, is_append) {
                (Some(known), true) => known.appended = numbered,
                (Some(_), false) => {}
                (None, _) => of_source.push(SourceMove {
                    component,
                    removed: numbered.filter(|_| !is_append),
                    appended: numbered.filter(|_| is_append),
                }),
            }
        }
    }

    /// Whether a source has another place among those of its target than before the step.
    pub(super) fn are_moved<C: HasCore>(
        &self,
        context: &C,
        source: UntypedId,
        current: &CurrentIds,
    ) -> bool {
        let id = current.of(source);
        let mut moves = self.of_sources.get(&source).into_iter().flatten();
        moves.any(|it| match (it.removed, it.appended) {
            (Some((_, LinkMove::Unlinked { before, .. })), Some(_)) => {
                let before = before.map(|before| current.of(before));
                source_before(&context.core().subs, it.component, id) != before
            }
            _ => false,
        })
    }

    /// Forgets the moves of a source that the step does not change.
    pub(super) fn forget(&mut self, source: UntypedId) {
        self.of_sources.remove(&source);
    }

    /// The moves of sources that others have not moved in the same relation.
    pub(super) fn except(mut self, others: &Self) -> Self {
        for (source, moves) in &mut self.of_sources {
            let other = others.of_sources.get(source).into_iter().flatten();
            let other: Vec<_> = other.map(|it| it.component).collect();
            moves.retain(|it| !other.contains(&it.component));
        }
        self
    }

    /// All ids.
    pub(super) fn ids(&self) -> impl Iterator<Item = UntypedId> + '_ {
        let moves = self.of_sources.values().flatten();
        let moves = moves.flat_map(|it| [it.removed, it.appended]).flatten();
        moves.flat_map(|(_, moved)| moved.ids())
    }

    /// Restores the places of sources before (0) or after (1) the step. Their targets must have
    /// been restored.
    ///
    /// Before: the source that was removed last is put behind its neighbor first, so each list
    /// goes back through its earlier states. After: sources are appended in the same order again.
    pub(super) fn restore<C: HasCore>(&self, context: &mut C, side: usize, current: &CurrentIds) {
        let moves = self.of_sources.values().flatten();
        let mut moves: Vec<_> = moves
            .filter_map(|it| {
                let moved = [it.removed, it.appended][side];
                moved.map(|(number, moved)| (number, it.component, moved))
            })
            .collect();
        moves.sort_unstable_by_key(|(number, ..)| *number);
        if side == 0 {
            moves.reverse();
        }
        for (_, component, moved) in moves {
            let moved = moved.map(|id| current.of(id));
            restore_place(&mut context.core_mut().subs, component, moved);
        }
    }
}
