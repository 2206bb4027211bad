//! The numeric limits. `--cfg ecs_small_limits` makes them small enough for tests to reach.

/// Whether the limits are those for tests.
const SMALL: bool = cfg!(ecs_small_limits);

/// The last generation of a slot. Leaves the top bit, which marks a free slot.
pub const LAST_GENERATION: u32 = if SMALL { 7 } else { (1 << 31) - 1 };

/// The maximum number of slots of a context. Small in unit tests, so that they reach it.
pub const MOST_ENTITIES: u64 = match (cfg!(test), SMALL) {
    (true, _) => 64,
    (_, true) => 4096,
    _ => 1 << 32,
};

/// The number of rows in a block, and in a word of a row set; at most 64. Not reduced in unit
/// tests, which rely on 64.
pub const ROWS: usize = match (cfg!(test), SMALL) {
    (false, true) => 8,
    _ => 64,
};

/// All rows of a block, as bits.
pub const ALL_ROWS: u64 = u64::MAX >> (64 - ROWS);

/// Numbers of observers, changes, marks and stamps start after this one. Large in tests, so that
/// they reveal arithmetic that would overflow near the maximum. The numbers never run out: one per
/// nanosecond lasts 584 years.
pub const FIRST_NUMBER: u64 = if SMALL { u64::MAX - (1 << 32) } else { 0 };

/// Start value of counters that wrap around to 1 or 0, so that tests reach the wrap in a few steps.
pub const FIRST_ROUND: u32 = if SMALL { u32::MAX - 3 } else { 1 };
