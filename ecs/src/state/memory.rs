//! The memory that a context uses, by purpose.

use alloc::vec::Vec;
use core::fmt;

use super::core::HasCore;
use crate::storage::column::Column;
use crate::storage::heap::Heap;
use crate::words::component::ComponentInfo;

/// The memory that a context uses, in bytes, by purpose. See
/// [`Storage::memory`](crate::Storage::memory).
///
/// Counts what the context itself has allocated; heap memory owned by component values and
/// observers, such as the text of a `String`, is not included. `Display` prints a table.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// game.create_with(Health(1));
/// let memory = game.storage().memory();
/// assert!(memory.to_string().contains("Health"));
/// assert!(memory.total() >= memory.entities + memory.components()[0].bytes);
/// ```
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Memory {
    context: &'static str,
    components: Vec<ComponentMemory>,
    /// Slots, and the mapping between slots and rows.
    pub entities: usize,
    /// Groups and their cached members.
    pub groups: usize,
    /// Signatures, with their edges and effects.
    pub graph: usize,
    /// Collectors, feeds, lists of removed values, and inboxes, with their contents. Includes
    /// unread messages.
    pub collectors: usize,
    /// Entity indexes and the links of relations, without heap memory owned by keys.
    pub indexes: usize,
    /// The changes recorded by a history and the values before them, without heap memory owned by
    /// values, and without messages kept only for its marks.
    pub history: usize,
    /// Observers and listeners, the queue of pending notifications, and pending events.
    pub observers: usize,
    /// Lists kept for reuse, and the list of components.
    pub other: usize,
}

/// The memory that a context uses for one component.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// game.create_many([Health(1), Health(2)]);
/// let memory = game.storage().memory();
/// let health = memory.components().iter().find(|each| each.name() == "Health").unwrap();
/// assert_eq!((health.values, health.blocks), (2, 1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ComponentMemory {
    name: &'static str,
    size: usize,
    /// The number of values.
    pub values: usize,
    /// The number of [blocks](crate::guide::glossary) of 64 rows that have values.
    pub blocks: usize,
    /// The bytes allocated: for blocks, used or not, their tables, and the pool.
    pub bytes: usize,
}

impl ComponentMemory {
    /// Returns the name of the component, as in `Position`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.create_many([Health(1), Health(2)]);
    /// let memory = game.storage().memory();
    /// let health = memory.components().iter().find(|each| each.name() == "Health").unwrap();
    /// assert_eq!(health.values, 2);
    /// ```
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the bytes used by the values themselves.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.create_many([Health(1), Health(2)]);
    /// let memory = game.storage().memory();
    /// let health = memory.components().iter().find(|each| each.name() == "Health").unwrap();
    /// assert_eq!(health.used(), 8);
    /// ```
    pub fn used(&self) -> usize {
        self.values * self.size
    }
}

impl Memory {
    pub(crate) fn of<C: HasCore>(context: &C) -> Self {
        let core = context.core();
        let component = |(info, column): (&ComponentInfo<C>, &Column)| {
            let usage = column.usage();
            ComponentMemory {
                name: info.name(),
                size: info.size(),
                values: usage.values,
                blocks: usage.blocks,
                bytes: usage.bytes + usage.pool,
            }
        };
        let columns = core.typed().infos().iter().zip(core.world.columns.iter());
        let (world, subs) = (&core.world, &core.subs);
        let pasts = world.columns.iter().filter_map(|column| column.past());
        let pasts = pasts.map(|past| size_of_val(past) + past.bytes());
        let written = subs.spare_written.iter().map(Heap::bytes);
        Self {
            context: C::NAME,
            components: columns.map(component).collect(),
            entities: world.slots.bytes(),
            groups: world.groups.bytes(),
            graph: world.graph.bytes(),
            collectors: subs.collectors.bytes()
                + subs.removed.bytes()
                + subs.messages.bytes()
                + subs.feeds.bytes(),
            indexes: subs.indexes.bytes() + subs.refreshes.bytes(),
            history: subs.history.bytes() + pasts.sum::<usize>(),
            observers: subs.observers.bytes() + subs.queue.bytes() + subs.events.bytes(),
            other: world.columns.bytes()
                + world.slots.bytes_of_steps()
                + subs.scratch.bytes()
                + subs.spare_written.bytes()
                + written.sum::<usize>()
                + subs.entered.bytes(),
        }
    }

    /// Returns the memory of each component, in order of [index](crate::ComponentIndex::get).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.create_many([Health(1), Health(2)]);
    /// let memory = game.storage().memory();
    /// assert_eq!(memory.components().len(), game.components().len());
    /// ```
    pub fn components(&self) -> &[ComponentMemory] {
        &self.components
    }

    /// Returns the total number of bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.create_many([Health(1), Health(2)]);
    /// let memory = game.storage().memory();
    /// assert!(memory.total() > memory.components()[0].bytes);
    /// ```
    pub fn total(&self) -> usize {
        let components: usize = self.components.iter().map(|one| one.bytes).sum();
        components
            + self
                .other_bytes()
                .iter()
                .map(|(_, bytes)| bytes)
                .sum::<usize>()
    }

    fn other_bytes(&self) -> [(&'static str, usize); 8] {
        [
            ("entities", self.entities),
            ("groups", self.groups),
            ("signatures", self.graph),
            ("collectors", self.collectors),
            ("indexes", self.indexes),
            ("history", self.history),
            ("observers", self.observers),
            ("other", self.other),
        ]
    }
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.components.iter().map(|one| one.name.len());
        let width = names.max().unwrap_or(0).max(self.context.len()).max(10);
        let context = self.context;
        writeln!(f, "{context:width$}      values        used        held")?;
        for one in &self.components {
            let ComponentMemory {
                name,
                values,
                bytes,
                ..
            } = one;
            let used = one.used();
            writeln!(f, "{name:width$} {values:>11} {used:>11} {bytes:>11}")?;
        }
        for (name, bytes) in self.other_bytes() {
            writeln!(f, "{name:width$} {:>11} {:>11} {bytes:>11}", "", "")?;
        }
        write!(
            f,
            "{:width$} {:>11} {:>11} {:>11}",
            "total",
            "",
            "",
            self.total()
        )
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut map = f.debug_map();
        for one in &self.components {
            map.entry(&one.name, one);
        }
        map.entries(self.other_bytes())
            .entry(&"total", &self.total())
            .finish()
    }
}

impl fmt::Debug for ComponentMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} values of {} bytes in {} blocks, {} bytes held",
            self.values, self.size, self.blocks, self.bytes
        )
    }
}
