//! Tuples of terms, which visit the rows that all of their terms visit.

use alloc::vec::Vec;
use core::slice;

use super::{Asked, QueryData, ReadOnlyQueryData, Term};
use crate::state::{Core, HasCore, Written, WrittenRows};

macro_rules! data_of_tuples {
    ($(($($name:ident $next:ident)+))*) => { $(
        #[allow(non_snake_case)] // a letter stands for a type and its value
        // SAFETY: names what its parts name, visits what all of them visit, and ends a run
        // where one of them does.
        unsafe impl<Ctx: 'static $(, $name: QueryData<Ctx>)+> QueryData<Ctx> for ($($name,)+) {
            type Item<'a> = ($($name::Item<'a>,)+);
            type Slice<'a> = ($($name::Slice<'a>,)+);
            type Columns<'a> = ($($name::Columns<'a>,)+);
            type Block<'a> = ($($name::Block<'a>,)+);

            const BOUNDED: bool = $($name::BOUNDED)||+;
            const ASKED: &'static Asked = &Asked::All(&[$($name::ASKED),+]);
            const TERMS: usize = 0 $(+ $name::TERMS)+;
            const EXCLUSIVE: bool = $($name::EXCLUSIVE)||+;
            const CHECKED: bool = $($name::CHECKED)||+;

            fn access(each: &mut dyn FnMut(Term)) {
                $($name::access(each);)+
            }

            fn written(written: &mut Vec<Written>)
            where
                Ctx: HasCore,
            {
                $($name::written(written);)+
            }

            #[inline]
            fn columns<'a>(
                core: &'a Core<Ctx>,
                written: &mut slice::Iter<'a, WrittenRows>,
            ) -> Self::Columns<'a> {
                ($($name::columns(core, written),)+)
            }

            #[inline]
            fn len(($($name,)+): &Self::Columns<'_>) -> usize {
                usize::MAX $(.min($name::len($name)))+
            }

            #[inline]
            unsafe fn occupied(($($name,)+): &Self::Columns<'_>, at: usize) -> u64 {
                // SAFETY: `len` is the minimum of the parts.
                u64::MAX $(& unsafe { $name::occupied($name, at) })+
            }

            #[inline]
            unsafe fn block<'a>(
                ($($name,)+): &Self::Columns<'a>,
                at: usize,
            ) -> Self::Block<'a> {
                // SAFETY: `len` is the minimum of the parts.
                ($(unsafe { $name::block($name, at) },)+)
            }

            #[inline]
            fn cuts(($($name,)+): Self::Block<'_>) -> u64 {
                $($name::cuts($name))|+
            }

            #[inline]
            fn joins(($($name,)+): Self::Block<'_>, ($($next,)+): Self::Block<'_>) -> bool {
                // Evaluates all of them: runs mostly continue, and branches cost more.
                $($name::joins($name, $next))&+
            }

            #[inline]
            fn fetch(($($name,)+): Self::Block<'_>, place: usize) {
                $($name::fetch($name, place);)+
            }

            #[inline]
            unsafe fn item<'a>(($($name,)+): Self::Block<'a>, place: usize) -> Self::Item<'a> {
                // SAFETY: the caller's promise holds for each part.
                ($(unsafe { $name::item($name, place) },)+)
            }

            #[inline]
            unsafe fn slice<'a>(
                ($($name,)+): Self::Block<'a>,
                place: usize,
                len: usize,
            ) -> Self::Slice<'a> {
                // SAFETY: the caller's promise holds for each part.
                ($(unsafe { $name::slice($name, place, len) },)+)
            }
        }

        // SAFETY: no part has an item with an exclusive reference.
        unsafe impl<Ctx: 'static $(, $name: ReadOnlyQueryData<Ctx>)+> ReadOnlyQueryData<Ctx>
            for ($($name,)+)
        {
        }
    )* };
}

data_of_tuples! {
    (A A2)
    (A A2 B B2)
    (A A2 B B2 D D2)
    (A A2 B B2 D D2 E E2)
    (A A2 B B2 D D2 E E2 F F2)
    (A A2 B B2 D D2 E E2 F F2 G G2)
    (A A2 B B2 D D2 E E2 F F2 G G2 H H2)
    (A A2 B B2 D D2 E E2 F F2 G G2 H H2 I I2)
    (A A2 B B2 D D2 E E2 F F2 G G2 H H2 I I2 J J2)
    (A A2 B B2 D D2 E E2 F F2 G G2 H H2 I I2 J J2 K K2)
    (A A2 B B2 D D2 E E2 F F2 G G2 H H2 I I2 J J2 K K2 L L2)
    (A A2 B B2 D D2 E E2 F F2 G G2 H H2 I I2 J J2 K K2 L L2 M M2)
}
