//! Saving a context and loading it again, by serde.
//!
//! ```text
//! Save ─► layout.rs   what there is to be saved, and whether all of it can be; of a part, which ids in
//!          │            it are of entities that it does not have
//!          ├ to_text.rs    formats for people: entities by id, components by name
//!          └ to_bytes.rs   binary formats: slots, then a column for each component
//!
//! Loader ─► from_text.rs, from_bytes.rs ─► builder.rs   lists of values, nothing changed yet
//!            └► loading.rs   all of it checked, then all of it there
//! ```
//!
//! `guard.rs` rejects values that a format for people would change, and `names.rs` says what components are
//! called in files.

pub(crate) mod builder;
mod from_bytes;
mod from_text;
pub(crate) mod guard;
pub(crate) mod layout;
mod loader;
pub(crate) mod loading;
pub(crate) mod names;
mod to_bytes;
mod to_text;

use alloc::vec::Vec;
use core::borrow::Borrow;
use core::fmt;

use serde::ser::{Error as _, Serialize, Serializer};

use crate::state::HasCore;
use crate::state::records::save::layout::{SaveLayout, Selection};
use crate::words::component::Components;
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::relation::AcyclicRelation;
use crate::words::saving::absent::{AbsentId, PartScope};
use crate::words::signature::RawComponentSet;

pub use self::loader::Loader;

/// A context, to be written in any format of serde. Returned by
/// [`Context::save`](crate::Context::save).
///
/// Formats for people (JSON, RON) get the entities by id, with their components by name; binary ones
/// (postcard, bincode) get bytes: a column for each component.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// # use serde::{Deserialize, Serialize};
/// #[derive(Component, Serialize, Deserialize)]
/// #[component(context = Game)]
/// struct Health(u32);
///
/// #[derive(Component)]
/// #[component(context = Game)]
/// struct Frozen;
///
/// let mut game = Game::new();
/// game.create_with((Health(3), Frozen));
/// let text = serde_json::to_string(&game.save()).unwrap();
/// assert_eq!(
///     text,
///     r#"{"format":1,"context":"Game","entities":{"0v1":{"Frozen":{},"Health":3}}}"#
/// );
/// ```
#[must_use = "nothing is saved until a format of serde writes it"]
pub struct Save<'a, C> {
    pub(crate) context: &'a C,
    selection: Selection,
}

impl<'a, C: HasCore> Save<'a, C> {
    pub(crate) fn new(context: &'a C) -> Self {
        Self {
            context,
            selection: Selection {
                part: None,
                without: RawComponentSet::new(),
            },
        }
    }

    /// Saves these entities alone: a *part*, which [`merge`](crate::Context::merge) adds to a context. Called
    /// again, it adds entities to the part.
    ///
    /// A part says nothing of other entities, so [`load`](crate::Context::load) and
    /// [`reload`](crate::Context::reload) reject it: the ids would not be those of the same entities. The
    /// ids of other entities that its components refer to are written as they are, and listed in the file;
    /// [`absent`](Self::absent) returns them, and [`Loader::map_absent`] says what they mean where the part
    /// is merged. Nothing is dropped silently.
    ///
    /// Writing the part returns an error if one of the entities is not alive.
    ///
    /// Complexity: linear in the part, whose values are written twice.
    ///
    /// # Panics
    ///
    /// Panics in builds with debug assertions if an id is of another context.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let orc = game.create_with((Health(9), Frozen)).id();
    /// game.create_with(Player);
    /// let file = serde_json::to_string(&game.save().only([orc]))?;
    ///
    /// let mut other = Game::new();
    /// let ids = other.merge(&mut serde_json::Deserializer::from_str(&file))?;
    /// assert_eq!((other.len(), other.entity(ids[0]).health().0), (1, 9));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[track_caller]
    pub fn only(mut self, ids: impl IntoIterator<Item: Borrow<EntityId<C>>>) -> Self {
        let mut part = self.selection.part.take().unwrap_or_default();
        for id in ids {
            let id = *id.borrow();
            self.context.core().slots().check(id);
            part.push(id.untyped());
        }
        self.selection.part = Some(sorted(part));
        self
    }

    /// Adds to a part the descendants of its entities: those that refer to them by the relation `T`, and
    /// those that refer to these. Without [`only`](Self::only) before it, all entities are saved anyway.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component, Clone, serde::Serialize, serde::Deserialize)]
    /// # #[component(context = Game)]
    /// # struct ChildOf {
    /// #     #[component(relation(reverse = children, acyclic))] parent: EntityId<Game>,
    /// # }
    /// let mut game = Game::new();
    /// let ship = game.create_entity().id();
    /// let mast = game.create_with(ChildOf { parent: ship }).id();
    /// game.create_with(ChildOf { parent: mast });
    /// game.create_entity();
    /// let file = serde_json::to_string(&game.save().only([ship]).with_descendants::<ChildOf>())?;
    ///
    /// let ids = game.merge(&mut serde_json::Deserializer::from_str(&file))?;
    /// assert_eq!(game.entity(ids[0]).related::<ChildOf>().descendants().count(), 2);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn with_descendants<T: AcyclicRelation<C>>(mut self) -> Self {
        let core = self.context.core();
        if let Some(part) = &mut self.selection.part
            && let Some(links) = core.links::<C, T>()
        {
            let alive = part.iter().filter(|&&id| core.slots().get(id).is_some());
            let below = alive.flat_map(|&top| {
                core::iter::successors(links.next_below(top, top), move |&id| {
                    links.next_below(top, id)
                })
            });
            let all = part.iter().copied().chain(below).collect();
            *part = sorted(all);
        }
        self
    }

    /// Leaves out the components of `T`: one component or a tuple. Their types need not be
    /// `Serialize`. Entities stay, also those that have nothing else.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_with((Health(9), Frozen)).id();
    /// let file = serde_json::to_string(&game.save().without::<Frozen>())?;
    ///
    /// let loaded = Game::load(&mut serde_json::Deserializer::from_str(&file))?;
    /// assert!(loaded.entity(id).has_health() && !loaded.entity(id).is_frozen());
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn without<T: Components<C>>(mut self) -> Self {
        let without = RawComponentSet::of::<C, T>();
        self.selection.without = self.selection.without.union(without);
        self
    }

    /// Returns the ids inside the components of a part whose entities the part does not have, each once.
    /// It is empty for a context as a whole, and if an entity of the part is dead.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component, Clone, serde::Serialize, serde::Deserialize)]
    /// # #[component(context = Game)]
    /// # struct ChildOf {
    /// #     #[component(relation(reverse = children, acyclic))] parent: EntityId<Game>,
    /// # }
    /// let mut game = Game::new();
    /// let ship = game.create_entity().id();
    /// let sail = game.create_with(ChildOf { parent: ship }).id();
    /// assert_eq!(game.save().only([sail]).absent()[0].id, ship);
    /// assert!(game.save().only([sail, ship]).absent().is_empty());
    /// assert!(game.save().only([sail]).without::<ChildOf>().absent().is_empty());
    /// ```
    #[must_use]
    pub fn absent(&self) -> Vec<AbsentId<C>> {
        let layout = SaveLayout::new(self.context, &self.selection).ok();
        let found = layout.and_then(|layout| Some(layout.find_absent()?.absent()));
        let found = found.unwrap_or_default().into_iter();
        let absent = found.filter_map(|(id, (entity, component))| {
            Some(AbsentId {
                id: EntityId::try_new(id.index(), id.generation())?,
                entity: entity.typed(),
                component,
            })
        });
        absent.collect()
    }
}

/// The ids in ascending order, each once.
fn sorted(mut ids: Vec<UntypedId>) -> Vec<UntypedId> {
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// Writes the context, or the part of it.
///
/// # Errors
///
/// An error of the format that names all components that some entity has and that cannot be
/// written: neither both `Serialize` and `DeserializeOwned`, nor a flag, nor `transient`. Nothing has
/// been written then.
///
/// Also an error of the format if a value could not be read back; it names the component:
///
/// - In formats for people, a number that is infinite or NaN, unless the format is RON, TOML or YAML, and
///   `Some` of a value that is written as nothing, such as `Some(None)`, unless the format is RON. JSON
///   writes `null` for both. The error also names the entity and the field.
/// - In binary formats, a type that uses serde's `tag`, `untagged` or `flatten`.
///
/// Some values cannot be read back and are not detected: inside of a type that uses `tag`, `untagged` or
/// `flatten`, serde reads no map with numbers as keys from JSON, and no `struct New(u8)` from RON. And
/// `serde_json` reads every `f64` exactly only with its feature `float_roundtrip`.
impl<C: HasCore> Serialize for Save<'_, C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let layout = SaveLayout::new(self.context, &self.selection).map_err(S::Error::custom)?;
        let part = layout.find_absent(); // ids are checked as long as it is there
        let absent = part.as_ref().map(PartScope::absent);
        if serializer.is_human_readable() {
            return to_text::write(&layout, absent.as_deref(), serializer);
        }
        let bytes = to_bytes::write(&layout, absent.as_deref()).map_err(S::Error::custom)?;
        serializer.serialize_bytes(&bytes)
    }
}

impl<C> Clone for Save<'_, C> {
    fn clone(&self) -> Self {
        Self {
            context: self.context,
            selection: self.selection.clone(),
        }
    }
}

impl<C: HasCore> fmt::Debug for Save<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.context.core().slots().len();
        let entities = self.selection.part.as_ref().map_or(all, Vec::len);
        let mut text = f.debug_struct("Save");
        text.field("context", &C::NAME);
        text.field("entities", &entities).finish()
    }
}
