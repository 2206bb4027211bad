//! The places of sources among those of their target: recorded and restored for an undo stack.
//!
//! A move of one source is recorded and restored on its own, so its cost does not depend on the
//! number of sources.

use super::sources::{Sources, entry};
use super::{LinkMove, LinkStep, Links};
use crate::words::entity_id::UntypedId;

impl Links {
    /// Starts recording moves, if it is not done yet. Returns the number of those recorded before.
    pub(crate) fn start_moves(&mut self) -> usize {
        let moves = self.moves.get_or_insert_default();
        moves.len()
    }

    /// Returns the recorded moves, starting with the one with this number.
    pub(crate) fn moves_since(&self, start: usize) -> &[LinkMove] {
        let moves = self.moves.as_deref().unwrap_or_default();
        moves.get(start..).unwrap_or_default()
    }

    /// Stops recording moves.
    pub(crate) fn end_moves(&mut self) {
        self.moves = None;
    }

    #[inline]
    pub(super) fn record_move(&mut self, moved: LinkMove) {
        if let Some(moves) = &mut self.moves {
            moves.push(moved);
        }
    }

    /// Records that all sources of a target were removed, the last one first.
    pub(super) fn record_all_unlinked(&mut self, target: UntypedId, sources: &[UntypedId]) {
        if self.moves.is_some() {
            for (at, &source) in sources.iter().enumerate().rev() {
                self.record_move(LinkMove::Unlinked {
                    source,
                    target,
                    before: at.checked_sub(1).map(|before| sources[before]),
                });
            }
        }
    }

    /// Moves a source of this target behind another one of its sources, or to the start. Does
    /// nothing if one of them is not a source of the target.
    ///
    /// Complexity: constant.
    pub(crate) fn place_after(
        &mut self,
        source: UntypedId,
        target: UntypedId,
        before: Option<UntypedId>,
    ) {
        let is_source = |id| self.target(id) == Some(target);
        let known = is_source(source) && before.is_none_or(is_source);
        if !known || before == Some(source) || self.previous(source) == before {
            return;
        }
        self.unlink(source);
        self.insert_after(source, target, before);
        self.record_changed(source);
        self.record_move(LinkMove::Placed {
            source,
            target,
            before,
        });
        self.record(|| LinkStep::LinkedAfter(source, target, before));
    }

    /// The source that is before a place, if the others keep theirs; the last one, if there are too few.
    ///
    /// Complexity: linear in the place.
    pub(crate) fn before_place(
        &self,
        source: UntypedId,
        target: UntypedId,
        place: usize,
    ) -> Option<UntypedId> {
        let others = self.each_source(target).filter(|&other| other != source);
        others.take(place).last()
    }

    /// Lets the next link of this source have a place among those of its target; with `None`, no source.
    pub(crate) fn place_next(&mut self, placed: Option<(UntypedId, usize)>) {
        self.placed_next = placed;
    }

    /// Moves a source of this target behind all others.
    pub(crate) fn place_last(&mut self, source: UntypedId, target: UntypedId) {
        if self.target(source) == Some(target) && self.last_source(target) != Some(source) {
            self.unlink(source);
            self.link(source, target);
        }
    }

    /// Inserts a source without a target after another source, or as the first.
    pub(super) fn insert_after(
        &mut self,
        source: UntypedId,
        target: UntypedId,
        before: Option<UntypedId>,
    ) {
        let list = entry(&mut self.lists, target, Sources::default);
        list.insert_after(before, source, &mut self.tables);
        self.tables.set_target(source, Some(target));
    }
}
