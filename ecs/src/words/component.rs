//! Components: the traits the derive implements, a component's dense index in its context, and its
//! names for messages.
//!
//! Only the derive is meant to implement these traits. A hand-written implementation is sound too:
//! the [`registry`](crate::storage::registry) alone decides where a value is stored, and it goes by
//! the type itself.

mod hint;
mod index;
mod index_cell;
mod info;
pub(crate) mod typed;

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::TypeId;
use core::{fmt, mem};

use crate::words::checksum::ChecksumHasher;
use crate::words::demands::{AnyValue, FitsIn, ThreadSafe, boxed_any};
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

/// One component, or a tuple of components; matchers are built from these.
///
/// Implemented by `#[derive(Component)]`, and for tuples of up to twelve elements, which can be
/// nested.
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
    /// Calls `each` with the index of each component.
    fn visit(each: &mut dyn FnMut(typed::ComponentIndex<C>));

    /// Also visits the relations of those with `many` to their owners.
    #[doc(hidden)]
    fn visit_scope(each: &mut dyn FnMut(typed::ComponentIndex<C>)) {
        Self::visit(each);
    }
}

/// A plain type whose values can be attached to entities of context `C`, at most one per entity.
///
/// Derive it. The derive also generates the accessors (`add_…`, `replace_…` and so on) for the
/// entities of the context.
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
pub trait Component<C>: Components<C> + FitsIn<C> + Sized {
    /// The names of the component and its context.
    const NAMES: &'static ComponentNames;

    /// Whether removed and replaced values are kept in a pool.
    const POOLED: bool = false;

    /// The maximum number of values in the pool.
    const POOL_LIMIT: usize = usize::MAX;

    /// Returns a default value, if the type has one.
    const DEFAULT: Option<fn() -> Self> = None;

    /// Whether tools omit the component.
    const HIDDEN: bool = false;

    /// Whether at most one entity of a context can have the component at a time.
    const UNIQUE: bool = false;

    /// Whether an entity can have several, each of which is an entry ([`EntryOf`](crate::EntryOf)).
    const MANY: bool = false;

    /// Whether the values are states of the context.
    const STATE: bool = false;

    /// What the cleanup systems do with entities that have the component.
    const CLEANUP: Option<Cleanup> = None;

    /// Whether entities with this component are [disabled](crate::guide::disabled).
    #[doc(hidden)]
    const DISABLES: bool = false;

    /// Whether adding the component also adds other components that the entity lacks.
    const REQUIRES: bool = false;

    /// Prints a value, if the type is `Debug`.
    const DEBUG: Option<fn(&Self, &mut fmt::Formatter<'_>) -> fmt::Result> = None;

    /// Prints the label of the entity, if this component is its context's label: the name that
    /// messages, logs and tools use for the entity.
    const LABEL: Option<fn(&Self, &mut fmt::Formatter<'_>) -> fmt::Result> = None;

    /// How tools show fields.
    const HINTS: &'static [FieldHint] = &[];

    /// Clones a value, if the type is `Clone`.
    const CLONE: Option<fn(&Self) -> Self> = None;

    /// Makes a value from the pool equal to a new one: field by field
    /// ([`Recycle`](crate::Recycle)), or by swapping the two.
    const RECYCLE: fn(&mut Self, &mut Self) = mem::swap;

    /// Maps the ids inside a value to those of copies, if a field contains ids
    /// ([`MapIds`](trait@crate::MapIds)).
    const MAP_IDS: Option<fn(&mut Self, &IdMap<'_>)> = None;

    /// Feeds a value to a [checksum](crate::Context::checksum), if the type or each of its fields
    /// is [`Checksum`](crate::Checksum) or `Hash`; otherwise names the first field that is neither.
    const CHECKSUM: Result<fn(&Self, &mut ChecksumHasher), &'static str> = Err("");

    /// Whether checksums do not cover it, because saves do not.
    #[doc(hidden)]
    const TRANSIENT: bool = false;

    /// Compares two values in full, if the library knows the types of all fields.
    #[doc(hidden)]
    const IDENTICAL: Option<fn(&Self, &Self) -> bool> = None;

    /// Where the component is declared.
    #[doc(hidden)]
    const DECLARATION: Declaration = Declaration::UNKNOWN;

    /// How values are saved and loaded.
    #[cfg(feature = "serde")]
    #[doc(hidden)]
    const SAVING: Saving<Self> = Saving::UNKNOWN;

    /// The indexed fields.
    #[doc(hidden)]
    const INDEXES: &'static [FieldIndex<Self>] = &[];
    /// The priorities of its events, each for *added* and *removed*: first of the events for any
    /// entity, then of those for a single one.
    #[doc(hidden)]
    const EVENT_PRIORITIES: [[i32; 2]; 2] = [[0; 2]; 2];

    /// The component of the entries whose relation to their owner this is.
    #[doc(hidden)]
    const ENTRY_OF: Option<fn() -> TypeId> = None;

    /// Returns the only value of a flag.
    #[doc(hidden)]
    const FLAG: Option<fn() -> Self> = None;

    /// Passes each required component to the visitor, in declaration order.
    #[doc(hidden)]
    fn visit_required(_: &mut impl RequiredVisitor<C>) {}

    /// Where the component's dense index is cached.
    #[doc(hidden)]
    fn cell() -> &'static IndexCell<C, Self>;
}

/// Receives the components that another component requires.
#[doc(hidden)]
pub trait RequiredVisitor<C> {
    /// Receives one required component and the function that makes its value if the entity lacks
    /// it.
    fn require<T: Component<C>>(&mut self, value: fn() -> T);

    /// Receives a component without which the entity is rejected.
    fn expect<T: Component<C>>(&mut self);
}

/// Returns the function that makes the value of a component required without an explicit value: its
/// default, or the value of a flag.
#[doc(hidden)]
pub const fn required_value<C, T: Component<C>>(default: Option<fn() -> T>) -> Option<fn() -> T> {
    match default {
        Some(default) => Some(default),
        None => T::FLAG,
    }
}

/// Returns the function that makes a default value, if the type has one.
pub(crate) const fn default_of<C, T: Component<C>>() -> Option<fn() -> Box<AnyValue>> {
    match required_value::<C, T>(T::DEFAULT) {
        Some(_) => Some(|| {
            let default = const { required_value::<C, T>(T::DEFAULT) };
            boxed_any::<C, T>(default.map(|default| default()).expect("there is one"))
        }),
        None => None,
    }
}

/// Returns whether a component can be required. Unique components and those with a primary index
/// cannot, because the component that requires them can be on many entities; relations cannot,
/// because the target may be dead; and a component with `many` belongs on an entry.
#[doc(hidden)]
pub const fn can_be_required<C, T: Component<C>>() -> bool {
    !is_compared::<C, T>() && !T::MANY
}

/// Returns whether an entry has the component only together with another one: its value, or the relation to its owner.
pub(crate) const fn is_of_entries<C, T: Component<C>>() -> bool {
    T::MANY || T::ENTRY_OF.is_some()
}

/// Returns whether a value is compared with those of other entities before it is stored.
pub(crate) const fn is_compared<C, T: Component<C>>() -> bool {
    T::UNIQUE || are_checked(T::INDEXES)
}

/// A component that at most one entity of context `C` can have at a time.
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

/// A unique component whose values are the states of a context, which is in one state at a time.
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
pub trait State<C>: UniqueComponent<C> + ThreadSafe + PartialEq {}

macro_rules! components_of_tuples {
    ($(($($name:ident)*))*) => { $(
        impl<Ctx: 'static $(, $name: Components<Ctx>)*> Components<Ctx> for ($($name,)*) {
            #[allow(unused_variables)] // the empty tuple visits nothing
            fn visit(each: &mut dyn FnMut(typed::ComponentIndex<Ctx>)) {
                $($name::visit(each);)*
            }

            #[allow(unused_variables)]
            fn visit_scope(each: &mut dyn FnMut(typed::ComponentIndex<Ctx>)) {
                $($name::visit_scope(each);)*
            }
        }
    )* };
}

components_of_tuples! {
    () (A) (A B) (A B D) (A B D E) (A B D E F) (A B D E F G) (A B D E F G H)
    (A B D E F G H I) (A B D E F G H I J) (A B D E F G H I J K) (A B D E F G H I J K L)
    (A B D E F G H I J K L M)
}

/// Returns the indices of the components in `T`, in the order written.
pub(crate) fn indices_of<C, T: Components<C>>() -> Vec<RawComponentIndex> {
    let mut indices = Vec::new();
    T::visit(&mut |index| indices.push(index.untyped()));
    indices
}
