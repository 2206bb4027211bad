//! What a query can ask for: references to components, optional ones, ids.

use alloc::vec::Vec;

use crate::column::Blocks;
use crate::component::{Component, ComponentIndex};
use crate::entity_id::EntityId;
use crate::registry::index_of;
use crate::signature::ComponentSet;
use crate::slots::{Row, Slots};
use crate::state::Core;

use super::ROWS;

/// What a query asks for, component by component.
#[derive(Default)]
#[doc(hidden)]
pub struct Access {
    terms: Vec<Term>,
}

struct Term {
    component: ComponentIndex,
    exclusive: bool,
    required: bool,
}

impl Access {
    fn add(&mut self, component: ComponentIndex, exclusive: bool, required: bool) {
        self.terms.push(Term {
            component,
            exclusive,
            required,
        });
    }

    /// A component that is asked for twice, once of it exclusively.
    pub(crate) fn conflict(&self) -> Option<ComponentIndex> {
        let clash = |(at, term): (usize, &Term)| {
            let same = |other: &&Term| other.component == term.component;
            let other = self.terms[..at].iter().find(same)?;
            let overlaps = self.terms[..=at]
                .iter()
                .filter(same)
                .any(|term| term.exclusive);
            overlaps.then_some(other.component)
        };
        self.terms.iter().enumerate().find_map(clash)
    }

    /// The components an entity must have to be visited.
    pub(crate) fn required(&self) -> ComponentSet {
        self.terms
            .iter()
            .filter(|term| term.required)
            .map(|term| term.component)
            .collect()
    }
}

/// What a [`Query`](super::Query) can ask for: `&T`, `&mut T`, `Option<&T>`,
/// `Option<&mut T>`, `EntityId<C>`, or a tuple of up to twelve of these.
///
/// # Safety
///
/// `access` names every component that `item` makes a reference to, as exclusive
/// where that reference is, and as required unless `item` looks at the bit itself.
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

    /// Names the components asked for.
    #[doc(hidden)]
    fn access(access: &mut Access);

    /// Looks the columns up.
    #[doc(hidden)]
    fn columns(core: &Core<C>) -> Self::Columns<'_>;

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

// SAFETY: names `T` as shared and required.
unsafe impl<C: 'static, T: Component<C>> QueryData<C> for &T {
    type Item<'a> = &'a T;
    type Columns<'a> = Blocks<'a>;
    type Block<'a> = *const T;

    fn access(access: &mut Access) {
        access.add(index_of::<C, T>(), false, true);
    }

    fn columns(core: &Core<C>) -> Self::Columns<'_> {
        blocks_of::<C, T>(core)
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

// SAFETY: names `T` as exclusive and required.
unsafe impl<C: 'static, T: Component<C>> QueryData<C> for &mut T {
    type Item<'a> = &'a mut T;
    type Columns<'a> = Blocks<'a>;
    type Block<'a> = *mut T;

    fn access(access: &mut Access) {
        access.add(index_of::<C, T>(), true, true);
    }

    fn columns(core: &Core<C>) -> Self::Columns<'_> {
        blocks_of::<C, T>(core)
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

    fn access(access: &mut Access) {
        access.add(index_of::<C, T>(), false, false);
    }

    fn columns(core: &Core<C>) -> Self::Columns<'_> {
        blocks_of::<C, T>(core)
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

    fn access(access: &mut Access) {
        access.add(index_of::<C, T>(), true, false);
    }

    fn columns(core: &Core<C>) -> Self::Columns<'_> {
        blocks_of::<C, T>(core)
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

    fn access(_: &mut Access) {}

    fn columns(core: &Core<C>) -> Self::Columns<'_> {
        &core.slots
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
        // SAFETY: names what its parts name.
        unsafe impl<Ctx: 'static $(, $name: QueryData<Ctx>)+> QueryData<Ctx> for ($($name,)+) {
            type Item<'a> = ($($name::Item<'a>,)+);
            type Columns<'a> = ($($name::Columns<'a>,)+);
            type Block<'a> = ($($name::Block<'a>,)+);

            fn access(access: &mut Access) {
                $($name::access(access);)+
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
