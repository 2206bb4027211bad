//! Lists in lists: what they hold, and the list as a system.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::api::context::Missed;
use crate::systems::error::SystemError;
use crate::systems::phase::Phase;
use crate::systems::stats::{Reactions, SystemStatus};
use crate::systems::system::{Erased, Listed, System, Systems};

impl<W> Systems<W> {
    /// Returns the number of systems, each nested list counted as one.
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

    /// Returns whether the list holds no system.
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

    /// Returns the names of all systems, those of nested lists after that of their list.
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

/// A list in another one: each phase returns the error that its `try_` form returns.
impl<W> System<W, Result<(), SystemError>> for Systems<W> {
    fn initialize(&mut self, world: &mut W) -> Result<(), SystemError> {
        self.try_initialize(world)
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

/// A system of a list, as it is seen from outside.
pub(super) struct Visited<'s> {
    /// How deep it is nested.
    pub(super) depth: usize,
    pub(super) status: &'s SystemStatus,
    pub(super) reactions: Option<Reactions>,
    pub(super) missed: Vec<Missed>,
    pub(super) awaits_initialize: bool,
}

impl<W> Systems<W> {
    /// The sum for all systems; `None` if none of them reacts.
    pub(crate) fn reactions_inside(&self) -> Option<Reactions> {
        let all = self.systems.iter();
        all.filter_map(|listed| listed.system.reactions())
            .reduce(Reactions::and)
    }

    /// What each of the systems missed, one after the other.
    pub(crate) fn missed_inside(&self) -> Vec<Missed> {
        let all = self.systems.iter();
        all.flat_map(|listed| listed.system.missed()).collect()
    }

    /// Shows the systems, each list before what it holds.
    pub(super) fn visit<'s>(&'s self, depth: usize, visitor: &mut dyn FnMut(Visited<'s>)) {
        for Listed { status, system, .. } in &self.systems {
            visitor(Visited {
                depth,
                status,
                reactions: system.reactions(),
                missed: system.missed(),
                awaits_initialize: system.awaits_initialize(),
            });
            if let Some(inner) = system.inner() {
                inner.visit(depth + 1, visitor);
            }
        }
    }

    /// Lends the status of every system, those of nested lists too.
    pub(super) fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut SystemStatus)) {
        for Listed { status, system, .. } in &mut self.systems {
            visitor(status);
            if let Some(inner) = system.inner_mut() {
                inner.visit_mut(visitor);
            }
        }
    }

    /// Moves the systems of this name out of the list and the lists nested in it.
    pub(super) fn take_named(&mut self, name: &str, taken: &mut Vec<Erased<W>>) {
        let is_named = |listed: &mut Listed<W>| listed.status.name == name;
        let out = self.systems.extract_if(.., is_named);
        taken.extend(out.map(|listed| listed.system));
        let inner = self.systems.iter_mut();
        let inner = inner.filter_map(|listed| listed.system.inner_mut());
        inner.for_each(|list| list.take_named(name, taken));
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
