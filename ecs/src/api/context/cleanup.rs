//! The clean-up systems of a context: what `cleanup(remove)` and `cleanup(destroy)` ask
//! for, done at the end of each frame.

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
use crate::words::signature::RawComponentSet;

/// The clean-up of every component of a context that has `cleanup(remove)` or
/// `cleanup(destroy)`, as one system. Made by `CleanupSystems::new(&mut game)`; add it to the list of
/// [`Systems`](crate::Systems), it runs in the clean-up phase.
///
/// Components have their turns in order of index, which is that of their names. In its turn a
/// component is removed from all entities that have it, or these are destroyed: those that have it
/// *as the turn begins*, in the order of the group. One that an observer destroys meanwhile, or
/// takes the component from that is to be removed, is passed over; one that ceases to have the
/// component it is to be destroyed for is destroyed all the same; one that comes to have it waits
/// for the next run.
///
/// What is cleaned up before somebody has read it is [counted](Self::missed).
///
/// Complexity: linear in the entities that have such a component; if none has one,
/// a look at one group for each component.
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
    /// How many components have been looked at: those that are numbered late come later.
    known: usize,
    /// Of which components it is not counted how often they are missed.
    uncounted: RawComponentSet,
    /// Kept to be used again.
    ids: Vec<EntityId<C>>,
}

/// What is to be done for one component.
struct CleanupStep<C> {
    component: RawComponentIndex,
    cleanup: Cleanup,
    owners: Group<C>,
    /// How many entities were cleaned up that somebody had yet to read.
    missed: u64,
}

/// How often a component was cleaned up that a collector or a reactive system had yet to read, as
/// [`CleanupSystems::missed`] returns it.
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
/// cleanup.run(&mut game); // and nobody has drained the collector
/// let missed = cleanup.missed();
/// assert_eq!((missed[0].component, missed[0].entities), ("Hit", 1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missed {
    /// The name of the component.
    pub component: &'static str,
    /// The number of entities, at all clean-ups together.
    pub entities: u64,
}

impl<C: Handles> CleanupSystems<C> {
    /// Makes the clean-up of all components of the context, for this context alone.
    ///
    /// Events: *group created* for the components' groups that are not there yet.
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

    /// Adds the steps of components that the context has come to know of.
    fn catch_up(&mut self, context: &mut C) {
        while let Some(&info) = context.core().typed().infos().get(self.known) {
            self.steps.extend(CleanupStep::of(info, context));
            self.known += 1;
        }
    }

    /// Removes the components of `cleanup(remove)` from all entities, and destroys all
    /// entities with components of `cleanup(destroy)`.
    ///
    /// Events: those of removing and destroying one by one.
    ///
    /// # Panics
    ///
    /// Panics if the context is another one than that it was made for, or if a relation rejects
    /// that an entity is destroyed.
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

    /// Returns which components were cleaned up, so far, before somebody had read them, and of how
    /// many entities: those that a collector or a reactive system held which waits for the component
    /// to come or to change, and that were still in its group. Listeners are not counted: they are told by
    /// [`undelivered`](crate::Events::undelivered).
    ///
    /// [`Systems::report`](crate::Systems::report) prints it. If anything is missed, let the system
    /// that reads execute between the one that adds the component and the clean-up, in the same pass,
    /// or drain the collector there; or [send a message](crate::Context::send), which every inbox
    /// receives once, in whatever order systems run.
    ///
    /// Complexity: linear in the components with clean-up.
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

    /// Does not count how often `T` is [missed](Self::missed): if a reactive system waits for it whose
    /// [filter](crate::ReactiveSystem::filter) rejects many entities, they are no mistake. It does not
    /// compile for a component without `cleanup`.
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

    /// Returns how many components there are to clean up.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// assert_eq!(CleanupSystems::new(&mut Game::new()).len(), 1); // that of `Hit`
    /// ```
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Returns whether there is nothing to clean up, ever.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// assert!(CleanupSystems::new(&mut Ui::new()).is_empty()); // no component asks for clean-up
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

/// Removes a component from entities, those that have it, or destroys these.
#[track_caller]
pub(crate) fn clean<C: Handles>(
    context: &mut C,
    cleanup: Cleanup,
    component: RawComponentIndex,
    ids: &[EntityId<C>],
) {
    match cleanup {
        Cleanup::Remove => {
            for &id in ids {
                let _ = state::remove_at(context, id.untyped(), component); // it may lack it
            }
        }
        Cleanup::Destroy => expect(state::destroy_listed(context, ids)),
    }
}

/// Prints each component with what is done: `{Hit: Remove, Dead: Destroy}`.
impl<C: Handles> fmt::Debug for CleanupSystems<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps = self.steps.iter();
        let entries = steps.map(|step| {
            let name = numbering::<C>().name(step.component);
            (fmt::from_fn(move |f| f.write_str(name)), step.cleanup)
        });
        f.debug_map().entries(entries).finish()
    }
}
