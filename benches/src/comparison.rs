//! The figures of a row for all systems, and the tables made from them.

use crate::report::{cell, figure, rule};
use crate::rows::{Row, Unit};
use crate::systems::{BULK, FLAT, LIST, OURS, RAW, System};

/// A row with the figure of each system per item.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The row.
    pub row: Row,
    /// The systems and their figures.
    pub figures: Vec<(System, Option<f64>)>,
}

impl Comparison {
    /// Returns the figure of the system with that name.
    pub fn of(&self, name: &str) -> Option<f64> {
        let mut figures = self.figures.iter();
        figures.find_map(|(system, figure)| (*figure).filter(|_| system.name == name))
    }

    /// Returns the peer with the best figure, and the figure.
    pub fn best_peer(&self) -> Option<(&'static str, f64)> {
        let peers = self.figures.iter();
        let peers = peers.filter(|(system, _)| system.is_peer_in(self.row));
        let known = peers.filter_map(|(system, figure)| Some((system.name, (*figure)?)));
        known.min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Returns the ratio of a system to the best peer: less than one is better.
    pub fn to_best_peer(&self, name: &str) -> Option<f64> {
        Some(self.of(name)? / self.best_peer()?.1)
    }

    /// Returns the ratio of a system to arrays, to flat ones if `flat` and if that makes a
    /// difference, or to a list of functions.
    fn to_raw(&self, name: &str, flat: bool) -> Option<f64> {
        let raw = self.of(FLAT).filter(|_| flat).or(self.of(RAW));
        let raw = raw.or(self.of(LIST))?;
        Some(self.of(name)? / raw)
    }

    /// Returns the unit of a figure.
    pub fn unit(&self) -> &'static str {
        match self.row.unit {
            Unit::Time => "ns",
            Unit::Memory => "B",
        }
    }
}

/// Returns the table of ratios: ours compared with the best peer and the arrays.
pub fn ratios(rows: &[Comparison]) -> String {
    let heading = "| row | unit | ecs | ecs bulk | best peer | ecs to peer | bulk to peer \
                   | ecs to raw | bulk to raw |\n";
    let lines = rows.iter().map(|it| {
        let Row { id, name, item, .. } = it.row;
        let best = it.best_peer();
        let best = best.map_or("–".into(), |(name, of)| format!("{name} {}", figure(of)));
        let mut line = format!("| {id:?} {name} | {} per {item} |", it.unit());
        line += &cell(it.of(OURS), "");
        line += &cell(it.of(BULK), "");
        line += &format!(" {best} |");
        line += &cell(it.to_best_peer(OURS), "×");
        line += &cell(it.to_best_peer(BULK), "×");
        line += &cell(it.to_raw(OURS, false), "×");
        line + &cell(it.to_raw(BULK, true), "×") + "\n"
    });
    heading.to_owned() + &rule(2, 7) + &lines.collect::<String>()
}

/// Returns the table of all figures, with a column for each system; work done by hand is in italics.
pub fn figures(rows: &[Comparison], systems: &[System]) -> String {
    let names = systems.iter().map(|system| format!(" {} |", system.name));
    let heading = format!("| row |{}\n", names.collect::<String>());
    let lines = rows.iter().map(|it| {
        let cells = it.figures.iter().map(|(system, figure)| {
            let by_hand = system.package.is_some() && !system.is_peer_in(it.row);
            let text = cell(*figure, "");
            match figure {
                Some(_) if by_hand => format!(" *{}* |", text.trim_matches([' ', '|'])),
                _ => text,
            }
        });
        format!("| {:?} |{}\n", it.row.id, cells.collect::<String>())
    });
    heading + &rule(1, systems.len()) + &lines.collect::<String>()
}

/// Returns the list of the measured releases.
pub fn releases(systems: &[System]) -> String {
    let mut known: Vec<String> = Vec::new();
    for system in systems {
        if let (Some(package), Some(release)) = (system.package, system.release()) {
            let text = format!("{package} {release}");
            if !known.contains(&text) {
                known.push(text);
            }
        }
    }
    known.join(", ")
}
