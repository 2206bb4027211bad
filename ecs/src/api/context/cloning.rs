//! Methods of [`CloneOptions`] and templates that act on a context.

use crate::api::copying::{self, CloneOptions};
use crate::api::entity::EntityMut;
use crate::api::entity::Handles;
use crate::api::template::Template;
use crate::words::entity_id::EntityId;
use crate::words::error::{Error, expect};

impl<C: Handles> CloneOptions<C> {
    /// Creates an entity with clones of the selected components of another one, in one change; and of its
    /// [entries](crate::guide::hierarchies#several-of-a-kind) whose component is selected. Ids of cloned
    /// entries in the values refer to the clones.
    ///
    /// Events: *created*; *entered* for the groups that match the whole entity, none for those that
    /// match only a part of it.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_entity().add_health(3).add_socket(80).id();
    /// let copy = CloneOptions::all().without::<Socket>().clone_entity(&mut game, id);
    /// assert!(copy.has_health() && !copy.has_socket());
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if [`try_clone_entity`](Self::try_clone_entity) would return an error; nothing is
    /// created then, nor if a `clone` panics.
    #[track_caller]
    pub fn clone_entity<'a>(&self, context: &'a mut C, id: EntityId<C>) -> C::EntityMut<'a> {
        expect(self.try_clone_entity(context, id))
    }

    /// Like [`clone_entity`](Self::clone_entity), but returns an error instead of panicking.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut ui = Ui::new();
    /// let id = ui.create_with(Canvas(80)).id();
    /// assert!(CloneOptions::all().try_clone_entity(&mut ui, id).is_err());
    /// assert_eq!(ui.len(), 1);
    /// ```
    ///
    /// # Errors
    ///
    /// - [`NotAlive`](crate::ErrorKind::NotAlive)
    /// - [`NotClone`](crate::ErrorKind::NotClone)
    /// - [`TargetNotAlive`](crate::ErrorKind::TargetNotAlive) if a relation refers to an entity
    ///   that has been destroyed since
    /// - [`TooManyEntities`](crate::ErrorKind::TooManyEntities)
    /// - [with descendants](Self::with_descendants), [`OnlyOnce`](crate::ErrorKind::OnlyOnce) if
    ///   one of them has a component that is unique or has a primary index
    /// - [with descendants](Self::with_descendants),
    ///   [`DescendantsNotCopied`](crate::ErrorKind::DescendantsNotCopied) if their relation is such
    ///   a component
    ///
    /// Nothing has changed then.
    pub fn try_clone_entity<'a>(
        &self,
        context: &'a mut C,
        id: EntityId<C>,
    ) -> Result<C::EntityMut<'a>, Error> {
        let copy = copying::clone_entity(context, id, self)?;
        Ok(EntityMut::new(context, copy).into())
    }

    /// Copies the selected components of an entity to another one.
    ///
    /// Events: as for [`insert`](crate::EntityMut::insert), in one change. All values are cloned before it.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let (from, to) = (game.create_with(Health(3)).id(), game.create_entity().id());
    /// CloneOptions::all().copy(&mut game, from, to);
    /// assert_eq!(game.entity(to).health().0, 3);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if [`try_copy`](Self::try_copy) would return an error.
    #[track_caller]
    pub fn copy(&self, context: &mut C, from: EntityId<C>, to: EntityId<C>) {
        expect(self.try_copy(context, from, to));
    }

    /// Like [`copy`](Self::copy), but returns an error instead of panicking.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let (from, to) = (game.create_with(Health(3)).id(), game.create_with(Health(1)).id());
    /// let options = CloneOptions::all();
    /// assert!(options.try_copy(&mut game, from, to).is_err());
    /// options.on_conflict(OnConflict::Replace).copy(&mut game, from, to);
    /// assert_eq!(game.entity(to).health().0, 3);
    /// ```
    ///
    /// # Errors
    ///
    /// - [`NotAlive`](crate::ErrorKind::NotAlive) if one of the entities is dead
    /// - [`NotClone`](crate::ErrorKind::NotClone)
    /// - [`DescendantsNotCopied`](crate::ErrorKind::DescendantsNotCopied) if the options are [with
    ///   descendants](Self::with_descendants)
    /// - [`AlreadyHasComponent`](crate::ErrorKind::AlreadyHasComponent) unless the options say what
    ///   to do [on a conflict](Self::on_conflict)
    ///
    /// - those of [`try_replace`](crate::EntityMut::try_replace), such as of relations
    ///
    /// Nothing has changed then.
    pub fn try_copy(
        &self,
        context: &mut C,
        from: EntityId<C>,
        to: EntityId<C>,
    ) -> Result<(), Error> {
        copying::copy_to(context, from, to, self)
    }

    /// Returns a template with clones of the selected components of an entity, or of its tree if
    /// the options are [with descendants](Self::with_descendants).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_with(Health(3)).id();
    /// let template = CloneOptions::all().template(&game, id);
    /// assert_eq!(template.create(&mut Game::new()).health().0, 3);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if [`try_template`](Self::try_template) would return an error.
    #[track_caller]
    pub fn template(&self, context: &C, id: EntityId<C>) -> Template<C> {
        expect(self.try_template(context, id))
    }

    /// Like [`template`](Self::template), but returns an error instead of panicking.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// game.destroy(id);
    /// assert!(CloneOptions::all().try_template(&game, id).is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// Returns [`NotAlive`](crate::ErrorKind::NotAlive) or
    /// [`NotClone`](crate::ErrorKind::NotClone); [with descendants](Self::with_descendants), also
    /// [`OnlyOnce`](crate::ErrorKind::OnlyOnce) and
    /// [`DescendantsNotCopied`](crate::ErrorKind::DescendantsNotCopied), as
    /// [`try_clone_entity`](Self::try_clone_entity).
    pub fn try_template(&self, context: &C, id: EntityId<C>) -> Result<Template<C>, Error> {
        Template::of_entity(context, id, self)
    }
}

impl<C: Handles> Template<C> {
    /// Creates an entity with clones of all values, and its [children](Template::with_child), in
    /// one change.
    ///
    /// Events: *created*; *entered* for the groups that match the whole entity. If a `clone`
    /// panics, no entity is created.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let entity = Template::new().with(Health(3)).create(&mut game);
    /// assert_eq!(entity.health().0, 3);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if [`create_with`](crate::Context::create_with) would panic with these components, or
    /// if entities of a tree have the same key or refer to each other in a cycle; nothing has
    /// changed then.
    #[track_caller]
    pub fn create<'a>(&self, context: &'a mut C) -> C::EntityMut<'a> {
        let id = self.instantiate(context);
        EntityMut::new(context, id).into()
    }

    /// Like [`create`](Self::create), but returns an error instead of panicking, for a template from
    /// a file.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::ErrorKind;
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// #[derive(Component, Clone)]
    /// #[component(context = Game)]
    /// struct Serial(#[component(primary_index)] u32);
    ///
    /// let mut game = Game::new();
    /// let template = Template::new().with(Serial(3));
    /// assert!(template.try_create(&mut game).is_ok());
    /// let error = template.try_create(&mut game).unwrap_err();
    /// assert_eq!((error.kind(), game.len()), (ErrorKind::DuplicateKey, 1));
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`try_create_with`](crate::Context::try_create_with), and in a tree also an error if
    /// its entities refer to each other in a cycle. No entity is created then.
    #[track_caller]
    pub fn try_create<'a>(&self, context: &'a mut C) -> Result<C::EntityMut<'a>, Error> {
        let id = self.try_instantiate(context)?;
        Ok(EntityMut::new(context, id).into())
    }
}
