//! The methods of a context that copy entities, and that of a template which gives a
//! handle of the context.

use super::Context;
use crate::api::copying::{self, Copying};
use crate::api::entity::EntityMut;
use crate::api::template::Template;
use crate::state::HasCore;
use crate::words::entity_id::EntityId;
use crate::words::error::{Error, expect};

/// The methods of a [`Context`] that copy entities.
pub trait CopyEntities: HasCore {
    /// Creates an entity with clones of all components of another one, in one change.
    /// Unique components, and those with a primary index, are not copied.
    ///
    /// Events: *created*; *entered* for the groups of the whole entity, none for those
    /// of a part.
    ///
    /// # Panics
    ///
    /// Panics where the entity is dead or a component is not `Clone`; nothing is created
    /// then, nor where a `clone` panics.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component, Clone)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// let id = game.create_entity().add_health(3).id();
    /// let copy = game.clone_entity(id);
    /// assert_eq!(copy.health().0, 3);
    /// ```
    #[track_caller]
    fn clone_entity(&mut self, id: EntityId<Self>) -> Self::EntityMut<'_>
    where
        Self: Context,
    {
        expect(self.try_clone_entity(id))
    }

    /// Creates an entity with clones of all components of another one; see
    /// [`clone_entity`](Self::clone_entity).
    ///
    /// # Errors
    ///
    /// [`NotAlive`](crate::ErrorKind::NotAlive), [`NotClone`](crate::ErrorKind::NotClone); nothing has changed then.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Socket(u32);
    /// let mut game = Game::new();
    /// let id = game.create_entity().add_socket(80).id();
    /// assert!(matches!(game.try_clone_entity(id), Err(error) if error.kind() == ErrorKind::NotClone));
    /// assert_eq!(game.len(), 1);
    /// ```
    fn try_clone_entity(&mut self, id: EntityId<Self>) -> Result<Self::EntityMut<'_>, Error>
    where
        Self: Context,
    {
        self.try_clone_entity_with(id, &Copying::all())
    }

    /// Creates an entity with clones of some components of another one, in one change;
    /// see [`clone_entity`](Self::clone_entity).
    ///
    /// # Panics
    ///
    /// Panics where the entity is dead or a component chosen is not `Clone`.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component, Clone)] #[component(context = Game)] struct Health(u32);
    /// # #[derive(Component)] #[component(context = Game)] struct Socket(u32);
    /// let mut game = Game::new();
    /// let id = game.create_entity().add_health(3).add_socket(80).id();
    /// let copy = game.clone_entity_with(id, &Copying::all().without::<Socket>());
    /// assert!(copy.has_health() && !copy.has_socket());
    /// ```
    #[track_caller]
    fn clone_entity_with(
        &mut self,
        id: EntityId<Self>,
        copying: &Copying<Self>,
    ) -> Self::EntityMut<'_>
    where
        Self: Context,
    {
        expect(self.try_clone_entity_with(id, copying))
    }

    /// Creates an entity with clones of some components of another one; see
    /// [`clone_entity`](Self::clone_entity).
    ///
    /// # Errors
    ///
    /// [`NotAlive`](crate::ErrorKind::NotAlive), [`NotClone`](crate::ErrorKind::NotClone); nothing has changed then.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Socket(u32);
    /// let mut game = Game::new();
    /// let id = game.create_entity().add_socket(80).id();
    /// let copying = Copying::all().without::<Socket>();
    /// assert!(game.try_clone_entity_with(id, &copying).is_ok());
    /// ```
    fn try_clone_entity_with(
        &mut self,
        id: EntityId<Self>,
        copying: &Copying<Self>,
    ) -> Result<Self::EntityMut<'_>, Error>
    where
        Self: Context,
    {
        let copy = copying::clone_entity(self, id, copying)?;
        Ok(EntityMut::new(self, copy).into())
    }

    /// Copies components of an entity to another one.
    ///
    /// # Panics
    ///
    /// Panics where [`try_copy_to`](Self::try_copy_to) gives an error.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component, Clone)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// let (from, to) = (game.create_with(Health(3)).id(), game.create_entity().id());
    /// game.copy_to(from, to, &Copying::all());
    /// assert_eq!(game.entity(to).health().0, 3);
    /// ```
    #[track_caller]
    fn copy_to(&mut self, from: EntityId<Self>, to: EntityId<Self>, copying: &Copying<Self>) {
        expect(self.try_copy_to(from, to, copying));
    }

    /// Copies components of an entity to another one: those that `copying` chooses,
    /// unique ones and those with a primary index left out.
    ///
    /// Events: those of adding or replacing the components one by one, in ascending order
    /// of index. All values are cloned before the first change.
    ///
    /// # Errors
    ///
    /// [`NotAlive`](crate::ErrorKind::NotAlive) of either entity; [`NotClone`](crate::ErrorKind::NotClone);
    /// [`AlreadyHasComponent`](crate::ErrorKind::AlreadyHasComponent) unless `copying` has another rule for components
    /// already there. Nothing has changed then. Where an *observer* destroys the entity
    /// copied to meanwhile, the components before have been copied.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component, Clone)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// let (from, to) = (game.create_with(Health(3)).id(), game.create_with(Health(1)).id());
    /// assert!(game.try_copy_to(from, to, &Copying::all()).is_err());
    /// game.try_copy_to(from, to, &Copying::all().existing(Existing::Replace)).unwrap();
    /// assert_eq!(game.entity(to).health().0, 3);
    /// ```
    fn try_copy_to(
        &mut self,
        from: EntityId<Self>,
        to: EntityId<Self>,
        copying: &Copying<Self>,
    ) -> Result<(), Error> {
        copying::copy_to(self, from, to, copying)
    }

    /// A template with clones of the components of an entity that `copying` chooses,
    /// unique ones and those with a primary index left out.
    ///
    /// # Panics
    ///
    /// Panics where the entity is dead or a component chosen is not `Clone`.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component, Clone)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// let id = game.create_with(Health(3)).id();
    /// let template = game.template_of(id, &Copying::all());
    /// assert_eq!(template.create(&mut Game::new()).health().0, 3);
    /// ```
    #[track_caller]
    fn template_of(&self, id: EntityId<Self>, copying: &Copying<Self>) -> Template<Self> {
        expect(self.try_template_of(id, copying))
    }

    /// A template with clones of the components of an entity; see
    /// [`template_of`](Self::template_of).
    ///
    /// # Errors
    ///
    /// [`NotAlive`](crate::ErrorKind::NotAlive), [`NotClone`](crate::ErrorKind::NotClone).
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// game.destroy(id);
    /// assert!(game.try_template_of(id, &Copying::all()).is_err());
    /// ```
    fn try_template_of(
        &self,
        id: EntityId<Self>,
        copying: &Copying<Self>,
    ) -> Result<Template<Self>, Error> {
        Template::of_entity(self.core(), id, copying)
    }
}

impl<C: HasCore> CopyEntities for C {}

impl<C: Context> Template<C> {
    /// Creates an entity with clones of all values, in one change.
    ///
    /// Events: *created*; *entered* for the groups of the whole entity. Where a `clone`
    /// panics no entity is created.
    ///
    /// # Panics
    ///
    /// Panics where [`create_with`](crate::Lifecycle::create_with) would with these
    /// components.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component, Clone)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// let entity = Template::new().with(Health(3)).create(&mut game);
    /// assert_eq!(entity.health().0, 3);
    /// ```
    #[track_caller]
    pub fn create<'a>(&self, context: &'a mut C) -> C::EntityMut<'a> {
        let id = self.bring_to_life(context);
        EntityMut::new(context, id).into()
    }
}
