//! Which entities there are in the rows that join (W7 and W7c), and what they are afterwards.

use crate::checks::Mover;
use crate::types::{advanced, position, velocity};
use crate::workload::{Random, one_of, shuffled};

/// Which entities there are in W7: all have a position, and some get a velocity.
#[derive(Clone, Debug)]
pub struct Sparse {
    /// How many entities there are.
    pub entities: usize,
    /// Which get a velocity, in the order in which they do.
    pub picked: Vec<usize>,
}

impl Sparse {
    /// Ten times as many entities as there are to be matches.
    pub fn new(matches: usize) -> Self {
        let entities = matches * 10;
        let picked = one_of(10, entities);
        Self { entities, picked }
    }

    /// Panics unless the entity at each place is what it must be after so many steps of W2.
    pub fn check(&self, mover: impl Fn(usize) -> Mover, times: u64) {
        let mut expected: Vec<Mover> = (0..self.entities)
            .map(|at| (Some(position(at)), None))
            .collect();
        for &at in &self.picked {
            expected[at] = (Some(advanced(at, times)), Some(velocity()));
        }
        for (at, expected) in expected.into_iter().enumerate() {
            assert_eq!(mover(at), expected);
        }
    }
}

/// The components of an entity of W7c.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A position and a velocity.
    Both,
    /// A position alone.
    Position,
    /// A velocity alone.
    Velocity,
}

/// What happens in W7c before the timed part: which entities there are at first, and
/// which of them make place for others.
///
/// Entities are in a list. Each step destroys the one at a random place and creates another
/// there, of the kind that the previous step destroyed. So the kinds are shuffled, and the number
/// of each stays the same.
#[derive(Clone, Debug)]
pub struct Churn {
    /// The kind of the entity at each place at first.
    pub before: Vec<Kind>,
    /// In which place an entity is destroyed, and of which kind the next one there is.
    pub steps: Vec<(usize, Kind)>,
    /// The kind of the entity at each place in the end.
    pub after: Vec<Kind>,
}

impl Churn {
    /// Twice as many entities as there are to be matches, and four times as many
    /// steps (up to a few, so that the last kind destroyed is the first created).
    pub fn new(matches: usize) -> Self {
        let entities = matches * 2;
        let kind = |at: usize| match at * 4 / entities {
            0 | 1 => Kind::Both,
            2 => Kind::Position,
            _ => Kind::Velocity,
        };
        let before: Vec<_> = shuffled(entities).into_iter().map(kind).collect();
        let mut random = Random(0xda94_2042_e4dd_58b5);
        let (mut after, mut steps) = (before.clone(), Vec::new());
        let mut next = Kind::Both;
        while steps.len() < matches * 4 || next != Kind::Both {
            let at = random.below(entities);
            steps.push((at, next));
            next = std::mem::replace(&mut after[at], next);
        }
        Self {
            before,
            steps,
            after,
        }
    }

    /// Panics unless the entity at each place is what it must be after so many steps of W2,
    /// and there are as many matches as asked for.
    pub fn check(&self, mover: impl Fn(usize) -> Mover, times: u64) {
        for (at, kind) in self.after.iter().enumerate() {
            let expected = match kind {
                Kind::Both => (Some(advanced(at, times)), Some(velocity())),
                Kind::Position => (Some(position(at)), None),
                Kind::Velocity => (None, Some(velocity())),
            };
            assert_eq!(mover(at), expected);
        }
        let both = self.after.iter().filter(|&&kind| kind == Kind::Both);
        assert_eq!(both.count(), self.after.len() / 2);
    }
}
