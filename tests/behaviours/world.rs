//! The world of the behavior tests: contexts, some components, and a log of observers.

use std::sync::{Arc, Mutex};

use ecs::prelude::*;

/// Has exactly the kinds of components of Entitas' tests, because tests count them.
#[ecs::context]
pub(crate) struct Test;

/// Has one component in common with [`Test`].
#[ecs::context]
pub(crate) struct Other;

/// Tests add the components that they need.
#[ecs::context]
pub(crate) struct Game;

/// Has no indexes, events or cleaned up components.
#[ecs::context]
pub(crate) struct Plain;

#[derive(Component, Debug, Clone, PartialEq)]
#[component(context = Test)]
pub(crate) struct A(pub(crate) i32);

#[derive(Component, Debug, Clone, PartialEq)]
#[component(context = Test)]
pub(crate) struct B(pub(crate) i32);

#[derive(Component, Debug, Clone, PartialEq)]
#[component(context = Test)]
pub(crate) struct C(pub(crate) i32);

/// A flag.
#[derive(Component, Debug, PartialEq)]
#[component(context = Test)]
pub(crate) struct D;

/// A component that can be neither printed nor cloned.
#[derive(Component)]
#[component(context = Test)]
pub(crate) struct Opaque(pub(crate) u8);

/// A pooled component.
#[derive(Component, Debug, Default, PartialEq)]
#[component(context = Test, pooled)]
pub(crate) struct Path(pub(crate) Vec<u32>);

/// A component in both contexts.
#[derive(Component, Debug, PartialEq)]
#[component(context(Test, Other))]
pub(crate) struct Shared {
    pub(crate) x: i32,
    pub(crate) y: i32,
}

/// The names of an entity's components, ascending by index.
pub(crate) fn kinds(game: &Test, id: EntityId<Test>) -> Vec<&'static str> {
    let indices = game.entity(id).component_indices().into_iter();
    indices
        .map(|index| game.components()[index.get()].name())
        .collect()
}

/// An entity as text.
pub(crate) fn text(game: &Test, id: EntityId<Test>) -> String {
    format!("{:?}", game.entity(id))
}

/// The ids of all entities.
pub(crate) fn listed(game: &Test) -> Vec<EntityId<Test>> {
    game.entities().map(|entity| entity.id()).collect()
}

/// Destroys the entity of a handle, which becomes the handle of a dead entity.
pub(crate) fn kill(entity: &mut TestEntityMut<'_>) {
    let id = entity.id();
    entity.context_mut().destroy(id);
}

/// The log of the observers, one line per notification.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn push(&self, line: impl Into<String>) {
        self.0.lock().unwrap().push(line.into());
    }

    /// Asserts that exactly these lines were logged since the last call.
    #[track_caller]
    pub(crate) fn notified(&self, lines: &[&str]) {
        let notified = std::mem::take(&mut *self.0.lock().unwrap());
        assert_eq!(notified, lines);
    }

    /// Logs the three events of a group, as in `name Updated 0v1 by A: 1 to 2`.
    pub(crate) fn watch(&self, game: &mut Test, group: Group<Test>, name: &'static str) {
        group.on_entered(game, self.of_change(name));
        group.on_left(game, self.of_change(name));
        group.on_updated(game, self.of_change(name));
    }

    /// Creates the group of a matcher and watches it.
    pub(crate) fn group(
        &self,
        game: &mut Test,
        matcher: Matcher<Test>,
        name: &'static str,
    ) -> Group<Test> {
        let group = game.group(matcher);
        self.watch(game, group, name);
        group
    }

    /// Logs creates and destroys of a context, as in `destroyed 0v1`.
    pub(crate) fn watch_lives(&self, game: &mut Test) {
        game.observers().on_created(self.of_entity("created"));
        game.observers()
            .on_will_be_destroyed(self.of_entity("will be destroyed"));
        game.observers().on_destroyed(self.of_entity("destroyed"));
    }

    pub(crate) fn of_change(
        &self,
        name: &'static str,
    ) -> impl FnMut(&mut Test, &Change<'_, Test>) + Send + Sync + 'static {
        let log = self.clone();
        move |game, change| log.push(line(name, game, change))
    }

    fn of_entity(
        &self,
        event: &'static str,
    ) -> impl FnMut(&mut Test, EntityId<Test>) + Send + Sync + 'static {
        let log = self.clone();
        move |_, id| log.push(format!("{event} {id:?}"))
    }
}

fn line(name: &str, game: &Test, change: &Change<'_, Test>) -> String {
    let component = change
        .component()
        .map_or("nothing", |index| game.components()[index.get()].name());
    let number = |value: Option<i32>| value.map_or("-".to_string(), |value| value.to_string());
    format!(
        "{name} {:?} {:?} by {component}: {} to {}",
        change.event(),
        change.entity(),
        number(previous(change)),
        number(present(game, change)),
    )
}

/// The previous number of the changed component.
fn previous(change: &Change<'_, Test>) -> Option<i32> {
    let a = change.previous::<A>().map(|a| a.0);
    let b = change.previous::<B>().map(|b| b.0);
    let c = change.previous::<C>().map(|c| c.0);
    a.or(b).or(c)
}

/// The current number of the changed component.
fn present(game: &Test, change: &Change<'_, Test>) -> Option<i32> {
    let entity = game.get_entity(change.entity())?;
    if change.is::<A>() {
        entity.get_a().map(|a| a.0)
    } else if change.is::<B>() {
        entity.get_b().map(|b| b.0)
    } else if change.is::<C>() {
        entity.get_c().map(|c| c.0)
    } else {
        None
    }
}
