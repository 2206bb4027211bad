//! References that record whether they were written through.

use alloc::vec::Vec;
use core::fmt;
use core::ops::{Deref, DerefMut};
use core::slice;

use super::references::blocks_of;
use super::{Asked, QueryData, Term};
use crate::state::{Core, HasCore, Written, WrittenRows};
use crate::storage::column::{Blocks, ROWS};
use crate::words::component::Component;
use crate::words::field_index::are_checked;
use crate::words::limits::ALL_ROWS;
use crate::words::written_word::WrittenWord;

/// A component that a query reports as updated only if it is written.
///
/// A term of [`query_mut`](crate::Context::query_mut). Reading through it has no effect; the first
/// use as `&mut T` marks the entity as updated, as a `&mut T` term does for every visited entity.
/// Use it in queries that visit many entities and change few.
///
/// [`for_each_slice`](crate::QueryMut::for_each_slice) passes a `Mut` of `[T]`, with adjacent rows
/// of one block of 64; writing to one of them marks all of them.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// let healed = game.collector(Game::all_of::<Health>().updated());
/// let ids = game.create_many([Health(3), Health(10)]);
/// game.query_mut::<Mut<Health>>().for_each(|mut health| {
///     if health.0 < 5 {
///         health.0 += 1;
///     }
/// });
/// assert_eq!(healed.drain(&mut game), [ids[0]]);
/// ```
pub struct Mut<'a, T: ?Sized> {
    value: &'a mut T,
    /// The word that contains its rows in the bits of written rows.
    written: WrittenWord<'a>,
    /// The bits of its rows in that word.
    rows: u64,
}

impl<'a, T: ?Sized> Mut<'a, T> {
    #[inline]
    fn new(value: &'a mut T, written: WrittenWord<'a>, rows: u64) -> Self {
        Self {
            value,
            written,
            rows,
        }
    }
}

impl<T: PartialEq> Mut<'_, T> {
    /// Writes a value if it differs from the present one; returns whether it did.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let changed = game.collector(Game::all_of::<Health>().updated());
    /// game.create_many([Health(3), Health(10)]);
    /// game.query_mut::<Mut<Health>>().for_each(|mut health| _ = health.set_if_changed(Health(3)));
    /// assert_eq!(changed.len(&game), 1);
    /// ```
    #[inline]
    pub fn set_if_changed(&mut self, value: T) -> bool {
        let changed = **self != value;
        if changed {
            **self = value;
        }
        changed
    }
}

impl<T: ?Sized> Deref for Mut<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        self.value
    }
}

impl<T: ?Sized> DerefMut for Mut<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        self.written.set(self.rows);
        self.value
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for Mut<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

/// The rows `place` to `place + len` of a block.
#[inline]
fn rows(place: usize, len: usize) -> u64 {
    ALL_ROWS >> (ROWS - len) << place
}

/// The number of the next term that tracks writes.
fn next_tracked(written: &[Written]) -> usize {
    written
        .iter()
        .filter(|written| written.is_tracked())
        .count()
}

/// The references inside a term, and its items.
type Exclusive<'a, T> = &'a mut T;
type OptionalExclusive<'a, T> = Option<&'a mut T>;
type OptionalMut<'a, T> = Option<Mut<'a, T>>;

/// Makes an item that is always present.
#[inline]
fn always<V, M>(value: V, make: impl FnOnce(V) -> M) -> M {
    make(value)
}

macro_rules! data_of_changes {
    ($($term:ty: $item:ident of $inner:ident by $wrap:path;)*) => { $(
        // SAFETY: as for the references inside, except that no run continues to another block.
        unsafe impl<C: 'static, T: Component<C>> QueryData<C> for $term {
            type Item<'a> = $item<'a, T>;
            type Slice<'a> = $item<'a, [T]>;
            type Columns<'a> = (Blocks<'a>, Option<&'a WrittenRows>);
            type Block<'a> = (<$inner<'a, T> as QueryData<C>>::Block<'a>, WrittenWord<'a>);

            const BOUNDED: bool = <$inner<'_, T> as QueryData<C>>::BOUNDED;
            const ASKED: &'static Asked = <$inner<'_, T> as QueryData<C>>::ASKED;
            const TERMS: usize = 1;
            const EXCLUSIVE: bool = true;
            const CHECKED: bool = are_checked(T::INDEXES);

            fn access(each: &mut dyn FnMut(Term)) {
                <$inner<'_, T> as QueryData<C>>::access(each);
            }

            fn written(written: &mut Vec<Written>)
            where
                C: HasCore,
            {
                let nth = next_tracked(written);
                written.push(Written::tracked::<C, T>(nth));
            }

            #[inline]
            fn columns<'a>(
                core: &'a Core<C>,
                written: &mut slice::Iter<'a, WrittenRows>,
            ) -> Self::Columns<'a> {
                (blocks_of::<C, T>(core), written.next())
            }

            #[inline]
            fn len((blocks, _): &Self::Columns<'_>) -> usize {
                <$inner<'_, T> as QueryData<C>>::len(blocks)
            }

            #[inline]
            unsafe fn occupied((blocks, _): &Self::Columns<'_>, at: usize) -> u64 {
                // SAFETY: the caller's promise.
                unsafe { <$inner<'_, T> as QueryData<C>>::occupied(blocks, at) }
            }

            #[inline]
            unsafe fn block<'a>((blocks, written): &Self::Columns<'a>, at: usize) -> Self::Block<'a> {
                // SAFETY: the caller's promise.
                let block = unsafe { <$inner<'_, T> as QueryData<C>>::block(blocks, at) };
                (block, WrittenRows::word(*written, at))
            }

            #[inline]
            fn cuts((block, _): Self::Block<'_>) -> u64 {
                <$inner<'_, T> as QueryData<C>>::cuts(block)
            }

            #[inline]
            fn joins(_: Self::Block<'_>, _next: Self::Block<'_>) -> bool {
                false // each block records its own rows
            }

            #[inline]
            fn fetch((block, _): Self::Block<'_>, place: usize) {
                <$inner<'_, T> as QueryData<C>>::fetch(block, place);
            }

            #[inline]
            unsafe fn item<'a>((block, written): Self::Block<'a>, place: usize) -> Self::Item<'a> {
                // SAFETY: the caller's promise.
                let value = unsafe { <$inner<'_, T> as QueryData<C>>::item(block, place) };
                $wrap(value, |value| Mut::new(value, written, 1 << place))
            }

            #[inline]
            unsafe fn slice<'a>(
                (block, written): Self::Block<'a>,
                place: usize,
                len: usize,
            ) -> Self::Slice<'a> {
                // SAFETY: the caller's promise.
                let value = unsafe { <$inner<'_, T> as QueryData<C>>::slice(block, place, len) };
                $wrap(value, |value| Mut::new(value, written, rows(place, len)))
            }
        }
    )* };
}

data_of_changes! {
    Mut<'_, T>: Mut of Exclusive by always;
    Option<Mut<'_, T>>: OptionalMut of OptionalExclusive by Option::map;
}
