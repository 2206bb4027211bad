//! Activates mutants one by one, and runs the tests that reach them until one fails.

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::compile::Binary;
use crate::find::Mutant;
use crate::reach::{Test, command, workers};

/// A mutant that no test notices.
pub struct Survivor<'a> {
    /// The value of `ECS_MUTANT` that activates it.
    number: u32,
    pub mutant: &'a Mutant,
    /// The number of tests that reach it.
    pub tests: usize,
}

impl Survivor<'_> {
    fn show(&self) {
        let (number, tests) = (self.number, self.tests);
        println!("{number}: {} ({tests} tests)", self.mutant);
    }
}

/// The results of judging mutants.
#[derive(Default)]
pub struct Judged<'a> {
    /// The number of judged mutants.
    pub mutants: usize,
    pub survivors: Vec<Survivor<'a>>,
}

/// Judges all mutants in order, or as many as there is time for.
pub fn all<'a>(mutants: &'a [Mutant], tests: &[Test<'_>], end: Option<Instant>) -> Judged<'a> {
    let waiting = Mutex::new((0..).zip(mutants));
    let judged = Mutex::new(Judged::default());
    let is_time = || end.is_none_or(|end| Instant::now() < end);
    let next = || waiting.lock().expect("no panic").next();
    let work = || {
        while let Some((number, mutant)) = next().filter(|_| is_time()) {
            let survivor = judge(number, mutant, tests);
            survivor.iter().for_each(Survivor::show);
            let mut judged = judged.lock().expect("no panic");
            judged.mutants += 1;
            judged.survivors.extend(survivor);
        }
    };
    std::thread::scope(|scope| (0..workers()).for_each(|_| drop(scope.spawn(work))));
    judged.into_inner().expect("no panic")
}

fn judge<'a>(number: u32, mutant: &'a Mutant, tests: &[Test<'_>]) -> Option<Survivor<'a>> {
    let reaching: Vec<_> = tests.iter().filter(|test| test.reaches(number)).collect();
    let fast = reaching.partition_point(|test| test.time < Duration::from_millis(60));
    let killed = [&reaching[..fast], &reaching[fast..]]
        .into_iter()
        .any(|part| kills(number, part));
    (!killed).then_some(Survivor {
        number,
        mutant,
        tests: reaching.len(),
    })
}

/// Whether one of the tests fails. They are sorted by duration.
fn kills(number: u32, tests: &[&Test<'_>]) -> bool {
    let mut binaries: Vec<&Binary> = Vec::new();
    for test in tests {
        if !binaries
            .iter()
            .any(|known| std::ptr::eq(*known, test.binary))
        {
            binaries.push(test.binary);
        }
    }
    binaries.into_iter().any(|binary| {
        let of_binary = tests
            .iter()
            .filter(|test| std::ptr::eq(test.binary, binary));
        let of_binary: Vec<_> = of_binary.copied().collect();
        of_binary
            .chunks(100)
            .any(|part| fails(number, binary, part))
    })
}

/// Whether one of these tests of one binary fails or does not finish.
fn fails(number: u32, binary: &Binary, tests: &[&Test<'_>]) -> bool {
    let mut run = command(binary);
    run.args(["--exact", "--test-threads=1"])
        .args(tests.iter().map(|test| &test.name));
    run.env("ECS_MUTANT", number.to_string())
        .stdout(Stdio::piped());
    let mut child = run.spawn().expect("a program of tests");
    let output = BufReader::new(child.stdout.take().expect("it is piped"));
    let expected: Duration = tests.iter().map(|test| test.time).sum();
    let child = Arc::new(Mutex::new(child));
    let watch = Watch::start(child.clone(), expected * 4 + Duration::from_secs(10));
    let failed = output
        .lines()
        .map_while(Result::ok)
        .any(|line| line.ends_with("FAILED"));
    let late = watch.end();
    let mut child = child.lock().expect("no panic");
    if failed || late {
        let _ = child.kill();
    }
    let status = child.wait().expect("a process of ours");
    failed || late || !status.success()
}

/// Kills a process that takes too long.
struct Watch {
    ended: Arc<AtomicBool>,
    thread: std::thread::JoinHandle<bool>,
}

impl Watch {
    fn start(child: Arc<Mutex<Child>>, limit: Duration) -> Self {
        let ended = Arc::new(AtomicBool::new(false));
        let flag = ended.clone();
        let thread = std::thread::spawn(move || {
            std::thread::park_timeout(limit);
            let late = !flag.load(Ordering::Acquire);
            if late {
                let _ = child.lock().expect("no panic").kill();
            }
            late
        });
        Self { ended, thread }
    }

    /// Returns whether the process was killed.
    fn end(self) -> bool {
        self.ended.store(true, Ordering::Release);
        self.thread.thread().unpark();
        self.thread.join().expect("no panic")
    }
}
