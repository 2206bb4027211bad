//! Measures all rows for all systems in one process and prints the ratios and the figures as tables.
//!
//! The systems run in turns within a row, so that other load of the machine affects all of them. Only
//! ratios within one run are meaningful. Memory is measured in a separate process for each system.
//!
//! `--row W4` and `--system hecs` (each can be repeated) select rows and systems; `--large` includes
//! the rows that need gigabytes; `--write` writes the tables to the results of this program's
//! profile. Those of `release` are also written to `BENCHMARKS.md` and drawn in `chart.svg`.

use ecs_benches::comparison::{Comparison, figures, ratios, releases};
use ecs_benches::rows::{ROWS, Row, Unit};
use ecs_benches::systems::{SYSTEMS, System};
use ecs_benches::{allocator, chart, report, residency, timing};

/// The number of turns of each system in a row.
const TURNS: usize = 101;

fn main() {
    if residency::answer() {
        return;
    }
    allocator::keep_memory();
    let options = Options::read();
    let rows: Vec<_> = options
        .rows
        .iter()
        .map(|&row| options.measure(row))
        .collect();
    let ratios = format!(
        "{}; profile `{}`; {}; medians of {TURNS} interleaved turns. {}.\n\n{}",
        report::machine(),
        report::profile(),
        allocator::SETTINGS,
        releases(&options.systems),
        ratios(&rows),
    );
    let figures = figures(&rows, &options.systems);
    let text = format!("{ratios}\nAll figures, in the same units:\n\n{figures}");
    println!("{text}");
    let Some(name) = options.results else {
        return;
    };
    report::write(name, &text);
    if name == "table" {
        report::show(&ratios);
        std::fs::write(chart::FILE, chart::svg(&rows)).expect("the chart can be written");
    }
}

/// The results of the profile of this program.
fn results() -> &'static str {
    match &report::profile()[..] {
        "release" => "table",
        "default-release" => "default-table",
        other => panic!("there are no results of the profile {other}"),
    }
}

struct Options {
    rows: Vec<Row>,
    systems: Vec<System>,
    /// The results to write, if any.
    results: Option<&'static str>,
}

impl Options {
    fn read() -> Self {
        let (mut rows, mut systems) = (Vec::new(), Vec::new());
        let (mut write, mut large) = (false, false);
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--row" => rows.push(arguments.next().expect("--row takes the id of a row")),
                "--system" => systems.push(arguments.next().expect("--system takes a name")),
                "--write" => write = true,
                "--large" => large = true,
                other => panic!("{other} is none of --row, --system, --write, --large"),
            }
        }
        assert!(
            !write || (rows.is_empty() && systems.is_empty()),
            "--write takes all rows and systems: ratios of different runs mean nothing"
        );
        let is_wanted = |row: &Row| large || !row.is_large || !rows.is_empty();
        let wanted: Vec<_> = ROWS.iter().copied().filter(is_wanted).collect();
        Self {
            rows: picked(&wanted, &rows, |row| format!("{:?}", row.id)),
            systems: picked(SYSTEMS, &systems, |system| system.name.into()),
            results: write.then(results),
        }
    }

    /// Measures a row and prints progress, since it takes time.
    fn measure(&self, row: Row) -> Comparison {
        let runs = match row.unit {
            Unit::Time => {
                let workloads = self.systems.iter().map(|system| system.workload(row));
                timing::medians(workloads.collect(), TURNS)
            }
            Unit::Memory => residency::bytes(row, &self.systems),
        };
        let items = row.items as f64;
        let runs = runs.into_iter().map(|run| run.map(|run| run / items));
        let figures = self.systems.iter().copied().zip(runs).collect();
        let comparison = Comparison { row, figures };
        eprint!("{}", figures_line(&comparison));
        comparison
    }
}

/// Returns the row as a line of the table of figures.
fn figures_line(row: &Comparison) -> String {
    let systems: Vec<_> = row.figures.iter().map(|(system, _)| *system).collect();
    let table = figures(std::slice::from_ref(row), &systems);
    table
        .lines()
        .skip(2)
        .map(|line| line.to_owned() + "\n")
        .collect()
}

/// Returns the named items, or all if none is named.
fn picked<T: Copy>(all: &[T], named: &[String], name: impl Fn(&T) -> String) -> Vec<T> {
    for one in named {
        assert!(all.iter().any(|it| name(it) == *one), "there is no {one}");
    }
    let is_picked = |it: &&T| named.is_empty() || named.contains(&name(it));
    all.iter().filter(is_picked).copied().collect()
}
