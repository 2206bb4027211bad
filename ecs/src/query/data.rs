//! What a query can ask for: references to components, optional ones, ids.

use crate::column::Blocks;
use crate::component::{Component, ComponentIndex};
use crate::entity_id::EntityId;
use crate::registry::index_of;
use crate::slots::{Row, Slots};
use crate::state::Core;

use super::ROWS;

/// A reference that a query asks for.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Term {
    component: ComponentIndex,
    exclusive: bool,
}

/// A component that `Q` asks for twice, once of it exclusively.
pub(super) fn conflict<C: 'static, Q: QueryData<C>>() -> Option<ComponentIndex> {
    let mut found = None;
    let mut terms = 0;
    Q::access(&mut |term: Term| {
        let mut earlier = 0;
        Q::access(&mut |other: Term| {
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

/// What a [`Query`](super::Query) can ask for: `&T`, `&mut T`, `Option<&T>`,
/// `Option<&mut T>`, `EntityId<C>`, or a tuple of up to twelve of these.
///
/// # Safety
///
/// `access` names every component that `item` makes a reference to, as exclusive
/// where that reference is. `occupied` clears the bit of every row that lacks a
/// component, unless `item` looks at that component's bit itself.
#[diagnostic::on_unimplemented(
    message = "a query of context `{C}` cannot ask for `{Self}`",
    label = "not `&T`, `&mut T`, `Option<&T>`, `Option<&mut T>`, `EntityId<{C}>` or a tuple of these",
    note = "`T` is a component of `{C}`: `#[derive(Component)] #[component(context = {C})]`"
)]
pub unsafe trait QueryData<C: 'static> {
    /// What one row gives.
    type Item<'a>;
    /// The columns concerned.
    #[doc(hidden)]
    type Columns<'a>;
    /// One block of each column.
    #[doc(hidden)]
    type Block<'a>: Copy;

    /// Whether some component must be there, so that `occupied` says which rows have
    /// entities.
    #[doc(hidden)]
    const BOUNDED: bool;

    /// Names the components asked for.
    #[doc(hidden)]
    fn access(each: &mut dyn FnMut(Term));

    /// Looks the columns up.
    #[doc(hidden)]
    fn columns(core: &Core<C>) -> Self::Columns<'_>;

    /// How many blocks at the head may have rows that are visited.
    #[doc(hidden)]
    fn len(columns: &Self::Columns<'_>) -> usize;

    /// The rows of a block that have all that must be there, as bits.
    #[doc(hidden)]
    fn occupied(columns: &Self::Columns<'_>, at: usize) -> u64;

    /// Looks one block up.
    #[doc(hidden)]
    fn block<'a>(columns: &Self::Columns<'a>, at: usize) -> Self::Block<'a>;

    /// The item of a row.
    ///
    /// # Safety
    ///
    /// The four invariants of the [module](super) hold for the block's row `place`,
    /// which is less than 64, for as long as the item lives.
    #[doc(hidden)]
    unsafe fn item<'a>(block: Self::Block<'a>, place: usize) -> Self::Item<'a>;
}

fn blocks_of<C: 'static, T: Component<C>>(core: &Core<C>) -> Blocks<'_> {
    core.columns
        .at(index_of::<C, T>())
        .map_or(Blocks::NONE, |column| column.blocks())
}

// SAFETY: names `T` as shared; `occupied` is that of `T`.
unsafe impl<C: 'static, T: Component<C>> QueryData<C> for &T {
    type Item<'a> = &'a T;
    type Columns<'a> = Blocks<'a>;
    type Block<'a> = *const T;

    const BOUNDED: bool = true;

    fn access(each: &mut dyn FnMut(Term)) {
        each(Term {
            component: index_of::<C, T>(),
            exclusive: false,
        });
    }

    fn columns(core: &Core<C>) -> Self::Columns<'_> {
        blocks_of::<C, T>(core)
    }

    fn len(columns: &Self::Columns<'_>) -> usize {
        columns.len()
    }

    #[inline]
    fn occupied(columns: &Self::Columns<'_>, at: usize) -> u64 {
        columns.occupied(at)
    }

    #[inline]
    fn block<'a>(columns: &Self::Columns<'a>, at: usize) -> Self::Block<'a> {
        columns.values(at).cast()
    }

    #[inline]
    unsafe fn item<'a>(block: Self::Block<'a>, place: usize) -> Self::Item<'a> {
        // SAFETY: the column at the index of `T` holds values of `T`, and the row
        // has one, shared for as long as the item lives (1, 2, 4).
        unsafe { &*block.add(place) }
    }
}

// SAFETY: names `T` as exclusive; `occupied` is that of `T`.
unsafe impl<C: 'static, T: Component<C>> QueryData<C> for &mut T {
    type Item<'a> = &'a mut T;
    type Columns<'a> = Blocks<'a>;
    type Block<'a> = *mut T;

    const BOUNDED: bool = true;

    fn access(each: &mut dyn FnMut(Term)) {
        each(Term {
            component: index_of::<C, T>(),
            exclusive: true,
        });
    }

    fn columns(core: &Core<C>) -> Self::Columns<'_> {
        blocks_of::<C, T>(core)
    }

    fn len(columns: &Self::Columns<'_>) -> usize {
        columns.len()
    }

    #[inline]
    fn occupied(columns: &Self::Columns<'_>, at: usize) -> u64 {
        columns.occupied(at)
    }

    #[inline]
    fn block<'a>(columns: &Self::Columns<'a>, at: usize) -> Self::Block<'a> {
        columns.values(at).cast()
    }

    #[inline]
    unsafe fn item<'a>(block: Self::Block<'a>, place: usize) -> Self::Item<'a> {
        // SAFETY: the column at the index of `T` holds values of `T`, and the row
        // has one, nobody else's for as long as the item lives (1 to 4).
        unsafe { &mut *block.add(place) }
    }
}

// SAFETY: names `T` as shared; looks at the bit before it makes a reference.
unsafe impl<C: 'static, T: Component<C>> QueryData<C> for Option<&T> {
    type Item<'a> = Option<&'a T>;
    type Columns<'a> = Blocks<'a>;
    type Block<'a> = (u64, *const T);

    const BOUNDED: bool = false;

    fn access(each: &mut dyn FnMut(Term)) {
        each(Term {
            component: index_of::<C, T>(),
            exclusive: false,
        });
    }

    fn columns(core: &Core<C>) -> Self::Columns<'_> {
        blocks_of::<C, T>(core)
    }

    fn len(_: &Self::Columns<'_>) -> usize {
        usize::MAX
    }

    #[inline]
    fn occupied(_: &Self::Columns<'_>, _: usize) -> u64 {
        u64::MAX
    }

    #[inline]
    fn block<'a>(columns: &Self::Columns<'a>, at: usize) -> Self::Block<'a> {
        (columns.occupied(at), columns.values(at).cast())
    }

    #[inline]
    unsafe fn item<'a>((occupied, values): Self::Block<'a>, place: usize) -> Self::Item<'a> {
        // SAFETY: as for `&T`, the bit being set.
        (occupied >> place & 1 != 0).then(|| unsafe { &*values.add(place) })
    }
}

// SAFETY: names `T` as exclusive; looks at the bit before it makes a reference.
unsafe impl<C: 'static, T: Component<C>> QueryData<C> for Option<&mut T> {
    type Item<'a> = Option<&'a mut T>;
    type Columns<'a> = Blocks<'a>;
    type Block<'a> = (u64, *mut T);

    const BOUNDED: bool = false;

    fn access(each: &mut dyn FnMut(Term)) {
        each(Term {
            component: index_of::<C, T>(),
            exclusive: true,
        });
    }

    fn columns(core: &Core<C>) -> Self::Columns<'_> {
        blocks_of::<C, T>(core)
    }

    fn len(_: &Self::Columns<'_>) -> usize {
        usize::MAX
    }

    #[inline]
    fn occupied(_: &Self::Columns<'_>, _: usize) -> u64 {
        u64::MAX
    }

    #[inline]
    fn block<'a>(columns: &Self::Columns<'a>, at: usize) -> Self::Block<'a> {
        (columns.occupied(at), columns.values(at).cast())
    }

    #[inline]
    unsafe fn item<'a>((occupied, values): Self::Block<'a>, place: usize) -> Self::Item<'a> {
        // SAFETY: as for `&mut T`, the bit being set.
        (occupied >> place & 1 != 0).then(|| unsafe { &mut *values.add(place) })
    }
}

// SAFETY: makes no reference to a component.
unsafe impl<C: 'static> QueryData<C> for EntityId<C> {
    type Item<'a> = Self;
    type Columns<'a> = &'a Slots;
    type Block<'a> = (&'a Slots, usize);

    const BOUNDED: bool = false;

    fn access(_: &mut dyn FnMut(Term)) {}

    fn columns(core: &Core<C>) -> Self::Columns<'_> {
        &core.slots
    }

    fn len(_: &Self::Columns<'_>) -> usize {
        usize::MAX
    }

    #[inline]
    fn occupied(_: &Self::Columns<'_>, _: usize) -> u64 {
        u64::MAX
    }

    #[inline]
    fn block<'a>(slots: &Self::Columns<'a>, at: usize) -> Self::Block<'a> {
        (slots, at * ROWS)
    }

    #[inline]
    unsafe fn item<'a>((slots, first): Self::Block<'a>, place: usize) -> Self::Item<'a> {
        slots
            .id_in(Row((first + place) as u32))
            .expect("a row that is visited has an entity")
    }
}

macro_rules! data_of_tuples {
    ($(($($name:ident)+))*) => { $(
        #[allow(non_snake_case)] // one letter stands for a type and its value
        // SAFETY: names what its parts name, and visits what all of them visit.
        unsafe impl<Ctx: 'static $(, $name: QueryData<Ctx>)+> QueryData<Ctx> for ($($name,)+) {
            type Item<'a> = ($($name::Item<'a>,)+);
            type Columns<'a> = ($($name::Columns<'a>,)+);
            type Block<'a> = ($($name::Block<'a>,)+);

            const BOUNDED: bool = $($name::BOUNDED)||+;

            fn access(each: &mut dyn FnMut(Term)) {
                $($name::access(each);)+
            }

            fn len(($($name,)+): &Self::Columns<'_>) -> usize {
                usize::MAX $(.min($name::len($name)))+
            }

            #[inline]
            fn occupied(($($name,)+): &Self::Columns<'_>, at: usize) -> u64 {
                u64::MAX $(& $name::occupied($name, at))+
            }

            fn columns(core: &Core<Ctx>) -> Self::Columns<'_> {
                ($($name::columns(core),)+)
            }

            #[inline]
            fn block<'a>(($($name,)+): &Self::Columns<'a>, at: usize) -> Self::Block<'a> {
                ($($name::block($name, at),)+)
            }

            #[inline]
            unsafe fn item<'a>(($($name,)+): Self::Block<'a>, place: usize) -> Self::Item<'a> {
                // SAFETY: the caller's promise holds for each part.
                ($(unsafe { $name::item($name, place) },)+)
            }
        }
    )* };
}

data_of_tuples! {
    (A) (A B) (A B D) (A B D E) (A B D E F) (A B D E F G) (A B D E F G H)
    (A B D E F G H I) (A B D E F G H I J) (A B D E F G H I J K) (A B D E F G H I J K L)
    (A B D E F G H I J K L M)
}
