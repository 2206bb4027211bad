//! Loading a context from a save, or merging the entities of a save into a context.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use serde::de::{self, Deserializer, Error as _};

use super::from_text::{FIELDS, Text};
use super::part::{MapAbsent, Part};
use super::{from_bytes, install};
use crate::reactions::entered::Entered;
use crate::records::bytes::read_bytes;
use crate::records::snapshot::{check_restorable, replace_by};
use crate::state::core::HasCore;
use crate::state::destroy;
use crate::state::pending::PendingEntities;
use crate::storage::slots::Slots;
use crate::storage::slots::saved::SavedSlots;
use crate::words::entity_id::EntityId;
use crate::words::error::{Error, ErrorKind};
use crate::words::saving::ids::{LoadScope, NewIds};
use crate::world::Unknown;

/// Loads saves with options: it can skip unknown components, which
/// [`Context::load`](crate::Context::load) and [`Context::merge`](crate::Context::merge) reject,
/// and map ids that a part lacks.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let text = r#"{
///     "format": 1,
///     "context": "Game",
///     "entities": { "0v1": { "Health": 3, "Mana": 7 } }
/// }"#;
/// let error = Game::load(&mut serde_json::Deserializer::from_str(text)).unwrap_err();
/// assert!(error.to_string().contains("no component that could be loaded as `Mana`"));
///
/// // `Health` is `Serialize` and `Deserialize`; there is no `Mana`
/// let mut loader = ecs::Loader::<Game>::new().skip_unknown();
/// let game = loader.load(&mut serde_json::Deserializer::from_str(text)).unwrap();
/// assert_eq!((game.len(), loader.skipped()), (1, &["Mana".to_string()][..]));
/// ```
pub struct Loader<C> {
    skips: bool,
    keeps: bool,
    removes: bool,
    skipped: Vec<String>,
    dangling: Vec<(EntityId<C>, &'static str)>,
    error: Option<String>,
    map_absent: Option<MapAbsent<C>>,
}

impl<C: HasCore> Loader<C> {
    /// Creates a loader that rejects unknown components.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let text = serde_json::to_string(&Game::new().save()).unwrap();
    /// let from = &mut serde_json::Deserializer::from_str(&text);
    /// assert!(ecs::Loader::<Game>::new().load(from).unwrap().is_empty());
    /// ```
    pub const fn new() -> Self {
        Self {
            skips: false,
            keeps: false,
            removes: false,
            skipped: Vec::new(),
            dangling: Vec::new(),
            error: None,
            map_absent: None,
        }
    }

    /// Skips unknown components instead of rejecting the save.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let text = r#"{"format":1,"context":"Game","entities":{"0v1":{"Old":null}}}"#;
    /// let mut loader = ecs::Loader::<Game>::new().skip_unknown();
    /// let game = loader.load(&mut serde_json::Deserializer::from_str(text)).unwrap();
    /// assert_eq!(game.len(), 1);
    /// ```
    #[must_use]
    pub fn skip_unknown(mut self) -> Self {
        self.skips = true;
        self
    }

    /// Keeps unknown components instead of rejecting the save, for a tool that does not have all components
    /// of a game. The context has them from then on, as have its snapshots and copies, and every save writes
    /// them again.
    ///
    /// They belong to their entity by id. So they are not written once it is destroyed, and written again if it is
    /// restored by a rewind, or by undo under its old id. The next load or reload replaces them; a reset drops them.
    ///
    /// - The ids inside of them cannot be found. So they may refer to entities that were destroyed since: the
    ///   program that knows the component rejects a relation to one, unless it
    ///   [removes](Self::remove_dangling) it. [`merge`](Self::merge), which gives entities new ids, rejects unknown
    ///   components, and a [clone](crate::Context::clone_entity) of an entity lacks them.
    /// - Those of a binary save can be written in a binary format only, as a whole; those of a text as text only,
    ///   also in [parts](crate::Save::only), which do not list the ids inside of them as
    ///   [absent](crate::Save::absent). Otherwise, writing returns an error.
    /// - RON cannot keep a value without its type; JSON can, except for integers of more than 64 bits.
    /// - Feeds, checksums and reports of memory do not include them.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let text = r#"{"format":1,"context":"Game","entities":{"0v1":{"Old":{"a":[1,2]}}}}"#;
    /// let mut loader = ecs::Loader::<Game>::new().keep_unknown();
    /// let game = loader.load(&mut serde_json::Deserializer::from_str(text)).unwrap();
    /// assert_eq!((game.len(), loader.skipped()), (1, &["Old".to_string()][..]));
    /// assert_eq!(serde_json::to_string(&game.save()).unwrap(), text);
    /// ```
    #[must_use]
    pub fn keep_unknown(mut self) -> Self {
        self.keeps = true;
        self
    }

    /// Removes relations to dead targets from what is loaded, as destroying the targets would have done, instead of
    /// rejecting the save: for one that was written by a program that has [kept](Self::keep_unknown) these
    /// components without knowing them, and has destroyed a target. Entities with a relation
    /// `on_target_destroyed = destroy` are destroyed. [`dangling`](Self::dangling) lists what was removed.
    ///
    /// It concerns [`load`](Self::load) and [`reload`](Self::reload); a [`merge`](Self::merge) rejects such relations.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// #[derive(Component, Clone, serde::Serialize, serde::Deserialize)]
    /// #[component(context = Game)]
    /// struct ChildOf {
    ///     #[component(relation(reverse = children))]
    ///     parent: EntityId<Game>,
    /// }
    /// let text = r#"{"format":1,"context":"Game","free":["0v2"],
    ///     "entities":{"1v1":{"ChildOf":{"parent":"0v1"}}}}"#;
    /// let mut loader = ecs::Loader::<Game>::new().remove_dangling();
    /// let game = loader.load(&mut serde_json::Deserializer::from_str(text)).unwrap();
    /// let child = game.query::<EntityId<Game>>().single().unwrap();
    /// assert_eq!(loader.dangling(), [(child, "ChildOf")]);
    /// assert!(!game.entity(child).has_child_of());
    /// ```
    #[must_use]
    pub fn remove_dangling(mut self) -> Self {
        self.removes = true;
        self
    }

    /// Maps the ids in a [part](crate::Save::only) that refer to entities outside of it to entities
    /// of the context into which it is merged. Without this, or if `map` returns `None`, a part
    /// with such ids is rejected.
    ///
    /// `map` is called for each of these ids before any value is read. `map_absent(Some)` keeps all
    /// of them, for the context in which the part was saved. A returned id may be dead, like any id
    /// in a component, but it must have been created already, and the targets of relations must be
    /// alive.
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
    /// let harbor = game.create_entity().id();
    /// let ship = game.create_with(ChildOf { parent: harbor }).id();
    /// let file = serde_json::to_string(&game.save().only([ship])).unwrap();
    ///
    /// let mut other = Game::new();
    /// let here = other.create_entity().id();
    /// let mut loader = ecs::Loader::new().map_absent(move |id| (id == harbor).then_some(here));
    /// let ids = loader.merge(&mut other, &mut serde_json::Deserializer::from_str(&file)).unwrap();
    /// assert_eq!(other.entity(here).children(), ids);
    /// ```
    #[must_use]
    pub fn map_absent(
        mut self,
        map: impl Fn(EntityId<C>) -> Option<EntityId<C>> + Send + Sync + 'static,
    ) -> Self {
        self.map_absent = Some(Arc::new(map));
        self
    }

    /// Returns the names of the components that the last load or merge skipped or kept, in order of
    /// occurrence.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let text = r#"{"format":1,"context":"Game","entities":{"0v1":{"Old":null}}}"#;
    /// let mut loader = ecs::Loader::<Game>::new().skip_unknown();
    /// loader.load(&mut serde_json::Deserializer::from_str(text)).unwrap();
    /// assert_eq!(loader.skipped(), ["Old"]);
    /// ```
    pub fn skipped(&self) -> &[String] {
        &self.skipped
    }

    /// Returns the relations to dead targets that the last load has [removed](Self::remove_dangling): the entities,
    /// which may have been destroyed, and the names of the components.
    pub fn dangling(&self) -> &[(EntityId<C>, &'static str)] {
        &self.dangling
    }

    /// Returns the text of the error that the last load or merge returned, if it did. Postcard and
    /// other formats drop the text of an error, so theirs says nothing.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// # #[ecs::context] pub struct Menu;
    /// let bytes = postcard::to_stdvec(&Menu::new().save()).unwrap();
    /// let mut loader = ecs::Loader::<Game>::new();
    /// let error = loader.load(&mut postcard::Deserializer::from_bytes(&bytes)).unwrap_err();
    /// assert_eq!(error, postcard::Error::SerdeDeCustom);
    /// assert_eq!(loader.error(), Some("this is a save of context `Menu`, not of `Game`"));
    /// ```
    pub fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    /// Loads a context, like [`Context::load`](crate::Context::load).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_with(Frozen).id();
    /// let text = serde_json::to_string(&game.save()).unwrap();
    /// let from = &mut serde_json::Deserializer::from_str(&text);
    /// assert!(ecs::Loader::<Game>::new().load(from).unwrap().entity(id).is_frozen());
    /// ```
    ///
    /// # Errors
    ///
    /// Those of `Context::load`, except for unknown components if they are skipped.
    pub fn load<'de, D: Deserializer<'de>>(&mut self, deserializer: D) -> Result<C, D::Error>
    where
        C: Default,
    {
        self.error = None;
        let loaded = self.load_new(deserializer);
        self.record_error(loaded)
    }

    /// Replaces a context by a save, like [`Context::reload`](crate::Context::reload).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_with(Frozen).id();
    /// let text = serde_json::to_string(&game.save()).unwrap();
    /// game.destroy(id);
    /// let from = &mut serde_json::Deserializer::from_str(&text);
    /// ecs::Loader::new().reload(&mut game, from).unwrap();
    /// assert!(game.entity(id).is_frozen());
    /// ```
    ///
    /// # Errors
    ///
    /// Those of `Context::reload`, except for unknown components if they are skipped.
    pub fn reload<'de, D: Deserializer<'de>>(
        &mut self,
        context: &mut C,
        deserializer: D,
    ) -> Result<(), D::Error>
    where
        C: Default,
    {
        self.error = None;
        let loaded = match check_restorable(context) {
            Ok(()) => self.load_new(deserializer),
            Err(error) => Err(self.reject(error)),
        };
        let replaced = loaded.and_then(|loaded| {
            let replaced = replace_by(context, loaded);
            replaced.map_err(|error| self.reject(error))
        });
        self.record_error(replaced)
    }

    /// Adds the entities of a save to a context, like [`Context::merge`](crate::Context::merge).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.create_with(Frozen);
    /// let text = serde_json::to_string(&game.save()).unwrap();
    /// let from = &mut serde_json::Deserializer::from_str(&text);
    /// let ids = ecs::Loader::new().merge(&mut game, from).unwrap();
    /// assert!(game.entity(ids[0]).is_frozen() && game.len() == 2);
    /// ```
    ///
    /// # Errors
    ///
    /// Those of `Context::merge`, except for unknown components if they are skipped.
    pub fn merge<'de, D: Deserializer<'de>>(
        &mut self,
        context: &mut C,
        deserializer: D,
    ) -> Result<Vec<EntityId<C>>, D::Error> {
        self.error = None;
        let merged = self.merge_into(context, deserializer);
        self.record_error(merged)
    }

    fn load_new<'de, D: Deserializer<'de>>(&mut self, deserializer: D) -> Result<C, D::Error>
    where
        C: Default,
    {
        let mut part = Part::new(LoadScope::plain(), None);
        part.kept = self.keeps.then(Unknown::default);
        part.dangling = self.removes.then(Vec::new);
        let saved = self.read(&mut part, deserializer)?;
        let mut context = load(&mut part, saved).map_err(|error| self.reject(error))?;
        self.dangling.clear();
        for it in part.dangling.take().unwrap_or_default() {
            self.dangling.push((it.source.typed(), it.relation));
            if it.destroys {
                let _ = destroy(&mut context, it.source.typed()); // one may be destroyed with another, or needed
            }
        }
        Ok(context)
    }

    fn merge_into<'de, D: Deserializer<'de>>(
        &mut self,
        context: &mut C,
        deserializer: D,
    ) -> Result<Vec<EntityId<C>>, D::Error> {
        let slots = context.core().world.slots();
        let first_new = u32::try_from(slots.rows()).map_err(D::Error::custom)?;
        let recycled = slots.recycled().take(slots.recyclable());
        let ids = NewIds::new::<C>(recycled.collect(), first_new);
        let mut part = Part::new(LoadScope::mapped(ids), self.map_absent.clone());
        self.read(&mut part, deserializer)?;
        let merged = { part.scope.complete() }.and_then(|()| merge(context, part));
        merged.map_err(|error| self.reject(error))
    }

    /// Keeps the text of an error, unless it has one of `reject`.
    fn record_error<T, E: de::Error>(&mut self, result: Result<T, E>) -> Result<T, E> {
        result.inspect_err(|error| {
            self.error.get_or_insert_with(|| error.to_string());
        })
    }

    /// The error of a format with this text, which the format may drop.
    fn reject<E: de::Error>(&mut self, error: impl fmt::Display) -> E {
        let error = self.error.insert(error.to_string());
        E::custom(error)
    }

    fn read<'de, D: Deserializer<'de>>(
        &mut self,
        part: &mut Part<C>,
        deserializer: D,
    ) -> Result<SavedSlots, D::Error> {
        let slots = match deserializer.is_human_readable() {
            true => deserializer.deserialize_struct("Save", FIELDS, Text(&mut *part)),
            false => read_bytes(["save", C::NAME], deserializer, |from| {
                let read = from_bytes::read(part, from);
                let read = read.and_then(|slots| Ok(from.finish().map(|()| slots)?));
                read.inspect_err(|error| self.error = Some(error.clone()))
            }),
        };
        let slots = slots?;
        if !self.skips && part.kept.is_none() {
            let how = match self.keeps {
                true => {
                    " by `Loader::skip_unknown`: `keep_unknown` does not apply to a merge, which gives \
                     entities new ids and cannot find the ids inside of unknown values"
                }
                false => " by `Loader::skip_unknown`",
            };
            let checked = part.reject_unknown(how);
            checked.map_err(|error| self.reject(error))?;
        }
        self.skipped = core::mem::take(&mut part.unknown);
        Ok(slots)
    }
}

/// Creates a context from what was read.
fn load<C: HasCore + Default>(part: &mut Part<C>, saved: SavedSlots) -> Result<C, String> {
    let mut context = C::default();
    let broken = |error| format!("the save is broken: {error}");
    let slots = Slots::restore(saved, C::NAME, C::MINIMUM_FREE).map_err(broken)?;
    let mut ids = Vec::with_capacity(part.entities.len());
    let entities = part.entities.iter();
    ids.extend(entities.filter_map(|id| EntityId::try_new(id.index(), id.generation())));
    let pending = install::stage(&mut context, slots, ids);
    let loaded = install::install(pending, part);
    loaded.map_err(|error| match error.kind() {
        ErrorKind::TargetNotAlive => format!(
            "{error}; if a program that does not have the component has destroyed the target, load the save by \
             `Loader::remove_dangling`"
        ),
        _ => format!("{error}"),
    })?;
    let core = context.core_mut();
    core.subs.entered = Entered::loaded(core::mem::take(&mut part.entered));
    core.world.unknown = part.kept.take().map(Arc::new);
    Ok(context)
}

/// Adds what was read to a context.
fn merge<C: HasCore>(context: &mut C, mut part: Part<C>) -> Result<Vec<EntityId<C>>, String> {
    check_absent(context, &part.absent)?;
    put_last(context, &mut part);
    let pending =
        PendingEntities::reserve(context, part.scope.given()).map_err(|it| format!("{it}"))?;
    let ids = part.mapped(pending.reserved());
    let merged = install::install(pending, &mut part);
    merged.map_err(|error| of_save(&part.scope, &error))?;
    Ok(ids)
}

/// Rejects mapped ids that have not been created yet.
fn check_absent<C: HasCore>(context: &C, absent: &[EntityId<C>]) -> Result<(), String> {
    let slots = context.core().world.slots();
    let is_future = |&&id: &&EntityId<C>| !slots.accept(id) || slots.is_future(id.raw());
    match absent.iter().find(is_future) {
        None => Ok(()),
        Some(id) => Err(format!(
            "`Loader::map_absent` returned {id}, and context `{}` has not had that entity yet: return an \
             entity of the context that the part is merged into",
            C::NAME
        )),
    }
}

/// Places the sources of a part after the present sources of a target.
fn put_last<C: HasCore>(context: &C, part: &mut Part<C>) {
    let core = context.core();
    for order in &mut part.orders {
        let is_there = part.absent.contains(&order.target.typed());
        let mut relations = core.subs.indexes().relations();
        let links = relations.find(|links| links.component == order.component);
        if let Some(links) = links
            && is_there
            && core.world.slots().get(order.target).is_some()
        {
            let there = links.sources(order.target).iter();
            order.sources.splice(0..0, there.copied());
        }
    }
}

/// The text of an error, with the id that the entity has in the save.
fn of_save(scope: &LoadScope, error: &Error) -> String {
    match error.entity() {
        Some(entity) => format!("{error} (it is entity {} of the save)", scope.old(entity)),
        None => format!("{error}"),
    }
}

impl<C: HasCore> Default for Loader<C> {
    fn default() -> Self {
        Self::new()
    }
}

impl<C: HasCore> fmt::Debug for Loader<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = f.debug_struct("Loader");
        text.field("context", &C::NAME);
        text.field("skips_unknown", &self.skips);
        text.field("keeps_unknown", &self.keeps);
        text.field("removes_dangling", &self.removes);
        text.field("skipped", &self.skipped);
        text.field("dangling", &self.dangling);
        text.field("error", &self.error).finish()
    }
}
