//! The command line of the example: what it accepts and rejects.

use crate::arguments::{Inspect, Task, read};
use crate::logic::{BoardSize, Settings};

fn task(line: &str) -> Result<Task, String> {
    read(line.split_whitespace().map(str::to_owned))
}

#[test]
fn options_are_read_in_any_order() {
    let settings = Settings {
        size: BoardSize {
            width: 4,
            height: 5,
        },
        seed: 3,
        ..Settings::default()
    };
    let line = "--height 5 --seed 3 --width 4";
    assert_eq!(task(line), Ok(Task::Play(settings, Inspect::No)));
    let line = format!("--turns 9 {line} --headless");
    assert_eq!(task(&line), Ok(Task::PlayItself(settings, 9, Inspect::No)));
    let line = format!("--inspect {line}");
    assert_eq!(task(&line), Ok(Task::PlayItself(settings, 9, Inspect::Yes)));
}

#[test]
fn without_options_the_clock_decides_and_headless_runs_are_all_the_same() {
    let itself = Ok(Task::PlayItself(Settings::default(), 200, Inspect::No));
    assert_eq!(task("--headless"), itself);
    let Ok(Task::Play(settings, Inspect::No)) = task("") else {
        panic!("it is to be played");
    };
    assert_eq!(settings.size, BoardSize::default());
}

#[test]
fn help_comes_before_all_else() {
    assert_eq!(task("--help"), Ok(Task::Help));
    assert_eq!(task("--turns 3 -h"), Ok(Task::Help));
}

#[test]
fn what_is_unknown_or_impossible_is_rejected_with_its_name() {
    let rejected = [
        ("--fast", "there is no option `--fast`"),
        ("seven", "there is no option `seven`"),
        ("--seed", "`--seed` needs a number"),
        (
            "--seed x",
            "`--seed` cannot be `x`: it must be a whole number",
        ),
        (
            "--seed -1",
            "`--seed` cannot be `-1`: it must be a whole number",
        ),
        ("--width 1", "`--width` is from 2 to 40, not 1"),
        ("--height 41", "`--height` is from 2 to 40, not 41"),
        (
            "--height 99999",
            "`--height` cannot be `99999`: it must be a whole number",
        ),
        ("--turns 5", "`--turns` goes with `--headless`"),
    ];
    for (line, message) in rejected {
        assert_eq!(task(line), Err(message.to_owned()), "{line}");
    }
}
