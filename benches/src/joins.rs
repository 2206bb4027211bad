//! The entities of the joining rows W7 and W7c, before and after.

use crate::checks::Mover;
use crate::types::{advanced, position, velocity};
use crate::workload::{Random, one_of, shuffled};

/// The entities of W7: all have a position, and some get a velocity.
#[derive(Clone, Debug)]
pub struct Sparse {
    /// The number of entities.
    pub entities: usize,
    /// The entities that get a velocity, in this order.
    pub picked: Vec<usize>,
}

impl Sparse {
    /// Creates ten times as many entities as matches.
    pub fn new(matches: usize) -> Self {
        let entities = matches * 10;
        let picked = one_of(10, entities);
        Self { entities, picked }
    }

    /// Panics unless the entity at each place is right after `times` steps of W2.
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

/// What happens in W7c before the timed part: the initial entities, and the ones that are replaced.
///
/// Entities are in a list. Each step destroys the one at a random place and creates another
/// there, of the kind that the previous step destroyed. So the kinds are shuffled, and the number
/// of each stays the same.
#[derive(Clone, Debug)]
pub struct Churn {
    /// The initial kind of the entity at each place.
    pub before: Vec<Kind>,
    /// The place at which an entity is destroyed, and the kind of the next one there.
    pub steps: Vec<(usize, Kind)>,
    /// The final kind of the entity at each place.
    pub after: Vec<Kind>,
}

impl Churn {
    /// Creates twice as many entities as matches, and about four times as many steps: a few are added
    /// so that the last kind destroyed is the first created.
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

    /// Panics unless the entity at each place is right after `times` steps of W2, and the number of
    /// matches is as requested.
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
