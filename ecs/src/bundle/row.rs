//! Creating entities from bundles in new rows, a block of rows at a time.
//!
//! The values go side by side into columns that are open already; what is left to do is
//! done once for a block. That takes bundles of which it is known what they put and in
//! which order: components and tuples of them. One that is written by hand may put what
//! it likes, so its entity is created by itself.

use crate::bundle::Bundle;
use crate::column::ROWS;
use crate::columns::{LaneRow, Lanes};
use crate::component::{Component, ComponentIndex};
use crate::signature::ComponentSet;
use crate::state::{self, Arrivals, HasCore, Landing};

/// For fewer entities it does not pay.
const FEW: usize = 8;

/// Rows of one block that are being filled. When it is dropped, also by a panic, an entity
/// comes to life in each that has all its values.
struct Rows<'a, C: 'static> {
    lanes: Lanes<'a, C>,
    landing: Landing<'a, C>,
}

impl<C: 'static> Drop for Rows<'_, C> {
    fn drop(&mut self) {
        self.landing.take(self.lanes.rows()); // before user code: the lanes drop values
    }
}

/// One row, handed from value to value.
#[doc(hidden)]
pub struct RowWriter<'l, C: 'static>(LaneRow<'l, C>);

impl<C: 'static> RowWriter<'_, C> {
    /// Takes the next value of the row.
    #[doc(hidden)]
    #[must_use]
    #[inline(always)] // see `create_with`
    pub fn put<T: Component<C>>(mut self, value: T) -> Self {
        if !self.0.put(value) {
            does_not_fit::<C, T>();
        }
        self
    }
}

#[cold]
pub(super) fn does_not_fit<C, T>() -> ! {
    let (context, bundle) = (core::any::type_name::<C>(), core::any::type_name::<T>());
    panic!(
        "cannot put `{bundle}` in a row of context `{context}`: `put_in_row` hands over each \
         component that the bundle names, once and in order; leave it to the library"
    )
}

/// Creates entities from bundles, if they fit into rows and nothing is to be asked or told
/// of each by itself. Leaves those over that it has not created.
pub(super) fn create_rows<C: HasCore, B: Bundle<C>>(
    arrivals: &mut Arrivals<'_, C>,
    components: &[ComponentIndex],
    bundles: &mut impl Iterator<Item = B>,
) {
    let set: ComponentSet = components.iter().copied().collect();
    let are_distinct = set.iter().count() == components.len();
    if !B::FITS_INTO_ROW || !are_distinct || components.is_empty() || !may_be(bundles, FEW) {
        return;
    }
    let core = arrivals.core();
    if core.slots.free_len() > 0 || !state::can_create_rows(core, components) {
        return;
    }
    while may_be(bundles, 1) && arrivals.core().slots.can_hold(ROWS) {
        if !fill_block(arrivals, &set, components, bundles) {
            return;
        }
    }
}

/// Whether there may be so many left.
fn may_be(bundles: &impl Iterator, least: usize) -> bool {
    bundles.size_hint().1.is_none_or(|most| most >= least)
}

/// Creates as many entities as the block of the next row has room for; tells whether
/// there were as many.
fn fill_block<C: HasCore, B: Bundle<C>>(
    arrivals: &mut Arrivals<'_, C>,
    set: &ComponentSet,
    components: &[ComponentIndex],
    bundles: &mut impl Iterator<Item = B>,
) -> bool {
    let (columns, landing) = arrivals.landing(set);
    let start = landing.next_row();
    let room = ROWS - start.get() % ROWS;
    let lanes = Lanes::open(columns, components, start);
    let mut rows = Rows { lanes, landing };
    // Handed over by the iterator itself, a bundle need not be in memory on the way.
    bundles.take(room).for_each(|bundle| {
        bundle.put_in_row(RowWriter(rows.lanes.row())).0.end();
    });
    rows.lanes.rows() == room
}
