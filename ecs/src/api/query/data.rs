//! The terms of queries, as a trait that iterates over blocks; its implementations are in the
//! submodules.
//!
//! The trait is unsafe because the traversal trusts it to say which rows have values, which
//! components are written, and which blocks are adjacent in memory.

mod asked;
pub(super) mod mut_ref;
mod references;
pub(super) mod rows;
mod tuples;

use alloc::vec::Vec;
use core::slice;

pub use self::asked::Asked;
use crate::reactions::subscribers::Subscribers;
use crate::state::{
    Core, HasCore, Written, WrittenRows, are_any_updates_observed, are_updates_observed,
    relies_on_reports,
};
use crate::words::component::RawComponentIndex;
use crate::world::World;

/// A reference that a query needs.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Term {
    component: RawComponentIndex,
    exclusive: bool,
    /// Whether it has indexed fields.
    indexed: bool,
}

impl Term {
    /// The component it refers to.
    pub(super) fn component(&self) -> RawComponentIndex {
        self.component
    }
}

/// A function that lists the components a query accesses.
pub(super) type Access = fn(&mut dyn FnMut(Term));

/// A component that is accessed exclusively and satisfies `fits`.
fn find_written(access: Access, fits: &dyn Fn(&Term) -> bool) -> Option<RawComponentIndex> {
    let mut found = None;
    access(&mut |term: Term| {
        if term.exclusive && fits(&term) {
            found = Some(term.component);
        }
    });
    found
}

/// Whether updates of a component that `Q` writes are observed.
#[inline]
pub(super) fn is_observed<C: HasCore, Q: QueryData<C>>(core: &Core<C>) -> bool {
    Q::EXCLUSIVE
        && are_any_updates_observed(&core.world, &core.subs)
        && are_observed(&core.world, &core.subs, Q::access)
}

/// A component that `Q` writes and whose updates must be reported.
pub(super) fn relied_on<C: HasCore, Q: QueryData<C>>(core: &Core<C>) -> Option<RawComponentIndex> {
    find_written(Q::access, &|term| {
        term.indexed || relies_on_reports(&core.world, &core.subs, term.component)
    })
}

#[inline(never)]
fn are_observed(world: &World, subs: &Subscribers, access: Access) -> bool {
    let is_observed = |term: &Term| are_updates_observed(world, subs, term.component);
    find_written(access, &is_observed).is_some()
}

/// A component that `Q` accesses twice, at least once exclusively.
#[inline]
pub(super) fn conflict<C: 'static, Q: QueryData<C>>() -> Option<RawComponentIndex> {
    match Q::TERMS > 1 && Q::EXCLUSIVE {
        true => conflict_of(Q::access),
        false => None,
    }
}

fn conflict_of(access: Access) -> Option<RawComponentIndex> {
    let mut found = None;
    let mut terms = 0;
    access(&mut |term: Term| {
        let mut earlier = 0;
        access(&mut |other: Term| {
            let same = other.component == term.component;
            if earlier < terms && same && (other.exclusive || term.exclusive) {
                found = Some(term.component);
            }
            earlier += 1;
        });
        terms += 1;
    });
    found
}

/// Terms of a [`QueryMut`](super::QueryMut): `&T`, `&mut T`, `Mut<'_, T>`, an `Option` of these,
/// `EntityId<C>`, `View<'_, C, T>`, a tuple of up to twelve of these, or a struct of these with
/// [`#[derive(QueryData)]`](macro@crate::QueryData); tuples and structs nest.
///
/// # Safety
///
/// `access` lists every component that `item` and `slice` make a reference to, as exclusive where
/// that reference is, and `TERMS`, `EXCLUSIVE` and `CHECKED` agree with it. `occupied` clears the
/// bit of every row that lacks a component, unless `item` checks that component's bit itself.
/// `cuts` and `joins` end a run where values are not adjacent in one allocation, or are present in
/// only some of its rows. If `C` is a [`SharedContext`](crate::SharedContext), several threads may use `Columns`.
#[diagnostic::on_unimplemented(
    message = "a query of context `{C}` cannot ask for `{Self}`",
    label = "not `&T`, `&mut T`, `Mut<T>`, an `Option` of these, `EntityId<{C}>`, `View<{C}, T>` or a tuple of these",
    note = "`T` is a component of `{C}`: `#[derive(Component)] #[component(context = {C})]`",
    note = "a tuple has up to twelve terms, each of which can be a tuple again: `(&A, &B, (&D, &E))`; a \
            struct of terms has `#[derive(QueryData)]`"
)]
pub unsafe trait QueryData<C: 'static> {
    /// What one row yields.
    type Item<'a>;
    /// What a run of adjacent rows yields.
    type Slice<'a>;
    /// The columns concerned.
    #[doc(hidden)]
    type Columns<'a>;
    /// One block of each column.
    #[doc(hidden)]
    type Block<'a>: Copy;

    /// Whether some component is required, so that `occupied` says which rows have entities.
    #[doc(hidden)]
    const BOUNDED: bool;

    /// The components accessed, if they are known at compile time.
    #[doc(hidden)]
    const ASKED: &'static Asked;

    /// The number of components that `access` lists.
    #[doc(hidden)]
    const TERMS: usize;

    /// Whether one of them is written.
    #[doc(hidden)]
    const EXCLUSIVE: bool;

    /// Whether one of them is written and its values must be validated first.
    #[doc(hidden)]
    const CHECKED: bool;

    /// Lists the components accessed.
    #[doc(hidden)]
    fn access(each: &mut dyn FnMut(Term));

    /// Adds the components that are written, in the order of the terms.
    #[doc(hidden)]
    fn written(_: &mut Vec<Written>)
    where
        C: HasCore,
    {
    }

    /// Finds the columns. Each term that tracks writes takes one of `written`, if there are any.
    #[doc(hidden)]
    fn columns<'a>(
        core: &'a Core<C>,
        written: &mut slice::Iter<'a, WrittenRows>,
    ) -> Self::Columns<'a>;

    /// The number of leading blocks that may have visited rows: `usize::MAX` if nothing is
    /// required.
    #[doc(hidden)]
    #[inline]
    fn len(_: &Self::Columns<'_>) -> usize {
        usize::MAX
    }

    /// The rows of a block that have all required components, as bits: all rows, if nothing is
    /// required.
    ///
    /// # Safety
    ///
    /// `at` is less than [`len`](Self::len).
    #[doc(hidden)]
    #[inline]
    unsafe fn occupied(_: &Self::Columns<'_>, _at: usize) -> u64 {
        u64::MAX
    }

    /// Returns a block.
    ///
    /// # Safety
    ///
    /// `at` is less than [`len`](Self::len).
    #[doc(hidden)]
    unsafe fn block<'a>(columns: &Self::Columns<'a>, at: usize) -> Self::Block<'a>;

    /// The rows of a block, as bits, at which a run cannot continue from the row before.
    #[doc(hidden)]
    #[inline]
    fn cuts(_: Self::Block<'_>) -> u64 {
        0
    }

    /// Whether a run may continue from the last row of a block to the first row of the next block,
    /// if both are visited.
    #[doc(hidden)]
    #[inline]
    fn joins(_: Self::Block<'_>, _next: Self::Block<'_>) -> bool {
        true
    }

    /// Prefetches the memory of a row of a block, less than 64, that will be visited soon.
    #[doc(hidden)]
    #[inline]
    fn fetch(_: Self::Block<'_>, _place: usize) {}

    /// The item of a row.
    ///
    /// # Safety
    ///
    /// The invariants of the [module](super) hold for the row `place` rows after the block's first,
    /// as long as the item exists. `place` is less than 64, or no block up to that row has `cuts`,
    /// and each after the first `joins` the block before.
    #[doc(hidden)]
    unsafe fn item<'a>(block: Self::Block<'a>, place: usize) -> Self::Item<'a>;

    /// The item of a run: `len` rows, at least one, starting at the block's row `place`.
    ///
    /// # Safety
    ///
    /// The invariants of the [module](super) hold for all these rows, as long as the item exists.
    /// Each row after the first is not among the `cuts` of its block; each block after the first
    /// `joins` the block before.
    #[doc(hidden)]
    unsafe fn slice<'a>(block: Self::Block<'a>, place: usize, len: usize) -> Self::Slice<'a>;
}

/// Terms of a [`Query`](super::Query): [`QueryData`] that only reads.
///
/// # Safety
///
/// No item has an exclusive reference: `EXCLUSIVE` is false.
#[diagnostic::on_unimplemented(
    message = "`query` reads through `&{C}` and cannot ask for `{Self}`",
    label = "not `&T`, `Option<&T>`, `EntityId<{C}>`, `View<{C}, T>` or a tuple of these",
    note = "to write to components, use `query_mut`, which reports what it changes",
    note = "a tuple has up to twelve terms, each of which can be a tuple again: `(&A, &B, (&D, &E))`; a \
            struct of terms has `#[derive(QueryData)]`"
)]
pub unsafe trait ReadOnlyQueryData<C: 'static>: QueryData<C> {}
