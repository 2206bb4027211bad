//! Where an entity is: the row of its values, and the node of its components.

/// The place of an entity's values in the columns and of its bit in the groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Row(pub(crate) u32);

impl Row {
    #[inline]
    pub(crate) fn get(self) -> usize {
        self.0 as usize
    }
}

/// The node of the signature graph that stands for an entity's components.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NodeIndex(pub(crate) u32);

/// The node of an entity without components.
pub(crate) const EMPTY_NODE: NodeIndex = NodeIndex(0);

/// What is known of one living entity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    pub(crate) node: NodeIndex,
    pub(crate) row: Row,
}
