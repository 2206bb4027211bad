//! Storing the values of many new entities in rows that were never used.

use alloc::vec::Vec;

use crate::state::core::{Core, TypedParts};
use crate::storage::columns::ColumnsOf;
use crate::storage::columns::lanes::{LaneTypes, Lanes};
use crate::storage::row_words::RowWords;
use crate::storage::slots::{NodeIndex, Row, Slots};
use crate::words::component::{Component, RawComponentIndex};
use crate::words::entity_id::EntityId;

/// Rows that were never used: values are stored first, then entities are created in them.
pub(crate) struct NewRows<'a, C> {
    node: NodeIndex,
    slots: &'a mut Slots,
    ids: &'a mut Vec<EntityId<C>>,
    rows: &'a mut RowWords,
}

/// The columns, for values in these rows.
pub struct NewValues<'a, C>(&'a mut ColumnsOf<C>);

impl<C: 'static> Core<C> {
    /// New rows for entities of a node, which are added to both lists.
    pub(crate) fn new_rows<'a>(
        &'a mut self,
        node: NodeIndex,
        ids: &'a mut Vec<EntityId<C>>,
        rows: &'a mut RowWords,
    ) -> (NewValues<'a, C>, NewRows<'a, C>) {
        let TypedParts { columns, slots, .. } = self.parts();
        let rows = NewRows {
            node,
            slots,
            ids,
            rows,
        };
        (NewValues(columns), rows)
    }
}

impl<'a, C: 'static> NewValues<'a, C> {
    /// The columns of several components, to be filled in parallel. `None` if the types differ, or
    /// a component occurs twice.
    pub(crate) fn lanes<L: LaneTypes>(
        self,
        components: &'a [RawComponentIndex],
    ) -> Option<Lanes<'a, C, L>> {
        Lanes::new(self.0, components)
    }

    /// Moves values of a component, which is `T`, to the rows from `start` on.
    pub(crate) fn fill<T: Component<C>>(
        &mut self,
        component: RawComponentIndex,
        start: Row,
        values: Vec<T>,
    ) {
        self.0.typed(component).fill(start, values);
    }

    /// Copies values of a component, which is `T`, to the rows from `start` on.
    pub(crate) fn fill_with_copies<T: Component<C> + Copy>(
        &mut self,
        component: RawComponentIndex,
        start: Row,
        values: &[T],
    ) {
        self.0.typed(component).fill_with_copies(start, values);
    }
}

impl<C> NewRows<'_, C> {
    /// The first of the next `count` rows.
    ///
    /// # Panics
    ///
    /// Panics if a context cannot hold as many entities.
    pub(crate) fn next(&self, count: usize) -> Row {
        Row(self.slots.new_rows(count).start)
    }

    /// Whether there can be `count` more entities.
    pub(crate) fn can_take(&self, count: usize) -> bool {
        self.slots.can_hold(count)
    }

    /// Creates `count` entities in the next rows.
    pub(crate) fn take(&mut self, count: usize) {
        let start = self.next(0);
        self.slots.create_in_new_rows(count, self.node, self.ids);
        self.rows.go_on(0).push_run(start, count);
    }
}
