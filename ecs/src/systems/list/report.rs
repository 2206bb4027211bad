//! A list of systems as text.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::systems::Systems;
use crate::systems::stats::{Durations, Reactions, Statistics};
use crate::systems::status::SystemStatus;
use crate::systems::system::System as _;

/// A list of systems as text, made by [`Systems::report`]: a line for each system, with whether it
/// takes part, what it reacted to, and how long it took if that was measured.
pub struct Report<'a, W> {
    systems: &'a Systems<W>,
}

impl<W> Systems<W> {
    /// Returns the systems as text, a line for each: whether it takes part, what it reacted to,
    /// and how long it took if that was measured.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
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
type Line = [String; 5];

impl<W> Report<'_, W> {
    fn lines(&self) -> Vec<Line> {
        let (name, reactions) = (self.systems.name(), self.systems.reactions());
        let mut lines = Vec::from([line(name, "", reactions, &Statistics::default())]);
        self.systems.visit(1, &mut |depth, status, reactions| {
            let name = format!("{:1$}{2}", "", depth * 2, status.name);
            lines.push(line(name, state(status), reactions, &status.statistics));
        });
        lines
    }
}

/// Whether a system takes part; nothing if it does.
fn state(status: &SystemStatus) -> &'static str {
    match status.disabled {
        true => "off",
        false if status.passed_over => "passed over",
        false => "",
    }
}

fn line(name: String, state: &str, reactions: Option<Reactions>, statistics: &Statistics) -> Line {
    [
        name,
        String::from(state),
        reactions.map_or(String::new(), reacted),
        durations("execute", &statistics.execute),
        durations("cleanup", &statistics.cleanup),
    ]
}

fn reacted(reactions: Reactions) -> String {
    let Reactions { calls, total, last } = reactions;
    format!("reactions: {calls}, changes: {total}, last: {last}")
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
        let widths = [0, 1, 2, 3, 4].map(|column| width(&lines, column));
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
