//! Keeping another context in sync with the one of a feed.
//!
//! ```text
//! check      number, ids, conflicts                                      plan.rs
//! clone      the values: user code
//! change     remove components, destroy and create entities, set values; relations refer to the
//!            local entities of their targets
//! notify     observers
//! ```
//!
//! A target outside of the feed has a local entity too, without components: a *placeholder*, which
//! is destroyed when no relation refers to it any more.

use alloc::vec::Vec;
use core::fmt;

use hashbrown::HashSet;

use super::column::PendingColumn;
use super::delta::{Delta, FeedKey};
use super::mirroring::together;
use super::order::put_in_order;
use super::plan::{Locals, Plan, Planner};
use crate::state::{self, HasCore, check_own};
use crate::words::apply_error::ApplyError;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::EntityId;
use crate::words::error::Error;

/// Keeps entities of a context equal to those in a [`Feed`](crate::Feed) of another context of the
/// same type, by applying its deltas.
///
/// Local entities have ids of their own; [`local`](Self::local) and [`origin`](Self::origin)
/// convert between the two. [Relations](crate::guide::hierarchies) refer to the local entities of
/// their targets; if a relation is `ordered`, its sources have the order of the origin, as long as
/// they are in the feed. Other ids inside components stay those of the origin: convert them with
/// [`local`](Self::local).
///
/// The mirror's entities can have other components, and the context can have other entities. The
/// components of the feed belong to the mirror: changes made to them locally stay until the origin
/// changes them, too. A mirror does not notice when its context is restored or rewound, which
/// revives entities and reuses ids: [reset](crate::Context::reset) the context then, and start with
/// a new mirror and a delta that contains everything.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let (mut server, mut client) = (Game::new(), Game::new());
/// let feed = server.feed::<(Health, ChildOf)>();
/// let ship = server.create_with(Health(9)).id();
/// let sail = server.create_with((Health(1), ChildOf { parent: ship })).id();
///
/// let mut mirror = ecs::Mirror::new();
/// client.create_entity(); // so that ids differ
/// mirror.apply(&mut client, &feed.take(&mut server)).unwrap();
/// let (ship, sail) = (mirror.local(ship).unwrap(), mirror.local(sail).unwrap());
/// assert_eq!(client.entity(ship).children(), [sail]);
/// assert_eq!(client.entity(sail).health(), &Health(1));
/// ```
pub struct Mirror<C: 'static> {
    /// The context whose entities it maintains.
    instance: Option<u64>,
    feed: Option<FeedKey>,
    /// The number of the last applied delta.
    applied: u64,
    /// Whether that delta has been applied completely.
    complete: bool,
    locals: Locals<C>,
    origins: Locals<C>,
    placeholders: HashSet<EntityId<C>>,
}

impl<C: HasCore> Mirror<C> {
    /// Creates a mirror without a feed; the first delta must be [everything](Delta::is_everything).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mirror = ecs::Mirror::<Game>::new();
    /// assert!(mirror.is_empty());
    /// ```
    pub fn new() -> Self {
        Self {
            instance: None,
            feed: None,
            applied: 0,
            complete: true,
            locals: Locals::new(),
            origins: Locals::new(),
            placeholders: HashSet::new(),
        }
    }

    /// Applies a delta to the context.
    ///
    /// All state is final before the first observer is notified, except for observers of entities
    /// that are about to be destroyed.
    ///
    /// Events: for removed components, destroyed entities, entities created with their components,
    /// then for replaced or added components, component by component.
    ///
    /// Complexity: linear in the size of the delta, in the number of placeholders (entities that
    /// exist only because relations refer to them), and in the sources of targets whose order
    /// changes.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let (mut game, mut other) = (Game::new(), Game::new());
    /// let (feed, mut mirror) = (game.feed::<Health>(), ecs::Mirror::new());
    /// game.create_with(Health(3));
    /// let delta = feed.take(&mut game);
    /// mirror.apply(&mut other, &delta).unwrap();
    /// assert_eq!(other.len(), 1);
    /// let repeated = mirror.apply(&mut other, &delta);
    /// assert_eq!(repeated, Err(ecs::ApplyError::Repeated { number: 1 }));
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the context is not the one of earlier calls. If `clone` of a value panics, nothing
    /// has changed; if an observer panics, the delta has been applied. If a key function panics, or
    /// an observer of an entity that is about to be destroyed, the mirror needs a delta that is
    /// everything next.
    ///
    /// # Errors
    ///
    /// Returns an [`ApplyError`] if deltas are missing or repeated, if the delta is of another
    /// feed, if it conflicts with an entity that is not the mirror's, or if the maximum number of
    /// entities is exceeded. Nothing has changed then, and the delta can be applied later. If the
    /// values of a delta that was not made by a feed contradict each other, it is applied in part,
    /// and the error is [`ApplyError::Incomplete`].
    #[track_caller]
    pub fn apply(&mut self, context: &mut C, delta: &Delta<C>) -> Result<(), ApplyError> {
        let instance = context.core().instance();
        check_own(context.core(), self.instance.unwrap_or(instance), "mirror");
        self.check_turn(delta)?;
        let planner = Planner::new(delta, &self.locals, &self.placeholders);
        let plan = Plan::new(context.core_mut(), &planner)?;
        let columns = planner.stage(context.core(), &plan.created)?;
        self.instance = Some(instance);
        self.feed = Some(delta.feed);
        self.applied = delta.number;
        self.complete = false;
        let applied = together(context, |context| {
            let mut work = Work {
                mirror: &mut *self,
                context,
                delta,
                columns,
            };
            let applied = work.run(plan);
            self.complete = applied.is_ok();
            applied
        });
        applied.map_err(|_| ApplyError::Incomplete)
    }

    /// Rejects a delta that is not the next one.
    fn check_turn(&self, delta: &Delta<C>) -> Result<(), ApplyError> {
        let (found, expected) = (delta.number, self.applied.saturating_add(1));
        if self.feed.is_some_and(|feed| feed != delta.feed) {
            return Err(ApplyError::OtherFeed);
        }
        // What `Feed::everything` returns has the number of the delta before.
        let is_behind = self.feed.is_none() || !self.complete;
        let is_due = is_behind && delta.everything && found == self.applied;
        if found < expected && !is_due {
            return Err(ApplyError::Repeated { number: found });
        }
        match delta.everything {
            true => Ok(()),
            false if !self.complete => Err(ApplyError::Incomplete),
            false if found > expected || self.feed.is_none() => {
                Err(ApplyError::Missing { expected, found })
            }
            false => Ok(()),
        }
    }

    /// Returns the local entity of an entity of the origin, if there is one.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let (mut game, mut other) = (Game::new(), Game::new());
    /// let (feed, mut mirror) = (game.feed::<Health>(), ecs::Mirror::new());
    /// let id = game.create_with(Health(3)).id();
    /// mirror.apply(&mut other, &feed.take(&mut game)).unwrap();
    /// assert_eq!(other.entity(mirror.local(id).unwrap()).health().0, 3);
    /// ```
    pub fn local(&self, origin: EntityId<C>) -> Option<EntityId<C>> {
        self.locals.get(&origin).copied()
    }

    /// Returns the entity of the origin of a local entity, if it is one of the mirror.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let (mut game, mut other) = (Game::new(), Game::new());
    /// let (feed, mut mirror) = (game.feed::<Health>(), ecs::Mirror::new());
    /// let id = game.create_with(Health(3)).id();
    /// mirror.apply(&mut other, &feed.take(&mut game)).unwrap();
    /// let local = mirror.local(id).unwrap();
    /// assert_eq!(mirror.origin(local), Some(id));
    /// ```
    pub fn origin(&self, local: EntityId<C>) -> Option<EntityId<C>> {
        self.origins.get(&local).copied()
    }

    /// Returns the number of local entities, including those that exist only because relations
    /// refer to them.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let (mut game, mut other) = (Game::new(), Game::new());
    /// let (feed, mut mirror) = (game.feed::<Health>(), ecs::Mirror::new());
    /// game.create_many([Health(3), Health(4)]);
    /// mirror.apply(&mut other, &feed.take(&mut game)).unwrap();
    /// assert_eq!(mirror.len(), 2);
    /// ```
    pub fn len(&self) -> usize {
        self.locals.len()
    }

    /// Returns `true` if it has no local entities.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// assert!(ecs::Mirror::<Game>::new().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.locals.is_empty()
    }

    fn bind(&mut self, origin: EntityId<C>, local: EntityId<C>) {
        self.locals.insert(origin, local);
        self.origins.insert(local, origin);
    }

    fn unbind(&mut self, origin: EntityId<C>) {
        self.placeholders.remove(&origin);
        if let Some(local) = self.locals.remove(&origin) {
            self.origins.remove(&local);
        }
    }
}

impl<C: HasCore> Default for Mirror<C> {
    fn default() -> Self {
        Self::new()
    }
}

impl<C: HasCore> fmt::Debug for Mirror<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mirror")
            .field("applied", &self.applied)
            .field("entities", &self.len())
            .finish_non_exhaustive()
    }
}

/// A delta being applied.
struct Work<'a, C: HasCore> {
    mirror: &'a mut Mirror<C>,
    context: &'a mut C,
    delta: &'a Delta<C>,
    columns: Vec<PendingColumn<C>>,
}

impl<C: HasCore> Work<'_, C> {
    fn run(&mut self, plan: Plan<C>) -> Result<(), Error> {
        self.remove(&plan.removed);
        let kept = self.vanish(&plan.vanished);
        self.create(&plan.created)?;
        self.create_placeholders();
        self.set()?;
        self.remove_surplus(&plan.exact);
        let (locals, origins) = (&self.mirror.locals, &self.mirror.origins);
        put_in_order(self.context.core_mut(), self.delta, locals, origins);
        self.destroy_leftovers(kept);
        Ok(())
    }

    fn is_alive(&self, local: EntityId<C>) -> bool {
        self.context.core().is_alive(local)
    }

    /// The living local entities of some entities of the origin.
    fn locals(&self, origins: &[EntityId<C>]) -> Vec<EntityId<C>> {
        let locals = origins
            .iter()
            .filter_map(|&origin| self.mirror.local(origin));
        locals.filter(|&local| self.is_alive(local)).collect()
    }

    fn remove(&mut self, removed: &[Vec<EntityId<C>>]) {
        for (column, origins) in self.delta.columns.iter().zip(removed) {
            let locals = self.locals(origins);
            self.remove_from(&locals, column.component());
        }
    }

    fn remove_from(&mut self, locals: &[EntityId<C>], component: RawComponentIndex) {
        for &local in locals {
            let _ = state::remove_at(self.context, local.untyped(), component); // it may lack it
        }
    }

    /// Destroys the entities that vanished. Targets of relations only lose their components, and
    /// are kept until all relations are final.
    fn vanish(&mut self, vanished: &[(EntityId<C>, bool)]) -> Vec<(EntityId<C>, bool)> {
        let mut kept = Vec::new();
        for &(origin, ended) in vanished {
            let Some(local) = self
                .mirror
                .local(origin)
                .filter(|&local| self.is_alive(local))
            else {
                self.mirror.unbind(origin);
                continue;
            };
            if self.context.core().indexes().is_target(local.untyped()) {
                let _ = state::remove_all(self.context, local); // it is alive
                kept.push((origin, ended));
            } else {
                self.end(origin);
            }
        }
        kept
    }

    /// Destroys an entity, unless a relation rejects it.
    fn end(&mut self, origin: EntityId<C>) {
        let local = self
            .mirror
            .local(origin)
            .filter(|&local| self.is_alive(local));
        if local.is_none_or(|local| state::destroy(self.context, local).is_ok()) {
            self.mirror.unbind(origin);
        } else {
            self.mirror.placeholders.insert(origin);
        }
    }

    /// Creates entities with their components as one change.
    fn create(&mut self, created: &[EntityId<C>]) -> Result<(), Error> {
        for &origin in created {
            self.mirror.unbind(origin); // the previous local entity was destroyed
        }
        let mut pending = state::PendingEntities::new(self.context);
        let mut made = Vec::with_capacity(created.len());
        for (place, &origin) in created.iter().enumerate() {
            let columns = self.columns.iter_mut();
            let local = pending.make(|writer| {
                columns.for_each(|column| column.put(place, writer));
            })?;
            made.push((origin, local));
        }
        for (origin, local) in made {
            self.mirror.bind(origin, local);
        }
        pending.arrive(&[]);
        for origin in &self.delta.appeared {
            self.mirror.placeholders.remove(origin);
        }
        Ok(())
    }

    /// Creates placeholders for targets without local entities, and maps relations to local
    /// entities.
    fn create_placeholders(&mut self) {
        for column in &mut self.columns {
            let mut unknown = Vec::new();
            column.each_target(&mut |origin| unknown.push(origin));
            unknown.retain(|&origin| {
                let local = self.mirror.local(origin);
                local.is_none_or(|local| !self.context.core().is_alive(local))
            });
            unknown.sort_unstable();
            unknown.dedup();
            for origin in unknown {
                let local = state::create(self.context);
                self.mirror.unbind(origin);
                self.mirror.bind(origin, local);
                self.mirror.placeholders.insert(origin);
            }
            let locals = &self.mirror.locals;
            column.map_targets(&|origin| {
                let local = locals.get(&origin.typed()).copied();
                local.map_or(origin, EntityId::untyped)
            });
        }
    }

    fn set(&mut self) -> Result<(), Error> {
        for values in &mut self.columns {
            let local = |origin: &EntityId<C>| self.mirror.locals.get(origin).copied();
            values.set(self.context, &local)?;
        }
        Ok(())
    }

    /// Removes required components that the origin does not have.
    fn remove_surplus(&mut self, exact: &[(EntityId<C>, Vec<bool>)]) {
        for (origin, has) in exact {
            let local = self.locals(&[*origin]);
            for (column, _) in self.delta.columns.iter().zip(has).filter(|(_, has)| !**has) {
                self.remove_from(&local, column.component());
            }
        }
    }

    /// Destroys the entities that vanished but were kept, and unreferenced placeholders.
    fn destroy_leftovers(&mut self, kept: Vec<(EntityId<C>, bool)>) {
        for (origin, ended) in kept {
            match ended {
                true => self.end(origin),
                false => _ = self.mirror.placeholders.insert(origin),
            }
        }
        for &origin in &self.delta.dead {
            if self.mirror.placeholders.contains(&origin) {
                self.end(origin);
            }
        }
        let mut placeholders: Vec<_> = self.mirror.placeholders.iter().copied().collect();
        placeholders.sort_unstable();
        for origin in placeholders {
            let local = self.mirror.local(origin);
            if local.is_none_or(|local| !self.context.core().indexes().is_target(local.untyped())) {
                self.end(origin);
            }
        }
    }
}
