//! Finding systems by name, in nested lists too.
//!
//! A name stands for every system of that name: what is asked for happens to all of them.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use super::Systems;
use crate::systems::system::UnknownSystem;
use crate::systems::system::entry::Entry;

impl<W> Systems<W> {
    /// Has the systems of a name take part, or not: in this list and in those nested in
    /// it. See [`Systems`](Systems#switching-off) for what that means.
    ///
    /// # Panics
    ///
    /// Panics where no system has the name, naming those there are.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// fn spawn(game: &mut Game) { game.create_entity(); }
    /// let mut game = Game::new();
    /// let mut systems = Systems::new().add(Systems::named("Inner").add(spawn));
    /// systems.set_enabled("spawn", false);
    /// systems.execute(&mut game);
    /// assert!(game.is_empty());
    /// ```
    #[track_caller]
    pub fn set_enabled(&mut self, name: &str, enabled: bool) {
        if let Err(error) = self.try_set_enabled(name, enabled) {
            panic!("cannot enable or disable: {error}");
        }
    }

    /// Does what [`set_enabled`](Self::set_enabled) does.
    ///
    /// # Errors
    ///
    /// [`UnknownSystem`] where no system has the name.
    pub fn try_set_enabled(&mut self, name: &str, enabled: bool) -> Result<(), UnknownSystem> {
        let mut found = false;
        self.each_called(name, &mut |entry| {
            entry.enabled = enabled;
            found = true;
        });
        self.known(found, name)
    }

    /// Whether the first system of a name is enabled; `None` where there is none.
    ///
    /// A system in a list that is disabled is not disabled by that.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// fn walk(_: &mut Game) {}
    /// let systems = Systems::new().add(walk);
    /// assert_eq!(systems.is_enabled("walk"), Some(true));
    /// assert_eq!(systems.is_enabled("run"), None);
    /// ```
    pub fn is_enabled(&self, name: &str) -> Option<bool> {
        self.find(name).map(|entry| entry.enabled)
    }

    /// Takes the systems of a name out of this list and of those nested in it, has them
    /// release what they keep in the world, and drops them.
    ///
    /// They are not torn down: a system that has to be is torn down with the list.
    ///
    /// # Panics
    ///
    /// Panics where no system has the name, naming those there are.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// fn spawn(game: &mut Game) { game.create_entity(); }
    /// let mut game = Game::new();
    /// let mut systems = Systems::new().add(spawn);
    /// systems.remove(&mut game, "spawn");
    /// assert!(systems.is_empty());
    /// ```
    #[track_caller]
    pub fn remove(&mut self, world: &mut W, name: &str) {
        if let Err(error) = self.try_remove(world, name) {
            panic!("cannot remove: {error}");
        }
    }

    /// Does what [`remove`](Self::remove) does.
    ///
    /// # Errors
    ///
    /// [`UnknownSystem`] where no system has the name.
    pub fn try_remove(&mut self, world: &mut W, name: &str) -> Result<(), UnknownSystem> {
        let mut removed = Vec::new();
        self.take_called(name, &mut removed);
        for entry in &mut removed {
            entry.system.release(world);
        }
        self.known(!removed.is_empty(), name)
    }

    /// The names of all systems, those of nested lists behind that of their list.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// fn walk(_: &mut Game) {}
    /// let systems = Systems::new().add(Systems::named("Movement").add(walk));
    /// assert_eq!(systems.names(), ["Movement", "walk"]);
    /// ```
    pub fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        self.visit(0, &mut |_, entry| names.push(entry.name.clone()));
        names
    }

    /// Shows every system with how deep it is nested, each list before what it holds.
    pub(in crate::systems::system) fn visit<'s>(
        &'s self,
        depth: usize,
        call: &mut dyn FnMut(usize, &'s Entry<W>),
    ) {
        for entry in &self.entries {
            call(depth, entry);
            if let Some(systems) = entry.system.as_systems() {
                systems.visit(depth + 1, call);
            }
        }
    }

    /// The first system of a name.
    pub(super) fn find(&self, name: &str) -> Option<&Entry<W>> {
        let mut found = None;
        self.visit(0, &mut |_, entry| {
            if found.is_none() && entry.name == name {
                found = Some(entry);
            }
        });
        found
    }

    /// Changes every system.
    pub(super) fn each_entry(&mut self, call: &mut dyn FnMut(&mut Entry<W>)) {
        for entry in &mut self.entries {
            call(entry);
            if let Some(systems) = entry.system.as_systems_mut() {
                systems.each_entry(call);
            }
        }
    }

    fn each_called(&mut self, name: &str, call: &mut dyn FnMut(&mut Entry<W>)) {
        self.each_entry(&mut |entry| {
            if entry.name == name {
                call(entry);
            }
        });
    }

    fn take_called(&mut self, name: &str, taken: &mut Vec<Entry<W>>) {
        taken.extend(self.entries.extract_if(.., |entry| entry.name == name));
        for entry in &mut self.entries {
            if let Some(systems) = entry.system.as_systems_mut() {
                systems.take_called(name, taken);
            }
        }
    }

    fn known(&self, found: bool, name: &str) -> Result<(), UnknownSystem> {
        match found {
            true => Ok(()),
            false => Err(UnknownSystem {
                name: name.to_string(),
                known: self.names(),
            }),
        }
    }
}
