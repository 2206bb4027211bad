//! Recording the moves of sources in all ordered relations, while an undo stack records a step.

use alloc::vec::Vec;

use super::Indexes;
use crate::matching::group::IndexNumber;
use crate::reactions::entity_index::links::{LinkMove, Links, MovesStart};
use crate::words::component::RawComponentIndex;
use crate::words::relation::OnTargetDestroyed;

impl Indexes {
    /// Starts recording the moves of sources in ordered relations. Recorders can be nested.
    pub(crate) fn start_moves(&mut self) -> Vec<MovesStart> {
        self.recorders += 1;
        let mut starts = Vec::new();
        self.change_relations(|links| {
            if links.are_ordered() {
                starts.push((links.component, links.start_moves()));
            }
        });
        starts
    }

    /// Ends a recorder; returns the moves since its start, in order for each relation.
    pub(crate) fn end_moves(
        &mut self,
        starts: &[MovesStart],
    ) -> Vec<(RawComponentIndex, LinkMove)> {
        self.recorders = self.recorders.saturating_sub(1);
        self.restoring = false;
        let is_last = self.recorders == 0;
        let mut moves = Vec::new();
        self.change_relations(|links| {
            let component = links.component;
            let start = starts.iter().find(|start| start.0 == component);
            let since = links.moves_since(start.map_or(0, |start| start.1));
            moves.extend(since.iter().map(|&moved| (component, moved)));
            if is_last {
                links.end_moves();
            }
        });
        moves
    }

    /// Whether an undo stack records a step.
    pub(crate) fn is_step_recorded(&self) -> bool {
        self.recorders > 0
    }

    /// Allows kept relations to dead targets until the recorder ends, because an undo stack
    /// restores a step.
    pub(crate) fn start_restoring(&mut self) {
        self.restoring = true;
    }

    /// Whether an undo stack restores a step.
    pub(crate) fn is_restoring(&self) -> bool {
        self.restoring
    }

    /// The relations that are kept when their target is destroyed.
    pub(crate) fn kept_relations(&self) -> impl Iterator<Item = (IndexNumber, &Links)> {
        let relations = self.relations.iter();
        let links = relations.filter_map(|&number| Some((number, self.links(number)?)));
        links.filter(|(_, links)| links.on_target_destroyed == OnTargetDestroyed::Keep)
    }

    /// Restores the place of a source in an ordered relation: its last place, or behind another
    /// one or at the start.
    pub(crate) fn restore_place(&mut self, component: RawComponentIndex, place: LinkMove) {
        self.change_relations(|links| {
            if links.component == component && links.are_ordered() {
                match place {
                    LinkMove::Linked { source, target } => links.place_last(source, target),
                    LinkMove::Placed {
                        source,
                        target,
                        before,
                    }
                    | LinkMove::Unlinked {
                        source,
                        target,
                        before,
                    } => links.place_after(source, target, before),
                }
            }
        });
    }
}
