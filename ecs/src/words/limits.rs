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

/// How many collectors have their bits in one word.
pub const COLLECTORS_A_BANK: usize = if SMALL { 2 } else { 32 };

/// The numbers of observers and of changes begin behind this one: near their end, so that what the
/// last numbers do wrong is seen.
pub const FIRST_NUMBER: u64 = if SMALL { u64::MAX - (1 << 32) } else { 0 };
