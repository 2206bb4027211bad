//! Measures single frames: the median, and the longest ones.
//!
//! `--write` writes the table to `results/frames.md`, in the section of the profile.

use ecs_benches::frames::{Durations, PROGRAMS, Program};
use ecs_benches::report::{self, figure, rule};
use ecs_benches::systems::FRAMES;

/// How often each program runs with each system; in debug builds, a run takes over a minute.
const RUNS: usize = if cfg!(debug_assertions) { 2 } else { 5 };

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
    let heading = "| program | system | median | 99.9 % | worst |\n";
    let lines: String = PROGRAMS.iter().map(lines).collect();
    let text = format!(
        "{}; us per frame, the least of {RUNS} runs.\n\n{heading}{}{lines}",
        report::machine(),
        rule(2, 3),
    );
    println!("{text}");
    if write.is_some() {
        report::write_section("frames", &format!("frames, {}", report::profile()), &text);
    }
}

/// Measures a program and returns its lines of the table.
fn lines(program: &Program) -> String {
    let line = |(durations, system): (Durations, _)| {
        format!(
            "| {} | {system} | {} | {} | {} |\n",
            program.name,
            figure(durations.median),
            figure(durations.nearly_all),
            figure(durations.worst),
        )
    };
    let names = FRAMES.iter().map(|system| system.name);
    let lines: String = program
        .run(FRAMES, RUNS)
        .into_iter()
        .zip(names)
        .map(line)
        .collect();
    eprint!("{lines}");
    lines
}
