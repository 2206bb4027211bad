//! The cleanup system of a context: executes `cleanup(remove)` and `cleanup(destroy)` at the end of
//! each frame.

use alloc::vec::Vec;
use core::fmt;

use crate::api::entity::Handles;
use crate::matching::group::Group;
use crate::matching::matcher::Matcher;
use crate::state;
use crate::storage::registry::{index_of, numbering};
use crate::words::component::{Cleanup, Component, ComponentInfo, RawComponentIndex};
use crate::words::entity_id::EntityId;
use crate::words::error::expect;
use crate::words::printed::from_fn;
use crate::words::signature::RawComponentSet;

/// A system that cleans up all components of a context that have `cleanup(remove)` or
/// `cleanup(destroy)`.
///
/// Created by `CleanupSystems::new(&mut game)`; in a list of [`Systems`](crate::Systems), it runs
/// in the cleanup phase.
///
/// Components are cleaned up in order of index, which is that of their names. Each is removed from
/// all entities that have it *when its cleanup starts*, before the first observer is notified; or
/// these are destroyed, one after the other, in the order of the group. Then an entity destroyed by
/// an observer meanwhile is skipped; one that lost the component is still destroyed. An entity that
/// gains the component meanwhile waits for the next run.
///
/// Entities that are cleaned up before their change was read are [counted](Self::missed).
///
/// Complexity: linear in the entities that have such a component; one test of a group for each
/// component that no entity has.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// #[derive(Component)]
/// #[component(context = Game, cleanup(remove))]
/// struct Hit { damage: u32 }
///
/// #[derive(Component)]
/// #[component(context = Game, cleanup(destroy))]
/// struct Dead;
///
/// let mut game = Game::new();
/// let mut cleanup = CleanupSystems::new(&mut game);
/// let wounded = game.create_with(Hit { damage: 1 }).id();
/// let killed = game.create_with((Hit { damage: 9 }, Dead)).id();
/// cleanup.run(&mut game);
/// assert!(!game.entity(wounded).has_hit());
/// assert!(!game.contains(killed));
/// ```
pub struct CleanupSystems<C> {
    steps: Vec<CleanupStep<C>>,
    /// The number of components already examined; components can be registered later.
    known: usize,
    /// The components whose misses are not counted.
    uncounted: RawComponentSet,
    /// Kept to reuse its memory.
    ids: Vec<EntityId<C>>,
}

/// The cleanup of one component.
struct CleanupStep<C> {
    component: RawComponentIndex,
    cleanup: Cleanup,
    owners: Group<C>,
    /// The number of entities that were cleaned up before their change was read.
    missed: u64,
}

/// How often a component was cleaned up before a collector or a reactive system had read the
/// change.
///
/// Returned by [`CleanupSystems::missed`].
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// let mut cleanup = CleanupSystems::new(&mut game);
/// let hits = game.collector(Game::all_of::<Hit>().entered());
/// game.create_with(Hit);
/// cleanup.run(&mut game); // the collector was not drained before
/// let missed = cleanup.missed();
/// assert_eq!((missed[0].component, missed[0].entities), ("Hit", 1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missed {
    /// The name of the component.
    pub component: &'static str,
    /// The number of entities in all cleanups so far.
    pub entities: u64,
}

impl<C: Handles> CleanupSystems<C> {
    /// Creates the cleanup of all components of the context, for this context only.
    ///
    /// Events: *group created* for components whose owners have no group yet.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let cleanup = ecs::CleanupSystems::new(&mut Game::new());
    /// assert_eq!(cleanup.len(), 1);
    /// ```
    pub fn new(context: &mut C) -> Self {
        let mut systems = Self {
            steps: Vec::new(),
            known: 0,
            uncounted: RawComponentSet::new(),
            ids: Vec::new(),
        };
        systems.catch_up(context);
        systems
    }

    /// Adds the steps of components that the context has registered since.
    fn catch_up(&mut self, context: &mut C) {
        while let Some(&info) = context.core().typed().infos().get(self.known) {
            self.steps.extend(CleanupStep::of(info, context));
            self.known += 1;
        }
    }

    /// Removes the components with `cleanup(remove)` from all entities, and destroys all entities
    /// that have a component with `cleanup(destroy)`.
    ///
    /// Events: those of the individual removes and destroys.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut cleanup = CleanupSystems::new(&mut game);
    /// let struck = game.create_with(Hit).id(); // a component with `cleanup(remove)`
    /// cleanup.run(&mut game);
    /// assert!(!game.entity(struck).is_hit());
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the system was created for another context, or if a relation rejects the
    /// destruction of an entity.
    #[track_caller]
    pub fn run(&mut self, context: &mut C) {
        if self.known < context.core().typed().infos().len() {
            self.catch_up(context);
        }
        for step in &mut self.steps {
            step.owners.collect_into(context, &mut self.ids);
            if !self.uncounted.contains(step.component) {
                step.missed += state::missed(context, step.component, &self.ids) as u64;
            }
            clean(context, step.cleanup, step.component, &self.ids);
        }
    }

    /// Returns which components were cleaned up before the change was read, and for how many
    /// entities.
    ///
    /// An entity counts if it was in a collector, or that of a reactive system, that waits for the
    /// component to be added or changed, and still belonged to its group. Listeners are not
    /// counted: for them there is [`undelivered`](crate::Events::undelivered).
    ///
    /// [`Systems::report`](crate::Systems::report) prints it. If anything is missed, run the
    /// reading system after the one that adds the component and before the cleanup, in the same
    /// pass, or drain the collector there; or [send a message](crate::Context::send), which every
    /// inbox receives once, regardless of the order of systems.
    ///
    /// Complexity: linear in the components with cleanup.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut cleanup = CleanupSystems::new(&mut game);
    /// let hits = game.collector(Game::all_of::<Hit>().entered());
    /// game.create_with(Hit);
    /// hits.drain(&mut game);
    /// cleanup.run(&mut game);
    /// assert!(cleanup.missed().is_empty());
    /// ```
    pub fn missed(&self) -> Vec<Missed> {
        let missed = self.steps.iter().filter(|step| step.missed > 0);
        let of = |step: &CleanupStep<C>| Missed {
            component: numbering::<C>().name(step.component),
            entities: step.missed,
        };
        missed.map(of).collect()
    }

    /// Excludes `T` from [`missed`](Self::missed).
    ///
    /// This is useful if a reactive system waits for `T` whose
    /// [filter](crate::ReactiveSystem::filter) rejects many entities on purpose. A component
    /// without `cleanup` is a compile error.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut cleanup = CleanupSystems::new(&mut game).without_missed::<Hit>();
    /// let _hits = game.collector(Game::all_of::<Hit>().entered());
    /// game.create_with(Hit);
    /// cleanup.run(&mut game);
    /// assert!(cleanup.missed().is_empty());
    /// ```
    #[must_use = "the system is returned"]
    pub fn without_missed<T: Component<C>>(mut self) -> Self {
        const { assert!(T::CLEANUP.is_some(), "the component has no `cleanup`") };
        self.uncounted.insert(index_of::<C, T>());
        self
    }

    /// Returns the number of components with cleanup.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// assert_eq!(CleanupSystems::new(&mut Game::new()).len(), 1); // `Hit`
    /// ```
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Returns whether no component has cleanup.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// assert!(CleanupSystems::new(&mut Ui::new()).is_empty()); // no component has `cleanup`
    /// ```
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }
}

impl<C: Handles> CleanupStep<C> {
    fn of(info: ComponentInfo<C>, context: &mut C) -> Option<Self> {
        let (component, cleanup) = (info.index().untyped(), info.cleanup()?);
        let owners = state::group(context, Matcher::all_of_index(component));
        Some(Self {
            component,
            cleanup,
            owners,
            missed: 0,
        })
    }
}

/// Removes a component from the entities that have it, or destroys them.
#[track_caller]
pub(crate) fn clean<C: Handles>(
    context: &mut C,
    cleanup: Cleanup,
    component: RawComponentIndex,
    ids: &[EntityId<C>],
) {
    match cleanup {
        Cleanup::Remove => state::remove_from(context, ids, component),
        Cleanup::Destroy => expect(state::destroy_living(context, EntityId::untyped_all(ids))),
    }
}

/// Prints each component with its cleanup: `{Hit: Remove, Dead: Destroy}`.
impl<C: Handles> fmt::Debug for CleanupSystems<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps = self.steps.iter();
        let entries = steps.map(|step| {
            let name = numbering::<C>().name(step.component);
            (from_fn(move |f| f.write_str(name)), step.cleanup)
        });
        f.debug_map().entries(entries).finish()
    }
}
