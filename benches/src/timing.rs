//! Times workloads in alternating turns, so that other load of the machine affects all of them.

use std::time::Duration;

use crate::workload::Workload;

/// The minimum duration of a turn: less than a time slice of the scheduler, so that most turns are not
/// interrupted on a busy machine.
const TURN: Duration = Duration::from_micros(400);

/// Returns the median of each workload in ns per run, of `turns` turns after a first one that warms up.
/// Checks the results.
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

/// A workload and the times of its turns.
struct Timed {
    workload: Box<dyn Workload>,
    /// The number of runs in a turn.
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
        // A short run first, since the previous workload has filled the caches.
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
