//! Templates: sets of component values from which entities are created.

#[cfg(feature = "serde")]
mod saved;
pub(crate) mod tree;

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::copying::{
    CloneOptions, OnConflict, alive, choose, clones, plan_tree, put_in_place, validate,
};
use super::create;
use crate::state::dispatch::Dispatch;
use crate::state::{BundleWriter, HasCore, SourceOrder};
use crate::storage::chunk::Chunk;
use crate::storage::descriptor::ComponentDescriptor;
use crate::storage::moved::ValueSlot;
use crate::storage::registry::index_of;
use crate::words::component::{Component, typed};
use crate::words::demands::Holds;
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::error::{Error, expect};
use crate::words::map_ids::{IdMap, place_of_placeholder};
use crate::words::printed::from_fn;

/// A set of component values that creates entities, any number of times and in any context of its
/// type.
///
/// It is a plain value: build it with [`with`](Self::with), or take it from an entity with
/// [`template`](crate::CloneOptions::template). It can contain a whole tree: add other templates
/// with [`with_child`](Self::with_child), or take it from an entity [with its
/// descendants](crate::CloneOptions::with_descendants).
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let orc = Template::new().with(Health(9)).with(Name("orc"));
/// let chief = orc.clone().with(Health(20));
/// let mut game = Game::new();
/// let id = chief.create(&mut game).replace_name("chief").id();
/// assert_eq!(orc.create_many(&mut game, 3).len(), 3);
/// assert_eq!(game.entity(id).health().0, 20);
/// ```
pub struct Template<C: 'static> {
    _holds: Holds<C>,
    root: TemplateNode,
    /// The other entities of a tree, in the order in which they are created.
    below: Vec<TemplateNode>,
    /// The orders of the sources of entities, as placeholders.
    orders: Vec<SourceOrder>,
}

/// An entity of a template.
#[derive(Clone)]
struct TemplateNode {
    name: Option<String>,
    /// In ascending order of index, without duplicates, each with one cloneable value. Ids inside
    /// may be placeholders of the template's entities.
    components: Vec<Chunk>,
}

impl<C: HasCore> Template<C> {
    /// Creates a template without components.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let template = Template::<Game>::new();
    /// assert!(template.create(&mut Game::new()).is_empty());
    /// ```
    pub const fn new() -> Self {
        Self {
            _holds: Holds::NEW,
            root: TemplateNode::new(Vec::new()),
            below: Vec::new(),
            orders: Vec::new(),
        }
    }

    /// A template of the components of an entity that `copying` selects.
    pub(crate) fn of_entity(
        context: &C,
        id: EntityId<C>,
        copying: &CloneOptions<C>,
    ) -> Result<Self, Error> {
        if let Some(plan) = plan_tree(context, id, copying)? {
            return Ok(Self::of_tree(context, plan, copying.is_tree()));
        }
        let core = context.core();
        let slot = alive(core, id)?;
        let chosen = choose(core, id, slot, copying)?;
        Ok(Self {
            root: TemplateNode::new(clones(core, slot.row, &chosen)),
            ..Self::new()
        })
    }

    /// Whether it creates a single entity without a name.
    #[cfg(feature = "serde")]
    fn is_one_unnamed(&self) -> bool {
        self.below.is_empty() && self.root.name.is_none()
    }

    /// Adds a component, or replaces the template's value of it.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let template = Template::<Game>::new().with(Health(3)).with(Health(4));
    /// assert_eq!(template.get::<Health>().unwrap().0, 4);
    /// ```
    #[must_use]
    pub fn with<T: Component<C> + Clone>(mut self, value: T) -> Self {
        self.root.put::<C, T>(value);
        self
    }

    /// Removes a component.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let template = Template::<Game>::new().with(Frozen);
    /// assert!(template.without::<Frozen>().is_empty());
    /// ```
    #[must_use]
    pub fn without<T: Component<C>>(mut self) -> Self {
        self.root.remove::<C, T>();
        self
    }

    /// Returns the template's value of component `T`, or `None` if it lacks it.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let template = Template::<Game>::new().with(Health(3)).with(Health(4));
    /// assert_eq!(template.get::<Health>().unwrap().0, 4);
    /// ```
    pub fn get<T: Component<C>>(&self) -> Option<&T> {
        self.root.get::<C, T>()
    }

    /// Returns whether the template has component `T`.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let template = Template::<Game>::new().with(Health(3));
    /// assert!(template.has::<Health>());
    /// ```
    pub fn has<T: Component<C>>(&self) -> bool {
        self.root.position::<C, T>().is_ok()
    }

    /// Returns the indices of the template's components, in ascending order.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let template = Template::<Game>::new().with(Health(3));
    /// let index = Game::new().components().index_of::<Health>();
    /// assert_eq!(template.component_indices(), [index]);
    /// ```
    pub fn component_indices(&self) -> Vec<typed::ComponentIndex<C>> {
        let indices = self.root.components.iter().map(|chunk| chunk.component);
        indices.map(typed::ComponentIndex::of).collect()
    }

    /// Returns the number of components.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let template = Template::<Game>::new().with(Health(3));
    /// assert_eq!(template.len(), 1);
    /// ```
    pub fn len(&self) -> usize {
        self.root.components.len()
    }

    /// Returns whether the template has no components.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let template = Template::<Game>::new().with(Health(3));
    /// assert!(!template.is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.root.components.is_empty()
    }

    /// Creates `count` entities. Observers are notified after the last one.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let ids = Template::new().with(Health(3)).create_many(&mut game, 5);
    /// assert_eq!(game.entity(ids[4]).health().0, 3);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the context cannot hold that many entities; none is created then. Panics at an
    /// entity whose component is rejected, because it is unique, its key is taken, or its relation
    /// would be a cycle; the entities before it stay, and observers are not notified of them.
    #[track_caller]
    pub fn create_many(&self, context: &mut C, count: usize) -> Vec<EntityId<C>> {
        let all = count.saturating_mul(self.entities());
        expect(context.core().world.slots().check_capacity(all));
        let mut together = Dispatch::join(context);
        let ids = (0..count).map(|_| self.instantiate(together.context()));
        let ids = ids.collect();
        together.deliver();
        ids
    }

    #[track_caller]
    pub(crate) fn instantiate(&self, context: &mut C) -> EntityId<C> {
        match self.below.is_empty() {
            true => create::by(context, |writer| self.root.create(writer, &[writer.id()])),
            false => expect(self.create_tree(context)),
        }
    }

    #[track_caller]
    pub(crate) fn try_instantiate(&self, context: &mut C) -> Result<EntityId<C>, Error> {
        match self.below.is_empty() {
            true => create::try_by(context, |writer| self.root.create(writer, &[writer.id()])),
            false => self.create_tree(context),
        }
    }

    /// Adds clones of all values to an entity, in one change.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_with(Health(1)).id();
    /// let template = Template::new().with(Health(3));
    /// template.apply_to(&mut game, id, OnConflict::Keep);
    /// assert_eq!(game.entity(id).health().0, 1);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if [`try_apply_to`](Self::try_apply_to) would return an error.
    #[track_caller]
    pub fn apply_to(&self, context: &mut C, id: EntityId<C>, existing: OnConflict) {
        expect(self.try_apply_to(context, id, existing));
    }

    /// Like [`apply_to`](Self::apply_to), but returns an error instead of panicking.
    ///
    /// Events: as for [`insert`](crate::EntityMut::insert).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_with(Health(1)).id();
    /// let template = Template::new().with(Health(3));
    /// assert!(template.try_apply_to(&mut game, id, OnConflict::Reject).is_err());
    /// assert!(template.try_apply_to(&mut game, id, OnConflict::Replace).is_ok());
    /// assert_eq!(game.entity(id).health().0, 3);
    /// ```
    ///
    /// # Errors
    ///
    /// - [`NotAlive`](crate::ErrorKind::NotAlive)
    /// - [`DescendantsNotCopied`](crate::ErrorKind::DescendantsNotCopied) if the template contains
    ///   a tree
    /// - [`AlreadyHasComponent`](crate::ErrorKind::AlreadyHasComponent) if `existing` is
    ///   [`OnConflict::Reject`] and the entity has a component of the template
    ///
    /// - those of [`try_replace`](crate::EntityMut::try_replace), such as of relations
    ///
    /// Nothing has changed then.
    pub fn try_apply_to(
        &self,
        context: &mut C,
        id: EntityId<C>,
        existing: OnConflict,
    ) -> Result<(), Error> {
        if !self.below.is_empty() {
            return Err(Error::descendants_not_copied(id.raw(), C::NAME));
        }
        let components = &self.root.components;
        let all = components
            .iter()
            .map(|chunk| (chunk.component, chunk.descriptor()));
        let mut chosen = all.collect();
        validate(context.core(), id, existing, &mut chosen)?;
        let is_validated = |chunk: &&Chunk| {
            let mut chosen = chosen.iter();
            chosen.any(|&(component, _)| component == chunk.component)
        };
        let mut validated: Vec<_> = components.iter().filter(is_validated).cloned().collect();
        map_values::<C>(&mut validated, &own_ids(&[id.untyped()]));
        put_in_place(context, id, validated)
    }
}

impl<C: HasCore> Default for Template<C> {
    fn default() -> Self {
        Self::new()
    }
}

// By hand, because a derive would require `C: Clone`.
impl<C: HasCore> Clone for Template<C> {
    fn clone(&self) -> Self {
        Self {
            _holds: Holds::NEW,
            root: self.root.clone(),
            below: self.below.clone(),
            orders: self.orders.clone(),
        }
    }
}

/// Prints the components, and those of the entities below: `Template(Health(3), Frozen)`. Ids of its own entities
/// are `#0`, `#1`.
impl<C: HasCore> fmt::Debug for Template<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.root.fmt(f)?;
        self.below.iter().try_for_each(|node| {
            f.write_str(" + ")?;
            node.fmt(f)
        })
    }
}

impl fmt::Debug for TemplateNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut tuple = f.debug_tuple(self.name.as_deref().unwrap_or("Template"));
        for chunk in &self.components {
            for value in chunk.values.iter() {
                tuple.field(&from_fn(|f| chunk.descriptor().debug(value, f)));
            }
        }
        tuple.finish()
    }
}

impl TemplateNode {
    /// A node without a name.
    const fn new(components: Vec<Chunk>) -> Self {
        let name = None;
        Self { name, components }
    }

    /// The position of a component, or where to insert it.
    fn position<C: HasCore, T: Component<C>>(&self) -> Result<usize, usize> {
        let index = index_of::<C, T>();
        let components = &self.components;
        components.binary_search_by_key(&index, |chunk| chunk.component)
    }

    fn put<C: HasCore, T: Component<C> + Clone>(&mut self, value: T) {
        const { assert!(T::CLONE.is_some(), "`Component::CLONE` is missing") } // implemented by hand
        let descriptor = ComponentDescriptor::of::<C, T>();
        let mut chunk = Chunk::new(index_of::<C, T>(), descriptor);
        let mut value = ValueSlot::of(value);
        chunk.values.reserve(1);
        chunk.values.push_moved(value.moved(descriptor));
        match self.position::<C, T>() {
            Ok(at) => self.components[at] = chunk,
            Err(at) => self.components.insert(at, chunk),
        }
    }

    fn remove<C: HasCore, T: Component<C>>(&mut self) {
        if let Ok(at) = self.position::<C, T>() {
            self.components.remove(at);
        }
    }

    fn get<C: HasCore, T: Component<C>>(&self) -> Option<&T> {
        let at = self.position::<C, T>().ok()?;
        self.components[at].values.as_slice()?.first()
    }

    /// Passes clones of all values to the writer of an entity, which is one of these.
    fn create<C: HasCore>(&self, writer: &mut BundleWriter<'_, C>, ids: &[UntypedId]) {
        let map = own_ids(ids);
        let map = IdMap::of::<C>(&map);
        for chunk in &self.components {
            let values = chunk.values.iter();
            values.for_each(|value| writer.put_clone(chunk.component, value, &map));
        }
    }
}

/// The ids that take the place of placeholders.
fn own_ids(ids: &[UntypedId]) -> impl Fn(UntypedId) -> UntypedId {
    move |id| place_of_placeholder(id, ids.len()).map_or(id, |at| ids[at])
}

/// Replaces the ids in values.
fn map_values<C: 'static>(chunks: &mut [Chunk], map: &dyn Fn(UntypedId) -> UntypedId) {
    let map = IdMap::of::<C>(map);
    for chunk in chunks {
        let descriptor = chunk.descriptor();
        if let Some(value) = chunk.values.get_mut(0) {
            descriptor.map_ids(value, &map);
        }
    }
}
