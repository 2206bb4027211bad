//! The log of a script: its lines, the names of its entities, and the difference from another log.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ecs::prelude::*;

use super::world::World;

/// The log that the player and its observers write to. Clones share one log.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Pages>>);

#[derive(Default)]
struct Pages {
    text: String,
    // Entities by number and numbers by entity, including destroyed ones.
    entities: Vec<EntityId<World>>,
    numbers: HashMap<EntityId<World>, usize>,
}

impl Log {
    fn pages(&self) -> MutexGuard<'_, Pages> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a line.
    pub(crate) fn line(&self, line: impl fmt::Display) {
        let mut pages = self.pages();
        pages.text.push_str(&line.to_string());
        pages.text.push('\n');
    }

    /// Assigns the next number to a new entity.
    pub(crate) fn enter(&self, id: EntityId<World>) {
        let mut pages = self.pages();
        let number = pages.entities.len();
        pages.entities.push(id);
        pages.numbers.insert(id, number);
    }

    /// Returns the entity of a number.
    pub(crate) fn entity(&self, number: usize) -> EntityId<World> {
        self.pages().entities[number]
    }

    /// Returns the number of an entity.
    pub(crate) fn number(&self, id: EntityId<World>) -> usize {
        self.pages().numbers[&id]
    }

    /// Returns all lines so far.
    pub(crate) fn text(&self) -> String {
        self.pages().text.clone()
    }
}

/// The first line in which two logs differ, counted from 1. If one log is shorter, it has no line
/// there.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Difference<'a> {
    pub(crate) line: usize,
    pub(crate) expected: Option<&'a str>,
    pub(crate) got: Option<&'a str>,
}

impl<'a> Difference<'a> {
    /// Returns the first difference, if there is one.
    pub(crate) fn first(expected: &'a str, got: &'a str) -> Option<Self> {
        let (mut expected, mut got) = (expected.lines(), got.lines());
        for line in 1.. {
            match (expected.next(), got.next()) {
                (None, None) => break,
                (a, b) if a == b => {}
                (expected, got) => {
                    return Some(Self {
                        line,
                        expected,
                        got,
                    });
                }
            }
        }
        None
    }
}

impl fmt::Display for Difference<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = "(the end of the log)";
        writeln!(f, "  expected: {}", self.expected.unwrap_or(end))?;
        write!(f, "  got:      {}", self.got.unwrap_or(end))
    }
}
