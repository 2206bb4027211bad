//! Where an entity is in the buckets.

use alloc::boxed::Box;

/// Where an entity is: its bucket, and its number among the members there.
#[derive(Clone, Copy)]
pub(super) struct Position {
    pub(super) bucket: u32,
    pub(super) member: u32,
}

/// All positions of one entity.
#[derive(Clone, Default)]
pub(super) enum Positions {
    #[default]
    None,
    One(Position),
    Many(Box<[Position]>),
}

impl Positions {
    pub(super) fn as_slice(&self) -> &[Position] {
        match self {
            Self::None => &[],
            Self::One(position) => core::slice::from_ref(position),
            Self::Many(positions) => positions,
        }
    }

    /// The bytes held beside it.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Many(positions) => size_of_val(&**positions),
            Self::None | Self::One(_) => 0,
        }
    }

    pub(super) fn as_mut_slice(&mut self) -> &mut [Position] {
        match self {
            Self::None => &mut [],
            Self::One(position) => core::slice::from_mut(position),
            Self::Many(positions) => positions,
        }
    }
}
