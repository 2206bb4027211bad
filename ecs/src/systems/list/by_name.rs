//! Finding systems by name, in nested lists too.
//!
//! A name stands for every system of that name: what is asked for happens to all of them.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt;

use crate::systems::stats::SystemStatus;
use crate::systems::system::{Listed, System as _, Systems};

impl<W> Systems<W> {
    /// Enables or disables the systems of a name, in this list and in those nested in it. See
    /// [`Systems`](Systems#which-systems-run) for what a disabled system does not do.
    ///
    /// # Panics
    ///
    /// Panics if no system has the name, with a message that lists the names there are.
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

    /// Enables or disables the systems of a name, in this list and in those nested in it, or
    /// returns an error if there is none.
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
        self.known(found, name)
    }

    /// Returns whether the first system of a name is enabled; `None` if there is none.
    ///
    /// A system counts as enabled even if the list that holds it is disabled.
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

    /// Removes the systems of a name from this list and from those nested in it,
    /// [releases](crate::System::release) what they keep in the world, and drops them.
    ///
    /// They are not torn down; call [`tear_down`](crate::System::tear_down) before if they have to
    /// be.
    ///
    /// # Panics
    ///
    /// Panics if no system has the name, with a message that lists the names there are.
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

    /// Removes the systems of a name from this list and from those nested in it,
    /// [releases](crate::System::release) what they keep in the world, and drops them; or returns
    /// an error if there is none.
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
        let mut removed = Vec::new();
        self.take_named(name, &mut removed);
        for system in &mut removed {
            system.release(world);
        }
        self.known(!removed.is_empty(), name)
    }

    /// Returns the first nested list with this name, at any depth: a *stage*, to which several plug-ins
    /// add their systems. A program creates its stages in order and then passes its list to the plug-ins;
    /// see the guide's page [plug-ins](crate::guide::plugins).
    ///
    /// # Panics
    ///
    /// Panics if no nested list has the name, with a message that lists the names there are.
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
        let mut known = Vec::new();
        self.find_list(name, &mut known).ok_or(UnknownSystem {
            what: "list",
            name: name.to_string(),
            known,
        })
    }

    /// The first nested list of a name; collects the names of those before it.
    fn find_list(&mut self, name: &str, known: &mut Vec<String>) -> Option<&mut Systems<W>> {
        for Listed { status, system, .. } in &mut self.systems {
            let Some(inner) = system.inner_mut() else {
                continue;
            };
            if status.name == name {
                return Some(inner);
            }
            known.push(status.name.clone());
            if let Some(found) = inner.find_list(name, known) {
                return Some(found);
            }
        }
        None
    }

    /// The first system of a name.
    pub(super) fn find(&self, name: &str) -> Option<&SystemStatus> {
        let mut found = None;
        self.visit(0, &mut |seen| {
            if found.is_none() && seen.status.name == name {
                found = Some(seen.status);
            }
        });
        found
    }

    fn known(&self, found: bool, name: &str) -> Result<(), UnknownSystem> {
        match found {
            true => Ok(()),
            false => Err(UnknownSystem {
                what: "system",
                name: name.to_string(),
                known: self.names(),
            }),
        }
    }
}

/// The error of [`Systems::try_set_enabled`], [`Systems::try_remove`] and [`Systems::try_stage`]: no
/// system, or no list, has the name that was asked for.
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
    /// What was sought.
    what: &'static str,
    name: String,
    known: Vec<String>,
}

impl fmt::Display for UnknownSystem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no {} is called `{}`", self.what, self.name)?;
        if self.known.is_empty() {
            return match self.what {
                "list" => f.write_str("; none is nested in this one"),
                _ => f.write_str("; the list is empty"),
            };
        }
        let known: Vec<_> = self.known.iter().map(|name| format!("`{name}`")).collect();
        write!(f, "; there are {}", known.join(", "))
    }
}

impl core::error::Error for UnknownSystem {}
