//! Times all rows for all systems in one process and prints the medians as a table.
//!
//! The systems take turns within a row, so that what the machine does meanwhile falls
//! on all of them; only ratios of one run mean something.
//!
//! `--row W4` and `--system hecs` (each also more than once) pick; `--write` puts the
//! table into `BENCHMARKS.md`.

use std::fmt::Write as _;
use std::process::Command;
use std::time::Duration;

use ecs_benches::rows::{ROWS, Row};
use ecs_benches::systems::{BULK, OURS, RAW, SYSTEMS, System};
use ecs_benches::workload::Workload;

/// How often each system has its turn in a row, after the first, which warms up.
const REPETITIONS: usize = 101;

/// How long a turn takes at least: less than what a scheduler gives at once, so that
/// most turns of a busy machine are not interrupted.
const TURN: Duration = Duration::from_micros(400);

/// The file that `--write` changes, and the marks between which it does.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../BENCHMARKS.md");
const MARKS: (&str, &str) = ("<!-- table -->", "<!-- /table -->");

fn main() {
    let Options {
        rows,
        systems,
        write,
    } = Options::read();
    let mut table = heading(&systems);
    for row in rows {
        let line = line(row, &systems, &measure(row, &systems));
        eprint!("{line}");
        table += &line;
    }
    let text = format!("{}\n\n{table}", machine());
    println!("{text}");
    if write {
        write_to_file(&text);
    }
}

struct Options {
    rows: Vec<Row>,
    systems: Vec<System>,
    write: bool,
}

impl Options {
    fn read() -> Self {
        let (mut rows, mut systems, mut write) = (Vec::new(), Vec::new(), false);
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--row" => rows.push(arguments.next().expect("--row takes the id of a row")),
                "--system" => systems.push(arguments.next().expect("--system takes a name")),
                "--write" => write = true,
                other => panic!("{other} is none of --row, --system, --write"),
            }
        }
        let picked =
            |list: &[String], name: &str| list.is_empty() || list.iter().any(|s| s == name);
        Self {
            rows: ROWS
                .iter()
                .copied()
                .filter(|row| picked(&rows, &format!("{:?}", row.id)))
                .collect(),
            systems: SYSTEMS
                .iter()
                .copied()
                .filter(|system| picked(&systems, system.name))
                .collect(),
            write,
        }
    }
}

/// The median of each system in ns per item.
fn measure(row: Row, systems: &[System]) -> Vec<Option<f64>> {
    let mut turns: Vec<_> = systems
        .iter()
        .map(|system| Turn::new(*system, row))
        .collect();
    for repetition in 0..REPETITIONS {
        for at in 0..turns.len() {
            let at = (at + repetition) % turns.len();
            if let Some(turn) = &mut turns[at] {
                turn.take();
            }
        }
    }
    let median = |turn: Turn| turn.median() / row.items as f64;
    turns.into_iter().map(|turn| turn.map(median)).collect()
}

/// A system at work on a row.
struct Turn {
    workload: Box<dyn Workload>,
    times: u64,
    nanoseconds: Vec<f64>,
}

impl Turn {
    fn new(system: System, row: Row) -> Option<Self> {
        let mut workload = system.workload(row)?;
        workload.time(1);
        workload.check();
        let mut times = 1;
        while workload.time(times) < TURN {
            times *= 2;
        }
        let nanoseconds = Vec::new();
        Some(Self {
            workload,
            times,
            nanoseconds,
        })
    }

    fn take(&mut self) {
        // A short run first: the system before has had the caches.
        self.workload.time(self.times.div_ceil(8));
        let taken = self.workload.time(self.times).as_nanos();
        self.nanoseconds.push(taken as f64 / self.times as f64);
    }

    fn median(mut self) -> f64 {
        self.workload.check();
        self.nanoseconds.sort_by(f64::total_cmp);
        self.nanoseconds[self.nanoseconds.len() / 2]
    }
}

fn heading(systems: &[System]) -> String {
    let mut text = String::from("| row | item |");
    for system in systems {
        write!(text, " {} |", system.name).expect("a string takes all");
    }
    text += " ecs to the best peer | ecs to raw | bulk to the best peer |\n| --- | --- |";
    text + &" ---: |".repeat(systems.len() + 3) + "\n"
}

fn line(row: Row, systems: &[System], figures: &[Option<f64>]) -> String {
    let mut text = format!("| {:?} {} | {} |", row.id, row.name, row.item);
    for figure in figures {
        text += &cell(*figure, "");
    }
    let named = || systems.iter().map(|system| system.name).zip(figures);
    let of = |name| named().find_map(|(known, figure)| (*figure).filter(|_| known == name));
    let peers = named().filter(|(name, _)| ![OURS, BULK, RAW].contains(name));
    let best = peers
        .filter_map(|(_, figure)| *figure)
        .min_by(f64::total_cmp);
    let ratio = |name, to: Option<f64>| Some(of(name)? / to?);
    let ratios = [ratio(OURS, best), ratio(OURS, of(RAW)), ratio(BULK, best)];
    text + &ratios.map(|ratio| cell(ratio, "×")).concat() + "\n"
}

fn cell(figure: Option<f64>, unit: &str) -> String {
    match figure {
        None => " – |".into(),
        Some(figure) if figure < 10.0 => format!(" {figure:.2}{unit} |"),
        Some(figure) => format!(" {figure:.1}{unit} |"),
    }
}

/// On what the figures were taken, and when.
fn machine() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text
        .lines()
        .find_map(|line| line.strip_prefix("model name"));
    let model = model.map_or("unknown CPU", |rest| {
        rest.trim_start_matches([' ', '\t', ':'])
    });
    let (rustc, date) = (output("rustc", &["--version"]), output("date", &["-I"]));
    format!("{model}, {rustc}, {date}; ns per item, median of {REPETITIONS} interleaved turns.")
}

fn output(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    let text = output.map_or(Vec::new(), |output| output.stdout);
    String::from_utf8_lossy(&text).trim().into()
}

fn write_to_file(table: &str) {
    let text = std::fs::read_to_string(FILE).expect("BENCHMARKS.md can be read");
    let text = with_table(&text, table).expect("BENCHMARKS.md has both marks");
    std::fs::write(FILE, text).expect("BENCHMARKS.md can be written");
}

/// The text with the table between the marks in place of what was there.
fn with_table(text: &str, table: &str) -> Option<String> {
    let (before, rest) = text.split_once(MARKS.0)?;
    let (_, after) = rest.split_once(MARKS.1)?;
    let (start, end) = MARKS;
    Some(format!("{before}{start}\n\n{table}\n{end}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_between_the_marks_is_replaced() {
        let text = "a\n<!-- table -->\nold\n<!-- /table -->\nb\n";
        let once = with_table(text, "new\n").unwrap();
        assert_eq!(once, "a\n<!-- table -->\n\nnew\n\n<!-- /table -->\nb\n");
        assert_eq!(with_table(&once, "new\n"), Some(once));
        assert_eq!(with_table("no marks", "new"), None);
    }
}
