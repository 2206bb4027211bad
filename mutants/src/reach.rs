//! Finds which tests reach which mutants, and how long each test takes, by running each test once.

use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::compile::Binary;

/// The maximum duration of a test that judges mutants.
const SLOW: Duration = Duration::from_secs(3);

/// One test.
pub struct Test<'a> {
    pub binary: &'a Binary,
    pub name: String,
    pub time: Duration,
    reached: BTreeSet<u32>,
}

impl Test<'_> {
    /// Whether it reaches a mutant.
    pub fn reaches(&self, mutant: u32) -> bool {
        self.reached.contains(&mutant)
    }
}

/// Prepares the command for a test binary.
pub fn command(binary: &Binary) -> Command {
    let mut command = Command::new("sh");
    // A mutant may try to allocate all memory.
    command
        .args(["-c", "ulimit -v 8000000; exec \"$0\" \"$@\""])
        .arg(&binary.path);
    command
        .current_dir(&binary.folder)
        .env("CARGO_MANIFEST_DIR", &binary.folder);
    command
        .env("PROPTEST_CASES", "16")
        .env("PROPTEST_RNG_SEED", "20")
        .env("ECS_TEST_PROGRAMS", "200")
        .env("ECS_TEST_RESOURCES", "1")
        .env("INSTA_UPDATE", "no");
    // Unoptimized code with many switches has larger stack frames than the tests expect.
    command
        .env("RUST_MIN_STACK", (8 << 20).to_string())
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .stdout(Stdio::null());
    command
}

/// Returns all tests that pass, are not too slow, and have one of the words of `by` in their names.
pub fn tests<'a>(binaries: &'a [Binary], by: &str, mutants: usize) -> Vec<Test<'a>> {
    assert!(mutants < 1 << 15, "the switch has room for fewer mutants");
    let names = binaries
        .iter()
        .flat_map(|binary| names(binary).into_iter().map(move |it| (binary, it)));
    let names = names.filter(|(_, name)| by.split('|').any(|part| name.contains(part)));
    let waiting = Mutex::new(names.collect::<Vec<_>>());
    let measured = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for worker in 0..workers() {
            let (waiting, measured) = (&waiting, &measured);
            scope.spawn(move || {
                while let Some((binary, name)) = { waiting.lock().expect("no panic").pop() } {
                    let test = measure(binary, name, worker);
                    measured.lock().expect("no panic").extend(test);
                }
            });
        }
    });
    let mut tests = measured.into_inner().expect("no panic");
    tests.sort_by_key(|test| test.time);
    tests
}

/// Returns the number of parallel workers.
pub fn workers() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn names(binary: &Binary) -> Vec<String> {
    let mut list = command(binary);
    let output = list
        .args(["--list", "--format=terse"])
        .stdout(Stdio::piped())
        .output();
    let text = String::from_utf8(output.expect("a program of tests").stdout).expect("UTF-8");
    text.lines()
        .filter_map(|line| line.strip_suffix(": test"))
        .map(str::to_owned)
        .collect()
}

fn measure(binary: &Binary, name: String, worker: usize) -> Option<Test<'_>> {
    let path = std::env::temp_dir().join(format!("mutants-{}-{worker}", std::process::id()));
    let _ = fs::remove_file(&path);
    let start = Instant::now();
    let mut test = command(binary);
    test.args(["--exact", &name])
        .env("ECS_MUTANTS_REACHED", &path);
    let status = test.status().expect("a program of tests");
    let time = start.elapsed();
    let reached = fs::read_to_string(&path).unwrap_or_default();
    let _ = fs::remove_file(&path);
    if !status.success() || time > SLOW {
        println!(
            "not used: {name}, {} after {time:.1?}",
            if status.success() { "passes" } else { "fails" }
        );
        return None;
    }
    let reached = reached
        .lines()
        .filter_map(|line| line.parse().ok())
        .collect();
    Some(Test {
        binary,
        name,
        time,
        reached,
    })
}
