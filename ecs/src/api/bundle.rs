//! Bundles: the values that an entity comes to life with.

mod row;

pub use self::row::RowWriter;
pub use crate::state::BundleWriter;

pub(crate) use self::row::does_not_fit;

use crate::storage::columns::row_types::RowTypes;
use crate::words::component::Components;

/// The values of one component or of a tuple of them, for
/// [`Context::create_with`](crate::Context::create_with).
///
/// Implemented by `#[derive(Component)]` and for tuples of up to twelve, which may
/// be nested.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// # #[derive(Component)] #[component(context = Game)] struct Position(f32);
/// # #[derive(Component)] #[component(context = Game)] struct Frozen;
/// let mut game = Game::new();
/// let id = game.create_with((Position(1.0), Frozen)).id();
/// assert!(game.entity(id).has_frozen());
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a bundle of components of context `{C}`",
    label = "not a component of `{C}`, nor a tuple of such components",
    note = "write `#[derive(Component)]` and `#[component(context = {C})]` above a type of your own; several contexts are listed as `context(A, B)`",
    note = "a tuple has up to twelve elements, each a component of `{C}` or a bundle again: `(A, B, (D, E))`"
)]
pub trait Bundle<C>: Components<C> + Sized {
    /// Hands each value to the writer.
    fn put(self, writer: &mut BundleWriter<'_, C>);

    /// Whether the bundle can be put in a row: whether it always has just the values that
    /// it names, in this order.
    #[doc(hidden)]
    const FITS_INTO_ROW: bool = false;

    /// The types of the values that are put in a row then. Each component is one; so the
    /// derive need not say it.
    #[doc(hidden)]
    const ROW: RowTypes = RowTypes::one::<Self>();

    /// Hands each value to a row of many that are filled at once.
    #[doc(hidden)]
    fn put_in_row<'l>(self, _: RowWriter<'l, C>) -> RowWriter<'l, C> {
        does_not_fit::<C, Self>()
    }
}

macro_rules! bundles_of_tuples {
    ($(($($name:ident)*))*) => { $(
        impl<Ctx: 'static $(, $name: Bundle<Ctx>)*> Bundle<Ctx> for ($($name,)*) {
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
