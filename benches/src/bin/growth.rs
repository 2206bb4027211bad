//! Measures how the cost of an item grows with the number of entities, and with the
//! number of groups that exist beside and do not change; for `ecs` alone.
//!
//! `--write` puts the tables into `BENCHMARKS.md`.

use ecs_benches::report::{self, cell, rule};
use ecs_benches::rows::{Id, ROWS};
use ecs_benches::systems::ours;
use ecs_benches::timing;

const MEASURED: [Id; 5] = [Id::W2, Id::W4, Id::W6, Id::W8, Id::W9];
const ENTITIES: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];
const GROUPS: [usize; 4] = [1, 10, 100, 1_000];

/// How many groups there are where the number of entities differs, and the reverse.
const FEW_GROUPS: usize = 1;
const SOME_ENTITIES: usize = 10_000;

/// How often each size has its turn in a row.
const TURNS: usize = 31;

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
    let by_entities = ENTITIES.map(|entities| (entities, FEW_GROUPS));
    let by_groups = GROUPS.map(|groups| (SOME_ENTITIES, groups));
    let text = format!(
        "{}; ns per item, medians of {TURNS} interleaved turns.\n\n{}\n{}",
        report::machine(),
        table(ENTITIES, "entities", by_entities),
        table(GROUPS, "groups", by_groups),
    );
    println!("{text}");
    if write.is_some() {
        report::write("growth", &text);
    }
}

/// A line for each row, with a column for each pair of entities and groups.
fn table(numbers: [usize; 4], of: &str, sizes: [(usize, usize); 4]) -> String {
    let names = numbers.map(|number| format!(" 10^{} {of} |", number.ilog10()));
    let heading = format!("| row |{}\n{}", names.concat(), rule(1, 4));
    let lines = MEASURED.map(|row| {
        let cells = measure(row, sizes).map(|figure| cell(figure, ""));
        format!("| {} |{}\n", name(row), cells.concat())
    });
    heading + &lines.concat()
}

/// The row and what it is called.
fn name(row: Id) -> String {
    let known = ROWS.iter().find(|known| known.id == row);
    let name = known.map_or("", |row| row.name);
    format!("{row:?} {name}")
}

/// The ns per item with each pair of entities and groups.
fn measure(row: Id, sizes: [(usize, usize); 4]) -> [Option<f64>; 4] {
    let workload = |(entities, groups)| ours::beside(row, entities, groups);
    let runs = timing::medians(sizes.map(workload).into(), TURNS);
    eprintln!("{} is measured", name(row));
    std::array::from_fn(|at| {
        let (entities, _) = sizes[at];
        let items = if row == Id::W8 {
            entities / 10
        } else {
            entities
        };
        runs[at].map(|run| run / items as f64)
    })
}
