//! Undo and redo of links, step by step.

use alloc::vec::Vec;

use super::sources::{Sources, entry};
use super::{LinkStep, Links};
use crate::storage::past::Direction;

impl Links {
    /// Undoes or redoes steps until a position, or until the start of the journal; returns whether it can be reached.
    pub(crate) fn seek(&mut self, position: Option<u64>) -> bool {
        let position = position.unwrap_or(self.start);
        if !self.journal.reaches(position) {
            return false;
        }
        self.record_many_changed();
        while let Some((direction, step)) = self.journal.next(position) {
            let opposite = match direction {
                Direction::Back => self.take_back(step),
                Direction::Forward => self.take_again(step),
            };
            self.journal.put(direction, opposite);
        }
        true
    }

    /// Undoes a step; returns the step to redo.
    fn take_back(&mut self, step: LinkStep) -> LinkStep {
        match step {
            LinkStep::Linked(source, _) | LinkStep::LinkedAfter(source, ..) => {
                _ = self.take_out(source);
            }
            LinkStep::Unlinked(source, target, at) => {
                let list = entry(&mut self.lists, target, Sources::default);
                list.swap_back(source, at, &mut self.tables);
                self.tables.set_target(source, Some(target));
            }
            LinkStep::UnlinkedAfter(source, target, before) => {
                self.insert_after(source, target, before);
            }
            LinkStep::Detached(target, sources) => {
                for source in sources {
                    self.append(source, target);
                }
                return LinkStep::Detached(target, Vec::new());
            }
        }
        step
    }

    /// Redoes a step; returns the step to undo.
    fn take_again(&mut self, step: LinkStep) -> LinkStep {
        match step {
            LinkStep::Linked(source, target) => self.append(source, target),
            LinkStep::LinkedAfter(source, target, before) => {
                self.insert_after(source, target, before);
            }
            LinkStep::Unlinked(source, ..) | LinkStep::UnlinkedAfter(source, ..) => {
                _ = self.take_out(source);
            }
            LinkStep::Detached(target, _) => {
                return LinkStep::Detached(target, self.take_all(target));
            }
        }
        step
    }
}
