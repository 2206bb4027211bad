//! A list of systems as text.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::entry::Entry;
use super::{Durations, Reactions, Statistics, System as _, Systems};

/// A list of systems as text; see [`Systems::report`].
pub struct Report<'a, W> {
    pub(super) systems: &'a Systems<W>,
}

/// One line: the columns, left to right.
type Line = Vec<String>;

impl<W> Report<'_, W> {
    fn lines(&self) -> Vec<Line> {
        let name = String::from(&self.systems.name);
        let reactions = self.systems.reactions();
        let mut lines = Vec::from([line(name, "", reactions, &Statistics::default())]);
        self.systems.visit(1, &mut |depth, entry| {
            let name = format!("{:1$}{2}", "", depth * 2, entry.name);
            let reactions = entry.system.reactions();
            lines.push(line(name, mark(entry), reactions, &entry.statistics));
        });
        lines
    }
}

/// Whether a system takes part; nothing where it does.
fn mark<W>(entry: &Entry<W>) -> &'static str {
    match entry.enabled {
        false => "off",
        true if entry.passed_over => "passed over",
        true => "",
    }
}

fn line(name: String, mark: &str, reactions: Option<Reactions>, statistics: &Statistics) -> Line {
    let reacted = reactions.map_or(String::new(), |reactions| {
        format!(
            "reactions: {}, changes: {}, last: {}",
            reactions.calls, reactions.total, reactions.last
        )
    });
    Vec::from([
        name,
        String::from(mark),
        reacted,
        durations("execute", &statistics.execute),
        durations("cleanup", &statistics.cleanup),
    ])
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
        let width = |column: usize| {
            let cells = lines.iter().map(|line| line[column].chars().count());
            cells.max().unwrap_or(0)
        };
        let widths: Vec<_> = (0..lines[0].len()).map(width).collect();
        for line in &lines {
            let mut text = String::new();
            for (cell, &width) in line.iter().zip(&widths).filter(|(_, width)| **width > 0) {
                text.push_str(&format!("{cell:width$}    "));
            }
            writeln!(f, "{}", text.trim_end())?;
        }
        Ok(())
    }
}

impl<W> fmt::Debug for Report<'_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
