//! What there is to gain by moving entities.

use super::core::Registries;
use crate::storage::slots::Row;

/// What [`Context::defragment`](crate::Context::defragment) would gain.
///
/// Entities of one *signature*, which have the same components, belong together: their *rows*, which
/// are their places in storage, follow one another, and nobody else's rows stand between them. An
/// entity outside of the rows of its signature is *misplaced*. A *block* is the memory of one
/// component for 64 rows. See the [glossary](crate::guide::glossary).
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// let ids = game.create_many((0..100).map(Health));
/// ids[..50].iter().for_each(|&id| game.destroy(id));
/// assert_eq!(game.storage().fragmentation().misplaced, 50);
/// game.defragment();
/// assert_eq!(game.storage().fragmentation().ratio(), 0.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fragmentation {
    /// How many entities are alive.
    pub entities: usize,
    /// How many of them stand outside of the rows where those of their signature
    /// belong.
    pub misplaced: usize,
    /// How many blocks of 64 rows have values, over all components.
    pub blocks: usize,
    /// How many of these it takes if no entity is misplaced.
    pub blocks_needed: usize,
    /// How often a block is not the neighbour, in memory, of the one before in its
    /// component. A component that grows has one such break for each of its growing
    /// pieces of memory; moving entities in small steps leaves them. Blocks with few values
    /// of a large component share memory and so are breaks, too.
    pub breaks: usize,
}

impl Fragmentation {
    /// The part of the entities that is misplaced, from 0 to 1.
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
        if self.misplaced == 0 {
            return 0.0;
        }
        self.misplaced as f64 / self.entities as f64
    }
}

impl Registries {
    /// What there is to gain by moving entities.
    pub(crate) fn fragmentation(&self) -> Fragmentation {
        let layout = self.layout();
        let is_misplaced = |&row: &usize| {
            let class = layout.class(self.slots.node_in(Row(row as u32)));
            class + 1 < layout.len() && !layout.rows(class).contains(&row)
        };
        Fragmentation {
            entities: layout.alive(),
            misplaced: (0..self.slots.rows()).filter(is_misplaced).count(),
            blocks: self.used_blocks(),
            blocks_needed: self.blocks_needed(layout.nodes()).iter().sum(),
            breaks: self.columns.iter().map(|column| column.breaks()).sum(),
        }
    }

    /// How many blocks have values, over all components.
    pub(super) fn used_blocks(&self) -> usize {
        let usages = self.columns.iter().map(|column| column.usage().blocks);
        usages.sum()
    }
}
