//! A list of systems as text.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::api::context::Missed;
use crate::systems::stats::{
    Durations, NestedSystems as _, Reactions, Statistics, SystemStatus, VisitedSystem,
};
use crate::systems::system::{System as _, Systems};

/// A list of systems as text, returned by [`Systems::report`].
pub struct Report<'a, W> {
    systems: &'a Systems<W>,
}

impl<W> Systems<W> {
    /// Returns the list as text, with a line for each system: whether it runs, how often it has reacted,
    /// which one-frame components it removed [unread](crate::CleanupSystems::missed), and how long it took
    /// if that is measured.
    ///
    /// A system that is disabled is `off`. It was `skipped` if it did not run at the last execute because
    /// its condition was false or an earlier system failed. One that
    /// [needs to be initialized](crate::System::needs_initialize) is `not initialized`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// fn walk(_: &mut Game) {}
    /// let mut systems = Systems::new().add(Systems::with_name("Movement").add(walk));
    /// systems.set_enabled("walk", false);
    /// let lines = ["Systems", "  Movement", "    walk      off", ""];
    /// assert_eq!(systems.report().to_string(), lines.join("\n"));
    /// ```
    pub fn report(&self) -> Report<'_, W> {
        Report { systems: self }
    }
}

/// The cells of a line.
type Line = [String; 6];

impl<W> Report<'_, W> {
    fn lines(&self) -> Vec<Line> {
        let whole = VisitedSystem {
            depth: 0,
            status: &SystemStatus {
                name: self.systems.name(),
                ..SystemStatus::default()
            },
            reactions: self.systems.reactions(),
            missed: self.systems.missed(),
            needs_initialize: false,
        };
        let mut lines = Vec::from([line(&whole)]);
        self.systems.visit(1, &mut |seen| lines.push(line(&seen)));
        lines
    }
}

fn line(seen: &VisitedSystem<'_>) -> Line {
    let Statistics { execute, cleanup } = &seen.status.statistics;
    [
        format!("{:1$}{2}", "", seen.depth * 2, seen.status.name),
        String::from(state(seen)),
        seen.reactions.map_or(String::new(), reacted),
        missed(&seen.missed),
        durations("execute", execute),
        durations("cleanup", cleanup),
    ]
}

/// Why a system does not run; empty if it does.
fn state(seen: &VisitedSystem<'_>) -> &'static str {
    match seen.status.disabled {
        true => "off",
        false if seen.needs_initialize => "not initialized",
        false if seen.status.skipped => "skipped",
        false => "",
    }
}

fn reacted(reactions: Reactions) -> String {
    let Reactions { calls, total, last } = reactions;
    format!("reactions: {calls}, changes: {total}, last: {last}")
}

fn missed(missed: &[Missed]) -> String {
    let each = missed.iter();
    let each: Vec<_> = each
        .map(|missed| format!("{} {}", missed.component, missed.entities))
        .collect();
    match each.is_empty() {
        true => String::new(),
        false => format!("missed: {}", each.join(", ")),
    }
}

fn durations(phase: &str, durations: &Durations) -> String {
    if durations.calls() == 0 {
        return String::new();
    }
    if !durations.is_timed() {
        return format!("{phase}: calls {}", durations.calls());
    }
    format!(
        "{phase}: calls {}, last {:.1?}, mean {:.1?}, min {:.1?}, max {:.1?}",
        durations.calls(),
        durations.last(),
        durations.mean(),
        durations.min(),
        durations.max()
    )
}

impl<W> fmt::Display for Report<'_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = self.lines();
        let widths = [0, 1, 2, 3, 4, 5].map(|column| width(&lines, column));
        for line in &lines {
            let mut text = String::new();
            for (cell, width) in line.iter().zip(widths).filter(|(_, width)| *width > 0) {
                text.push_str(&format!("{cell:width$}    "));
            }
            writeln!(f, "{}", text.trim_end())?;
        }
        Ok(())
    }
}

/// The width of the widest cell of a column, in characters.
fn width(lines: &[Line], column: usize) -> usize {
    let cells = lines.iter().map(|line| line[column].chars().count());
    cells.max().unwrap_or(0)
}

impl<W> fmt::Debug for Report<'_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A system in its list, for tools. Returned by [`Systems::infos`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SystemInfo<'a> {
    /// How deeply it is nested; 0 in the outermost list.
    pub depth: usize,
    /// Its number in its list, after the numbers of the lists that contain it. It does not change when
    /// other systems are added, removed or disabled.
    pub path: Vec<usize>,
    /// Its name.
    pub name: &'a str,
    /// Whether it is [enabled](Systems::is_enabled).
    pub is_enabled: bool,
    /// Whether it did not run at the last execute: it was disabled, its condition was false, or an
    /// earlier system failed.
    pub skipped: bool,
    /// Whether it must be initialized before it executes.
    pub needs_initialize: bool,
    /// How long its phases took, if it is [measured](Systems::measure).
    pub statistics: Statistics,
    /// How often it has reacted, if it is reactive.
    pub reactions: Option<Reactions>,
    /// The one-frame components that it [removed unread](crate::CleanupSystems::missed).
    pub missed: Vec<Missed>,
}

impl<W> Systems<W> {
    /// Returns information about each system, in the order in which they run; a nested list comes before
    /// its systems.
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
    /// assert_eq!(systems.infos()[1].path, [0, 0]);
    /// ```
    pub fn infos(&self) -> Vec<SystemInfo<'_>> {
        let (mut infos, mut path) = (Vec::new(), Vec::new());
        self.visit(0, &mut |seen| {
            path.truncate(seen.depth);
            path.push(seen.status.number);
            infos.push(info(seen, path.clone()));
        });
        infos
    }
}

fn info(seen: VisitedSystem<'_>, path: Vec<usize>) -> SystemInfo<'_> {
    SystemInfo {
        depth: seen.depth,
        path,
        name: &seen.status.name,
        is_enabled: !seen.status.disabled,
        skipped: seen.status.skipped,
        needs_initialize: seen.needs_initialize,
        statistics: seen.status.statistics,
        reactions: seen.reactions,
        missed: seen.missed,
    }
}
