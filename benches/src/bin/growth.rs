//! Measures how the cost of an item grows with the number of entities, compared with plain arrays (which
//! also grow out of the caches), and with the number of groups that do not change.
//!
//! `--write` writes the tables to `results/growth.md`.

use ecs_benches::report::{self, cell, rule};
use ecs_benches::rows::{Id, ROWS};
use ecs_benches::systems::{OURS, RAW, ours, raw};
use ecs_benches::timing;
use ecs_benches::workload::Workload;

const MEASURED: [Id; 5] = [Id::W2, Id::W4, Id::W6, Id::W8, Id::W9];
const ENTITIES: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];
const GROUPS: [usize; 4] = [1, 10, 100, 1_000];

/// The number of groups when the number of entities varies, and vice versa.
const FEW_GROUPS: usize = 1;
const SOME_ENTITIES: usize = 10_000;

/// The number of turns of each size in a row.
const TURNS: usize = 15;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let write = arguments.next();
    assert!(
        write
            .as_deref()
            .is_none_or(|argument| argument == "--write")
            && arguments.next().is_none(),
        "there is no option but --write"
    );
    let text = format!(
        "{}; ns per item, medians of {TURNS} interleaved turns.\n\n{}\n{}",
        report::machine(),
        by_entities(),
        by_groups(),
    );
    println!("{text}");
    if write.is_some() {
        report::write("growth", &text);
    }
}

/// Returns two lines for each row: ours and that of plain arrays, if they support it.
fn by_entities() -> String {
    let lines = MEASURED.map(|row| {
        let ours = ENTITIES.map(|entities| ours::beside(row, entities, FEW_GROUPS));
        let raw = ENTITIES.map(|entities| raw::workload(row, items(row, entities)));
        line(row, OURS, ours, ENTITIES) + &line(row, RAW, raw, ENTITIES)
    });
    table(ENTITIES, "entities", &lines.concat())
}

fn by_groups() -> String {
    let lines = MEASURED.map(|row| {
        let workloads = GROUPS.map(|groups| ours::beside(row, SOME_ENTITIES, groups));
        line(row, OURS, workloads, [SOME_ENTITIES; 4])
    });
    table(GROUPS, "groups", &lines.concat())
}

fn table(numbers: [usize; 4], of: &str, lines: &str) -> String {
    let names = numbers.map(|number| format!(" {} {of} |", grouped(number)));
    format!("| row | system |{}\n{}{lines}", names.concat(), rule(2, 4))
}

/// Formats a number with thousands separators.
fn grouped(number: usize) -> String {
    if number < 1_000 {
        return number.to_string();
    }
    format!("{},{:03}", grouped(number / 1_000), number % 1_000)
}

/// Returns the ns per item of four sizes as a line of the table; empty if the system does not support
/// the row.
fn line(
    row: Id,
    system: &str,
    workloads: [Option<Box<dyn Workload>>; 4],
    entities: [usize; 4],
) -> String {
    if workloads.iter().all(Option::is_none) {
        return String::new();
    }
    let runs = timing::medians(workloads.into(), TURNS);
    let runs = runs.into_iter().zip(entities);
    let figures = runs.map(|(run, entities)| run.map(|run| run / items(row, entities) as f64));
    let cells: String = figures.map(|figure| cell(figure, "")).collect();
    let line = format!("| {} | {system} |{cells}\n", name(row));
    eprint!("{line}");
    line
}

/// Returns the id and the name of a row.
fn name(row: Id) -> String {
    let known = ROWS.iter().find(|known| known.id == row);
    let name = known.map_or("", |row| row.name);
    format!("{row:?} {name}")
}

/// Returns the number of items of a row with `entities` entities.
fn items(row: Id, entities: usize) -> usize {
    match row {
        Id::W8 => entities / 10,
        _ => entities,
    }
}
