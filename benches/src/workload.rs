//! A workload: a state, what is timed on it, and what must be true after it.
//!
//! [`steady`] runs on one state again and again, for work that leads back to where it
//! began; [`fresh`] makes a new one for each run, outside the timed part.

use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crate::types::{Position, position};

/// Something to be timed.
pub trait Workload {
    /// Runs so many times; tells how long that took without what prepares a run.
    fn time(&mut self, times: u64) -> Duration;

    /// Panics where the result of the runs so far is wrong.
    fn check(&mut self);
}

struct Steady<S, R, C> {
    state: S,
    run: R,
    check: C,
    runs: u64,
}

impl<S, R: FnMut(&mut S), C: FnMut(&mut S, u64)> Workload for Steady<S, R, C> {
    fn time(&mut self, times: u64) -> Duration {
        self.runs += times;
        let start = Instant::now();
        for _ in 0..times {
            (self.run)(black_box(&mut self.state));
        }
        start.elapsed()
    }

    fn check(&mut self) {
        (self.check)(&mut self.state, self.runs);
    }
}

/// A workload on one state; `check` is told how many runs there have been.
pub fn steady<S: 'static>(
    state: S,
    run: impl FnMut(&mut S) + 'static,
    check: impl FnMut(&mut S, u64) + 'static,
) -> Box<dyn Workload> {
    let runs = 0;
    Box::new(Steady {
        state,
        run,
        check,
        runs,
    })
}

struct Fresh<S, M, R, C> {
    last: Option<S>,
    make: M,
    run: R,
    check: C,
}

impl<S, M: FnMut() -> S, R: FnMut(&mut S), C: FnMut(&mut S)> Workload for Fresh<S, M, R, C> {
    fn time(&mut self, times: u64) -> Duration {
        let mut sum = Duration::ZERO;
        for _ in 0..times {
            // The state before is dropped first, so that its memory can serve again.
            self.last = None;
            let state = self.last.insert((self.make)());
            let start = Instant::now();
            (self.run)(black_box(state));
            sum += start.elapsed();
        }
        sum
    }

    fn check(&mut self) {
        if let Some(state) = &mut self.last {
            (self.check)(state);
        }
    }
}

/// A workload with a new state for each run; `check` is shown the last one.
pub fn fresh<S: 'static>(
    make: impl FnMut() -> S + 'static,
    run: impl FnMut(&mut S) + 'static,
    check: impl FnMut(&mut S) + 'static,
) -> Box<dyn Workload> {
    let last = None;
    Box::new(Fresh {
        last,
        make,
        run,
        check,
    })
}

/// What has been handled: how many values, and a sum that every value changes. Whole
/// numbers, so that no chain of slow additions hides what is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    count: u64,
    sum: u64,
}

impl Tally {
    /// Handles a value.
    #[inline]
    pub fn add(&mut self, position: &Position) {
        self.count += 1;
        self.sum = self.sum.wrapping_add(u64::from(position.0[0].to_bits()));
    }

    /// Handles each value. The sum is kept at hand until the end, so that nothing is
    /// stored on the way.
    #[inline]
    pub fn add_all<'a>(&mut self, positions: impl Iterator<Item = &'a Position>) {
        let mut tally = *self;
        positions.for_each(|position| tally.add(position));
        *self = tally;
    }

    /// What it is where the positions of the first `entities` are handled so many
    /// times.
    pub fn of_all(entities: usize, times: u64) -> Self {
        Self::of(0..entities, times)
    }

    fn of(indices: impl IntoIterator<Item = usize>, times: u64) -> Self {
        let mut once = Self::default();
        indices
            .into_iter()
            .for_each(|index| once.add(&position(index)));
        let (count, sum) = (once.count * times, once.sum.wrapping_mul(times));
        Self { count, sum }
    }
}

/// What the observer of W8e has been told: a sum that it shares with the workload. A
/// load and a store cost what a plain counter does, and every system may send it.
#[derive(Clone, Debug, Default)]
pub struct Heard(Arc<AtomicU64>);

impl Heard {
    /// Is told of a value.
    #[inline]
    pub fn of(&self, position: &Position) {
        let bits = u64::from(position.0[0].to_bits());
        self.0
            .store(self.0.load(Relaxed).wrapping_add(bits), Relaxed);
    }

    /// Panics unless the positions of the first `entities` were told so many times.
    pub fn check(&self, entities: usize, times: u64) {
        assert_eq!(self.0.load(Relaxed), Tally::of_all(entities, times).sum);
    }
}

/// The numbers below `len` in an order that looks random and is always the same.
pub fn shuffled(len: usize) -> Vec<usize> {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut numbers: Vec<usize> = (0..len).collect();
    for at in (1..len).rev() {
        numbers.swap(at, random.below(at + 1));
    }
    numbers
}

/// The same list in [`shuffled`] order.
pub fn in_shuffled_order<T: Copy>(list: &[T]) -> Vec<T> {
    shuffled(list.len())
        .into_iter()
        .map(|at| list[at])
        .collect()
}

/// Which entities are replaced in W8: random ones, some of them more than once.
pub struct Picks {
    rounds: Vec<Vec<usize>>,
    next: usize,
}

/// How many rounds of picks there are before they come again.
const ROUNDS: usize = 16;

impl Picks {
    /// Picks so many in each round among the first `entities`.
    pub fn new(picks: usize, entities: usize) -> Self {
        let mut random = Random(0x2545_f491_4f6c_dd1d);
        let mut round = || (0..picks).map(|_| random.below(entities)).collect();
        let rounds = (0..ROUNDS).map(|_| round()).collect();
        Self { rounds, next: 0 }
    }

    /// The picks of the next round.
    #[inline]
    pub fn round(&mut self) -> &[usize] {
        let round = self.next;
        self.next = (round + 1) % ROUNDS;
        &self.rounds[round]
    }

    /// What is handled in so many rounds where each picked entity is handled once.
    pub fn handled(&self, rounds: u64) -> Tally {
        let mut all = Tally::default();
        for (at, round) in self.rounds.iter().enumerate() {
            let mut distinct = round.clone();
            distinct.sort_unstable();
            distinct.dedup();
            let times = (rounds + (ROUNDS - 1 - at) as u64) / ROUNDS as u64;
            let tally = Tally::of(distinct, times);
            all.count += tally.count;
            all.sum = all.sum.wrapping_add(tally.sum);
        }
        all
    }
}

/// A xorshift generator.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (((self.0 >> 32) * end as u64) >> 32) as usize
    }
}
