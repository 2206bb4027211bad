//! Saving and loading a context with serde.
//!
//! ```text
//! Save ─► layout.rs   what to save, and whether all of it can be saved; for a part, which ids refer
//!          │            to entities outside of it
//!          ├ to_text.rs    human-readable formats: entities by id, components by name
//!          └ to_bytes.rs   binary formats: slots, then a column per component
//!
//! Loader ─► from_text.rs, from_bytes.rs ─► part.rs   lists of values, nothing changed yet
//!            └► install.rs   validates everything, then stores it
//! ```
//!
//! `names.rs` maps components to names in files.

mod entered;
mod from_bytes;
pub(crate) mod from_text;
mod install;
pub(crate) mod layout;
mod loader;
pub(crate) mod names;
pub(crate) mod part;
pub(crate) mod places;
mod to_bytes;
pub(crate) mod to_text;
mod unknown;

use alloc::boxed::Box;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::borrow::Borrow;
use core::fmt;

use hashbrown::HashSet;
use serde::ser::{Serialize, Serializer};

pub use self::loader::Loader;
use super::save::layout::{SaveLayout, Selection};
use crate::state::relation::{entries, links};
use crate::state::{Core, HasCore};
use crate::words::atomic::OnceBox;
use crate::words::component::{Components, RawComponentIndex};
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::relation::AcyclicRelation;
use crate::words::saving::absent::{AbsentId, PartScope};
use crate::words::signature::RawComponentSet;

/// A context, to be written in any serde format. Returned by
/// [`Context::save`](crate::Context::save).
///
/// Human-readable formats (JSON, RON) get the entities by id, with their components by name; binary
/// formats (postcard, bincode) get bytes: a column per component.
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
    error: OnceBox<String>,
}

impl<'a, C: HasCore> Save<'a, C> {
    pub(crate) fn new(context: &'a C) -> Self {
        Self {
            context,
            selection: Selection {
                part: None,
                without: RawComponentSet::new(),
            },
            error: OnceBox::new(),
        }
    }

    /// Saves these entities only: a *part*, which [`merge`](crate::Context::merge) adds to a
    /// context. Further calls add entities to the part. Their
    /// [entries](crate::guide::hierarchies#several-of-a-kind) belong to it.
    ///
    /// [`load`](crate::Context::load) and [`reload`](crate::Context::reload) reject a part, because
    /// it lacks the other entities. Ids of other entities in its components are written unchanged
    /// and listed in the file. [`absent`](Self::absent) returns them, and [`Loader::map_absent`]
    /// maps them to entities of the context into which the part is merged. Nothing is dropped
    /// silently.
    ///
    /// Writing the part returns an error if one of the entities is dead.
    ///
    /// Complexity: linear in the part, whose values are written twice.
    ///
    /// # Examples
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
    ///
    /// # Panics
    ///
    /// In builds with debug assertions, panics if an id belongs to another context.
    #[track_caller]
    pub fn only(mut self, ids: impl IntoIterator<Item: Borrow<EntityId<C>>>) -> Self {
        let mut part = self.selection.part.take().unwrap_or_default();
        for id in ids {
            let id = *id.borrow();
            self.context.core().world.slots().check(id);
            part.push(id.untyped());
        }
        let without = &self.selection.without;
        self.selection.part = Some(with_entries(self.context.core(), part, without));
        self
    }

    /// Adds the descendants of a part's entities by the relation `T`: their sources, the sources of
    /// those, and so on. Without a preceding [`only`](Self::only) it has no effect: all entities
    /// are saved anyway.
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
            && let Some(links) = links::<C, T>(&core.subs)
        {
            let alive = part
                .iter()
                .filter(|&&id| core.world.slots().get(id).is_some());
            let below = alive.flat_map(|&top| {
                core::iter::successors(links.next_below(top, top), move |&id| {
                    links.next_below(top, id)
                })
            });
            let all = part.iter().copied().chain(below).collect();
            *part = with_entries(core, all, &self.selection.without);
        }
        self
    }

    /// Adds the entities to which the components of a part refer, those to which these refer, and so on: then only ids of
    /// dead entities are [absent](Self::absent). Components excluded before do not count. Without a preceding
    /// [`only`](Self::only) it has no effect.
    ///
    /// Complexity: that of writing the part once for each link of the longest chain.
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
    /// let sail = game.create_with(ChildOf { parent: mast }).id();
    /// let file = serde_json::to_string(&game.save().only([sail]).with_referenced())?;
    ///
    /// let ids = game.merge(&mut serde_json::Deserializer::from_str(&file))?;
    /// assert_eq!(ids.len(), 3);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn with_referenced(mut self) -> Self {
        loop {
            let slots = self.context.core().world.slots();
            let absent = self.absent().into_iter().map(|absent| absent.id);
            let alive: Vec<_> = absent
                .filter(|id| slots.get(id.untyped()).is_some())
                .collect();
            if alive.is_empty() {
                return self;
            }
            self = self.only(alive);
        }
    }

    /// Excludes the components of `T`, which is one component or a tuple. Their types need not be
    /// `Serialize`. Entities are saved even if no other components are left; but the entries of a component with `many` are
    /// excluded from a part with their owner.
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
        let without = RawComponentSet::of_scope::<C, T>();
        self.selection.without = self.selection.without.union(without);
        let core = self.context.core();
        if let Some(part) = &mut self.selection.part {
            let excluded = excluded_entries(core, part, &self.selection.without);
            part.retain(|id| !excluded.contains(id));
        }
        self
    }

    /// Returns the text of the first error with which it could not be written, if there was one. Postcard and other formats
    /// drop the text of an error, so theirs says nothing.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.create_with(Texture(7)); // lacks the traits of serde
    /// let save = game.save();
    /// assert!(postcard::to_stdvec(&save).is_err());
    /// assert!(save.error().unwrap().contains("`Texture`"));
    /// ```
    #[must_use]
    pub fn error(&self) -> Option<&str> {
        self.error.get().map(String::as_str)
    }

    /// The error of a format with this text, which the format may drop.
    fn reject<E: serde::ser::Error>(&self, error: impl fmt::Display) -> E {
        self.record(error.to_string());
        E::custom(error)
    }

    fn record(&self, text: String) {
        _ = self.error.set(Box::new(text));
    }

    /// Returns the ids inside the components of a part that refer to entities outside of it, each
    /// once. The result is empty for a whole context, and if an entity of the part is dead.
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

/// Adds the entries of these entities, unless the component is excluded, sorts all, and removes duplicates.
fn with_entries<C: HasCore>(
    core: &Core<C>,
    mut ids: Vec<UntypedId>,
    without: &RawComponentSet,
) -> Vec<UntypedId> {
    let (mut at, mut found) = (0, HashSet::new());
    while let Some(&id) = ids.get(at) {
        let entries = entries_of(core, id).filter(|(_, to_owner)| !without.contains(*to_owner));
        ids.extend(entries.filter_map(|(entry, _)| found.insert(entry).then_some(entry)));
        at += 1;
    }
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// The entries of an entity, if it is alive, each with its relation to the entity.
fn entries_of<C: HasCore>(
    core: &Core<C>,
    id: UntypedId,
) -> impl Iterator<Item = (UntypedId, RawComponentIndex)> {
    let alive = core.world.slots().get(id).into_iter();
    alive.flat_map(move |_| entries(&core.world, &core.subs, id))
}

/// The entries of a part's entities whose component is excluded, with the entries of these.
fn excluded_entries<C: HasCore>(
    core: &Core<C>,
    part: &[UntypedId],
    without: &RawComponentSet,
) -> HashSet<UntypedId> {
    let of_part = part.iter().flat_map(|id| entries_of(core, *id));
    let excluded = of_part.filter(|(_, to_owner)| without.contains(*to_owner));
    let excluded = excluded.map(|(entry, _)| entry).collect();
    with_entries(core, excluded, &RawComponentSet::new())
        .into_iter()
        .collect()
}

/// Writes the context, or the part.
///
/// # Errors
///
/// Returns an error of the format that names all components of saved entities that cannot be
/// written: those that are neither both `Serialize` and `DeserializeOwned`, nor a flag, nor
/// `transient`. Nothing has been written then.
///
/// Also returns an error, with the name of the component, if a value could not be written, or not be read
/// back:
///
/// - In human-readable formats, a number that is infinite or NaN, and `Some` of a value that is written
///   as nothing, such as `Some(None)`: JSON writes `null` for both. The error also names the entity and the
///   field.
/// - In binary formats, a type that uses serde's `tag`, `untagged` or `flatten`.
///
/// Some values cannot be read back and are not detected: inside a type that uses `tag`, `untagged`
/// or `flatten`, serde reads no map with numeric keys from JSON, and no `struct New(u8)` from RON.
/// And `serde_json` reads every `f64` exactly only with its feature `float_roundtrip`.
impl<C: HasCore> Serialize for Save<'_, C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let is_text = serializer.is_human_readable();
        let layout = SaveLayout::new(self.context, &self.selection);
        let layout = layout.map_err(|error| self.reject(error))?;
        let unknown = layout.check_unknown(is_text);
        unknown.map_err(|error| self.reject(error))?;
        let part = layout.find_absent(); // ids are recorded while it exists
        let absent = part.as_ref().map(PartScope::absent);
        if is_text {
            let written = to_text::write(&layout, absent.as_deref(), serializer);
            return written.inspect_err(|error| self.record(error.to_string()));
        }
        let bytes = to_bytes::write(&layout, absent.as_deref());
        serializer.serialize_bytes(&bytes.map_err(|error| self.reject(error))?)
    }
}

impl<C> Clone for Save<'_, C> {
    fn clone(&self) -> Self {
        Self {
            context: self.context,
            selection: self.selection.clone(),
            error: OnceBox::new(),
        }
    }
}

impl<C: HasCore> fmt::Debug for Save<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.context.core().world.slots().len();
        let entities = self.selection.part.as_ref().map_or(all, Vec::len);
        let mut text = f.debug_struct("Save");
        text.field("context", &C::NAME);
        text.field("entities", &entities).finish()
    }
}
