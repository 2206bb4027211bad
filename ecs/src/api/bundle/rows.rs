//! Creating entities from bundles in new rows, a block of rows at a time.
//!
//! The values go side by side into columns that are open already; what is left to do is
//! done once for a block. That takes bundles of which it is known what they put and in
//! which order: components and tuples of them. One that is written by hand may put what
//! it likes, so its entity is created by itself.

use core::marker::PhantomData;

use super::row::{RowWriter, does_not_fit};
use crate::api::bundle::Bundle;
use crate::state::{Arrivals, BundlePlan, HasCore, Landing};
use crate::storage::column::ROWS;
use crate::storage::columns::lanes::{LaneTypes, Lanes};
use crate::storage::columns::row_types::RowTypes;
use crate::words::component::ComponentIndex;
use crate::words::signature::ComponentSet;

/// For fewer entities it does not pay.
const FEW: usize = 8;

/// The types of the values of a bundle.
struct TypesOf<C, B>(PhantomData<fn() -> (C, B)>);

impl<C: 'static, B: Bundle<C>> LaneTypes for TypesOf<C, B> {
    const TYPES: &'static RowTypes = &B::ROW;
}

/// Rows that are being filled, block by block. When a block is full, or they are dropped,
/// also by a panic, an entity comes to life in each that has all its values.
struct Rows<'a, C: 'static, B> {
    lanes: Lanes<'a, C, TypesOf<C, B>>,
    landing: Landing<'a, C>,
}

impl<C: 'static, B: Bundle<C>> Rows<'_, C, B> {
    /// Creates as many entities as the block of the next row has room for; returns whether
    /// there were as many.
    fn fill_block(&mut self, bundles: &mut impl Iterator<Item = B>) -> bool {
        let start = self.landing.next_row();
        let room = ROWS - start.get() % ROWS;
        self.lanes.open(start);
        self.lanes.fill(bundles.take(room), |bundle, row| {
            bundle.put_in_row(RowWriter(row)).0
        });
        self.end_block() == room
    }
}

impl<C: 'static, B> Rows<'_, C, B> {
    /// Brings the entities of the block to life, and tells how many they are.
    fn end_block(&mut self) -> usize {
        let count = self.lanes.close();
        self.landing.take(count);
        count
    }
}

impl<C: 'static, B> Drop for Rows<'_, C, B> {
    fn drop(&mut self) {
        self.end_block(); // before user code: the lanes drop values
    }
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
    let fits = B::FITS_INTO_ROW && B::ROW.fit() && are_distinct && !components.is_empty();
    if !fits || !may_be(bundles, FEW) {
        return;
    }
    let core = arrivals.core();
    if core.slots.free_len() > 0 {
        return;
    }
    let Some(plan) = BundlePlan::of(core, components) else {
        return;
    };
    let (columns, landing) = arrivals.landing(&plan);
    let Some(lanes) = Lanes::new(columns, components) else {
        does_not_fit::<C, B>()
    };
    let mut rows = Rows { lanes, landing };
    while may_be(bundles, 1) && rows.landing.can_take(ROWS) {
        if !rows.fill_block(bundles) {
            return;
        }
    }
}

/// Whether there may be so many left.
fn may_be(bundles: &impl Iterator, least: usize) -> bool {
    bundles.size_hint().1.is_none_or(|most| most >= least)
}
