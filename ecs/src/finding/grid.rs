//! Entities by place.
//!
//! ```text
//! sorted, table: coordinates ─► block     a block is 16 cells along the first axis
//!
//! starts    [ 0  2  2  5 … ]              where the entities of each cell start
//! ids       [ a  b │   │ c  d  e │ … ]    by cell, then by slot
//! places    [ …                      ]
//! ```
//!
//! The cells of a block follow each other, so a search reads one or two slices for each row of cells.

mod block;
mod cells;
mod directory;
mod search;

use alloc::vec::Vec;
use core::fmt;

use self::cells::Cells;
use self::search::Search;
use crate::reactions::entity_index::Index;
use crate::storage::heap::Heap;
use crate::words::entity_id::EntityId;

/// The entities of a context by their places, in `D` dimensions, usually two or three.
///
/// Keep it up to date by [`index_with`](crate::Context::index_with), with a function that returns the place of an
/// entity. An entity that moves within its cell costs a search of that cell; one that enters another cell also moves
/// the entries of up to 16 cells. Worlds can have any size: cells without entities take no memory.
///
/// Entities are found in an order that depends on their places and ids alone: by cells, the first axis first, and by
/// ids within a cell.
/// Distances are computed in `f32`. An entity whose place is not a number is found by [`iter`](Self::iter) alone.
///
/// The source of the idea is the spatial hash of M. Teschner et al., *Optimized Spatial Hashing for Collision Detection
/// of Deformable Objects*, 2003.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use ecs::Grid;
/// # use sample::*;
/// let mut game = Game::new();
/// let cells = Game::all_of::<Cell>();
/// let grid = game.index_with(cells, |e| [e.cell().0, e.cell().1].map(|it| it as f32), Grid::new(10.0));
/// let ids = game.create_many([Cell(0, 0), Cell(3, 4), Cell(90, 0)]);
///
/// let near: Vec<_> = grid.get(&game).within([0.0, 0.0], 5.0).map(|(id, _)| id).collect();
/// assert_eq!(near, ids[..2]);
/// game.entity_mut(ids[2]).update_cell(|cell| cell.0 = 2);
/// assert_eq!(grid.get(&game).within([0.0, 0.0], 5.0).count(), 3);
/// assert_eq!(grid.get(&game).nearest([90.0, 0.0], 1)[0].0, ids[1]);
/// ```
pub struct Grid<C, const D: usize> {
    cells: Cells<C, D>,
}

impl<C, const D: usize> Grid<C, D> {
    /// Returns a grid without entities, with cells of this size: about the radius of most searches, so that a cell
    /// has a few entities.
    ///
    /// # Panics
    ///
    /// Panics unless the size is a positive finite number.
    #[must_use]
    #[track_caller]
    pub fn new(size: f32) -> Self {
        const { assert!(D > 0, "a `Grid` has one dimension at least") }
        assert!(
            size > 0.0 && size.is_finite(),
            "the cells of a `Grid` have a size of {size}, which is not a positive finite number"
        );
        let cells = Cells::new(size);
        Self { cells }
    }

    /// Returns the size of a cell.
    #[must_use]
    pub fn cell_size(&self) -> f32 {
        self.cells.size
    }

    /// Returns the number of entities.
    #[must_use]
    pub fn len(&self) -> usize {
        self.cells.len
    }

    /// Returns whether there are no entities.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns all entities with their places.
    pub fn iter(&self) -> impl Iterator<Item = (EntityId<C>, [f32; D])> {
        self.cells.iter()
    }

    /// Returns the entities at a distance of at most `radius`, with their places, in the order of cells: the first one is
    /// not the [nearest](Self::nearest).
    ///
    /// Complexity: linear in the cells that the circle touches, and their entities. `for_each`, `fold`, `sum` and `count` are
    /// faster than a `for` loop.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// # let mut game = Game::new();
    /// # let place = |e: GameEntity<'_>| [e.cell().0 as f32, e.cell().1 as f32];
    /// let grid = game.index_with(Game::all_of::<Cell>(), place, ecs::Grid::new(10.0));
    /// let ids = game.create_many([Cell(0, 0), Cell(3, 4), Cell(4, 4)]);
    /// let found: Vec<_> = grid.get(&game).within([0.0, 0.0], 5.0).collect();
    /// assert_eq!(found, [(ids[0], [0.0, 0.0]), (ids[1], [3.0, 4.0])]);
    /// ```
    #[inline]
    pub fn within(
        &self,
        center: [f32; D],
        radius: f32,
    ) -> impl Iterator<Item = (EntityId<C>, [f32; D])> + Clone {
        // Also includes entities whose distance is rounded down.
        let reach = |x: f32| radius + (x.abs() + radius) * (4.0 * f32::EPSILON);
        let (min, max) = (center.map(|x| x - reach(x)), center.map(|x| x + reach(x)));
        let limit = if radius >= 0.0 { radius * radius } else { -1.0 };
        let is_near = move |at: &[f32; D]| squared_distance(at, &center) <= limit;
        Search::new(&self.cells, [min, max], is_near)
    }

    /// Returns the entities in a box, with their places; those on its faces are in it.
    ///
    /// Complexity: linear in the cells that the box touches, and their entities.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// # let mut game = Game::new();
    /// # let place = |e: GameEntity<'_>| [e.cell().0 as f32, e.cell().1 as f32];
    /// let grid = game.index_with(Game::all_of::<Cell>(), place, ecs::Grid::new(10.0));
    /// let ids = game.create_many([Cell(0, 0), Cell(3, 4), Cell(4, 4)]);
    /// let found = grid.get(&game).in_box([1.0, 1.0], [4.0, 4.0]);
    /// assert!(found.map(|(id, _)| id).eq([ids[1], ids[2]]));
    /// ```
    #[inline]
    pub fn in_box(
        &self,
        min: [f32; D],
        max: [f32; D],
    ) -> impl Iterator<Item = (EntityId<C>, [f32; D])> + Clone {
        let is_in =
            move |at: &[f32; D]| (0..D).all(|axis| (min[axis]..=max[axis]).contains(&at[axis]));
        Search::new(&self.cells, [min, max], is_in)
    }

    /// Returns the `count` nearest entities with their places: the first ones [by distance](Self::by_distance).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// # let mut game = Game::new();
    /// # let place = |e: GameEntity<'_>| [e.cell().0 as f32, e.cell().1 as f32];
    /// let grid = game.index_with(Game::all_of::<Cell>(), place, ecs::Grid::new(10.0));
    /// let ids = game.create_many([Cell(0, 0), Cell(300, 4), Cell(4, 4)]);
    /// let found = grid.get(&game).nearest([1.0, 1.0], 2);
    /// assert_eq!(found, [(ids[0], [0.0, 0.0]), (ids[2], [4.0, 4.0])]);
    /// ```
    #[must_use]
    pub fn nearest(&self, center: [f32; D], count: usize) -> Vec<(EntityId<C>, [f32; D])> {
        self.by_distance(center).take(count).collect()
    }

    /// Returns all entities with their places, nearest first; of equally distant ones that with the lower id first.
    ///
    /// They are searched for in rings, each twice as wide as the one before, as they are asked for. So finding the nearest
    /// one of which something is true takes no search of the whole world.
    ///
    /// Complexity: until an entity is found, that of a few searches for [`within`](Self::within) its distance, and of
    /// sorting what they find.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// # let mut game = Game::new();
    /// # let place = |e: GameEntity<'_>| [e.cell().0 as f32, e.cell().1 as f32];
    /// let grid = game.index_with(Game::all_of::<Cell>(), place, ecs::Grid::new(10.0));
    /// let ids = game.create_many([Cell(0, 0), Cell(300, 4), Cell(4, 4)]);
    /// game.entity_mut(ids[0]).set_frozen(true);
    ///
    /// // In one expression, which ends the borrow of the game: an iterator in a variable borrows it to the end of its block.
    /// let thawed = grid.get(&game).by_distance([1.0, 1.0]).find(|(id, _)| !game.entity(*id).is_frozen());
    /// assert_eq!(thawed, Some((ids[2], [4.0, 4.0])));
    /// game.entity_mut(ids[2]).set_frozen(true);
    /// ```
    pub fn by_distance(&self, center: [f32; D]) -> impl Iterator<Item = (EntityId<C>, [f32; D])> {
        // Squares of shorter distances would be rounded to 0.
        let first = self.cells.size.max(1e-18);
        let (mut left, mut radius, mut searched) = (self.len(), first, -1.0);
        let mut ring = Vec::new().into_iter();
        core::iter::from_fn(move || {
            while ring.len() == 0 && left > 0 {
                ring = self.ring(center, searched, radius).into_iter();
                left -= ring.len();
                (searched, radius) = (radius * radius, radius * 2.0);
            }
            ring.next()
        })
    }

    /// Returns the entities within a radius whose squared distance is not within `searched`, nearest first; all others,
    /// too, if the squared radius is infinite.
    fn ring(&self, center: [f32; D], searched: f32, radius: f32) -> Vec<(EntityId<C>, [f32; D])> {
        let distance = |at: &[f32; D]| squared_distance(at, &center);
        let is_new = |(_, at): &(_, [f32; D])| {
            let distance = distance(at);
            distance > searched || distance.is_nan()
        };
        let mut ring: Vec<_> = match (radius * radius).is_finite() {
            true => self.within(center, radius).filter(is_new).collect(),
            false => self.iter().filter(is_new).collect(),
        };
        ring.sort_unstable_by(|(a, at), (b, bt)| {
            distance(at).total_cmp(&distance(bt)).then_with(|| a.cmp(b))
        });
        ring
    }

    /// Returns each pair of entities at a distance of at most `radius` once, with their places: first that with the
    /// lower id.
    ///
    /// Complexity: that of [`within`](Self::within) for each entity.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// # let mut game = Game::new();
    /// # let place = |e: GameEntity<'_>| [e.cell().0 as f32, e.cell().1 as f32];
    /// let grid = game.index_with(Game::all_of::<Cell>(), place, ecs::Grid::new(10.0));
    /// let ids = game.create_many([Cell(4, 4), Cell(3, 4), Cell(90, 0)]);
    /// let mut pairs = grid.get(&game).pairs(5.0).map(|[(a, _), (b, _)]| [a, b]);
    /// assert_eq!(pairs.next(), Some([ids[0], ids[1]]));
    /// assert_eq!(pairs.next(), None);
    /// ```
    pub fn pairs(&self, radius: f32) -> impl Iterator<Item = [(EntityId<C>, [f32; D]); 2]> {
        self.iter().flat_map(move |a| {
            let near = self.within(a.1, radius);
            near.filter(move |b| a.0 < b.0).map(move |b| [a, b])
        })
    }
}

#[inline]
fn squared_distance<const D: usize>(a: &[f32; D], b: &[f32; D]) -> f32 {
    let mut sum = 0.0;
    for axis in 0..D {
        sum += (b[axis] - a[axis]) * (b[axis] - a[axis]);
    }
    sum
}

impl<C: 'static, const D: usize> Index<C> for Grid<C, D> {
    type Key = [f32; D];

    #[inline]
    fn update(&mut self, id: EntityId<C>, old: Option<&[f32; D]>, new: Option<&[f32; D]>) {
        if let (Some(old), Some(new)) = (old, new)
            && self.cells.move_within(id, [old, new])
        {
            return;
        }
        if let Some(old) = old {
            self.cells.remove(id, *old);
        }
        if let Some(new) = new {
            self.cells.insert(id, *new);
        }
    }

    fn clear(&mut self) {
        self.cells = Cells::new(self.cells.size);
    }

    fn memory(&self) -> usize {
        self.cells.bytes()
    }
}

impl<C, const D: usize> fmt::Debug for Grid<C, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
