//! The table of rows: what each workload does, and what one item of it is.

use crate::types::KINDS;

/// Which workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is described in `ROWS`")]
pub enum Id {
    W1i,
    W2,
    W3,
    W4,
    W4w,
    W5,
    W6,
    W8,
    W8e,
    W9,
    W10,
}

/// A workload as a row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Which workload.
    pub id: Id,
    /// What it is called.
    pub name: &'static str,
    /// What the figures are counted by.
    pub item: &'static str,
    /// How many items one run has.
    pub items: usize,
}

const fn row(id: Id, name: &'static str, item: &'static str, items: usize) -> Row {
    Row {
        id,
        name,
        item,
        items,
    }
}

/// How many entities of each of the [`KINDS`] there are in W3 at full size.
const OF_EACH_KIND: usize = 20;

/// All rows.
///
/// - **W1i**: into an empty world, create entities and add Transform, Position,
///   Rotation and Velocity one by one.
/// - **W2**: entities of W1i; position += velocity over all.
/// - **W3**: entities of 26 kinds, each also with Data; data *= 2 over all.
/// - **W4**: entities with A; add B to each, then remove B from each.
/// - **W4w**: entities of W1i; add Flag to each, then remove it from each.
/// - **W5**: entities with Position and Velocity; read Position by id, shuffled.
/// - **W6**: the same; destroy all in shuffled order, create as many again.
/// - **W8**: entities with Position, ten for each item; replace Position of random
///   ones, some of them twice, then handle each changed entity once.
/// - **W8e**: entities with Position, an observer told of each update; replace all.
/// - **W9**: entities with Position; add Flag to each, handle those that came to have
///   Position and Flag; remove Flag from each, handle those that ceased to.
/// - **W10**: as W9 beside 99 other groups; 20 name Flag, 5 are really entered. After
///   either half it is asked how many entities each of the 20 has.
pub const ROWS: [Row; 11] = [
    row(Id::W1i, "incremental_create", "entity", 10_000),
    row(Id::W2, "iter", "entity", 10_000),
    row(Id::W3, "fragmented", "entity", KINDS * OF_EACH_KIND),
    row(Id::W4, "add_remove", "pair", 10_000),
    row(Id::W4w, "add_remove_wide", "pair", 10_000),
    row(Id::W5, "get_random", "get", 10_000),
    row(Id::W6, "churn", "pair", 10_000),
    row(Id::W8, "reactive_replace", "change", 1_000),
    row(Id::W8e, "event_callback", "replace", 10_000),
    row(Id::W9, "group_events", "pair", 10_000),
    row(Id::W10, "many_groups", "pair", 10_000),
];
