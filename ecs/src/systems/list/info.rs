//! A list of systems as data, for tools that show it.

use alloc::vec::Vec;

use super::systems::Systems;
use crate::api::context::Missed;
use crate::systems::stats::{Reactions, Statistics};
use crate::systems::system::{System as _, Visited};

/// A system in its list, as a tool shows it. Returned by [`Systems::infos`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SystemInfo<'a> {
    /// In how many lists it is, the outermost one not counted.
    pub depth: usize,
    /// Its name.
    pub name: &'a str,
    /// Whether it is [enabled](Systems::is_enabled).
    pub is_enabled: bool,
    /// Whether it took no part in the last execute: it was disabled, its condition was not met, or
    /// a system before it has failed.
    pub passed_over: bool,
    /// Whether it cannot be executed before it is initialized.
    pub awaits_initialize: bool,
    /// How long its phases took, if it is [measured](Systems::measure).
    pub statistics: Statistics,
    /// How often it has reacted, if it is a reactive one.
    pub reactions: Option<Reactions>,
    /// What it was to react to and was cleaned up before.
    pub missed: Vec<Missed>,
}

impl<W> Systems<W> {
    /// Returns what is known of each system, in the order in which they run; a list comes before its
    /// systems.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let inner = Systems::with_name("inner").add(|_: &mut Game| ()).named("tick");
    /// let systems: Systems<Game> = Systems::new().add(inner);
    /// let tree: Vec<_> = systems.infos().iter().map(|info| (info.depth, info.name)).collect();
    /// assert_eq!(tree, [(0, "inner"), (1, "tick")]);
    /// ```
    pub fn infos(&self) -> Vec<SystemInfo<'_>> {
        let mut infos = Vec::new();
        self.visit(0, &mut |seen| infos.push(info(seen)));
        infos
    }
}

fn info(seen: Visited<'_>) -> SystemInfo<'_> {
    SystemInfo {
        depth: seen.depth,
        name: &seen.status.name,
        is_enabled: !seen.status.disabled,
        passed_over: seen.status.passed_over,
        awaits_initialize: seen.awaits_initialize,
        statistics: seen.status.statistics,
        reactions: seen.reactions,
        missed: seen.missed,
    }
}
