//! Dropping what entities that have ended have left in their rows.

use alloc::vec::{self, Vec};

use super::core::Core;
use crate::storage::slots::{NodeIndex, Row};
use crate::words::component::ComponentIndex;

/// What is left in a row.
pub(super) enum Left {
    /// The components of a node.
    Of(NodeIndex),
    One([ComponentIndex; 1]),
}

/// Drops values, or puts them on their pool stacks. If a `drop` panics, it goes on with the rest.
pub(super) fn leave<C: 'static>(core: &mut Core<C>, left: Vec<(Left, Row)>) {
    let left = left.into_iter();
    Leaving { core, left }.run();
}

/// Values that are being dropped.
struct Leaving<'a, C: 'static> {
    core: &'a mut Core<C>,
    left: vec::IntoIter<(Left, Row)>,
}

impl<C: 'static> Leaving<'_, C> {
    fn run(&mut self) {
        for (left, row) in self.left.by_ref() {
            let components = match &left {
                Left::Of(node) => self.core.graph.component_list(*node),
                Left::One(component) => component,
            };
            self.core.columns.drop_left(components, row);
        }
    }
}

impl<C: 'static> Drop for Leaving<'_, C> {
    fn drop(&mut self) {
        self.run();
    }
}
