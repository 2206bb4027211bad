//! What a context knows about a component: names and attributes.

#![expect(unsafe_code, reason = "a list for all contexts alike")]

use core::any::TypeId;
use core::fmt;
use core::slice;

use super::hint::FieldHint;
use super::typed::ComponentIndex;
use crate::words::entity_id::AnyContext;

/// The names of a component in messages and accessors.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let names = <Health as Component<Game>>::NAMES;
/// assert_eq!((names.context, names.component, names.accessor), ("Game", "Health", "health"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComponentNames {
    /// The name of the context, such as `Game`.
    pub context: &'static str,
    /// The name of the type, such as `Position`.
    pub component: &'static str,
    /// The base of the generated names, such as `position`.
    pub accessor: &'static str,
}

/// What the cleanup systems do with entities that have a component; see
/// [`CleanupSystems`](crate::CleanupSystems).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cleanup {
    /// Remove the component.
    Remove,
    /// Destroy the entity.
    Destroy,
}

/// Describes a component of a context.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let game = Game::new();
/// let info = game.components().find("Frozen").unwrap();
/// assert_eq!((info.index(), info.is_flag()), (game.components().index_of::<Frozen>(), true));
/// ```
#[repr(C)] // same layout for all contexts
pub struct ComponentInfo<C> {
    pub(crate) index: ComponentIndex<C>,
    pub(crate) names: &'static ComponentNames,
    pub(crate) type_name: &'static str,
    pub(crate) type_id: TypeId,
    pub(crate) size: usize,
    pub(crate) pooled: bool,
    pub(crate) is_clone: bool,
    pub(crate) unique: bool,
    pub(crate) state: bool,
    pub(crate) relation: bool,
    pub(crate) term: bool,
    pub(crate) label: bool,
    pub(crate) hints: &'static [FieldHint],
    pub(crate) hidden: bool,
    pub(crate) disables: bool,
    pub(crate) cleanup: Option<Cleanup>,
}

impl ComponentInfo<AnyContext> {
    /// Gives components the type of their context, which the caller knows.
    pub(crate) fn typed_all<C>(infos: &[Self]) -> &[ComponentInfo<C>] {
        // SAFETY: both types have the same fields in the order of `repr(C)`; only the typed index
        // differs, and it is a transparent wrapper.
        unsafe { slice::from_raw_parts(infos.as_ptr().cast(), infos.len()) }
    }
}

impl<C> ComponentInfo<C> {
    /// Returns the component's dense index in its context.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let game = Game::new();
    /// let info = game.components().find("Health").unwrap();
    /// assert_eq!(info.index(), game.components().index_of::<Health>());
    /// ```
    pub fn index(&self) -> ComponentIndex<C> {
        self.index
    }

    /// Returns the name of the type without its path, such as `Position`.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let game = Game::new();
    /// assert_eq!(game.components().find("Health").unwrap().name(), "Health");
    /// ```
    pub fn name(&self) -> &'static str {
        self.names.component
    }

    /// Returns the base of the generated names, such as `position`.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let game = Game::new();
    /// let info = game.components().find("Health").unwrap();
    /// assert_eq!(info.accessor(), "health");
    /// ```
    pub fn accessor(&self) -> &'static str {
        self.names.accessor
    }

    /// Returns the full path of the type, such as `game::physics::Position`.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let game = Game::new();
    /// let info = game.components().find("Health").unwrap();
    /// assert!(info.type_name().ends_with("::Health"));
    /// ```
    pub fn type_name(&self) -> &'static str {
        self.type_name
    }

    /// Returns the `TypeId` of the type.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let game = Game::new();
    /// let info = game.components().find("Health").unwrap();
    /// assert_eq!(info.type_id(), std::any::TypeId::of::<Health>());
    /// ```
    pub fn type_id(&self) -> TypeId {
        self.type_id
    }

    /// Returns the size of a value in bytes.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let game = Game::new();
    /// let info = game.components().find("Health").unwrap();
    /// assert_eq!(info.size(), 4);
    /// ```
    pub fn size(&self) -> usize {
        self.size
    }

    /// Returns whether the component has no data and so needs no storage.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let game = Game::new();
    /// let info = game.components().find("Health").unwrap();
    /// assert!(!info.is_flag());
    /// ```
    pub fn is_flag(&self) -> bool {
        self.size == 0
    }

    /// Returns whether removed values are kept in a pool.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let game = Game::new();
    /// let info = game.components().find("Health").unwrap();
    /// assert!(!info.is_pooled());
    /// ```
    pub fn is_pooled(&self) -> bool {
        self.pooled
    }

    /// Returns whether values can be cloned, which copying an entity requires. Always `true` for a
    /// flag.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let game = Game::new();
    /// let info = game.components().find("Health").unwrap();
    /// assert!(info.is_clone());
    /// ```
    pub fn is_clone(&self) -> bool {
        self.is_clone
    }

    /// Returns whether at most one entity of a context can have the component at a time.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let game = Game::new();
    /// assert!(game.components().find("Score").unwrap().is_unique());
    /// ```
    pub fn is_unique(&self) -> bool {
        self.unique
    }

    /// Returns whether the component is a [relation](crate::Relation): a field refers to another
    /// entity.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let game = Game::new();
    /// assert!(game.components().find("ChildOf").unwrap().is_relation());
    /// ```
    pub fn is_relation(&self) -> bool {
        self.relation
    }

    /// Returns whether it is the flag of a [term over a relation](crate::Matcher::related) instead of a
    /// component of the user. Tools omit them.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.group(Game::all_of::<Health>().related::<ChildOf>(Game::all_of::<Burning>()));
    /// let term = game.components().iter().find(|info| info.is_term()).unwrap();
    /// assert_eq!(term.name(), "Related<ChildOf>(AllOf(Burning))");
    /// ```
    pub fn is_term(&self) -> bool {
        self.term
    }

    /// Returns whether the values are states of the context. A state is also unique.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let game = Game::new();
    /// assert!(game.components().find("Mode").unwrap().is_state());
    /// ```
    pub fn is_state(&self) -> bool {
        self.state
    }

    /// Returns whether the component is its context's label: the name that messages and tools use
    /// for an entity.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let game = Game::new();
    /// assert!(!game.components().find("Health").unwrap().is_label());
    /// ```
    pub fn is_label(&self) -> bool {
        self.label
    }

    /// Returns the hints set by the field attributes `hidden`, `range` and `color`.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let game = Game::new();
    /// assert!(game.components().find("Health").unwrap().hints().is_empty());
    /// ```
    pub fn hints(&self) -> &'static [FieldHint] {
        self.hints
    }

    /// Returns whether tools omit the component, as the attribute `hidden` says.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let game = Game::new();
    /// assert!(!game.components().find("Health").unwrap().is_hidden());
    /// ```
    pub fn is_hidden(&self) -> bool {
        self.hidden
    }

    /// Returns whether entities with this component are [disabled](crate::guide::disabled).
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let game = Game::new();
    /// assert!(!game.components().find("Health").unwrap().disables());
    /// ```
    pub fn disables(&self) -> bool {
        self.disables
    }

    /// Returns what the cleanup systems do with entities that have the component.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// # use ecs::Cleanup;
    /// let game = Game::new();
    /// assert_eq!(game.components().find("Hit").unwrap().cleanup(), Some(Cleanup::Remove));
    /// ```
    pub fn cleanup(&self) -> Option<Cleanup> {
        self.cleanup
    }
}

// By hand, because a derive would add a bound on `C`.
impl<C> Clone for ComponentInfo<C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for ComponentInfo<C> {}

impl<C> fmt::Debug for ComponentInfo<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ComponentInfo")
            .field("index", &self.index)
            .field("names", &self.names)
            .field("type_name", &self.type_name)
            .field("size", &self.size)
            .field("pooled", &self.pooled)
            .field("is_clone", &self.is_clone)
            .field("unique", &self.unique)
            .field("state", &self.state)
            .field("relation", &self.relation)
            .field("label", &self.label)
            .field("hints", &self.hints)
            .field("hidden", &self.hidden)
            .field("disables", &self.disables)
            .field("cleanup", &self.cleanup)
            .finish_non_exhaustive()
    }
}
