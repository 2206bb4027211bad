//! The limits of what is numbered, all in one place. Built with `--cfg ecs_small_limits` they are so
//! small that tests reach them.

/// Whether the limits are those for tests.
const SMALL: bool = cfg!(ecs_small_limits);

/// The last generation a slot can have; all bits below one bit, which marks a free slot.
pub const LAST_GENERATION: u32 = if SMALL { 7 } else { (1 << 31) - 1 };

/// How many slots a context has at most. Few in unit tests, to get there.
pub const MOST_ENTITIES: u64 = match (cfg!(test), SMALL) {
    (true, _) => 64,
    (_, true) => 4096,
    _ => 1 << 32,
};

/// How many rows a block has, and a word of a set of rows; at most 64. All of them in unit tests,
/// which count them.
pub const ROWS: usize = match (cfg!(test), SMALL) {
    (false, true) => 8,
    _ => 64,
};

/// All rows of a block, as bits.
pub const ALL_ROWS: u64 = u64::MAX >> (64 - ROWS);

/// The numbers of observers, changes, marks and stamps begin behind this one: so large that arithmetic
/// which does not bear the last ones is seen. Nothing reaches their end: one number each nanosecond takes
/// 584 years.
pub const FIRST_NUMBER: u64 = if SMALL { u64::MAX - (1 << 32) } else { 0 };

/// Counters that begin anew behind their end, at 1 or 0, begin here: tests get there in a few steps.
pub const FIRST_ROUND: u32 = if SMALL { u32::MAX - 3 } else { 1 };
