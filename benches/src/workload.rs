//! A workload: a state, the timed code, and checks of the result.
//!
//! [`steady`] runs repeatedly on one state, for work that restores it; [`fresh`] makes a new state
//! for each run, outside the timed part.

use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::types::{Position, Rotation, Transform, Velocity, advanced, position, stale, wide};

/// Something to be timed.
pub trait Workload {
    /// Runs `times` times; returns the time taken, without preparations.
    fn time(&mut self, times: u64) -> Duration;

    /// Panics if the result of the runs so far is wrong.
    fn check(&mut self);
}

/// Work on one state that is prepared before each run, outside the timed part.
pub struct Prepared<S, P, R, C> {
    /// The state.
    pub state: S,
    /// Prepares a run.
    pub prepare: P,
    /// The timed part.
    pub run: R,
    /// Panics if the result of a run is wrong.
    pub check: C,
}

impl<S, P: FnMut(&mut S), R: FnMut(&mut S), C: FnMut(&mut S)> Workload for Prepared<S, P, R, C> {
    fn time(&mut self, times: u64) -> Duration {
        let mut sum = Duration::ZERO;
        for _ in 0..times {
            (self.prepare)(&mut self.state);
            let start = Instant::now();
            (self.run)(&mut self.state);
            sum += start.elapsed();
        }
        sum
    }

    fn check(&mut self) {
        (self.check)(&mut self.state);
    }
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

/// A workload on one state; `check` gets the number of runs so far.
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
            // The previous state is dropped first, so that its memory can be reused.
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

/// A workload with a new state for each run; `check` gets the last one.
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

struct Pairs<S, A, R, C> {
    state: S,
    add: A,
    remove: R,
    check: C,
}

impl<S, A, R, C> Workload for Pairs<S, A, R, C>
where
    A: FnMut(&mut S),
    R: FnMut(&mut S),
    C: FnMut(&mut S, bool),
{
    fn time(&mut self, times: u64) -> Duration {
        let start = Instant::now();
        for _ in 0..times {
            let state = black_box(&mut self.state);
            (self.add)(state);
            (self.remove)(state);
        }
        start.elapsed()
    }

    fn check(&mut self) {
        (self.check)(&mut self.state, false);
        (self.add)(&mut self.state);
        (self.check)(&mut self.state, true);
        (self.remove)(&mut self.state);
        (self.check)(&mut self.state, false);
    }
}

/// A workload that adds something and removes it again. `check` gets whether it must be present,
/// and is also called between the two, outside the timed part.
pub fn pairs<S: 'static>(
    state: S,
    add: impl FnMut(&mut S) + 'static,
    remove: impl FnMut(&mut S) + 'static,
    check: impl FnMut(&mut S, bool) + 'static,
) -> Box<dyn Workload> {
    Box::new(Pairs {
        state,
        add,
        remove,
        check,
    })
}

/// A tally of handled values: their number, and a sum that every value changes. It uses integers,
/// because a chain of slow float additions would hide what is measured. It is timed, so it uses only one
/// field of each value; [`checks`](crate::checks) compares all fields afterwards.
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

    /// Adds an entity of W1 with every field of its components, weighted by place. Slow, only for
    /// checks.
    pub fn add_wide(
        &mut self,
        (transform, position, rotation, velocity): (&Transform, &Position, &Rotation, &Velocity),
    ) {
        let rest = position.0.iter().chain(&rotation.0).chain(&velocity.0);
        for (field, place) in transform.0.iter().chain(rest).zip(1..) {
            let bits = u64::from(field.to_bits());
            self.sum = self.sum.wrapping_add(bits.wrapping_mul(place));
        }
        self.count += 1;
    }

    /// Returns the tally of the first `entities` of W1 with every field.
    pub fn of_wide(entities: usize) -> Self {
        let mut all = Self::default();
        for (transform, position, rotation, velocity) in (0..entities).map(wide) {
            all.add_wide((&transform, &position, &rotation, &velocity));
        }
        all
    }

    /// Handles each value. The sum is kept in a local until the end, so that nothing is stored
    /// meanwhile.
    #[inline]
    pub fn add_all<'a>(&mut self, positions: impl Iterator<Item = &'a Position>) {
        let mut tally = *self;
        positions.for_each(|position| tally.add(position));
        *self = tally;
    }

    /// Returns the tally of handling the positions of the first `entities` `times` times.
    pub fn of_all(entities: usize, times: u64) -> Self {
        Self::of(0..entities, times)
    }

    /// Returns the tally of handling the positions of the first `entities` after each of `steps`
    /// steps of W2.
    pub fn of_moving(entities: usize, steps: u64) -> Self {
        let mut all = Self::default();
        for step in 1..=steps {
            (0..entities).for_each(|index| all.add(&advanced(index, step)));
        }
        all
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

/// What the observer of W8e has received: a sum that it shares with the workload. A load and a
/// store cost the same as a plain counter, and it is `Send`, which some systems require.
#[derive(Clone, Debug, Default)]
pub struct Heard(Arc<AtomicU64>);

impl Heard {
    /// Adds a value.
    #[inline]
    pub fn of(&self, position: &Position) {
        let bits = u64::from(position.0[0].to_bits());
        self.0
            .store(self.0.load(Relaxed).wrapping_add(bits), Relaxed);
    }

    /// Panics unless the positions of the first `entities` were received `times` times.
    pub fn check(&self, entities: usize, times: u64) {
        assert_eq!(self.0.load(Relaxed), Tally::of_all(entities, times).sum);
    }
}

/// Returns the numbers below `len` in a pseudo-random order that is always the same.
pub fn shuffled(len: usize) -> Vec<usize> {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut numbers: Vec<usize> = (0..len).collect();
    for at in (1..len).rev() {
        numbers.swap(at, random.below(at + 1));
    }
    numbers
}

/// Returns a list in [`shuffled`] order.
pub fn in_shuffled_order<T: Copy>(list: &[T]) -> Vec<T> {
    shuffled(list.len())
        .into_iter()
        .map(|at| list[at])
        .collect()
}

/// Returns one in `share` of the numbers below `len`, in a pseudo-random order.
pub fn one_of(share: usize, len: usize) -> Vec<usize> {
    let mut numbers = shuffled(len);
    numbers.truncate(len / share);
    numbers
}

/// Runs a function in a `rayon` pool of two waiting threads, so that its parallel work is spread over
/// them.
pub fn on_two_threads<R: Send>(run: impl FnOnce() -> R + Send) -> R {
    static POOL: LazyLock<ThreadPool> = LazyLock::new(|| {
        let pool = ThreadPoolBuilder::new().num_threads(2).build();
        pool.expect("two threads can be started")
    });
    POOL.install(run)
}

/// The entities replaced in W8: random ones, some of them more than once.
pub struct Picks {
    entities: usize,
    rounds: Vec<Vec<usize>>,
    next: usize,
}

/// The number of rounds of picks before they repeat.
const ROUNDS: usize = 16;

impl Picks {
    /// Picks `picks` of the first `entities` in each round.
    pub fn new(picks: usize, entities: usize) -> Self {
        let mut random = Random(0x2545_f491_4f6c_dd1d);
        let mut round = || (0..picks).map(|_| random.below(entities)).collect();
        let rounds = (0..ROUNDS).map(|_| round()).collect();
        Self {
            entities,
            rounds,
            next: 0,
        }
    }

    /// Returns the picks of the next round.
    #[inline]
    pub fn round(&mut self) -> &[usize] {
        let round = self.next;
        self.next = (round + 1) % ROUNDS;
        &self.rounds[round]
    }

    /// Panics unless `rounds` rounds have replaced the [`stale`] positions of the picked entities,
    /// and no others.
    pub fn check(&self, rounds: u64, mut of: impl FnMut(usize) -> Position) {
        let mut expected = (0..self.entities).map(stale).collect::<Vec<_>>();
        let done = self.rounds.iter().take(rounds as usize);
        done.flatten().for_each(|&at| expected[at] = position(at));
        for (at, expected) in expected.into_iter().enumerate() {
            assert_eq!(of(at), expected);
        }
    }

    /// Returns the tally of `rounds` rounds in which each picked entity is handled once.
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
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (((self.0 >> 32) * end as u64) >> 32) as usize
    }
}
