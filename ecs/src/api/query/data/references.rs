//! References to components, and optional ones.

use alloc::vec::Vec;
use core::slice;

use super::{Asked, QueryData, ReadOnlyQueryData, Term};
use crate::api::query::traversal::prefetch;
use crate::state::{Core, HasCore, Written, WrittenRows};
use crate::storage::column::{Blocks, ROWS};
use crate::storage::registry::index_of;
use crate::words::component::Component;
use crate::words::field_index::are_checked;
use crate::words::limits::ALL_ROWS;

#[inline]
pub(super) fn blocks_of<C: 'static, T: Component<C>>(core: &Core<C>) -> Blocks<'_> {
    core.world.blocks(index_of::<C, T>())
}

/// Whether the values of a block continue in another one, which starts where this one ends; then
/// both are in one slab (the invariant of the slabs). Values of size zero all have the same address
/// and always continue.
#[inline]
fn goes_on<T>(values: *const T, next: *const T) -> bool {
    values.wrapping_add(ROWS) == next
}

/// The rows before which values start or stop being present.
#[inline]
fn edges(occupied: u64) -> u64 {
    (occupied ^ occupied << 1) & ALL_ROWS & !1
}

macro_rules! data_of_references {
    ($([$($mutability:ident)?] $pointer:ident $slice:ident exclusive $exclusive:literal;)*) => { $(
        // SAFETY: names `T`; `occupied` is that of `T`; a run continues to another block
        // only where the values do.
        unsafe impl<C: 'static, T: Component<C>> QueryData<C> for &$($mutability)? T {
            type Item<'a> = &'a $($mutability)? T;
            type Slice<'a> = &'a $($mutability)? [T];
            type Columns<'a> = Blocks<'a>;
            type Block<'a> = *$pointer T;

            const BOUNDED: bool = true;
            const ASKED: &'static Asked = &Asked::component::<C, T>($exclusive);
            const TERMS: usize = 1;
            const EXCLUSIVE: bool = $exclusive;
            const CHECKED: bool = $exclusive && are_checked(T::INDEXES);

            fn access(each: &mut dyn FnMut(Term)) {
                each(Term {
                    component: index_of::<C, T>(),
                    exclusive: $exclusive,
                    indexed: !T::INDEXES.is_empty(),
                });
            }

            fn written(written: &mut Vec<Written>)
            where
                C: HasCore,
            {
                if $exclusive {
                    written.push(Written::of::<C, T>());
                }
            }

            #[inline]
            fn columns<'a>(
                core: &'a Core<C>,
                _: &mut slice::Iter<'a, WrittenRows>,
            ) -> Self::Columns<'a> {
                blocks_of::<C, T>(core)
            }

            #[inline]
            fn len(columns: &Self::Columns<'_>) -> usize {
                columns.len()
            }

            #[inline]
            unsafe fn occupied(columns: &Self::Columns<'_>, at: usize) -> u64 {
                // SAFETY: the caller's promise.
                unsafe { columns.occupied_unchecked(at) }
            }

            #[inline]
            unsafe fn block<'a>(columns: &Self::Columns<'a>, at: usize) -> Self::Block<'a> {
                // SAFETY: the caller's promise.
                unsafe { columns.values_unchecked(at) }.cast()
            }

            #[inline]
            fn joins(block: Self::Block<'_>, next: Self::Block<'_>) -> bool {
                goes_on::<T>(block, next)
            }

            #[inline]
            fn fetch(block: Self::Block<'_>, place: usize) {
                if size_of::<T>() > 0 {
                    prefetch(block.wrapping_add(place));
                }
            }

            #[inline]
            unsafe fn item<'a>(block: Self::Block<'a>, place: usize) -> Self::Item<'a> {
                // SAFETY: the column at the index of `T` holds values of `T`, and the row has one,
                // shared or exclusive as long as the item exists (1 to 4).
                unsafe { &$($mutability)? *block.add(place) }
            }

            #[inline]
            unsafe fn slice<'a>(
                block: Self::Block<'a>,
                place: usize,
                len: usize,
            ) -> Self::Slice<'a> {
                // SAFETY: as for an item, for each of the rows (1 to 4); the blocks are adjacent
                // in one slab, from which the pointer comes (5).
                unsafe { slice::$slice(block.add(place), len) }
            }
        }

        // SAFETY: names `T`; checks the bit before it makes a reference; a run has values in
        // all of its rows, and continues only where they do, or has none.
        unsafe impl<C: 'static, T: Component<C>> QueryData<C> for Option<&$($mutability)? T> {
            type Item<'a> = Option<&'a $($mutability)? T>;
            type Slice<'a> = Option<&'a $($mutability)? [T]>;
            type Columns<'a> = Blocks<'a>;
            type Block<'a> = (u64, *$pointer T);

            const BOUNDED: bool = false;
            const ASKED: &'static Asked = <&$($mutability)? T as QueryData<C>>::ASKED;
            const TERMS: usize = 1;
            const EXCLUSIVE: bool = <&$($mutability)? T as QueryData<C>>::EXCLUSIVE;
            const CHECKED: bool = <&$($mutability)? T as QueryData<C>>::CHECKED;

            fn access(each: &mut dyn FnMut(Term)) {
                <&$($mutability)? T as QueryData<C>>::access(each);
            }

            fn written(written: &mut Vec<Written>)
            where
                C: HasCore,
            {
                <&$($mutability)? T as QueryData<C>>::written(written);
            }

            #[inline]
            fn columns<'a>(
                core: &'a Core<C>,
                _: &mut slice::Iter<'a, WrittenRows>,
            ) -> Self::Columns<'a> {
                blocks_of::<C, T>(core)
            }

            #[inline]
            unsafe fn block<'a>(columns: &Self::Columns<'a>, at: usize) -> Self::Block<'a> {
                (columns.occupied(at), columns.values(at).cast())
            }

            #[inline]
            fn cuts((occupied, _): Self::Block<'_>) -> u64 {
                edges(occupied)
            }

            #[inline]
            fn joins(
                (occupied, values): Self::Block<'_>,
                (next_occupied, next): Self::Block<'_>,
            ) -> bool {
                match (occupied >> (ROWS - 1) != 0, next_occupied & 1 != 0) {
                    (true, true) => goes_on::<T>(values, next),
                    (last, first) => last == first,
                }
            }

            #[inline]
            fn fetch((occupied, values): Self::Block<'_>, place: usize) {
                if occupied >> place & 1 != 0 {
                    <&$($mutability)? T as QueryData<C>>::fetch(values, place);
                }
            }

            #[inline]
            unsafe fn item<'a>(
                (occupied, values): Self::Block<'a>,
                place: usize,
            ) -> Self::Item<'a> {
                // In a run of several blocks, all rows of the first block are alike.
                if occupied >> (place % ROWS) & 1 == 0 {
                    return None;
                }
                // SAFETY: as for a required term, because the bit is set.
                Some(unsafe { <&$($mutability)? T as QueryData<C>>::item(values, place) })
            }

            #[inline]
            unsafe fn slice<'a>(
                (occupied, values): Self::Block<'a>,
                place: usize,
                len: usize,
            ) -> Self::Slice<'a> {
                if occupied >> place & 1 == 0 {
                    return None;
                }
                // SAFETY: as for a required term: the first row has a value, so all other rows do,
                // which `cuts` and `joins` ensure.
                Some(unsafe { <&$($mutability)? T as QueryData<C>>::slice(values, place, len) })
            }
        }
    )* };
}

data_of_references! {
    [] const from_raw_parts exclusive false;
    [mut] mut from_raw_parts_mut exclusive true;
}

// SAFETY: the item is a shared reference.
unsafe impl<C: 'static, T: Component<C>> ReadOnlyQueryData<C> for &T {}

// SAFETY: the item is a shared reference, if any.
unsafe impl<C: 'static, T: Component<C>> ReadOnlyQueryData<C> for Option<&T> {}
