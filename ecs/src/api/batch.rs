//! Batches: lists of values, one per component, from which many entities are created.

use alloc::vec::{self, Vec};
use core::slice::Iter;

use crate::api::bundle::BundleWriter;
use crate::state::NewValues;
use crate::storage::registry::index_of;
use crate::storage::slots::Row;
use crate::words::component::{Component, ComponentNames, RawComponentIndex};

/// One list of values per component, for
/// [`Context::create_columns`](crate::Context::create_columns) and its `try_` twin: a `Vec<T>`, a
/// `&[T]` of a `Copy` component, or a tuple of up to twelve of these.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// let names = vec![Name("Ada"), Name("Bea")];
/// let ids = game.create_columns((names, &[Health(3); 2][..]));
/// assert_eq!(game.entity(ids[1]).name().0, "Bea");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a batch of columns of context `{C}`",
    label = "not `Vec<T>`, `&[T]` with `T: Copy`, or a tuple of these",
    note = "`T` is a component: `#[derive(Component)]` and `#[component(context = {C})]` above the type",
    note = "a tuple has up to twelve elements, each of which can be a tuple again"
)]
pub trait Batch<C>: sealed::Lists<C> {}

impl<C, L: sealed::Lists<C>> Batch<C> for L {}

/// Sealed, because columns are filled without validation, based on what the lists declare.
pub(crate) mod sealed {
    use super::*;

    /// Lists of equal length.
    pub trait Lists<C> {
        type Values: Values<C>;

        /// Whether one of the components requires others.
        const REQUIRE: bool;

        /// Calls `each` with the component of each list: the type's own index, whatever a bundle's
        /// `visit_components` declares.
        fn visit_components(each: &mut dyn FnMut(RawComponentIndex));

        /// Calls `each` with the length of each list.
        fn visit_lens(&self, each: &mut dyn FnMut(&'static ComponentNames, usize));

        fn into_values(self) -> Self::Values;
    }

    /// The remaining values of the lists.
    pub trait Values<C> {
        /// Passes the next value of each list to the writer; there must be one.
        fn put_next(&mut self, writer: &mut BundleWriter<'_, C>);

        /// Moves all remaining values to adjacent empty rows, each list to the column of the next
        /// component. Runs no code of the components, so it always completes.
        fn fill(
            self,
            values: &mut NewValues<'_, C>,
            start: Row,
            next: &mut Iter<'_, RawComponentIndex>,
        );
    }
}

use sealed::{Lists, Values};

impl<C: 'static, T: Component<C>> Lists<C> for Vec<T> {
    type Values = vec::IntoIter<T>;
    const REQUIRE: bool = T::REQUIRES;

    fn visit_components(each: &mut dyn FnMut(RawComponentIndex)) {
        each(index_of::<C, T>());
    }

    fn visit_lens(&self, each: &mut dyn FnMut(&'static ComponentNames, usize)) {
        each(T::NAMES, self.len());
    }

    fn into_values(self) -> Self::Values {
        self.into_iter()
    }
}

impl<'a, C: 'static, T: Component<C> + Copy> Lists<C> for &'a [T] {
    type Values = CopiedSlice<'a, T>;
    const REQUIRE: bool = T::REQUIRES;

    fn visit_components(each: &mut dyn FnMut(RawComponentIndex)) {
        each(index_of::<C, T>());
    }

    fn visit_lens(&self, each: &mut dyn FnMut(&'static ComponentNames, usize)) {
        each(T::NAMES, self.len());
    }

    fn into_values(self) -> Self::Values {
        CopiedSlice(self)
    }
}

impl<C: 'static, T: Component<C>> Values<C> for vec::IntoIter<T> {
    #[inline]
    #[track_caller]
    fn put_next(&mut self, writer: &mut BundleWriter<'_, C>) {
        writer.put(self.next().expect("the list is as long as the others"));
    }

    fn fill(
        self,
        values: &mut NewValues<'_, C>,
        start: Row,
        next: &mut Iter<'_, RawComponentIndex>,
    ) {
        let list: Vec<T> = self.collect(); // the original allocation, if nothing was taken
        values.fill(next_of(next), start, list);
    }
}

/// Copies of the remaining values of a list.
pub struct CopiedSlice<'a, T>(&'a [T]);

impl<C: 'static, T: Component<C> + Copy> Values<C> for CopiedSlice<'_, T> {
    #[inline]
    #[track_caller]
    fn put_next(&mut self, writer: &mut BundleWriter<'_, C>) {
        let (&first, rest) = self
            .0
            .split_first()
            .expect("the list is as long as the others");
        self.0 = rest;
        writer.put(first);
    }

    fn fill(
        self,
        values: &mut NewValues<'_, C>,
        start: Row,
        next: &mut Iter<'_, RawComponentIndex>,
    ) {
        values.fill_with_copies(next_of(next), start, self.0);
    }
}

/// The next component.
fn next_of(next: &mut Iter<'_, RawComponentIndex>) -> RawComponentIndex {
    *next.next().expect("each list has a component")
}

/// Several lists, iterated together.
pub struct SideBySide<L>(L);

macro_rules! lists_of_tuples {
    ($(($($name:ident)*))*) => { $(
        impl<Ctx: 'static $(, $name: Lists<Ctx>)*> Lists<Ctx> for ($($name,)*) {
            type Values = SideBySide<($($name::Values,)*)>;
            const REQUIRE: bool = false $(|| $name::REQUIRE)*;

            fn visit_components(each: &mut dyn FnMut(RawComponentIndex)) {
                $($name::visit_components(each);)*
            }

            #[allow(non_snake_case)]
            fn visit_lens(&self, each: &mut dyn FnMut(&'static ComponentNames, usize)) {
                let ($($name,)*) = self;
                $($name.visit_lens(each);)*
            }

            #[allow(non_snake_case)]
            fn into_values(self) -> Self::Values {
                let ($($name,)*) = self;
                SideBySide(($($name.into_values(),)*))
            }
        }

        impl<Ctx $(, $name: Values<Ctx>)*> Values<Ctx> for SideBySide<($($name,)*)> {
            #[inline]
            #[track_caller]
            #[allow(non_snake_case)]
            fn put_next(&mut self, writer: &mut BundleWriter<'_, Ctx>) {
                let ($($name,)*) = &mut self.0;
                $($name.put_next(writer);)*
            }

            #[allow(non_snake_case)]
            fn fill(
                self,
                values: &mut NewValues<'_, Ctx>,
                start: Row,
                next: &mut Iter<'_, RawComponentIndex>,
            ) {
                let ($($name,)*) = self.0;
                $($name.fill(values, start, next);)*
            }
        }
    )* };
}

lists_of_tuples! {
    (A) (A B) (A B D) (A B D E) (A B D E F) (A B D E F G) (A B D E F G H)
    (A B D E F G H I) (A B D E F G H I J) (A B D E F G H I J K) (A B D E F G H I J K L)
    (A B D E F G H I J K L M)
}
