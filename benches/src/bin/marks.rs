//! Measures the workloads with limits, in turns with the code that does the same by hand.
//!
//! `--write` writes the table to `results/marks.md`; a word selects the marks whose names contain it.

use ecs_benches::allocator;
use ecs_benches::marks::{Limit, MARKS, Mark};
use ecs_benches::report::{self, figure, rule};
use ecs_benches::timing;

/// The number of turns of each side.
const TURNS: usize = 101;

fn main() {
    allocator::keep_memory();
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let write = arguments.iter().position(|argument| argument == "--write");
    let write = write.map(|at| arguments.remove(at)).is_some();
    let is_picked = |mark: &&Mark| arguments.iter().all(|word| mark.name.contains(word));
    let lines: String = MARKS.iter().filter(is_picked).map(line).collect();
    let heading = "| what | beside | unit | ecs | beside | ratio | mark |\n";
    let text = format!(
        "{}; {}; medians of {TURNS} interleaved turns.\n\n{heading}{}{lines}",
        report::machine(),
        allocator::SETTINGS,
        rule(3, 4),
    );
    println!("{text}");
    if write {
        assert!(arguments.is_empty(), "the table is written as a whole");
        report::write("marks", &text);
    }
}

/// Measures a mark and returns a line of the table.
fn line(mark: &Mark) -> String {
    let workloads = [mark.ours, mark.by_hand].map(|make| Some(make(mark.items)));
    let runs = timing::medians(workloads.into(), TURNS);
    let per_item = |at: usize| runs[at].expect("both were measured") / mark.items as f64;
    let (ours, by_hand) = (per_item(0), per_item(1));
    let limit = match mark.limit {
        Limit::None => "–".into(),
        Limit::Times(times) => format!("{}×", figure(times)),
        Limit::Nanoseconds(nanoseconds) => format!("{} ns", figure(nanoseconds)),
    };
    let line = format!(
        "| {} | {} | ns per {} | {} | {} | {}× | {limit} |\n",
        mark.name,
        mark.beside,
        mark.item,
        figure(ours),
        figure(by_hand),
        figure(ours / by_hand),
    );
    eprint!("{line}");
    line
}
