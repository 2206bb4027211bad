//! A list of systems as text.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::nesting::Visited;
use crate::api::context::Missed;
use crate::systems::stats::{Durations, Reactions, Statistics, SystemStatus};
use crate::systems::system::{System as _, Systems};

/// A list of systems as text, made by [`Systems::report`]: a line for each system, with whether it
/// takes part, what it reacted to, what was missed, and how long it took if that was measured.
pub struct Report<'a, W> {
    systems: &'a Systems<W>,
}

impl<W> Systems<W> {
    /// Returns the systems as text, a line for each: whether it takes part, what it reacted to,
    /// which one-frame components it cleaned up before somebody had
    /// [read them](crate::CleanupSystems::missed), and how long it took if that was measured.
    ///
    /// A system that takes no part is `off`, or was `passed over` at the last execute because its
    /// condition did not hold or one before it failed. One that
    /// [awaits its initialize](crate::System::awaits_initialize) is `not initialized`.
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

/// The cells of one line, left to right.
type Line = [String; 6];

impl<W> Report<'_, W> {
    fn lines(&self) -> Vec<Line> {
        let whole = Visited {
            depth: 0,
            status: &SystemStatus {
                name: self.systems.name(),
                ..SystemStatus::default()
            },
            reactions: self.systems.reactions(),
            missed: self.systems.missed(),
            awaits_initialize: false,
        };
        let mut lines = Vec::from([line(&whole)]);
        self.systems.visit(1, &mut |seen| lines.push(line(&seen)));
        lines
    }
}

fn line(seen: &Visited<'_>) -> Line {
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

/// Whether a system takes part; nothing if it does.
fn state(seen: &Visited<'_>) -> &'static str {
    match seen.status.disabled {
        true => "off",
        false if seen.awaits_initialize => "not initialized",
        false if seen.status.passed_over => "passed over",
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

/// The letters of the widest cell of a column.
fn width(lines: &[Line], column: usize) -> usize {
    let cells = lines.iter().map(|line| line[column].chars().count());
    cells.max().unwrap_or(0)
}

impl<W> fmt::Debug for Report<'_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A system in its list, as a tool shows it. Returned by [`Systems::infos`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SystemInfo<'a> {
    /// In how many lists it is, the outermost one not counted.
    pub depth: usize,
    /// Where it is: its number in its list, after those of the lists around it. A system keeps its number
    /// when others are added, removed or switched off.
    pub path: Vec<usize>,
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

fn info(seen: Visited<'_>, path: Vec<usize>) -> SystemInfo<'_> {
    SystemInfo {
        depth: seen.depth,
        path,
        name: &seen.status.name,
        is_enabled: !seen.status.disabled,
        passed_over: seen.status.passed_over,
        awaits_initialize: seen.awaits_initialize,
        statistics: seen.status.statistics,
        reactions: seen.reactions,
        missed: seen.missed,
    }
}
