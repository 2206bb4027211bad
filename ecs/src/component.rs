//! What a component is: the traits the derive implements, the dense index of a
//! component in its context, and the names it goes by in messages.
//!
//! The derive is the only implementor these traits are meant for. A hand-written
//! implementation is sound all the same: nothing in here decides where a value
//! is stored, only [`registry`](crate::registry) does, by the type itself.

use alloc::vec::Vec;
use core::any::{Any, TypeId};
use core::fmt;
use core::marker::PhantomData;
use core::num::NonZeroUsize;

use once_cell::race::OnceNonZeroUsize;

use crate::field_index::FieldIndex;

/// The dense index of a component in its context: 0, 1, 2, … in the order of the
/// components' full type names.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// #[derive(Component)]
/// #[component(context = Game)]
/// struct Health(u32);
///
/// let mut game = Game::new();
/// let entity = game.create_entity().add_health(3).id();
/// let indices = game.entity(entity).component_indices();
/// assert_eq!(game.components()[indices[0].get()].name(), "Health");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ComponentIndex(u32);

impl ComponentIndex {
    /// The index of the `index`-th component.
    pub(crate) fn new(index: usize) -> Self {
        Self(u32::try_from(index).expect("fewer than 2^32 components"))
    }

    /// The index of a column there is.
    #[inline]
    pub(crate) fn at(place: usize) -> Self {
        Self(place as u32) // there are fewer than 2^32
    }

    /// The index as a number, fit for [`Context::components`](crate::LookUp::components).
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let game = Game::new();
    /// let index = game.component_index::<Health>();
    /// assert_eq!(game.components()[index.get()].name(), "Health");
    /// ```
    #[inline]
    pub const fn get(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for ComponentIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// What a component is called in messages and in its accessors.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
/// let names = <Health as Component<Game>>::NAMES;
/// assert_eq!((names.context, names.component, names.accessor), ("Game", "Health", "health"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComponentNames {
    /// The name of the context, as in `Game`.
    pub context: &'static str,
    /// The name of the type, as in `Position`.
    pub component: &'static str,
    /// The base of the generated names, as in `position`.
    pub accessor: &'static str,
}

/// What the clean-up systems do for the sake of a component; see
/// [`CleanupSystems`](crate::CleanupSystems).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cleanup {
    /// They remove the component from every entity that has it.
    Remove,
    /// They destroy every entity that has the component.
    Destroy,
}

/// What a context knows of one of its components.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// #[derive(Component)]
/// #[component(context = Game)]
/// struct Frozen;
///
/// let game = Game::new();
/// let info = &game.components()[0];
/// assert_eq!((info.name(), info.index().get(), info.is_flag()), ("Frozen", 0, true));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ComponentInfo {
    pub(crate) index: ComponentIndex,
    pub(crate) names: &'static ComponentNames,
    pub(crate) type_name: &'static str,
    pub(crate) type_id: TypeId,
    pub(crate) size: usize,
    pub(crate) pooled: bool,
    pub(crate) is_clone: bool,
    pub(crate) unique: bool,
    pub(crate) cleanup: Option<Cleanup>,
}

impl ComponentInfo {
    /// The dense index of the component in its context.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let game = Game::new();
    /// let info = game.find_component("Health").unwrap();
    /// assert_eq!(info.index(), game.component_index::<Health>());
    /// ```
    pub fn index(&self) -> ComponentIndex {
        self.index
    }

    /// The name of the type without its path, as in `Position`.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let game = Game::new();
    /// assert_eq!(game.components()[0].name(), "Health");
    /// ```
    pub fn name(&self) -> &'static str {
        self.names.component
    }

    /// The base of the generated names, as in `position`.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let game = Game::new();
    /// let info = game.find_component("Health").unwrap();
    /// assert_eq!(info.accessor(), "health");
    /// ```
    pub fn accessor(&self) -> &'static str {
        self.names.accessor
    }

    /// The full path of the type, as in `game::physics::Position`.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let game = Game::new();
    /// let info = game.find_component("Health").unwrap();
    /// assert!(info.type_name().ends_with("::Health"));
    /// ```
    pub fn type_name(&self) -> &'static str {
        self.type_name
    }

    /// The type's identity.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let game = Game::new();
    /// let info = game.find_component("Health").unwrap();
    /// assert_eq!(info.type_id(), std::any::TypeId::of::<Health>());
    /// ```
    pub fn type_id(&self) -> TypeId {
        self.type_id
    }

    /// The bytes one value takes.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let game = Game::new();
    /// let info = game.find_component("Health").unwrap();
    /// assert_eq!(info.size(), 4);
    /// ```
    pub fn size(&self) -> usize {
        self.size
    }

    /// Whether the component holds no data and so takes no storage.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let game = Game::new();
    /// let info = game.find_component("Health").unwrap();
    /// assert!(!info.is_flag());
    /// ```
    pub fn is_flag(&self) -> bool {
        self.size == 0
    }

    /// Whether removed values are kept on a pool stack.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let game = Game::new();
    /// let info = game.find_component("Health").unwrap();
    /// assert!(!info.is_pooled());
    /// ```
    pub fn is_pooled(&self) -> bool {
        self.pooled
    }

    /// Whether values can be cloned, so that entities with the component can be copied;
    /// true of a flag.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component, Clone)] #[component(context = Game)] struct Health(u32);
    /// let game = Game::new();
    /// let info = game.find_component("Health").unwrap();
    /// assert!(info.is_clone());
    /// ```
    pub fn is_clone(&self) -> bool {
        self.is_clone
    }

    /// Whether at most one entity of a context has the component at a time.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game, unique)] struct Score(u32);
    /// let game = Game::new();
    /// assert!(game.find_component("Score").unwrap().is_unique());
    /// ```
    pub fn is_unique(&self) -> bool {
        self.unique
    }

    /// What the clean-up systems do for its sake, if anything.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # use ecs::Cleanup;
    /// # #[derive(Component)] #[component(context = Game, cleanup(destroy))] struct Dead;
    /// let game = Game::new();
    /// assert_eq!(game.find_component("Dead").unwrap().cleanup(), Some(Cleanup::Destroy));
    /// ```
    pub fn cleanup(&self) -> Option<Cleanup> {
        self.cleanup
    }
}

/// The place where a component's dense index is kept once it is known, so that an
/// accessor reads it with one load.
///
/// Typed by context and component, and filled by the registry alone: whatever
/// cell an implementation of [`Component::cell`] hands out, the index read from
/// it is the right one.
#[doc(hidden)]
pub struct IndexCell<C, T> {
    /// The index plus one; empty until first use.
    filled: OnceNonZeroUsize,
    /// The `Verbs<C>` of `T`: what can be done with it by its index. Their type
    /// stands on a higher floor, and so does `new`, which makes them.
    verbs: &'static (dyn Any + Send + Sync),
    /// Invariant in `T`: of two types of which one is a subtype of the other
    /// (`for<'a> fn(&'a u8)` and `fn(&'static u8)`) each has its own cell.
    kind: PhantomData<Invariant<(C, T)>>,
}

type Invariant<T> = fn(T) -> T;

impl<C, T> IndexCell<C, T> {
    /// An empty cell of a component with these verbs.
    pub(crate) const fn with_verbs(verbs: &'static (dyn Any + Send + Sync)) -> Self {
        Self {
            filled: OnceNonZeroUsize::new(),
            verbs,
            kind: PhantomData,
        }
    }

    /// What can be done with `T` by its index.
    pub(crate) fn verbs(&self) -> &'static (dyn Any + Send + Sync) {
        self.verbs
    }

    /// The index, if the cell has it by now.
    #[inline]
    pub(crate) fn known(&self) -> Option<ComponentIndex> {
        let filled = self.filled.get()?;
        Some(ComponentIndex((filled.get() - 1) as u32)) // came from an index
    }

    /// The index as a number, or one that no component has: so whoever looks whether there is
    /// a column with it need not look here first.
    #[inline]
    pub(crate) fn place(&self) -> usize {
        self.filled
            .get()
            .map_or(0, NonZeroUsize::get)
            .wrapping_sub(1)
    }

    /// The index, from `number` at the first call.
    #[inline]
    pub(crate) fn get_or_fill(&self, number: fn() -> ComponentIndex) -> ComponentIndex {
        match self.known() {
            Some(known) => known,
            None => self.fill(number),
        }
    }

    #[cold]
    #[inline(never)]
    fn fill(&self, number: fn() -> ComponentIndex) -> ComponentIndex {
        let index = number();
        let _ = self
            .filled
            .set(NonZeroUsize::MIN.saturating_add(index.get()));
        index
    }
}

/// One component, or a tuple of them: what matchers are made of.
///
/// Implemented by `#[derive(Component)]` and for tuples of up to twelve.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
/// # #[derive(Component)] #[component(context = Game)] struct Frozen;
/// let matcher = Matcher::<Game>::all_of::<(Health, Frozen)>();
/// assert_eq!(matcher, Matcher::all_of::<(Frozen, (Health,))>());
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a component of context `{C}`, nor a tuple of such components",
    label = "not a component of `{C}`",
    note = "write `#[derive(Component)]` and `#[component(context = {C})]` above the type; several contexts are listed as `context(A, B)`"
)]
pub trait Components<C>: 'static {
    /// Hands the index of each component to `each`.
    fn visit(each: &mut dyn FnMut(ComponentIndex));
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
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a component of context `{C}`",
    label = "not a component of `{C}`",
    note = "write `#[derive(Component)]` and `#[component(context = {C})]` above `{Self}`; several contexts are listed as `context(A, B)`"
)]
pub trait Component<C>: Components<C> + Send + Sync + Sized + 'static {
    /// What the component is called.
    const NAMES: &'static ComponentNames;

    /// Whether removed and replaced values are kept on a pool stack.
    const POOLED: bool = false;

    /// Whether at most one entity of a context has the component at a time.
    const UNIQUE: bool = false;

    /// What the clean-up systems do for its sake, if anything.
    const CLEANUP: Option<Cleanup> = None;

    /// How a value is printed, where the type has `Debug`.
    const DEBUG: Option<fn(&Self, &mut fmt::Formatter<'_>) -> fmt::Result> = None;

    /// How a value is copied, where the type has `Clone`.
    const CLONE: Option<fn(&Self) -> Self> = None;

    /// The indexed fields.
    #[doc(hidden)]
    const INDEXES: &'static [FieldIndex<Self>] = &[];
    /// The priorities of its events: those of any entity, then those of one, each *added*
    /// and *removed*.
    #[doc(hidden)]
    const EVENT_PRIORITIES: [[i32; 2]; 2] = [[0; 2]; 2];

    /// Where the dense index is kept.
    #[doc(hidden)]
    fn cell() -> &'static IndexCell<C, Self>;
}

/// A component that at most one entity of context `C` has at a time.
///
/// Implemented by `#[derive(Component)]` with the attribute `unique`.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// # #[derive(Component)] #[component(context = Game, unique)] struct Score(u32);
/// fn is_set<C: Context, T: ecs::UniqueComponent<C>>(context: &C) -> bool {
///     context.has_unique::<T>()
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

macro_rules! components_of_tuples {
    ($(($($name:ident)*))*) => { $(
        impl<Ctx: 'static $(, $name: Components<Ctx>)*> Components<Ctx> for ($($name,)*) {
            #[allow(unused_variables)] // the empty tuple visits nothing
            fn visit(each: &mut dyn FnMut(ComponentIndex)) {
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
pub(crate) fn indices_of<C, T: Components<C>>() -> Vec<ComponentIndex> {
    let mut indices = Vec::new();
    T::visit(&mut |index| indices.push(index));
    indices
}
