//! Runs millions of operations of random programs on one context, and checks that it stays valid
//! and its memory bounded: `cargo run --release -p model --example soak -- [operations] [seed]`,
//! ten million operations by default.
//!
//! The programs are those of the model. They run one after the other in the same context: each
//! starts with the entities, groups and memory left by the previous ones.

use std::collections::BTreeSet;
use std::time::Instant;

use ecs::prelude::*;
use model::op::{Op, Sets};
use model::{Player, Real, make};
use proptest::prelude::ProptestConfig;
use proptest::strategy::{BoxedStrategy, Strategy, ValueTree};
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

/// Above this number of entities, most are destroyed before the next program.
const MOST_ENTITIES: usize = 1_000;

/// The number of distinct matchers. Groups are never removed, so programs share them.
const MOST_MATCHERS: usize = 100;

/// One program in this many has several hundred entities, and one in this many may destroy all.
const LARGE: usize = 8;
const FATAL: usize = 50;

/// The limit for the average memory of the second half, in percent of that of the first.
const GROWTH: usize = 125;

/// A sequence of programs.
struct Programs {
    runner: TestRunner,
    small: BoxedStrategy<Vec<Op>>,
    large: BoxedStrategy<Vec<Op>>,
    matchers: Vec<Sets>,
    made: usize,
}

impl Programs {
    fn new(seed: u64) -> Self {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        let random = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
        Self {
            runner: TestRunner::new_with_rng(ProptestConfig::default(), random),
            small: make::program().boxed(),
            large: make::large_program().boxed(),
            matchers: Vec::new(),
            made: 0,
        }
    }

    fn next(&mut self) -> Vec<Op> {
        self.made += 1;
        let is_large = self.made.is_multiple_of(LARGE);
        let programs = if is_large { &self.large } else { &self.small };
        let made = programs.new_tree(&mut self.runner);
        let mut program = made.expect("no program is rejected").current();
        if !self.made.is_multiple_of(FATAL) {
            program.retain(|op| !matches!(op, Op::DestroyAll | Op::Reset));
        }
        let mut share = |sets: &mut Sets| share(&mut self.matchers, sets);
        program.iter_mut().for_each(|op| op.map_sets(&mut share));
        program
    }
}

/// Replaces a new matcher by a known one, if there are enough.
fn share(known: &mut Vec<Sets>, sets: &mut Sets) {
    if known.contains(sets) {
        return;
    }
    if known.len() < MOST_MATCHERS {
        return known.push(*sets);
    }
    let sum = usize::from(sets.all) + usize::from(sets.any) * 3 + usize::from(sets.none) * 7;
    *sets = known[sum % known.len()];
}

/// The memory of the context after each program, in bytes.
#[derive(Default)]
struct Held {
    programs: usize,
    sum: usize,
    most: usize,
}

impl Held {
    fn note(&mut self, bytes: usize) {
        self.programs += 1;
        self.sum += bytes;
        self.most = self.most.max(bytes);
    }

    fn mean(&self) -> usize {
        self.sum / self.programs.max(1)
    }
}

/// The context and its measurements.
struct Soak {
    real: Real,
    operations: usize,
    panics: usize,
    entities: usize,
    /// In the first half of all operations, and in the second.
    held: [Held; 2],
    kinds: BTreeSet<String>,
}

impl Soak {
    fn new() -> Self {
        let mut real = Real::unchecked();
        // Observers of a program run few operations, but each may concern a thousand entities.
        real.game.observers().set_notification_limit(usize::MAX);
        Self {
            real,
            operations: 0,
            panics: 0,
            entities: 0,
            held: [Held::default(), Held::default()],
            kinds: BTreeSet::new(),
        }
    }

    /// Runs a program, and leaves its entities and groups for the next one.
    fn run(&mut self, program: &[Op], half: usize) {
        for op in program {
            let log = self.real.play(op);
            self.panics += usize::from(Real::has_panicked(&log));
        }
        self.operations += program.len();
        self.kinds.extend(program.iter().map(kind_of));
        self.real.end_program();
        self.entities = self.entities.max(self.real.game.len());
        self.thin_out();
        self.held[half].note(self.real.game.storage().memory().total());
    }

    /// Destroys three of four entities if there are too many.
    fn thin_out(&mut self) {
        let game = &mut self.real.game;
        if game.len() <= MOST_ENTITIES {
            return;
        }
        let ids: Vec<_> = game.entities().map(|entity| entity.id()).collect();
        for (_, id) in (0..).zip(ids).filter(|(nth, _)| nth % 4 > 0) {
            let _ = game.try_destroy(id); // fails for sources already destroyed and for protected targets
        }
        self.real.end_program();
    }

    fn show_progress(&self) {
        let (operations, entities) = (self.operations, self.real.game.len());
        let held = self.real.game.storage().memory().total() / 1024;
        println!("{operations:>9} operations: {entities:>5} entities, {held:>6} KiB");
    }

    fn show_summary(&self) {
        let (kinds, groups) = (self.kinds.len(), Group::all(&self.real.game).len());
        println!(
            "{kinds} kinds of operations, {} panics of user code",
            self.panics
        );
        println!("at most {} entities, {groups} groups", self.entities);
        for (half, held) in ["first", "second"].into_iter().zip(&self.held) {
            let (mean, most) = (held.mean() / 1024, held.most / 1024);
            println!("{half} half: {mean} KiB on average, {most} KiB at most");
        }
        let [first, second] = &self.held;
        assert!(second.mean() * 100 <= first.mean() * GROWTH, "memory grows");
        println!("memory is bounded");
    }
}

/// Returns the name of an operation.
fn kind_of(op: &Op) -> String {
    let text = format!("{op:?}");
    let end = text.find(|c: char| !c.is_alphanumeric());
    text[..end.unwrap_or(text.len())].to_owned()
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default| {
        let argument = arguments.next();
        argument.map_or(default, |text| text.parse().expect("a number"))
    };
    let (operations, seed) = (number(10_000_000), number(1));
    let (mut soak, mut programs) = (Soak::new(), Programs::new(seed as u64));
    let (start, mut shown) = (Instant::now(), 0);
    while soak.operations < operations {
        let half = usize::from(soak.operations * 2 >= operations);
        soak.run(&programs.next(), half);
        if soak.operations * 10 / operations > shown {
            shown = soak.operations * 10 / operations;
            soak.real.check();
            soak.show_progress();
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    eprintln!("{:.0} operations a second", operations as f64 / seconds);
    soak.show_summary();
}
