//! Recorded changes, for users.

use alloc::boxed::Box;
use alloc::sync::Arc;
use core::any::Any;
use core::fmt;

use super::History;
use super::cause::{ByEntity, cause_of, passed_of};
use crate::reactions::entity_change::ChangeKind;
use crate::reactions::history::{Entry, Kind};
use crate::state::{Core, HasCore};
use crate::storage::descriptor::AnyValue;
use crate::storage::registry::index_of;
use crate::words::atomic::OnceBox;
use crate::words::component::{Component, ComponentInfo};
use crate::words::entity_id::EntityId;

/// A change recorded by a [`History`]: an item of [`changes`](History::changes) and
/// [`changes_of`](History::changes_of).
pub struct Recorded<'c, C> {
    core: &'c Core<C>,
    /// The number of recorded changes before this one.
    number: usize,
    entry: Entry,
    kind: ChangeKind,
    previous: Option<&'c AnyValue>,
    /// Shared by all changes of an iterator, and filled by the first that asks for its cause.
    by_entity: Arc<OnceBox<ByEntity>>,
}

impl<'c, C: HasCore> Recorded<'c, C> {
    /// Returns the entity.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let history = game.record();
    /// let hero = game.create_with(Health(3)).id();
    /// game.entity_mut(hero).replace_health(2);
    /// assert!(history.changes(&game).all(|change| change.entity() == hero));
    /// ```
    pub fn entity(&self) -> EntityId<C> {
        self.entry.id.typed()
    }

    /// Returns the kind of the change.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let history = game.record();
    /// let hero = game.create_with(Health(3)).id();
    /// game.entity_mut(hero).replace_health(2);
    /// use ecs::ChangeKind;
    /// let kinds: Vec<_> = history.changes(&game).map(|change| change.kind()).collect();
    /// assert_eq!(kinds, [ChangeKind::Added, ChangeKind::Created, ChangeKind::Replaced]);
    /// ```
    pub fn kind(&self) -> ChangeKind {
        self.kind
    }

    /// Returns the component concerned; `None` if the entity was created or destroyed.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let history = game.record();
    /// let hero = game.create_with(Health(3)).id();
    /// game.entity_mut(hero).replace_health(2);
    /// let last = history.changes(&game).last().unwrap();
    /// assert_eq!(last.component().unwrap().name(), "Health");
    /// ```
    pub fn component(&self) -> Option<&'c ComponentInfo<C>> {
        match self.entry.kind.is_whole() {
            true => None,
            false => self.core.typed().infos().get(self.entry.component.get()),
        }
    }

    /// Returns the name of the system that made the change, if it ran in a
    /// [measured](crate::Systems::measure) list.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// fn spawn(game: &mut Game) { game.create_entity(); }
    ///
    /// let mut game = Game::new();
    /// let history = game.record();
    /// let mut systems = Systems::new().add(spawn);
    /// systems.measure(true);
    /// systems.execute(&mut game);
    /// game.create_entity();
    /// let by: Vec<_> = history.changes(&game).map(|change| change.by()).collect();
    /// assert_eq!(by, [Some("spawn"), None]);
    /// ```
    pub fn by(&self) -> Option<&'c str> {
        self.core.subs.history()?.actor(&self.entry)
    }

    /// Returns the change that caused this one, if a reactive system made it.
    ///
    /// It is the latest change in a component of the system's trigger before the system took its
    /// entities, to the entity that its closure was called with, or to the first one passed to the
    /// system. What the system itself changed in this run is not a cause. Returns `None` if
    /// the change was not made by a reactive system in a [measured](crate::Systems::measure) list,
    /// or if its cause is not recorded: it was in another context, or before the history began.
    ///
    /// Complexity: linear in all changes for the first call with an iterator's items; later ones
    /// search the changes of one entity.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let hurt = Game::all_of::<Health>().updated();
    /// let mut systems = Systems::new()
    ///     .for_each_changed(&mut game, hurt, |game, id| { game.entity_mut(id).add_poisoned(); })
    ///     .named("Poison");
    /// systems.measure(true);
    /// let history = game.record();
    /// let hero = game.create_with(Health(3)).replace_health(2).id();
    /// systems.execute(&mut game);
    /// let last = history.changes_of(&game, hero).last().unwrap();
    /// assert_eq!(last.to_string(), "0v1 added Poisoned, by `Poison`");
    /// assert_eq!(last.caused_by().unwrap().to_string(), "0v1 replaced Health, was Health(3)");
    /// ```
    pub fn caused_by(&self) -> Option<Self> {
        let (core, history) = (self.core, self.core.subs.history()?);
        let build = || Box::new(ByEntity::of(history.undo()));
        let by_entity = || self.by_entity.get_or_init(build);
        let number = cause_of(history, core.world.instance(), self.number, by_entity)?;
        let (entry, place) = (history.undo()[number], by_entity().values_before(number));
        Some(Self {
            core,
            number,
            entry,
            kind: kind_of(entry.kind),
            previous: previous(core, &entry, place),
            by_entity: self.by_entity.clone(),
        })
    }

    /// Returns the previous value, if the change concerned component `T` and there was one.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let history = game.record();
    /// let hero = game.create_with(Health(3)).id();
    /// game.entity_mut(hero).replace_health(2);
    /// let last = history.changes(&game).last().unwrap();
    /// assert_eq!(last.previous::<Health>().unwrap().0, 3);
    /// ```
    pub fn previous<T: Component<C>>(&self) -> Option<&'c T> {
        let of_this = self.entry.component == index_of::<C, T>();
        self.previous.filter(|_| of_this)?.downcast_ref()
    }

    /// Returns the previous value without its static type, for tools.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let history = game.record();
    /// let hero = game.create_with(Health(3)).id();
    /// game.entity_mut(hero).replace_health(2);
    /// let last = history.changes(&game).last().unwrap();
    /// assert_eq!(last.previous_any().unwrap().downcast_ref::<Health>().unwrap().0, 3);
    /// ```
    pub fn previous_any(&self) -> Option<&'c dyn Any> {
        self.previous.map(|value| value as &dyn Any)
    }
}

impl<C: HasCore> History<C> {
    /// Returns the recorded changes up to the present state, in order.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let history = game.record();
    /// game.create_entity().add_health(3).replace_health(2);
    /// let changes: Vec<_> = history.changes(&game).map(|change| change.to_string()).collect();
    /// assert_eq!(changes, ["0v1 created", "0v1 added Health", "0v1 replaced Health, was Health(3)"]);
    /// ```
    #[track_caller]
    pub fn changes<'c>(
        &self,
        context: &'c C,
    ) -> impl Iterator<Item = Recorded<'c, C>> + use<'c, C> {
        self.check(context);
        recorded(context.core())
    }

    /// Returns the recorded changes of one entity up to the present state, in order.
    ///
    /// The entity may be destroyed. If systems are [measured](crate::Systems::measure),
    /// [`by`](Recorded::by) returns the system that made a change, which `Display` prints, too;
    /// [`caused_by`](Recorded::caused_by) returns the change that a reactive system reacted to.
    ///
    /// Complexity: linear in all changes.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let history = game.record();
    /// let hero = game.create_with(Health(3)).id();
    /// game.entity_mut(hero).add_burning().replace_health(1);
    /// game.destroy(hero);
    ///
    /// let story: Vec<_> = history.changes_of(&game, hero).map(|change| change.to_string()).collect();
    /// assert_eq!(story, [
    ///     "0v1 added Health",
    ///     "0v1 created",
    ///     "0v1 added Burning",
    ///     "0v1 replaced Health, was Health(3)",
    ///     "0v1 removed Burning, was Burning",
    ///     "0v1 removed Health, was Health(1)",
    ///     "0v1 destroyed",
    /// ]);
    /// ```
    #[track_caller]
    pub fn changes_of<'c>(
        &self,
        context: &'c C,
        entity: EntityId<C>,
    ) -> impl Iterator<Item = Recorded<'c, C>> + use<'c, C> {
        self.changes(context)
            .filter(move |change| change.entity() == entity)
    }
}

/// The recorded changes up to the present state, in order.
fn recorded<C: HasCore>(core: &Core<C>) -> impl Iterator<Item = Recorded<'_, C>> + use<'_, C> {
    let mut passed = alloc::vec![0; core.world.columns().len()];
    let by_entity = Arc::new(OnceBox::new());
    let entries = core.subs.history().into_iter().flat_map(|it| it.undo());
    entries.enumerate().map(move |(number, &entry)| {
        let place = passed_of(&mut passed, &entry);
        let previous = previous(core, &entry, *place);
        *place += usize::from(entry.kind.keeps_value());
        Recorded {
            core,
            number,
            entry,
            kind: kind_of(entry.kind),
            previous,
            by_entity: by_entity.clone(),
        }
    })
}

/// The kind that users see.
fn kind_of(kind: Kind) -> ChangeKind {
    match kind {
        Kind::Created | Kind::Recreated => ChangeKind::Created,
        Kind::Destroyed => ChangeKind::Destroyed,
        Kind::Added | Kind::CreatedWith => ChangeKind::Added,
        Kind::Removed | Kind::DestroyedWith => ChangeKind::Removed,
        Kind::Replaced => ChangeKind::Replaced,
    }
}

/// The value recorded with an entry, if it has one: the one at this place of its component.
fn previous<'c, C: HasCore>(
    core: &'c Core<C>,
    entry: &Entry,
    place: usize,
) -> Option<&'c AnyValue> {
    let past = core.world.columns().at(entry.component)?.past()?;
    past.get(place).filter(|_| entry.kind.keeps_value())
}

/// Shows the entity with its present label, what happened to it, and which system did it.
impl<C: HasCore> fmt::Display for Recorded<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            ChangeKind::Created => "created",
            ChangeKind::Destroyed => "destroyed",
            ChangeKind::Added => "added",
            ChangeKind::Removed => "removed",
            ChangeKind::Replaced => "replaced",
        };
        write!(f, "{} {what}", self.core.world.name_of(self.entity().raw()))?;
        if let Some(component) = self.component() {
            write!(f, " {}", component.name())?;
        }
        if let Some(value) = self.previous {
            f.write_str(", was ")?;
            self.core
                .world
                .describe(self.entry.component)
                .debug(value, f)?;
        }
        match self.by() {
            Some(system) => write!(f, ", by `{system}`"),
            None => Ok(()),
        }
    }
}

impl<C: HasCore> fmt::Debug for Recorded<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Recorded({self})")
    }
}
