//! What a component is: the traits the derive implements, the dense index of a
//! component in its context, and the names it goes by in messages.
//!
//! The derive is the only implementor these traits are meant for. A hand-written
//! implementation is sound, too: nothing in here decides where a value
//! is stored, only [`registry`](crate::storage::registry) does, by the type itself.

mod hint;
mod index;
mod index_cell;
mod info;
pub(crate) mod typed;

use alloc::vec::Vec;
use core::{fmt, mem};

use crate::words::checksum::ChecksumHasher;
use crate::words::demands::ThreadSafe;
use crate::words::field_index::{FieldIndex, are_checked};
use crate::words::map_ids::IdMap;
use crate::words::origin::Declaration;
#[cfg(feature = "serde")]
use crate::words::saving::Saving;

pub use self::hint::{FieldHint, Hint};
pub(crate) use self::index::RawComponentIndex;
pub use self::index_cell::IndexCell;
pub(crate) use self::index_cell::NumberCell;
pub use self::info::{Cleanup, ComponentInfo, ComponentNames};

/// One component, or a tuple of them: what matchers are made of.
///
/// Implemented by `#[derive(Component)]` and for tuples of up to twelve, which may be nested.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let matcher = Game::all_of::<(Health, Frozen)>();
/// assert_eq!(matcher, Game::all_of::<(Frozen, (Health,))>());
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a component of context `{C}`, nor a tuple of such components",
    label = "not a component of `{C}`",
    note = "write `#[derive(Component)]` and `#[component(context = {C})]` above a type of your own; several contexts are listed as `context(A, B)`",
    note = "a tuple has up to twelve elements, each a component of `{C}` or a tuple again: `(A, B, (D, E))`"
)]
pub trait Components<C>: 'static {
    /// Hands the index of each component to `each`.
    fn visit(each: &mut dyn FnMut(typed::ComponentIndex<C>));
}

/// A plain type whose values entities of context `C` can own, one each.
///
/// Derive it; the derive also writes the accessors `add_…`, `replace_…` and so on
/// of the context's entities.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// #[derive(Component)]
/// #[component(context = Game)]
/// struct Position { x: f32, y: f32 }
///
/// let mut game = Game::new();
/// let entity = game.create_entity().add_position(1.0, 2.0).id();
/// assert_eq!(game.entity(entity).position().y, 2.0);
/// ```
///
#[doc = include_str!("component/attributes.md")]
#[cfg_attr(feature = "serde", doc = include_str!("component/saving.md"))]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a component of context `{C}`",
    label = "not a component of `{C}`",
    note = "write `#[derive(Component)]` and `#[component(context = {C})]` above a type of your own; several contexts are listed as `context(A, B)`",
    note = "a tuple is several components: add each of them, or create an entity with all of them by `create_with`"
)]
pub trait Component<C>: Components<C> + ThreadSafe + Sized {
    /// What the component is called.
    const NAMES: &'static ComponentNames;

    /// Whether removed and replaced values are kept on a pool stack.
    const POOLED: bool = false;

    /// Whether at most one entity of a context has the component at a time.
    const UNIQUE: bool = false;

    /// Whether the values are states of a context.
    const STATE: bool = false;

    /// What the clean-up systems do for its sake, if anything.
    const CLEANUP: Option<Cleanup> = None;

    /// Whether entities that have it are [disabled](crate::guide::disabled).
    #[doc(hidden)]
    const DISABLES: bool = false;

    /// Whether other components come with it to an entity that lacks them.
    const REQUIRES: bool = false;

    /// How a value is printed, if the type has `Debug`.
    const DEBUG: Option<fn(&Self, &mut fmt::Formatter<'_>) -> fmt::Result> = None;

    /// How the label of its entity is printed, if the component is that of its context: what messages,
    /// logs and tools call the entity.
    const LABEL: Option<fn(&Self, &mut fmt::Formatter<'_>) -> fmt::Result> = None;

    /// How tools show fields.
    const HINTS: &'static [FieldHint] = &[];

    /// How a value is copied, if the type has `Clone`.
    const CLONE: Option<fn(&Self) -> Self> = None;

    /// How a value from the pool becomes equal to a fresh one, field by field
    /// ([`Recycle`](crate::Recycle)), or as a whole.
    const RECYCLE: fn(&mut Self, &mut Self) = mem::swap;

    /// How the ids inside of a value become those of copies, if a field has ids
    /// ([`MapIds`](trait@crate::MapIds)).
    const MAP_IDS: Option<fn(&mut Self, &IdMap<'_>)> = None;

    /// How a value feeds a [checksum](crate::History::checksum), if the type or each of its fields
    /// has [`Checksum`](crate::Checksum) or `Hash`.
    const CHECKSUM: Option<fn(&Self, &mut ChecksumHasher)> = None;

    /// Where it is declared.
    #[doc(hidden)]
    const DECLARATION: Declaration = Declaration::UNKNOWN;

    /// How values are saved and loaded.
    #[cfg(feature = "serde")]
    #[doc(hidden)]
    const SAVING: Saving<Self> = Saving::UNKNOWN;

    /// The indexed fields.
    #[doc(hidden)]
    const INDEXES: &'static [FieldIndex<Self>] = &[];
    /// The priorities of its events: those of any entity, then those of one, each *added*
    /// and *removed*.
    #[doc(hidden)]
    const EVENT_PRIORITIES: [[i32; 2]; 2] = [[0; 2]; 2];

    /// The value of a flag, of which there is but one.
    #[doc(hidden)]
    const FLAG: Option<fn() -> Self> = None;

    /// Hands each component that it requires to the visitor, in the order written.
    #[doc(hidden)]
    fn visit_required(_: &mut impl RequiredVisitor<C>) {}

    /// Where the dense index is kept.
    #[doc(hidden)]
    fn cell() -> &'static IndexCell<C, Self>;
}

/// Receives the components that another one requires.
#[doc(hidden)]
pub trait RequiredVisitor<C> {
    /// Receives one of them, and how its value is made if the entity lacks it.
    fn require<T: Component<C>>(&mut self, value: fn() -> T);
}

/// How the value of a component is made that is required without one: the default one, or that of
/// a flag.
#[doc(hidden)]
pub const fn required_value<C, T: Component<C>>(default: Option<fn() -> T>) -> Option<fn() -> T> {
    match default {
        Some(default) => Some(default),
        None => T::FLAG,
    }
}

/// Whether a component can be required: not if it is unique or has a primary index, since what
/// requires it can come to many entities, nor if it is a relation, whose target may be dead.
#[doc(hidden)]
pub const fn can_be_required<C, T: Component<C>>() -> bool {
    !is_compared::<C, T>()
}

/// Whether values are compared with those of other entities before one is stored.
pub(crate) const fn is_compared<C, T: Component<C>>() -> bool {
    T::UNIQUE || are_checked(T::INDEXES)
}

/// A component that at most one entity of context `C` has at a time.
///
/// Implemented by `#[derive(Component)]` with the attribute `unique`.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// fn is_set<C: Context, T: ecs::UniqueComponent<C>>(context: &C) -> bool {
///     context.unique::<T>().is_set()
/// }
/// let mut game = Game::new();
/// game.set_score(1);
/// assert!(is_set::<Game, Score>(&game));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a unique component of context `{C}`",
    label = "not unique in `{C}`",
    note = "write `#[component(context = {C}, unique)]` above `{Self}`, or ask an entity or a group for it"
)]
pub trait UniqueComponent<C>: Component<C> {}

/// A unique component whose values are the states that a context can be in, one at a time.
///
/// Implemented by `#[derive(Component)]` with the attributes `unique` and `state`.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// fn to<C: Context, S: ecs::State<C>>(context: &mut C, state: S) {
///     context.unique_mut::<S>().set_state(state);
/// }
/// let mut game = Game::new();
/// to(&mut game, Mode::Menu);
/// to(&mut game, Mode::Playing);
/// assert_eq!(game.mode(), &Mode::Playing);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a state of context `{C}`",
    label = "not a state of `{C}`",
    note = "write `#[component(context = {C}, unique, state)]` above `{Self}`, and `PartialEq` into its `derive`"
)]
pub trait State<C>: UniqueComponent<C> + PartialEq {}

macro_rules! components_of_tuples {
    ($(($($name:ident)*))*) => { $(
        impl<Ctx: 'static $(, $name: Components<Ctx>)*> Components<Ctx> for ($($name,)*) {
            #[allow(unused_variables)] // the empty tuple visits nothing
            fn visit(each: &mut dyn FnMut(typed::ComponentIndex<Ctx>)) {
                $($name::visit(each);)*
            }
        }
    )* };
}

components_of_tuples! {
    () (A) (A B) (A B D) (A B D E) (A B D E F) (A B D E F G) (A B D E F G H)
    (A B D E F G H I) (A B D E F G H I J) (A B D E F G H I J K) (A B D E F G H I J K L)
    (A B D E F G H I J K L M)
}

/// The indices named by `T`, in the order written.
pub(crate) fn indices_of<C, T: Components<C>>() -> Vec<RawComponentIndex> {
    let mut indices = Vec::new();
    T::visit(&mut |index| indices.push(index.untyped()));
    indices
}
