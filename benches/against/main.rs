//! Compares the rows of two checkouts of `ecs` in one process, in turns. Built by `run`, which links
//! both.
//!
//! Times are compared by the minimum of many turns and by the median of the ratios of adjacent
//! turns, over several fresh states, so that the place of a state in memory matters less. Rows of
//! memory are measured in one process for each side. With `--counts`, instructions per item are
//! compared, measured by callgrind.

use std::process::Command;
use std::time::Duration;

/// How many fresh states a row is measured on.
const ROUNDS: usize = 5;

/// The number of turns of each side with a state.
const TURNS: usize = 21;

/// The minimum duration of a turn.
const TURN: Duration = Duration::from_micros(400);

/// The ratio above which a row is marked as slower.
const LIMIT: f64 = 1.03;

/// A workload of either side.
trait Workload {
    fn time(&mut self, times: u64) -> Duration;
    fn check(&mut self);
}

/// A row of either side in one of its forms.
struct Row {
    name: String,
    items: usize,
    is_memory: bool,
    make: Box<dyn Fn(usize) -> Box<dyn Workload>>,
}

macro_rules! side {
    ($side:ident, $rows:ident) => {
        mod $side {
            use std::time::Duration;
            use $rows::rows::{Id, ROWS, Unit};
            use $rows::systems::ours;
            use $rows::workload::Workload;

            struct Side(Box<dyn Workload>);

            impl super::Workload for Side {
                fn time(&mut self, times: u64) -> Duration {
                    self.0.time(times)
                }

                fn check(&mut self) {
                    self.0.check();
                }
            }

            type Make = fn(Id, usize) -> Option<Box<dyn Workload>>;

            pub(super) fn rows() -> Vec<super::Row> {
                let forms: [(&str, Make); 2] = [("", ours::workload), (" bulk", ours::bulk)];
                let mut rows = Vec::new();
                for (row, (form, make)) in ROWS.iter().flat_map(|row| forms.map(|it| (row, it))) {
                    if make(row.id, row.items / 20).is_some() {
                        rows.push(super::Row {
                            name: format!("{:?}{form}", row.id),
                            items: row.items,
                            is_memory: row.unit == Unit::Memory,
                            make: Box::new(move |items| {
                                Box::new(Side(make(row.id, items).expect("the row is known")))
                            }),
                        });
                    }
                }
                rows
            }
        }
    };
}
side!(before, rows_before);
side!(after, rows_after);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["--resident", side, row] => println!("{}", resident_after(&found(side, row))),
        ["--count", side, row, times] => count(&found(side, row), times.parse().unwrap()),
        ["--counts", ..] => compare(&words[1..], compare_counts),
        _ => compare(&words, compare_row),
    }
}

/// Finds the row of a side by its name.
fn found(side: &str, name: &str) -> Row {
    let rows = if side == "before" {
        before::rows()
    } else {
        after::rows()
    };
    let row = rows.into_iter().find(|row| row.name == name);
    row.unwrap_or_else(|| panic!("there is no {name} {side}"))
}

/// Prints a line for each named row, or for all rows, and how many are slower.
fn compare(named: &[&str], ratios: fn(&[Row; 2]) -> Line) {
    println!("| row | before | after | ratio of the least | median ratio | |");
    println!("| --- | ---: | ---: | ---: | ---: | --- |");
    let mut slower = 0;
    for before in before::rows() {
        if !named.is_empty() && !named.contains(&&before.name[..]) {
            continue;
        }
        let after = after::rows()
            .into_iter()
            .find(|row| row.name == before.name);
        let Some(after) = after else {
            println!("| {} | is not there after | | | | |", before.name);
            continue;
        };
        let name = before.name.clone();
        let Line {
            figures: [b, a],
            median,
        } = ratios(&[before, after]);
        let ratio = a / b;
        let mark = if ratio.min(median) > LIMIT {
            "slower"
        } else {
            ""
        };
        slower += usize::from(!mark.is_empty());
        println!("| {name} | {b:.3} | {a:.3} | {ratio:.3} | {median:.3} | {mark} |");
    }
    println!("\n{slower} rows above {LIMIT} by both ratios");
}

/// The output for a row: a figure of each side, and the median of paired ratios.
struct Line {
    figures: [f64; 2],
    median: f64,
}

impl Line {
    fn of(figures: [f64; 2]) -> Self {
        let median = figures[1] / figures[0];
        Self { figures, median }
    }
}

fn compare_row(rows: &[Row; 2]) -> Line {
    if rows[0].is_memory {
        return Line::of([resident("before", &rows[0]), resident("after", &rows[1])]);
    }
    let (mut least, mut ratios) = ([f64::INFINITY; 2], Vec::new());
    for round in 0..ROUNDS {
        let order = [round % 2, 1 - round % 2];
        for taken in alternate(rows, order) {
            least = [0, 1].map(|side| least[side].min(taken[side]));
            ratios.push(taken[1] / taken[0]);
        }
    }
    ratios.sort_by(f64::total_cmp);
    let median = ratios[ratios.len() / 2];
    Line {
        figures: least,
        median,
    }
}

/// Returns the ns per item of each turn of both sides, on a fresh state.
fn alternate(rows: &[Row; 2], order: [usize; 2]) -> Vec<[f64; 2]> {
    let mut states: [Option<Box<dyn Workload>>; 2] = [None, None];
    for side in order {
        states[side] = Some((rows[side].make)(rows[side].items));
    }
    let mut states = states.map(|state| state.expect("both are made"));
    let times = states.each_mut().map(|state| enough(&mut **state));
    let times = times[0].max(times[1]);
    let mut turns = Vec::new();
    for turn in 0..TURNS {
        let mut taken = [0.0; 2];
        for side in if turn % 2 == 0 {
            order
        } else {
            [order[1], order[0]]
        } {
            states[side].time(times.div_ceil(8));
            let nanoseconds = states[side].time(times).as_nanos() as f64;
            taken[side] = nanoseconds / times as f64 / rows[side].items as f64;
        }
        turns.push(taken);
    }
    states.iter_mut().for_each(|state| state.check());
    turns
}

/// Returns the number of runs that fill a turn.
fn enough(state: &mut dyn Workload) -> u64 {
    state.time(1);
    state.check();
    let mut times = 1;
    while state.time(times) < TURN {
        times *= 2;
    }
    times
}

/// Runs this program to get a figure; returns its output.
fn ask(program: &mut Command, arguments: &[&str]) -> (String, String) {
    let output = program.args(arguments).output().expect("it can be run");
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

/// Returns the resident bytes per item: the median of three processes.
fn resident(side: &str, row: &Row) -> f64 {
    let program = std::env::current_exe().expect("the path of this program");
    let mut bytes = [(); 3].map(|()| {
        let arguments = ["--resident", side, &row.name];
        let (text, _) = ask(&mut Command::new(&program), &arguments);
        text.trim().parse::<u64>().expect("a number of bytes")
    });
    bytes.sort_unstable();
    bytes[1] as f64 / row.items as f64
}

fn resident_after(row: &Row) -> u64 {
    let mut state = (row.make)(row.items);
    let before = anonymous();
    state.time(1);
    let after = anonymous();
    state.check();
    after.saturating_sub(before)
}

/// Returns the resident bytes of this process, without the program file.
fn anonymous() -> u64 {
    let text = std::fs::read_to_string("/proc/self/smaps_rollup").expect("Linux");
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("Anonymous:"));
    let kilobytes = line.and_then(|rest| rest.trim().strip_suffix(" kB"));
    1024 * kilobytes
        .expect("a line of kB")
        .parse::<u64>()
        .expect("a number")
}

/// Returns the number of items to count: a part of them if there are very many.
fn counted(row: &Row) -> usize {
    if row.items > 10_000 {
        row.items / 20
    } else {
        row.items
    }
}

/// The number of counted runs.
const RUNS: u64 = 2;

fn compare_counts(rows: &[Row; 2]) -> Line {
    if rows[0].is_memory {
        return Line::of([1.0; 2]);
    }
    Line::of([
        instructions("before", &rows[0]),
        instructions("after", &rows[1]),
    ])
}

/// Makes `times` runs after two that warm up.
fn count(row: &Row, times: u64) {
    let mut state = (row.make)(counted(row));
    state.time(2);
    state.time(times);
    std::mem::forget(state);
}

/// Returns the instructions per item: the difference between processes with more and fewer runs.
fn instructions(side: &str, row: &Row) -> f64 {
    let program = std::env::current_exe().expect("the path of this program");
    let program = program.to_str().expect("a path in UTF-8");
    let [none, some] = [0, RUNS].map(|times| {
        let callgrind = [
            "--tool=callgrind",
            "--callgrind-out-file=/dev/null",
            program,
        ];
        let arguments = ["--count", side, &row.name, &times.to_string()];
        let (_, text) = ask(Command::new("valgrind").args(callgrind), &arguments);
        let line = text
            .lines()
            .find_map(|line| line.split_once("Collected : "));
        line.expect("valgrind counts")
            .1
            .trim()
            .parse::<f64>()
            .expect("a number")
    });
    (some - none) / (RUNS as f64 * counted(row) as f64)
}
