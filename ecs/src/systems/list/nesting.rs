//! Nested lists, and the list as a system.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::api::context::Missed;
use crate::systems::error::SystemError;
use crate::systems::name::ClosureNumbers;
use crate::systems::phase::Phase;
use crate::systems::stats::{Clock, NestedSystems, Reactions, SystemStatus, VisitedSystem};
use crate::systems::system::{System, SystemEntry, Systems};

impl<W> Systems<W> {
    /// Returns the number of systems; a nested list counts as one.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// fn walk(_: &mut Game) {}
    /// assert_eq!(Systems::new().add(walk).add(walk).len(), 2);
    /// ```
    pub fn len(&self) -> usize {
        self.systems.len()
    }

    /// Returns whether the list is empty.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// assert!(Systems::<Game>::new().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.systems.is_empty()
    }

    /// Returns the names of all systems; a nested list comes before its systems.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// fn walk(_: &mut Game) {}
    /// let systems = Systems::new().add(Systems::with_name("Movement").add(walk));
    /// assert_eq!(systems.names(), ["Movement", "walk"]);
    /// ```
    pub fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        self.visit(0, &mut |seen| names.push(seen.status.name.clone()));
        names
    }
}

/// A nested list. Each phase returns the error of its `try_` form.
impl<W> System<W, Result<(), SystemError>> for Systems<W> {
    fn initialize(&mut self, world: &mut W) -> Result<(), SystemError> {
        self.try_initialize(world)
    }

    fn resume(&mut self, world: &mut W) -> Result<(), SystemError> {
        self.try_resume(world)
    }

    fn execute(&mut self, world: &mut W) -> Result<(), SystemError> {
        self.try_execute(world)
    }

    fn cleanup(&mut self, world: &mut W) -> Result<(), SystemError> {
        self.run(Phase::Cleanup, world)
    }

    fn tear_down(&mut self, world: &mut W) -> Result<(), SystemError> {
        self.try_tear_down(world)
    }

    fn name(&self) -> String {
        self.name.clone()
    }

    fn inner(&self) -> Option<&Systems<W>> {
        Some(self)
    }

    fn inner_mut(&mut self) -> Option<&mut Systems<W>> {
        Some(self)
    }
}

impl<W> Systems<W> {
    /// Returns the sum for all systems; `None` if none of them reacts.
    pub(crate) fn total_reactions(&self) -> Option<Reactions> {
        let all = self.systems.iter();
        all.filter_map(|entry| entry.system.reactions())
            .reduce(Reactions::and)
    }

    /// Returns what all systems missed.
    pub(crate) fn all_missed(&self) -> Vec<Missed> {
        let all = self.systems.iter();
        all.flat_map(|entry| entry.system.missed()).collect()
    }

    /// Removes the systems with this name from the list and its nested lists, and releases what they keep.
    /// Returns whether there were any.
    pub(crate) fn remove_all(&mut self, world: &mut W, name: &str) -> bool {
        let is_named = |entry: &mut SystemEntry<W>| entry.status.name == name;
        let mut removed: Vec<_> = self.systems.extract_if(.., is_named).collect();
        let names = self.systems.iter().map(|entry| &*entry.status.name);
        self.closures = ClosureNumbers::of(names);
        let released = removed.iter_mut();
        released.for_each(|entry| entry.system.release(world));
        let kept = self.systems.iter_mut();
        kept.fold(!removed.is_empty(), |found, entry| {
            entry.system.remove_named(world, name) || found
        })
    }
}

impl<W> NestedSystems for Systems<W> {
    fn visit<'s>(&'s self, depth: usize, visitor: &mut dyn FnMut(VisitedSystem<'s>)) {
        for SystemEntry { status, system, .. } in &self.systems {
            visitor(VisitedSystem {
                depth,
                status,
                reactions: system.reactions(),
                missed: system.missed(),
                needs_initialize: !status.resumed && system.needs_initialize(),
            });
            let lists = system.lists().into_iter().flatten();
            lists.for_each(|list| list.visit(depth + 1, visitor));
        }
    }

    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut SystemStatus)) {
        for SystemEntry { status, system, .. } in &mut self.systems {
            visitor(status);
            let lists = system.lists_mut().into_iter().flatten();
            lists.for_each(|list| list.visit_mut(visitor));
        }
    }

    fn set_measured(&mut self, measured: bool) {
        self.measured = measured;
        let all = self.systems.iter_mut();
        all.for_each(|entry| entry.measure(measured));
    }

    fn give_clock(&mut self, clock: &Clock) {
        self.clock = clock.clone();
        let all = self.systems.iter_mut();
        all.for_each(|entry| entry.set_clock(clock));
    }
}

impl<W> fmt::Debug for Systems<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Systems")
            .field("name", &self.name)
            .field("systems", &self.names())
            .finish()
    }
}
