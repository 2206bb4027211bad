//! Creating entities from bundles in new rows, a block of rows at a time.
//!
//! The values go to columns that are opened once per block, and everything else is done once per
//! block, too. The bundle's values and their order must be known: those of components and tuples of
//! them. A bundle implemented by hand may put any values, so its entity is created on its own.

use core::marker::PhantomData;

use crate::api::bundle::{Bundle, RowWriter, does_not_fit};
use crate::state::{BundlePlan, Creation, HasCore, NewRows};
use crate::storage::column::ROWS;
use crate::storage::columns::lanes::{LaneTypes, Lanes};
use crate::storage::columns::row_types::RowTypes;
use crate::words::component::RawComponentIndex;
use crate::words::signature::RawComponentSet;

/// It does not pay off for fewer entities.
const FEW: usize = 8;

/// The types of the values of a bundle.
struct TypesOf<C, B>(PhantomData<fn() -> (C, B)>);

impl<C: 'static, B: Bundle<C>> LaneTypes for TypesOf<C, B> {
    const TYPES: &'static RowTypes = &B::ROW;
}

/// Rows that are filled block by block. When a block is full, or this is dropped, even by a panic,
/// an entity is created in each row that has all its values.
struct FillingRows<'a, C: 'static, B> {
    lanes: Lanes<'a, C, TypesOf<C, B>>,
    rows: NewRows<'a, C>,
}

impl<C: 'static, B: Bundle<C>> FillingRows<'_, C, B> {
    /// Creates an entity in each remaining row of a block; returns whether there were enough
    /// bundles.
    fn fill_block(&mut self, bundles: &mut impl Iterator<Item = B>) -> bool {
        let start = self.rows.next(0);
        let left = ROWS - start.get() % ROWS;
        self.lanes.open(start);
        self.lanes.fill(bundles.take(left), |bundle, row| {
            bundle.put_in_row(RowWriter(row)).0
        });
        self.end_block() == left
    }
}

impl<C: 'static, B> FillingRows<'_, C, B> {
    /// Creates the entities of the block; returns their number.
    fn end_block(&mut self) -> usize {
        let count = self.lanes.close();
        self.rows.take(count);
        count
    }
}

impl<C: 'static, B> Drop for FillingRows<'_, C, B> {
    fn drop(&mut self) {
        self.end_block(); // before user code: the lanes drop values
    }
}

/// Creates entities from bundles, if they fit into rows and nothing must be notified of each.
/// Leaves the other bundles in the iterator.
pub(super) fn create<C: HasCore, B: Bundle<C>>(
    creation: &mut Creation<'_, C>,
    components: &[RawComponentIndex],
    bundles: &mut impl Iterator<Item = B>,
) {
    let set: RawComponentSet = components.iter().copied().collect();
    let are_distinct = set.iter().count() == components.len();
    let fits = B::FITS_INTO_ROW && B::ROW.fit() && are_distinct && !components.is_empty();
    if !fits || !may_be(bundles, FEW) {
        return;
    }
    let core = creation.core();
    if core.world.slots().recyclable() > 0 {
        return;
    }
    let plan = BundlePlan::of(&mut core.world, &mut core.subs, &set);
    if !plan.is_plain(&core.world, &core.subs, &set) {
        return;
    }
    let (values, rows) = creation.new_rows(plan);
    let Some(lanes) = values.lanes(components) else {
        does_not_fit::<C, B>()
    };
    let mut filling = FillingRows { lanes, rows };
    while may_be(bundles, 1) && filling.rows.can_take(ROWS) {
        if !filling.fill_block(bundles) {
            return;
        }
    }
}

/// Whether at least `least` bundles may remain.
fn may_be(bundles: &impl Iterator, least: usize) -> bool {
    bundles.size_hint().1.is_none_or(|most| most >= least)
}
