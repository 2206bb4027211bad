//! Finding systems by name, including in nested lists.
//!
//! A name stands for all systems with that name.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt;

use crate::systems::stats::{NestedSystems as _, SystemStatus};
use crate::systems::system::{System as _, SystemEntry, Systems};

impl<W> Systems<W> {
    /// Enables or disables all systems with this name, here and in nested lists. See
    /// [which systems run](Systems#which-systems-run).
    ///
    /// # Panics
    ///
    /// Panics if no system has the name, and lists the existing names.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// fn spawn(game: &mut Game) { game.create_entity(); }
    /// let mut game = Game::new();
    /// let mut systems = Systems::new().add(Systems::with_name("Inner").add(spawn));
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

    /// Like [`set_enabled`](Self::set_enabled), but returns an error instead of panicking.
    ///
    /// # Errors
    ///
    /// [`UnknownSystem`] if no system has the name.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// fn walk(_: &mut Game) {}
    /// let mut systems = Systems::new().add(walk);
    /// assert!(systems.try_set_enabled("walk", false).is_ok());
    /// assert!(systems.try_set_enabled("run", false).is_err());
    /// ```
    pub fn try_set_enabled(&mut self, name: &str, enabled: bool) -> Result<(), UnknownSystem> {
        let mut found = false;
        self.visit_mut(&mut |status| {
            if status.name == name {
                status.disabled = !enabled;
                found = true;
            }
        });
        self.found_or_error(found, name)
    }

    /// Returns whether the first system with this name is enabled; `None` if there is none.
    ///
    /// The answer does not depend on the list that contains the system, which may be disabled.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// fn walk(_: &mut Game) {}
    /// let systems = Systems::new().add(walk);
    /// assert_eq!(systems.is_enabled("walk"), Some(true));
    /// assert_eq!(systems.is_enabled("run"), None);
    /// ```
    pub fn is_enabled(&self, name: &str) -> Option<bool> {
        self.find(name).map(|status| !status.disabled)
    }

    /// Removes all systems with this name, here and in nested lists, [releases](crate::System::release)
    /// what they keep in the world, and drops them. They are not torn down.
    ///
    /// # Panics
    ///
    /// Panics if no system has the name, and lists the existing names.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
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

    /// Like [`remove`](Self::remove), but returns an error instead of panicking.
    ///
    /// # Errors
    ///
    /// [`UnknownSystem`] if no system has the name.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// fn spawn(game: &mut Game) { game.create_entity(); }
    /// let mut game = Game::new();
    /// let mut systems = Systems::new().add(spawn);
    /// assert!(systems.try_remove(&mut game, "spawn").is_ok());
    /// assert!(systems.try_remove(&mut game, "spawn").is_err());
    /// ```
    pub fn try_remove(&mut self, world: &mut W, name: &str) -> Result<(), UnknownSystem> {
        let found = self.remove_all(world, name);
        self.found_or_error(found, name)
    }

    /// Returns the first nested list with this name, at any depth: a *stage*, to which several plug-ins
    /// add their systems. A program creates its stages in order and then passes its list to the plug-ins;
    /// see the guide's page [plug-ins](crate::guide::plugins).
    ///
    /// # Panics
    ///
    /// Panics if no nested list has the name, and lists the existing names.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// fn walk(_: &mut Game) {}
    /// fn draw(_: &mut Game) {}
    /// let mut systems = Systems::new()
    ///     .add(Systems::with_name("Physics"))
    ///     .add(Systems::with_name("View"));
    /// systems.stage("View").push(draw);
    /// systems.stage("Physics").push(walk);
    /// assert_eq!(systems.names(), ["Physics", "walk", "View", "draw"]);
    /// ```
    #[track_caller]
    pub fn stage(&mut self, name: &str) -> &mut Systems<W> {
        match self.try_stage(name) {
            Ok(stage) => stage,
            Err(error) => panic!("cannot find the stage: {error}"),
        }
    }

    /// Like [`stage`](Self::stage), but returns an error instead of panicking.
    ///
    /// # Errors
    ///
    /// [`UnknownSystem`] if no nested list has the name.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut systems = Systems::<Game>::new().add(Systems::with_name("View"));
    /// assert!(systems.try_stage("View").is_ok());
    /// let error = systems.try_stage("Sound").unwrap_err();
    /// assert_eq!(error.to_string(), "no list is called `Sound`; there are `View`");
    /// ```
    pub fn try_stage(&mut self, name: &str) -> Result<&mut Systems<W>, UnknownSystem> {
        let mut existing = Vec::new();
        self.find_list(name, &mut existing).ok_or(UnknownSystem {
            what: "list",
            name: name.to_string(),
            existing,
        })
    }

    /// Returns the first nested list with this name, and adds the names of those before it to `existing`.
    fn find_list(&mut self, name: &str, existing: &mut Vec<String>) -> Option<&mut Systems<W>> {
        for SystemEntry { status, system, .. } in &mut self.systems {
            let Some(inner) = system.inner_mut() else {
                continue;
            };
            if status.name == name {
                return Some(inner);
            }
            existing.push(status.name.clone());
            if let Some(found) = inner.find_list(name, existing) {
                return Some(found);
            }
        }
        None
    }

    /// Returns the first system with this name.
    pub(super) fn find(&self, name: &str) -> Option<&SystemStatus> {
        let mut found = None;
        self.visit(0, &mut |seen| {
            if found.is_none() && seen.status.name == name {
                found = Some(seen.status);
            }
        });
        found
    }

    fn found_or_error(&self, found: bool, name: &str) -> Result<(), UnknownSystem> {
        match found {
            true => Ok(()),
            false => Err(UnknownSystem {
                what: "system",
                name: name.to_string(),
                existing: self.names(),
            }),
        }
    }
}

/// The error of [`Systems::try_set_enabled`], [`Systems::try_remove`] and [`Systems::try_stage`]: there
/// is no system or no list with the name.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// fn walk(_: &mut Game) {}
/// let mut systems = Systems::new().add(walk);
/// let error = systems.try_set_enabled("Walk", false).unwrap_err();
/// assert_eq!(error.to_string(), "no system is called `Walk`; there are `walk`");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownSystem {
    /// `"system"` or `"list"`.
    what: &'static str,
    name: String,
    existing: Vec<String>,
}

impl fmt::Display for UnknownSystem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no {} is called `{}`", self.what, self.name)?;
        if self.existing.is_empty() {
            return match self.what {
                "list" => f.write_str("; none is nested in this one"),
                _ => f.write_str("; the list is empty"),
            };
        }
        let existing = self.existing.iter().map(|name| format!("`{name}`"));
        write!(f, "; there are {}", existing.collect::<Vec<_>>().join(", "))
    }
}

impl core::error::Error for UnknownSystem {}
