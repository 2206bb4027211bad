//! Creating many entities from columns: one list of values for each component.
//!
//! In a world without free slots the values go to rows that follow one another, so
//! each list is copied block by block. Free slots are used first, as always; their
//! entities are made one by one.

use alloc::vec::{self, Vec};
use core::slice::Iter;

use crate::api::bundle::{self, Bundle, twice};
use crate::state::{self, BundlePlan, HasCore};
use crate::storage::column::ColumnOf;
use crate::storage::columns::Columns;
use crate::storage::registry::{index_of, numbering};
use crate::storage::slots::Row;
use crate::words::component::{Component, ComponentIndex, ComponentNames};
use crate::words::entity_id::EntityId;
use crate::words::error::Error;
use crate::words::signature::ComponentSet;

/// One list of values for each component, for
/// [`Context::create_columns`](crate::Context::create_columns): a `Vec<T>`, a
/// `&[T]` of a `Copy` component, or a tuple of up to twelve of these.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// # #[derive(Component)] #[component(context = Game)] struct Name(String);
/// # #[derive(Component, Clone, Copy)] #[component(context = Game)] struct Health(u32);
/// let mut game = Game::new();
/// let names = vec![Name("Ada".into()), Name("Bea".into())];
/// let ids = game.create_columns((names, &[Health(3); 2][..])).unwrap();
/// assert_eq!(game.entity(ids[1]).name().0, "Bea");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a batch of columns of context `{C}`",
    label = "not `Vec<T>`, `&[T]` with `T: Copy`, or a tuple of these",
    note = "`T` is a component: `#[derive(Component)]` and `#[component(context = {C})]` above the type"
)]
pub trait Batch<C>: sealed::Lists<C> {}

impl<C, L: sealed::Lists<C>> Batch<C> for L {}

/// The columns are filled without asking again what is there, so only the library
/// says what a list is.
mod sealed {
    use super::*;

    /// Lists of equal length.
    pub trait Lists<C> {
        /// The components, in order.
        type Bundle: Bundle<C>;
        type Values: Values<C> + Iterator<Item = Self::Bundle>;

        /// Hands the component of each list to `each`: by its type, whatever it says that it
        /// visits.
        fn visit_components(each: &mut dyn FnMut(ComponentIndex));

        /// Hands the length of each list to `each`.
        fn visit_lens(&self, each: &mut dyn FnMut(&'static ComponentNames, usize));

        fn into_values(self) -> Self::Values;
    }

    /// What is left of the lists.
    pub trait Values<C> {
        /// Puts all that is left into empty rows that follow one another, each list into the
        /// column of the component that comes next. Runs no code of the components, so it
        /// ends with all values in their place.
        fn fill(self, columns: &mut Columns<C>, start: Row, next: &mut Iter<'_, ComponentIndex>);
    }
}

use sealed::{Lists, Values};

impl<C: 'static, T: Component<C> + Bundle<C>> Lists<C> for Vec<T> {
    type Bundle = T;
    type Values = vec::IntoIter<T>;

    fn visit_components(each: &mut dyn FnMut(ComponentIndex)) {
        each(index_of::<C, T>());
    }

    fn visit_lens(&self, each: &mut dyn FnMut(&'static ComponentNames, usize)) {
        each(T::NAMES, self.len());
    }

    fn into_values(self) -> Self::Values {
        self.into_iter()
    }
}

impl<'a, C: 'static, T: Component<C> + Bundle<C> + Copy> Lists<C> for &'a [T] {
    type Bundle = T;
    type Values = Copies<'a, T>;

    fn visit_components(each: &mut dyn FnMut(ComponentIndex)) {
        each(index_of::<C, T>());
    }

    fn visit_lens(&self, each: &mut dyn FnMut(&'static ComponentNames, usize)) {
        each(T::NAMES, self.len());
    }

    fn into_values(self) -> Self::Values {
        Copies(self)
    }
}

impl<C: 'static, T: Component<C>> Values<C> for vec::IntoIter<T> {
    fn fill(self, columns: &mut Columns<C>, start: Row, next: &mut Iter<'_, ComponentIndex>) {
        let values = self.collect(); // the same list, as long as nothing was taken
        column_of::<C, T>(columns, next).fill(start, values);
    }
}

/// Copies of what is left of a list.
pub struct Copies<'a, T>(&'a [T]);

impl<T: Copy> Iterator for Copies<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }
}

impl<C: 'static, T: Component<C> + Copy> Values<C> for Copies<'_, T> {
    fn fill(self, columns: &mut Columns<C>, start: Row, next: &mut Iter<'_, ComponentIndex>) {
        column_of::<C, T>(columns, next).fill_with_copies(start, self.0);
    }
}

/// The column of the component that comes next, which is `T`.
fn column_of<'c, C: 'static, T: Component<C>>(
    columns: &'c mut Columns<C>,
    next: &mut Iter<'_, ComponentIndex>,
) -> &'c mut ColumnOf<T> {
    let component = next.next().expect("each list has a component");
    columns.typed(*component)
}

/// Several lists, walked through side by side.
pub struct SideBySide<L>(L);

macro_rules! lists_of_tuples {
    ($(($($name:ident)*))*) => { $(
        impl<Ctx: 'static $(, $name: Lists<Ctx>)*> Lists<Ctx> for ($($name,)*) {
            type Bundle = ($($name::Bundle,)*);
            type Values = SideBySide<($($name::Values,)*)>;

            fn visit_components(each: &mut dyn FnMut(ComponentIndex)) {
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

        impl<$($name: Iterator),*> Iterator for SideBySide<($($name,)*)> {
            type Item = ($($name::Item,)*);

            #[allow(non_snake_case)]
            fn next(&mut self) -> Option<Self::Item> {
                let ($($name,)*) = &mut self.0;
                Some(($($name.next()?,)*))
            }
        }

        impl<Ctx $(, $name: Values<Ctx>)*> Values<Ctx> for SideBySide<($($name,)*)> {
            #[allow(non_snake_case)]
            fn fill(
                self,
                columns: &mut Columns<Ctx>,
                start: Row,
                next: &mut Iter<'_, ComponentIndex>,
            ) {
                let ($($name,)*) = self.0;
                $($name.fill(columns, start, next);)*
            }
        }
    )* };
}

lists_of_tuples! {
    (A) (A B) (A B D) (A B D E) (A B D E F) (A B D E F G) (A B D E F G H)
    (A B D E F G H I) (A B D E F G H I J) (A B D E F G H I J K) (A B D E F G H I J K L)
    (A B D E F G H I J K L M)
}

/// Brings an entity to life for each row of the lists, in one change each.
#[track_caller]
pub(crate) fn create_columns<C: HasCore, L: Lists<C>>(
    context: &mut C,
    lists: L,
) -> Result<Vec<EntityId<C>>, Error> {
    let count = common_len::<C, L>(&lists)?;
    let components = components_of::<C, L>();
    let mut values = lists.into_values();
    let recycled = context.core().slots.free_len().min(count);
    let mut ids = bundle::create::create_many(context, values.by_ref().take(recycled));
    let core = context.core_mut();
    let Some(plan) = BundlePlan::of(core, &components) else {
        ids.extend(bundle::create::create_many(context, values));
        return Ok(ids);
    };
    state::create_rows(core, &plan, count - recycled, &mut ids, |columns, start| {
        values.fill(columns, start, &mut components.iter());
    });
    Ok(ids)
}

/// The length that all lists have.
fn common_len<C: HasCore, L: Lists<C>>(lists: &L) -> Result<usize, Error> {
    let mut first = None;
    let mut unequal = None;
    lists.visit_lens(&mut |names, len| {
        let first = *first.get_or_insert((names, len));
        if len != first.1 && unequal.is_none() {
            unequal = Some(Error::unequal_columns(first, (names, len)));
        }
    });
    unequal.map_or(Ok(first.map_or(0, |(_, len)| len)), Err)
}

/// The components of the lists, in their order, each of them once.
#[track_caller]
fn components_of<C: HasCore, L: Lists<C>>() -> Vec<ComponentIndex> {
    let (mut components, mut set) = (Vec::new(), ComponentSet::new());
    L::visit_components(&mut |component| components.push(component));
    if let Some(&component) = components.iter().find(|&&component| !set.insert(component)) {
        twice(C::NAME, name_of::<C>(component));
    }
    components
}

fn name_of<C: 'static>(component: ComponentIndex) -> &'static str {
    numbering::<C>().name(component)
}
