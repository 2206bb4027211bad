//! What observers are told, who they are, and what is still to be told.
//!
//! ```text
//! change ─► steps of the change under way ─► steps of nested changes ─► …   first in, first out
//!           Group(0, Entered) Group(3, Left)  Change(..) Group(1, Updated)
//! ```
//!
//! An observer is taken out of its list while it runs, because it is handed the
//! context that owns the list, and put back after. What it changes is queued as
//! further steps; the outermost call walks them to the end, so no chain of
//! reactions grows the stack. [`state`](crate::state) does the walking.

mod observers;

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::any::Any;
use core::fmt;

use crate::matching::effects::Effect;
use crate::matching::group::{Group, GroupIndex};
use crate::matching::matcher::GroupEvent;
use crate::storage::descriptor::AnyValue;
use crate::storage::flag::OwnFlag;
use crate::storage::registry::{index_of, numbering};
use crate::words::component::{Component, ComponentIndex};
use crate::words::entity_id::EntityId;
use crate::words::heap_size::bytes_of;

pub(crate) use self::observers::Observers;

/// A fact told to a group's observers: which entity entered, left or was updated,
/// and through which component.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use std::sync::{Arc, Mutex};
/// # #[ecs::context] pub struct Game;
/// #[derive(Component)]
/// #[component(context = Game)]
/// struct Health(u32);
///
/// let mut game = Game::new();
/// let wounded = game.group(Matcher::all_of::<Health>());
/// let log = Arc::new(Mutex::new(Vec::new()));
/// let told = log.clone();
/// wounded.on_updated(&mut game, move |game: &mut Game, change: &Change<Game>| {
///     let before = change.previous::<Health>().map(|health| health.0);
///     let now = game.entity(change.entity()).health().0;
///     told.lock().unwrap().push((before, now));
/// });
/// game.create_entity().add_health(3).replace_health(2);
/// assert_eq!(*log.lock().unwrap(), [(Some(3), 2)]);
/// ```
pub struct Change<'a, C> {
    pub(crate) group: Group<C>,
    pub(crate) entity: EntityId<C>,
    pub(crate) event: GroupEvent,
    pub(crate) component: Option<ComponentIndex>,
    pub(crate) previous: Option<&'a dyn Any>,
}

impl<'a, C> Change<'a, C> {
    /// What a change of an entity did to a group of the context with this number.
    #[inline(always)] // stored where the observer finds it
    pub(crate) fn new(
        instance: u32,
        entity: EntityId<C>,
        effect: Effect,
        previous: Option<&'a dyn Any>,
    ) -> Self {
        Self {
            group: Group::new(instance, effect.group),
            entity,
            event: effect.event,
            component: effect.component,
            previous,
        }
    }
}

impl<C: 'static> Change<'_, C> {
    /// The group.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// let living = game.group(Matcher::all_of::<Health>());
    /// living.on_entered(&mut game, move |_, change| assert!(change.group() == living));
    /// game.create_entity().add_health(3);
    /// ```
    pub fn group(&self) -> Group<C> {
        self.group
    }

    /// The entity. It may be dead by now, or changed again: a change tells what
    /// happened, the context what is.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// let living = game.group(Matcher::all_of::<Health>());
    /// living.on_entered(&mut game, |game: &mut Game, change: &Change<Game>| {
    ///     assert_eq!(game.entity(change.entity()).health().0, 3);
    /// });
    /// game.create_entity().add_health(3);
    /// ```
    pub fn entity(&self) -> EntityId<C> {
        self.entity
    }

    /// What happened between the entity and the group.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// let living = game.group(Matcher::all_of::<Health>());
    /// living.on_left(&mut game, move |_, change| assert!(change.event() == GroupEvent::Left));
    /// game.create_entity().add_health(3).remove_health();
    /// ```
    pub fn event(&self) -> GroupEvent {
        self.event
    }

    /// The component that was added, replaced, updated or removed. `None` where the
    /// entity came to life with all its components in one change, or ended while it
    /// had none.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// let living = game.group(Matcher::all_of::<Health>());
    /// living.on_entered(&mut game, move |_, change| assert!(change.component().is_none()));
    /// game.create_with(Health(3)); // alive with all it has
    /// ```
    pub fn component(&self) -> Option<ComponentIndex> {
        self.component
    }

    /// Whether the change was one of component `T`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// let living = game.group(Matcher::all_of::<Health>());
    /// living.on_entered(&mut game, move |_, change| assert!(change.is::<Health>()));
    /// game.create_entity().add_health(3);
    /// ```
    pub fn is<T: Component<C>>(&self) -> bool {
        self.component == Some(index_of::<C, T>())
    }

    /// The name of the component, as in `Position`; see [`component`](Self::component).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// let mut game = Game::new();
    /// let frozen = game.group(Matcher::all_of::<Frozen>());
    /// frozen.on_entered(&mut game, |_, change| {
    ///     assert_eq!(change.component_name(), Some("Frozen"));
    /// });
    /// game.create_entity().add_frozen();
    /// ```
    pub fn component_name(&self) -> Option<&'static str> {
        Some(numbering::<C>().name(self.component?))
    }

    /// The value that `T` had before: the one removed or replaced, or a copy of the
    /// one updated.
    ///
    /// `None` where the change was of another component or an addition; where a
    /// component that is not `Clone` was updated in place; and where `take` gave the
    /// value to a caller who was himself an observer.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// let living = game.group(Matcher::all_of::<Health>());
    /// living.on_left(&mut game, move |_, change| assert!(change.previous::<Health>().is_some_and(|health| health.0 == 3)));
    /// game.create_entity().add_health(3).remove_health();
    /// ```
    pub fn previous<T: Component<C>>(&self) -> Option<&T> {
        self.previous.and_then(<dyn Any>::downcast_ref)
    }

    /// The value that the component had before, its type known at run time alone: that
    /// of [`previous`](Self::previous), for tools.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// let living = game.group(Matcher::all_of::<Health>());
    /// living.on_left(&mut game, |_, change| {
    ///     assert!(change.previous_any().is_some_and(|value| value.is::<Health>()));
    /// });
    /// game.create_entity().add_health(3).remove_health();
    /// ```
    pub fn previous_any(&self) -> Option<&dyn Any> {
        self.previous
    }
}

impl<C: 'static> fmt::Debug for Change<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Change")
            .field("group", &self.group)
            .field("entity", &self.entity)
            .field("event", &self.event)
            .field("component", &self.component_name())
            .finish_non_exhaustive()
    }
}

/// What an observer is called with.
pub(crate) enum Notice<'a, C> {
    Change(Change<'a, C>),
    Entity(EntityId<C>),
    GroupCreated(Group<C>),
}

/// An observer as it is kept.
pub(crate) type ObserverFn<C> = Box<dyn FnMut(&mut C, &Notice<'_, C>) + Send + Sync>;

/// What an observer listens to, as the number of its list: four events of the
/// context, then three of each group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Subject(u32);

impl Subject {
    pub(crate) const CREATED: Self = Self(0);
    pub(crate) const WILL_BE_DESTROYED: Self = Self(1);
    pub(crate) const DESTROYED: Self = Self(2);
    pub(crate) const GROUP_CREATED: Self = Self(3);
    const OF_CONTEXT: u32 = 4;

    /// An event of a group.
    #[inline]
    pub(crate) fn group(group: GroupIndex, event: GroupEvent) -> Self {
        Self(Self::OF_CONTEXT + group.0 * 3 + event as u32)
    }

    /// The group and the event, if it is one of a group.
    pub(crate) fn as_group(self) -> Option<(GroupIndex, GroupEvent)> {
        let number = self.0.checked_sub(Self::OF_CONTEXT)?;
        Some((GroupIndex(number / 3), GroupEvent::ALL[number as usize % 3]))
    }
}

/// The right to end an observer, by [`Context::unsubscribe`](crate::Observing::unsubscribe).
///
/// Dropping it does nothing: the observer goes on for as long as its context lives.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// let mut game = Game::new();
/// let subscription = game.on_created(|_, id| println!("{id:?}"));
/// assert!(game.unsubscribe(subscription));
/// assert!(!game.unsubscribe(subscription));
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Subscription {
    pub(crate) instance: u32,
    pub(crate) subject: Subject,
    pub(crate) id: u64,
}

impl fmt::Debug for Subscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Subscription({})", self.id)
    }
}

/// What is still to be told.
pub(crate) enum Step<C> {
    /// The following steps are about this change.
    Change(QueuedChange<C>),
    /// Tell the observers of a group's event of the change under way.
    Group(Effect),
    /// Tell the observers of entities coming to life, or of ended ones.
    Entity(Subject),
    /// Tell of a new group.
    GroupCreated(GroupIndex),
}

/// A change whose observers have to wait for their turn.
pub(crate) struct QueuedChange<C> {
    pub(crate) number: u64,
    pub(crate) entity: EntityId<C>,
    pub(crate) previous: Option<Box<AnyValue>>,
    /// The component whose pool stack may have the previous value afterwards.
    pub(crate) recycle_to: Option<ComponentIndex>,
}

/// The queue of notifications and the state of its delivery.
pub(crate) struct Queue<C> {
    pub(crate) steps: VecDeque<Step<C>>,
    /// The number of the last change that anybody was told of.
    pub(crate) changes: u64,
    /// Raised while an outermost call is delivering.
    pub(crate) flag: OwnFlag,
    /// The entity whose *will be destroyed* observers are running.
    pub(crate) dying: Option<EntityId<C>>,
    /// Entities whose destroy was asked for by *will be destroyed* observers.
    pub(crate) doomed: VecDeque<EntityId<C>>,
    /// Lists in which an observer was ended while delivering.
    pub(crate) gaps: Vec<Subject>,
    /// Whether any of the three above is to be put in order when the delivery ends.
    pub(crate) untidy: bool,
    /// The most notifications of nested changes in one outermost call.
    pub(crate) limit: usize,
}

impl<C> Queue<C> {
    /// An endless chain is taken for one after this many notifications.
    pub(crate) const LIMIT: usize = 1_000_000;

    pub(crate) fn new() -> Self {
        Self {
            steps: VecDeque::new(),
            changes: 0,
            flag: OwnFlag::take(),
            dying: None,
            doomed: VecDeque::new(),
            gaps: Vec::new(),
            untidy: false,
            limit: Self::LIMIT,
        }
    }

    /// The bytes held, but for previous values that wait to be told.
    pub(crate) fn bytes(&self) -> usize {
        self.steps.capacity() * size_of::<Step<C>>()
            + self.doomed.capacity() * size_of::<EntityId<C>>()
            + bytes_of(&self.gaps)
    }

    /// Whether nothing is left to be told or put in order.
    #[inline]
    pub(crate) fn is_idle(&self) -> bool {
        self.steps.len() + usize::from(self.untidy) == 0 // one test instead of two
    }
}
