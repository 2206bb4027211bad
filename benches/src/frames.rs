//! How long single frames take, the longest one above all, which a table of throughput does not show.
//!
//! Each program is a sequence of frames on one world. It runs a few times with a new world of each system
//! in turns, and of each figure the smallest one counts, because other programs of the machine interrupt
//! some frames.

use std::ops::Range;
use std::time::Instant;

use crate::types::{Position, advanced};
use crate::workload::{Random, Tally};

/// A world and its entities with a position and a velocity, numbered in order of creation.
pub trait World {
    /// Creates entities with these numbers, one by one.
    fn create(&mut self, numbers: Range<usize>);

    /// Adds velocity to position, for all.
    fn advance(&mut self);

    /// Destroys the entities with these numbers and creates others instead of them, one by one.
    fn respawn(&mut self, numbers: &[usize]);

    /// Adds a flag to these entities or removes it from them, one by one.
    fn flag(&mut self, numbers: &[usize], flagged: bool);

    /// Returns the position of an entity, and whether it has the flag.
    fn read(&self, number: usize) -> (Position, bool);

    /// Cleans up at the end of a frame.
    fn end(&mut self) {}
}

/// A system in this comparison.
#[derive(Clone, Copy, Debug)]
pub struct System {
    /// Its name in the table.
    pub name: &'static str,
    /// Makes an empty world.
    pub make: fn() -> Box<dyn World>,
}

/// A program of frames.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// Its name in the table.
    pub name: &'static str,
    /// The number of entities that exist before the first frame.
    before: usize,
    frames: usize,
    kind: Kind,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Creates entities.
    Grow,
    /// Moves all, respawns some, adds and removes flags, reads some.
    Play,
}

/// The entities that are created in a frame of a growing world.
const GROWTH: usize = 1_000;

/// The programs.
pub const PROGRAMS: &[Program] = &[
    Program {
        name: "growing to 1,000,000 entities, 1,000 a frame",
        before: 0,
        frames: 1_000,
        kind: Kind::Grow,
    },
    Program {
        name: "a game of 10,000 entities",
        before: 10_000,
        frames: 5_000,
        kind: Kind::Play,
    },
    Program {
        name: "a game of 100,000 entities",
        before: 100_000,
        frames: 2_000,
        kind: Kind::Play,
    },
];

/// The durations of the frames of a program, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Durations {
    /// Half of the frames take longer.
    pub median: f64,
    /// One frame in a thousand takes longer.
    pub nearly_all: f64,
    /// The longest frame.
    pub worst: f64,
}

impl Durations {
    /// Returns the durations of frames.
    ///
    /// # Panics
    ///
    /// Panics if `frames` is empty.
    pub fn of(mut frames: Vec<f64>) -> Self {
        frames.sort_by(f64::total_cmp);
        let last = frames.len() - 1;
        Self {
            median: frames[last / 2],
            nearly_all: frames[last - frames.len() / 1_000],
            worst: frames[last],
        }
    }

    /// Returns the smaller of each figure.
    pub fn min(self, other: Self) -> Self {
        Self {
            median: self.median.min(other.median),
            nearly_all: self.nearly_all.min(other.nearly_all),
            worst: self.worst.min(other.worst),
        }
    }
}

impl Program {
    /// Runs the program `times` times with each system, in turns.
    pub fn run(&self, systems: &[System], times: usize) -> Vec<Durations> {
        let mut all: Vec<Option<Durations>> = vec![None; systems.len()];
        for _ in 0..times {
            for (least, system) in all.iter_mut().zip(systems) {
                let durations = Durations::of(self.frames_of(system));
                *least = Some(least.map_or(durations, |least| least.min(durations)));
            }
        }
        all.into_iter().flatten().collect()
    }

    /// Returns the same program with a fraction of its entities and frames.
    pub fn small(self) -> Self {
        Self {
            before: self.before / 100,
            frames: self.frames / 100,
            ..self
        }
    }

    /// Returns the durations of the frames with one system. Checks the result.
    fn frames_of(&self, system: &System) -> Vec<f64> {
        let mut world = (system.make)();
        world.create(0..self.before);
        let mut play = Play::new(self.before);
        let mut durations = Vec::with_capacity(self.frames);
        for frame in 0..self.frames {
            play.choose(frame);
            let start = Instant::now();
            match self.kind {
                Kind::Grow => world.create(frame * GROWTH..(frame + 1) * GROWTH),
                Kind::Play => play.frame(&mut *world),
            }
            world.end();
            durations.push(start.elapsed().as_secs_f64() * 1e6);
        }
        match self.kind {
            Kind::Grow => check_grown(&*world, self.frames * GROWTH),
            Kind::Play => play.check(&*world, self.frames),
        }
        durations
    }
}

fn check_grown(world: &dyn World, entities: usize) {
    for number in (0..entities).step_by(GROWTH - 1) {
        assert_eq!(world.read(number), (advanced(number, 0), false));
    }
}

/// The random choices of a game, the same for all systems.
struct Play {
    random: Random,
    respawned: Vec<usize>,
    flagged: Vec<usize>,
    unflagged: Vec<usize>,
    read: Vec<usize>,
    tally: Tally,
    /// The frame after which each entity was created.
    born: Vec<usize>,
}

impl Play {
    fn new(entities: usize) -> Self {
        Self {
            random: Random(0x2545_f491_4f6c_dd1d),
            respawned: Vec::new(),
            flagged: Vec::new(),
            unflagged: Vec::new(),
            read: Vec::new(),
            tally: Tally::default(),
            born: vec![0; entities],
        }
    }

    /// Chooses the entities of a frame, numbered from 0: one in a thousand is respawned, one in three
    /// hundred gets a flag, which it loses in the next frame, and one in a hundred is read.
    fn choose(&mut self, frame: usize) {
        std::mem::swap(&mut self.flagged, &mut self.unflagged);
        let (random, entities) = (&mut self.random, self.born.len());
        let mut choose = |list: &mut Vec<usize>, share: usize| {
            list.clear();
            list.extend((0..entities / share).map(|_| random.below(entities)));
            list.sort_unstable();
            list.dedup();
        };
        choose(&mut self.respawned, 1_000);
        choose(&mut self.flagged, 300);
        choose(&mut self.read, 100);
        let is_in = |list: &[usize], number: &usize| list.binary_search(number).is_ok();
        self.flagged
            .retain(|number| !is_in(&self.respawned, number) && !is_in(&self.unflagged, number));
        self.unflagged
            .retain(|number| !is_in(&self.respawned, number));
        for &number in &self.respawned {
            self.born[number] = frame + 1;
        }
    }

    fn frame(&mut self, world: &mut dyn World) {
        world.advance();
        world.respawn(&self.respawned);
        world.flag(&self.unflagged, false);
        world.flag(&self.flagged, true);
        for &number in &self.read {
            self.tally.add(&world.read(number).0);
        }
    }

    fn check(&self, world: &dyn World, frames: usize) {
        for (number, &born) in self.born.iter().enumerate() {
            let position = advanced(number, (frames - born) as u64);
            let flagged = self.flagged.binary_search(&number).is_ok();
            assert_eq!(world.read(number), (position, flagged));
        }
    }
}
