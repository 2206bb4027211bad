//! Templates: sets of component values that entities are created from.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

use crate::api::copying::{CloneOptions, Copied, OnConflict, admit, alive, choose, put_in_place};
use crate::api::create;
use crate::api::vtable::Vtable;
use crate::state::{Core, HasCore};
use crate::storage::descriptor::{AnyValue, ComponentDescriptor};
use crate::storage::registry::index_of;
use crate::words::component::{Component, ComponentIndex};
use crate::words::entity_id::EntityId;
use crate::words::error::{Error, expect};

/// A set of component values that creates entities, any number of times and in every
/// context of its type.
///
/// It is a plain value: build it with [`with`](Self::with), or take it from an entity
/// with [`template`](crate::CloneOptions::template).
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// # #[derive(Component, Clone)] #[component(context = Game)] struct Health(u32);
/// # #[derive(Component, Clone)] #[component(context = Game)] struct Name(&'static str);
/// let orc = Template::new().with(Health(9)).with(Name("orc"));
/// let chief = orc.clone().with(Health(20));
/// let mut game = Game::new();
/// let id = chief.create(&mut game).replace_name("chief").id();
/// assert_eq!(orc.create_many(&mut game, 3).len(), 3);
/// assert_eq!(game.entity(id).health().0, 20);
/// ```
pub struct Template<C: 'static> {
    /// In ascending order of index, each component once.
    parts: Vec<Part<C>>,
}

/// A component of a template, with a value that can be cloned.
struct Part<C: 'static> {
    component: ComponentIndex,
    kind: &'static ComponentDescriptor,
    vtable: &'static Vtable<C>,
    value: Box<AnyValue>,
}

impl<C: HasCore> Template<C> {
    /// A template without components.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// let template = Template::<Game>::new();
    /// assert!(template.create(&mut Game::new()).is_empty());
    /// ```
    pub const fn new() -> Self {
        Self { parts: Vec::new() }
    }

    /// What an entity has and `copying` chooses.
    pub(crate) fn of_entity(
        core: &Core<C>,
        id: EntityId<C>,
        copying: &CloneOptions<C>,
    ) -> Result<Self, Error> {
        let slot = alive(core, id)?;
        let chosen = choose(core, id, slot, copying)?.into_iter();
        let parts = chosen.filter_map(|(component, kind)| {
            let value = core.columns.at(component)?.view(slot.row)?;
            Some(Part {
                component,
                kind,
                vtable: Vtable::of(kind),
                value: kind.clone_boxed(value)?,
            })
        });
        let parts = parts.collect();
        Ok(Self { parts })
    }

    fn place_of<T: Component<C>>(&self) -> Result<usize, usize> {
        let component = index_of::<C, T>();
        self.parts
            .binary_search_by_key(&component, |part| part.component)
    }

    /// The same with a component: in place of the value of that component, if it has one.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component, Clone)] #[component(context = Game)] struct Health(u32);
    /// let template = Template::<Game>::new().with(Health(3)).with(Health(4));
    /// assert_eq!(template.get::<Health>().unwrap().0, 4);
    /// ```
    #[must_use]
    pub fn with<T: Component<C> + Clone>(mut self, value: T) -> Self {
        const { assert!(T::CLONE.is_some(), "`Component::CLONE` is missing") } // if by hand
        let kind = ComponentDescriptor::of::<C, T>();
        let part = Part {
            component: index_of::<C, T>(),
            kind,
            vtable: Vtable::of(kind),
            value: Box::new(value),
        };
        match self.place_of::<T>() {
            Ok(place) => self.parts[place] = part,
            Err(place) => self.parts.insert(place, part),
        }
        self
    }

    /// The same without a component.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component, Clone)] #[component(context = Game)] struct Frozen;
    /// let template = Template::<Game>::new().with(Frozen);
    /// assert!(template.without::<Frozen>().is_empty());
    /// ```
    #[must_use]
    pub fn without<T: Component<C>>(mut self) -> Self {
        if let Ok(place) = self.place_of::<T>() {
            self.parts.remove(place);
        }
        self
    }

    /// The template's value of component `T`, if it has one.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component, Clone)] #[component(context = Game)] struct Health(u32);
    /// let template = Template::<Game>::new().with(Health(3)).with(Health(4));
    /// assert_eq!(template.get::<Health>().unwrap().0, 4);
    /// ```
    pub fn get<T: Component<C>>(&self) -> Option<&T> {
        let place = self.place_of::<T>().ok()?;
        self.parts[place].value.downcast_ref()
    }

    /// Whether the template has component `T`.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component, Clone)] #[component(context = Game)] struct Health(u32);
    /// let template = Template::<Game>::new().with(Health(3));
    /// assert!(template.has::<Health>());
    /// ```
    pub fn has<T: Component<C>>(&self) -> bool {
        self.place_of::<T>().is_ok()
    }

    /// The indices of its components, ascending.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component, Clone)] #[component(context = Game)] struct Health(u32);
    /// let template = Template::<Game>::new().with(Health(3));
    /// let index = Game::new().components().index_of::<Health>();
    /// assert_eq!(template.component_indices(), [index]);
    /// ```
    pub fn component_indices(&self) -> Vec<ComponentIndex> {
        self.parts.iter().map(|part| part.component).collect()
    }

    /// How many components it has.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component, Clone)] #[component(context = Game)] struct Health(u32);
    /// let template = Template::<Game>::new().with(Health(3));
    /// assert_eq!(template.len(), 1);
    /// ```
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// Whether it has no component.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component, Clone)] #[component(context = Game)] struct Health(u32);
    /// let template = Template::<Game>::new().with(Health(3));
    /// assert!(!template.is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Creates `count` entities; each is one change.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component, Clone)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// let ids = Template::new().with(Health(3)).create_many(&mut game, 5);
    /// assert_eq!(game.entity(ids[4]).health().0, 3);
    /// ```
    #[track_caller]
    pub fn create_many(&self, context: &mut C, count: usize) -> Vec<EntityId<C>> {
        (0..count).map(|_| self.bring_to_life(context)).collect()
    }

    #[track_caller]
    pub(crate) fn bring_to_life(&self, context: &mut C) -> EntityId<C> {
        create::by(context, |writer| {
            for part in &self.parts {
                (part.vtable.put)(writer, &*part.value);
            }
        })
    }

    /// Gives an entity clones of all values, in ascending order of index, a change each.
    ///
    /// # Panics
    ///
    /// Panics where [`try_apply_to`](Self::try_apply_to) gives an error.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component, Clone)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// let id = game.create_with(Health(1)).id();
    /// let template = Template::new().with(Health(3));
    /// template.apply_to(&mut game, id, OnConflict::Keep);
    /// assert_eq!(game.entity(id).health().0, 1);
    /// ```
    #[track_caller]
    pub fn apply_to(&self, context: &mut C, id: EntityId<C>, existing: OnConflict) {
        expect(self.try_apply_to(context, id, existing));
    }

    /// Gives an entity clones of all values; see [`apply_to`](Self::apply_to).
    ///
    /// Events: those of adding or replacing them one by one. All values are cloned
    /// before the first change.
    ///
    /// # Errors
    ///
    /// [`NotAlive`](crate::ErrorKind::NotAlive); [`AlreadyHasComponent`](crate::ErrorKind::AlreadyHasComponent) where `existing` says
    /// [`OnConflict::Refuse`] and the entity has a component of the template. Nothing has
    /// changed then. Where an *observer* destroys the entity meanwhile, the components
    /// before have been put in place.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component, Clone)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// let id = game.create_with(Health(1)).id();
    /// let template = Template::new().with(Health(3));
    /// assert!(template.try_apply_to(&mut game, id, OnConflict::Refuse).is_err());
    /// assert!(template.try_apply_to(&mut game, id, OnConflict::Replace).is_ok());
    /// assert_eq!(game.entity(id).health().0, 3);
    /// ```
    pub fn try_apply_to(
        &self,
        context: &mut C,
        id: EntityId<C>,
        existing: OnConflict,
    ) -> Result<(), Error> {
        let all = self.parts.iter().map(|part| (part.component, part.kind));
        let mut chosen = all.collect();
        admit(context.core(), id, existing, &mut chosen)?;
        let admitted = |part: &&Part<C>| chosen.iter().any(|&(c, _)| c == part.component);
        let parts = self.parts.iter().filter(admitted);
        let values = parts.filter_map(Part::copy).collect();
        put_in_place(context, id, values)
    }
}

impl<C: 'static> Part<C> {
    fn copy(&self) -> Option<Copied<C>> {
        Some((self.vtable, self.kind.clone_boxed(&*self.value)?))
    }
}

impl<C: HasCore> Default for Template<C> {
    fn default() -> Self {
        Self::new()
    }
}

// By hand, because a derive would ask the same of `C`.
impl<C: HasCore> Clone for Template<C> {
    fn clone(&self) -> Self {
        let parts = self.parts.iter().filter_map(|part| {
            let (vtable, value) = part.copy()?;
            Some(Part {
                vtable,
                value,
                ..*part
            })
        });
        let parts = parts.collect();
        Self { parts }
    }
}

/// Prints the components: `Template(Health(3), Frozen)`.
impl<C: HasCore> fmt::Debug for Template<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut tuple = f.debug_tuple("Template");
        for part in &self.parts {
            tuple.field(&fmt::from_fn(|f| part.kind.debug(&*part.value, f)));
        }
        tuple.finish()
    }
}
