//! The log of a script: its lines, the names of the entities in it, and where it
//! differs from another log.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ecs::prelude::*;

use super::world::World;

/// A log that the player and its observers write together: a clone is the same log.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Pages>>);

#[derive(Default)]
struct Pages {
    text: String,
    // Entities by number and numbers by entity, dead ones included.
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

    /// Gives a new entity the next number.
    pub(crate) fn enter(&self, id: EntityId<World>) {
        let mut pages = self.pages();
        let number = pages.entities.len();
        pages.entities.push(id);
        pages.numbers.insert(id, number);
    }

    /// The entity of a number.
    pub(crate) fn entity(&self, number: usize) -> EntityId<World> {
        self.pages().entities[number]
    }

    /// The number of an entity.
    pub(crate) fn number(&self, id: EntityId<World>) -> usize {
        self.pages().numbers[&id]
    }

    /// All lines so far.
    pub(crate) fn text(&self) -> String {
        self.pages().text.clone()
    }
}

/// The first line in which two logs differ, counted from 1. A log that has ended
/// before the other has no line there.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Difference<'a> {
    pub(crate) line: usize,
    pub(crate) expected: Option<&'a str>,
    pub(crate) got: Option<&'a str>,
}

impl<'a> Difference<'a> {
    /// The first difference, if there is one.
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
