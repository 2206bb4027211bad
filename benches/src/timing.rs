//! How workloads are timed: in turns that alternate, so that whatever else the machine
//! does falls on all of them.

use std::time::Duration;

use crate::workload::Workload;

/// How long a turn takes at least: less than what a scheduler gives at once, so that
/// most turns of a busy machine are not interrupted.
const TURN: Duration = Duration::from_micros(400);

/// The median of each workload in ns per run, of so many turns after the first, which
/// warms up. Checks the results.
pub fn medians(workloads: Vec<Option<Box<dyn Workload>>>, turns: usize) -> Vec<Option<f64>> {
    let timed = |workload: Option<_>| workload.map(Timed::new);
    let mut all: Vec<_> = workloads.into_iter().map(timed).collect();
    for turn in 0..turns {
        for at in 0..all.len() {
            let at = (at + turn) % all.len();
            if let Some(timed) = &mut all[at] {
                timed.take_turn();
            }
        }
    }
    let median = |timed: Option<Timed>| timed.map(Timed::median);
    all.into_iter().map(median).collect()
}

/// A workload and how long its turns took.
struct Timed {
    workload: Box<dyn Workload>,
    /// How often it runs in a turn.
    times: u64,
    nanoseconds: Vec<f64>,
}

impl Timed {
    fn new(mut workload: Box<dyn Workload>) -> Self {
        workload.time(1);
        workload.check();
        let mut times = 1;
        while workload.time(times) < TURN {
            times *= 2;
        }
        let nanoseconds = Vec::new();
        Self {
            workload,
            times,
            nanoseconds,
        }
    }

    fn take_turn(&mut self) {
        // A short run first: the workload before has had the caches.
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
