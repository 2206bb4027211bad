//! Bundles: the values with which an entity is created.

pub use crate::state::BundleWriter;

use crate::storage::columns::lanes::LaneRow;
use crate::storage::columns::row_types::RowTypes;
use crate::words::component::Component;
use crate::words::component::typed::ComponentIndex;

/// The values of one or more components, for [`Context::create_with`](crate::Context::create_with).
///
/// Implemented by `#[derive(Component)]`, by [`#[derive(Bundle)]`](derive@crate::Bundle) for
/// structs of bundles, for tuples of up to twelve bundles, and for an `Option` of a bundle; `None`
/// contains no components.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// for is_frozen in [true, false] {
///     let entity = game.create_with((Position(1.0), is_frozen.then_some(Frozen)));
///     assert_eq!(entity.is_frozen(), is_frozen);
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a bundle of components of context `{C}`",
    label = "not a component of `{C}`, nor a tuple or struct of such components",
    note = "write `#[derive(Component)]` and `#[component(context = {C})]` above a type of your own; several contexts are listed as `context(A, B)`",
    note = "a tuple has up to twelve elements, each a component of `{C}` or a bundle again: `(A, B, (D, E))`",
    note = "a struct whose fields are bundles is one with `#[derive(Bundle)]` above it"
)]
pub trait Bundle<C>: Sized + 'static {
    /// Calls `each` with the index of each component that the bundle may contain.
    fn visit_components(each: &mut dyn FnMut(ComponentIndex<C>));

    /// Passes each value to the writer.
    fn put(self, writer: &mut BundleWriter<'_, C>);

    /// Whether the bundle fits into a row: whether it always contains exactly the values it
    /// declares, in this order, and none of the components requires others.
    #[doc(hidden)]
    const FITS_INTO_ROW: bool = false;

    /// The types of the values in that row. The default is right for a component, so the derive
    /// does not set it.
    #[doc(hidden)]
    const ROW: RowTypes = RowTypes::one::<Self>();

    /// Passes each value to one of many rows that are filled at once.
    #[doc(hidden)]
    fn put_in_row<'l>(self, _: RowWriter<'l, C>) -> RowWriter<'l, C> {
        does_not_fit::<C, Self>()
    }
}

macro_rules! bundles_of_tuples {
    ($(($($name:ident)*))*) => { $(
        impl<Ctx: 'static $(, $name: Bundle<Ctx>)*> Bundle<Ctx> for ($($name,)*) {
            #[allow(unused_variables)] // the empty tuple visits nothing
            fn visit_components(each: &mut dyn FnMut(ComponentIndex<Ctx>)) {
                $($name::visit_components(each);)*
            }

            #[inline(always)] // see `create::with`
            #[allow(non_snake_case, unused_variables)] // the empty tuple puts nothing
            fn put(self, writer: &mut BundleWriter<'_, Ctx>) {
                let ($($name,)*) = self;
                $($name.put(writer);)*
            }

            const FITS_INTO_ROW: bool = true $(&& $name::FITS_INTO_ROW)*;
            const ROW: RowTypes = RowTypes::NONE$(.then(&$name::ROW))*;

            #[inline(always)] // see `create::with`
            #[allow(non_snake_case, unused_variables)] // the empty tuple puts nothing
            fn put_in_row<'l>(self, row: RowWriter<'l, Ctx>) -> RowWriter<'l, Ctx> {
                let ($($name,)*) = self;
                $(let row = $name.put_in_row(row);)*
                row
            }
        }
    )* };
}

bundles_of_tuples! {
    () (A) (A B) (A B D) (A B D E) (A B D E F) (A B D E F G) (A B D E F G H)
    (A B D E F G H I) (A B D E F G H I J) (A B D E F G H I J K) (A B D E F G H I J K L)
    (A B D E F G H I J K L M)
}

// Does not fit into a row, because a column of the row may get no value.
impl<C: 'static, B: Bundle<C>> Bundle<C> for Option<B> {
    fn visit_components(each: &mut dyn FnMut(ComponentIndex<C>)) {
        B::visit_components(each);
    }

    #[inline(always)] // see `create::with`
    fn put(self, writer: &mut BundleWriter<'_, C>) {
        if let Some(bundle) = self {
            bundle.put(writer);
        }
    }
}

/// One row, passed from value to value.
#[doc(hidden)]
pub struct RowWriter<'l, C: 'static>(pub(crate) LaneRow<'l, C>);

impl<C: 'static> RowWriter<'_, C> {
    /// Adds the next value of the row.
    #[doc(hidden)]
    #[must_use]
    #[inline(always)] // see `create::with`
    pub fn put<T: Component<C>>(mut self, value: T) -> Self {
        if !self.0.put(value) {
            does_not_fit::<C, T>();
        }
        self
    }
}

#[cold]
pub(crate) fn does_not_fit<C, T>() -> ! {
    let (context, bundle) = (core::any::type_name::<C>(), core::any::type_name::<T>());
    panic!(
        "cannot put `{bundle}` in a row of context `{context}`: `put_in_row` hands over each \
         component that the bundle names, once and in order; leave it to the library"
    )
}
