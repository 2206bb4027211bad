//! What moving entities would gain.

use super::data::World;
use crate::storage::column::Column;
use crate::storage::slots::Row;

/// What [`Context::defragment`](crate::Context::defragment) would gain.
///
/// Entities with the same *signature*, which is a set of components, belong together: their *rows*,
/// which are positions in storage, are contiguous. An entity is *scattered* if the row before it is free or belongs to
/// another signature; the first entity of each signature does not count. A *block* is the memory of one component
/// for 64 rows. See the [glossary](crate::guide::glossary).
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// let ids = game.create_many((0..100).map(Health));
/// ids.iter().step_by(2).for_each(|&id| game.destroy(id));
/// let before = game.storage().fragmentation();
/// assert_eq!((before.scattered, before.blocks, before.blocks_needed), (49, 2, 1));
/// game.defragment();
/// assert_eq!(game.storage().fragmentation().ratio(), 0.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fragmentation {
    /// The number of living entities.
    pub entities: usize,
    /// The number of scattered entities.
    pub scattered: usize,
    /// The number of entities that are not in the rows that they would have. Signatures are in the same order in
    /// every program, so these may be all entities even if none is scattered.
    pub misplaced: usize,
    /// The number of blocks of 64 rows with values, over all components.
    pub blocks: usize,
    /// The number of blocks needed if no entity is misplaced.
    pub blocks_needed: usize,
    /// The number of blocks that are not adjacent in memory to the previous block of their
    /// component. A growing component has one such break per allocation; incremental moves do not
    /// remove them. Blocks with few values of a large component share memory, so they are breaks,
    /// too.
    pub breaks: usize,
}

impl Fragmentation {
    /// Returns the fraction of entities that are scattered, from 0 to 1.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.create_with(Frozen);
    /// assert_eq!(game.storage().fragmentation().ratio(), 0.0);
    /// ```
    pub fn ratio(&self) -> f64 {
        if self.scattered == 0 {
            return 0.0;
        }
        self.scattered as f64 / self.entities as f64
    }
}

impl World {
    /// Computes what moving entities would gain.
    pub(crate) fn fragmentation(&self) -> Fragmentation {
        let layout = self.layout();
        let class = |row: usize| layout.class(self.slots.node_in(Row(row as u32)));
        let alive = (0..self.slots.rows()).filter(|&row| class(row) + 1 < layout.len());
        let starts = alive
            .clone()
            .filter(|&row| row == 0 || class(row - 1) != class(row));
        let used = layout.nodes().filter(|(_, rows)| !rows.is_empty());
        let of_users = |column: &&Column| column.descriptor().term.is_none();
        let columns = self.columns.iter().filter(of_users);
        Fragmentation {
            entities: layout.alive(),
            scattered: starts.count() - used.count(),
            misplaced: alive
                .filter(|row| !layout.rows(class(*row)).contains(row))
                .count(),
            blocks: columns.map(|column| column.usage().blocks).sum(),
            blocks_needed: self.blocks_needed(layout.nodes()).iter().sum(),
            breaks: self.columns.iter().map(|column| column.breaks()).sum(),
        }
    }
}
