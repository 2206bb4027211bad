//! Measurements with a limit, compared with code that does the same by hand.
//!
//! No other system does this work, so these are not rows: each mark is compared, in the same process,
//! with the code that a program would need without the library.

mod cells;
mod children;
mod contexts;
mod crowd;
mod feeds;
mod finding;
mod groups;
mod history;
mod many;
mod messages;
mod order;
mod seats;
mod snapshots;

use crate::workload::Workload;

/// A workload with a limit.
pub struct Mark {
    /// The name of the measurement.
    pub name: &'static str,
    /// What it is compared with.
    pub beside: &'static str,
    /// The limit.
    pub limit: Limit,
    /// The unit of the figures.
    pub item: &'static str,
    /// The number of items in one run.
    pub items: usize,
    /// Creates the workload.
    pub ours: fn(usize) -> Box<dyn Workload>,
    /// Creates the workload to compare with.
    pub by_hand: fn(usize) -> Box<dyn Workload>,
}

/// The limit of a figure.
#[derive(Clone, Copy, Debug)]
pub enum Limit {
    /// No limit, only shown.
    None,
    /// A multiple of what it is compared with.
    Times(f64),
    /// A number of nanoseconds.
    Nanoseconds(f64),
}

/// All marks.
pub const MARKS: &[Mark] = &[
    Mark {
        name: "an index by key function, one in a hundred changes its key",
        beside: "accessors that keep an indexed component, replaced if it differs",
        limit: Limit::Times(1.3),
        item: "mover",
        items: 5_000,
        ours: cells::by_function,
        by_hand: cells::kept_by_accessors,
    },
    Mark {
        name: "the same index by key function",
        beside: "the query that moves them, which also keeps that component by `set_if_changed`",
        limit: Limit::None,
        item: "mover",
        items: 5_000,
        ours: cells::by_function,
        by_hand: cells::kept_by_query,
    },
    Mark {
        name: "a crowd whose walkers push each other, by a `Grid`",
        beside: "a grid that is filled in each pass",
        limit: Limit::Times(1.0),
        item: "walker",
        items: 5_000,
        ours: crowd::by_grid,
        by_hand: crowd::by_hand,
    },
    Mark {
        name: "the same crowd",
        beside: "`bevy_ecs` with a grid that is filled in each pass",
        limit: Limit::Times(1.0),
        item: "walker",
        items: 5_000,
        ours: crowd::by_grid,
        by_hand: crowd::by_bevy,
    },
    Mark {
        name: "the same crowd",
        beside: "`hecs` with a grid that is filled in each pass",
        limit: Limit::Times(1.0),
        item: "walker",
        items: 5_000,
        ours: crowd::by_grid,
        by_hand: crowd::by_hecs,
    },
    Mark {
        name: "the same crowd",
        beside: "a tree of `kiddo` that is built in each pass, as `bevy_spatial` does",
        limit: Limit::Times(1.0),
        item: "walker",
        items: 5_000,
        ours: crowd::by_grid,
        by_hand: crowd::by_tree,
    },
    Mark {
        name: "a `Grid` of 100,000, of which one in a hundred moves",
        beside: "a grid that is filled in each pass",
        limit: Limit::Times(0.1),
        item: "entity",
        items: 100_000,
        ours: finding::moved,
        by_hand: finding::refilled,
    },
    Mark {
        name: "`within` of a `Grid` of 100,000",
        beside: "a grid by hand",
        limit: Limit::Times(1.1),
        item: "entity",
        items: 100_000,
        ours: finding::within,
        by_hand: finding::within_cells,
    },
    Mark {
        name: "an `Ordered` list of 100,000, of which one in a hundred changes",
        beside: "a `BTreeMap` that the program keeps",
        limit: Limit::Times(1.2),
        item: "entity",
        items: 100_000,
        ours: finding::scored,
        by_hand: finding::scored_by_hand,
    },
    Mark {
        name: "look up the next one in an `Ordered` list of 100,000",
        beside: "a `BTreeMap`",
        limit: Limit::Times(1.2),
        item: "look-up",
        items: 100_000,
        ours: finding::looked_up,
        by_hand: finding::looked_up_by_hand,
    },
    Mark {
        name: "the ten highest of 100,000, of which one in a thousand changes",
        beside: "sorting them",
        limit: Limit::Times(0.02),
        item: "entity",
        items: 100_000,
        ours: finding::top_ten,
        by_hand: finding::sorted,
    },
    Mark {
        name: "send a message and read it, one inbox",
        beside: "push on a list and pop",
        limit: Limit::Nanoseconds(5.0),
        item: "message",
        items: 1_000,
        ours: messages::one_by_one,
        by_hand: messages::list_one_by_one,
    },
    Mark {
        name: "send a thousand messages, then read them",
        beside: "a list that is filled and drained",
        limit: Limit::Nanoseconds(5.0),
        item: "message",
        items: 1_000,
        ours: messages::all_at_once,
        by_hand: messages::list_all_at_once,
    },
    Mark {
        name: "send a message without an inbox, beside an inbox of another type",
        beside: "one test of a field",
        limit: Limit::Nanoseconds(5.0),
        item: "message",
        items: 1_000,
        ours: messages::unread,
        by_hand: messages::test_of_a_field,
    },
    Mark {
        name: "the children of one parent",
        beside: "a slice of ids",
        limit: Limit::Times(1.3),
        item: "child",
        items: 1_000,
        ours: children::of_a_relation,
        by_hand: children::in_a_slice,
    },
    Mark {
        name: "give each of 500 children another parent, and the first one back",
        beside: "a list of parents, and a list of children for each",
        limit: Limit::None,
        item: "move",
        items: 1_000,
        ours: children::moved,
        by_hand: children::moved_in_lists,
    },
    Mark {
        name: "find an entity by a primary key, 10,000 in random order",
        beside: "a `HashMap` of ids, and whether the entity is alive",
        limit: Limit::None,
        item: "lookup",
        items: 10_000,
        ours: seats::indexed,
        by_hand: seats::in_a_map,
    },
    Mark {
        name: "visit a group of ten among a million entities",
        beside: "a list of their ids, and whether they are alive",
        limit: Limit::None,
        item: "entity",
        items: 10,
        ours: groups::of_few,
        by_hand: groups::list_of_few,
    },
    Mark {
        name: "destroy entities one by one beside fifty empty collectors",
        beside: "beside none",
        limit: Limit::None,
        item: "entity",
        items: 10_000,
        ours: groups::destroyed_beside_fifty,
        by_hand: groups::destroyed_alone,
    },
    Mark {
        name: "make 10,000 contexts with one entity each",
        beside: "10,000 lists with one struct each",
        limit: Limit::None,
        item: "context",
        items: 10_000,
        ours: contexts::made,
        by_hand: contexts::lists,
    },
    Mark {
        name: "look a group up inside a system",
        beside: "a handle kept in the system",
        limit: Limit::Nanoseconds(20.0),
        item: "lookup",
        items: 1_000,
        ours: groups::looked_up,
        by_hand: groups::kept,
    },
    Mark {
        name: "a hundred cleanups, which put 100,000 entities in order",
        beside: "`defragment`, and a hundred cleanups that move nothing",
        limit: Limit::None,
        item: "entity",
        items: 100_000,
        ours: order::little_by_little,
        by_hand: order::at_once,
    },
    Mark {
        name: "replace a component of an entity of a context that is recorded",
        beside: "of one that is not",
        limit: Limit::Times(1.3),
        item: "replace",
        items: 1_000,
        ours: history::replace_recorded,
        by_hand: history::replace_unrecorded,
    },
    Mark {
        name: "rewind a thousand replaces",
        beside: "the values before, put back from a list",
        limit: Limit::Nanoseconds(15.0),
        item: "change",
        items: 1_000,
        ours: history::rewind,
        by_hand: history::rewind_a_list,
    },
    Mark {
        name: "rewind a hundred changes among 10,000 entities of three components, and mark",
        beside: "three `Vec`s of 10,000 that are cloned",
        limit: Limit::Nanoseconds(30.0),
        item: "change",
        items: 100,
        ours: history::rewind_few,
        by_hand: history::clone_columns,
    },
    Mark {
        name: "take what a hundred changes among 10,000 entities have made of them from a feed",
        beside: "a list of the changed ones that the program keeps",
        limit: Limit::Nanoseconds(100.0),
        item: "change",
        items: 100,
        ours: feeds::taken,
        by_hand: feeds::recorded,
    },
    Mark {
        name: "take a snapshot of three plain components",
        beside: "three lists of the same values, cloned",
        limit: Limit::Times(2.0),
        item: "entity",
        items: 100_000,
        ours: snapshots::taken,
        by_hand: snapshots::lists_cloned,
    },
    Mark {
        name: "restore the snapshot",
        beside: "three lists of the same values, cloned",
        limit: Limit::Times(2.0),
        item: "entity",
        items: 100_000,
        ours: snapshots::restored,
        by_hand: snapshots::lists_cloned,
    },
    Mark {
        name: "add a component to 10,000 entities in one call, recorded",
        beside: "neither recorded, indexed nor observed",
        limit: Limit::Times(2.0),
        item: "entity",
        items: 10_000,
        ours: many::add::<{ many::RECORDED }>,
        by_hand: many::add::<{ many::ALONE }>,
    },
    Mark {
        name: "add a component to 10,000 entities in one call, indexed",
        beside: "neither recorded, indexed nor observed",
        limit: Limit::Times(3.0),
        item: "entity",
        items: 10_000,
        ours: many::add::<{ many::INDEXED }>,
        by_hand: many::add::<{ many::ALONE }>,
    },
    Mark {
        name: "add a component to 10,000 entities in one call, observed",
        beside: "neither recorded, indexed nor observed",
        limit: Limit::Times(3.0),
        item: "entity",
        items: 10_000,
        ours: many::add::<{ many::OBSERVED }>,
        by_hand: many::add::<{ many::ALONE }>,
    },
    Mark {
        name: "replace a component of 10,000 entities in one call, recorded",
        beside: "neither recorded, indexed nor observed",
        limit: Limit::Times(2.0),
        item: "entity",
        items: 10_000,
        ours: many::replace::<{ many::RECORDED }>,
        by_hand: many::replace::<{ many::ALONE }>,
    },
    Mark {
        name: "replace a component of 10,000 entities in one call, indexed",
        beside: "neither recorded, indexed nor observed",
        limit: Limit::Times(3.0),
        item: "entity",
        items: 10_000,
        ours: many::replace::<{ many::INDEXED }>,
        by_hand: many::replace::<{ many::ALONE }>,
    },
    Mark {
        name: "replace a component of 10,000 entities in one call, observed",
        beside: "neither recorded, indexed nor observed",
        limit: Limit::Times(3.0),
        item: "entity",
        items: 10_000,
        ours: many::replace::<{ many::OBSERVED }>,
        by_hand: many::replace::<{ many::ALONE }>,
    },
    Mark {
        name: "remove a component of 10,000 entities in one call, recorded",
        beside: "neither recorded, indexed nor observed",
        limit: Limit::Times(2.0),
        item: "entity",
        items: 10_000,
        ours: many::remove::<{ many::RECORDED }>,
        by_hand: many::remove::<{ many::ALONE }>,
    },
    Mark {
        name: "remove a component of 10,000 entities in one call, indexed",
        beside: "neither recorded, indexed nor observed",
        limit: Limit::Times(3.0),
        item: "entity",
        items: 10_000,
        ours: many::remove::<{ many::INDEXED }>,
        by_hand: many::remove::<{ many::ALONE }>,
    },
    Mark {
        name: "remove a component of 10,000 entities in one call, observed",
        beside: "neither recorded, indexed nor observed",
        limit: Limit::Times(3.0),
        item: "entity",
        items: 10_000,
        ours: many::remove::<{ many::OBSERVED }>,
        by_hand: many::remove::<{ many::ALONE }>,
    },
];
