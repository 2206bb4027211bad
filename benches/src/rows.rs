//! The table of rows: the work of each, and its items.

use crate::types::{KINDS, PARTS};

/// The id of a workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is described in `ROWS`")]
pub enum Id {
    W1,
    W1s,
    W1i,
    W2,
    W2m,
    W2p,
    W2x,
    W3,
    W4,
    W4w,
    W5,
    W5s,
    W6,
    W6d,
    W7,
    W7d,
    W7c,
    W7cd,
    W8,
    W8e,
    W9,
    W10,
    W10d,
    W11,
    W11s,
    W11sd,
    W12,
    W13,
    W13a,
    W14,
    W15,
    W16,
    W17,
    W18,
    W19,
    W20,
    W20l,
}

/// The unit of figures per item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Nanoseconds of a run.
    Time,
    /// Additional resident bytes after a run.
    Memory,
}

/// A workload as a row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The id of the workload.
    pub id: Id,
    /// The name of the row.
    pub name: &'static str,
    /// The name of an item.
    pub item: &'static str,
    /// The number of items in one run.
    pub items: usize,
    /// The unit of the figures.
    pub unit: Unit,
    /// Whether it takes gigabytes, and is skipped unless requested.
    pub is_large: bool,
}

impl Row {
    /// Returns the number of items at a fraction of its size.
    pub fn small(&self) -> usize {
        self.items.min(1_000_000) / 20
    }
}

const fn row(id: Id, name: &'static str, item: &'static str, items: usize) -> Row {
    Row {
        id,
        name,
        item,
        items,
        unit: Unit::Time,
        is_large: false,
    }
}

const fn large(id: Id, name: &'static str, item: &'static str, items: usize) -> Row {
    Row {
        is_large: true,
        ..row(id, name, item, items)
    }
}

const fn memory(id: Id, name: &'static str) -> Row {
    Row {
        unit: Unit::Memory,
        ..row(id, name, "entity", 1_000_000)
    }
}

/// The number of entities of each of the [`KINDS`] in W3 at full size.
const OF_EACH_KIND: usize = 20;

/// All rows.
///
/// - **W1**: four columns of values are prepared; in an empty world, create an entity with Transform,
///   Position, Rotation and Velocity for each place, by the fastest way for many entities.
/// - **W1s**: the same entities as in W1, each created by one call with all its components.
/// - **W1i**: into an empty world, create entities and add Transform, Position,
///   Rotation and Velocity one by one.
/// - **W2**: entities of W1i; position += velocity over all.
/// - **W2m**: a million entities with Position and Velocity; the same.
/// - **W2p**: the same on two threads.
/// - **W2x**: as W2m, with ten million.
/// - **W3**: entities of 26 kinds, each also with Data; data *= 2 over all.
/// - **W4**: entities with A; add B to each, then remove B from each.
/// - **W4w**: entities of W1i; add Flag to each, then remove it from each.
/// - **W5**: entities with Position and Velocity; read Position by id, shuffled.
/// - **W5s**: the same, but ours reads through the entity, looked up by each id, as a system that
///   reads a single one. In bulk, through a view that could write.
/// - **W6**: entities of W5; destroy all in shuffled order, create as many again.
/// - **W6d**: entities of W5; destroy all in order of creation.
/// - **W7**: ten entities with Position for each item; a random tenth of them also has
///   Velocity, added later in random order; position += velocity over those.
/// - **W7d**: as W7, after a hundred cleanups of a list of systems, which defragment ours; the peers
///   as in W7.
/// - **W7c**: two entities for each item, half of them with both, a quarter each with
///   one; then four steps for each item that destroy a random entity and create
///   another (see [`Churn`](crate::joins::Churn)); position += velocity over those
///   with both.
/// - **W7cd**: as W7c, after a hundred cleanups; the peers as in W7c.
/// - **W8**: entities with Position, ten for each item; replace Position of random
///   ones, some of them twice, then handle each changed entity once.
/// - **W8e**: entities with Position, an observer of each update; replace all.
/// - **W9**: entities with Position; add Flag to each, handle those that now have Position and Flag;
///   remove Flag from each, handle those that no longer have both.
/// - **W10**: as W9 with 100 groups, 20 of which name Flag and 5 are entered. After each half, get the
///   size of each of the 20.
/// - **W10d**: the same, after entities with different memberships in these 20 groups have existed.
/// - **W11**: in an empty world, create entities with Position and Velocity; counts the resident bytes.
/// - **W11s**: the same with Position, and Transform added to a random hundredth.
/// - **W11sd**: as W11s, after each system that can defragment its memory has done so.
/// - **W12**: entities with Transform and Position; invert the matrix a hundred times,
///   then move the position by it, on two threads.
/// - **W13**: entities with Position and Velocity and one consumer of the changes of
///   Position; replace the position of each by position + velocity, then handle each
///   changed entity once. Each system in its natural form: ours by queries.
/// - **W13a**: the same, reading and writing each entity by its id. In bulk, ours by a query of
///   the list of ids.
/// - **W14**: children of a hundred parents; move each to another parent, in random order. Each parent
///   can list its children. In bulk, ours moves all at once.
/// - **W15**: entities with Position; find each by a key, in random order, and read its position.
/// - **W16**: an entity of each of the 26 kinds; create a query for one kind and Data, and read its
///   results, like a function that gets only the world.
/// - **W17**: create a world, and an entity with a different component for each item.
/// - **W18**: send messages one by one, then read all of them.
/// - **W19**: entities of W1; copy the whole world.
/// - **W20**: entities with Position and Velocity; save them as bytes of postcard.
/// - **W20l**: load a world from these bytes.
pub const ROWS: &[Row] = &[
    row(Id::W1, "bulk_create", "entity", 10_000),
    row(Id::W1s, "single_create", "entity", 10_000),
    row(Id::W1i, "incremental_create", "entity", 10_000),
    row(Id::W2, "iter", "entity", 10_000),
    row(Id::W2m, "iter_1m", "entity", 1_000_000),
    row(Id::W2p, "iter_1m, two threads", "entity", 1_000_000),
    large(Id::W2x, "iter_10m", "entity", 10_000_000),
    row(Id::W3, "fragmented", "entity", KINDS * OF_EACH_KIND),
    row(Id::W4, "add_remove", "pair", 10_000),
    row(Id::W4w, "add_remove_wide", "pair", 10_000),
    row(Id::W5, "get_random", "get", 10_000),
    row(Id::W5s, "get_random, one entity", "get", 10_000),
    row(Id::W6, "churn", "pair", 10_000),
    row(Id::W6d, "destroy", "entity", 10_000),
    row(Id::W7, "sparse_join", "match", 100_000),
    row(Id::W7d, "sparse_join, in order", "match", 100_000),
    row(Id::W7c, "churned_join", "match", 50_000),
    row(Id::W7cd, "churned_join, in order", "match", 50_000),
    row(Id::W8, "reactive_replace", "change", 1_000),
    row(Id::W8e, "event_callback", "replace", 10_000),
    row(Id::W9, "group_events", "pair", 10_000),
    row(Id::W10, "many_groups", "pair", 10_000),
    row(Id::W10d, "many_groups, separated", "pair", 10_000),
    memory(Id::W11, "memory"),
    memory(Id::W11s, "memory_sparse"),
    memory(Id::W11sd, "memory_sparse, in order"),
    row(Id::W12, "heavy_compute", "entity", 1_000),
    row(Id::W13, "move_system", "entity", 10_000),
    row(Id::W13a, "move_system, by accessors", "entity", 10_000),
    row(Id::W14, "reparent", "child", 10_000),
    row(Id::W15, "look_up_by_key", "look-up", 10_000),
    row(Id::W16, "make_query", "query", 1_000),
    row(Id::W17, "start_up", "component", PARTS),
    row(Id::W18, "messages", "message", 1_000),
    row(Id::W19, "copy_world", "entity", 10_000),
    row(Id::W20, "save", "entity", 10_000),
    row(Id::W20l, "load", "entity", 10_000),
];
