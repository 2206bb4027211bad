//! Asks at compile time whether a component has `Debug`, `Clone`, `Default`, `Hash`, `Checksum`,
//! `Recycle`, `Drop` or `MapIds`.
//!
//! `Probe::<T>::DEBUG` means the inherent constant if `T: Debug`, since inherent
//! items come first, and the trait's constant `None` otherwise. This needs a known
//! `T`, so it is the derive that asks.

use core::fmt::{Debug, Formatter, Result};
use core::hash::Hash;
use core::marker::PhantomData;
use core::mem;

use crate::words::checksum::{Checksum, ChecksumFeeder};
use crate::words::map_ids::{MapIds, MapValue};
use crate::words::recycle::{Recycle, RecycleValue};

/// Stands for a component type.
pub struct Probe<T>(PhantomData<T>);

impl<T: Debug> Probe<T> {
    /// How a value is printed.
    pub const DEBUG: Option<fn(&T, &mut Formatter<'_>) -> Result> = Some(T::fmt);
}

impl<T: Clone> Probe<T> {
    /// How a value is copied.
    pub const CLONE: Option<fn(&T) -> T> = Some(T::clone);
}

impl<T: Default> Probe<T> {
    /// How a value is made.
    pub const DEFAULT: Option<fn() -> T> = Some(T::default);
}

impl<T: Hash> Probe<T> {
    /// How a value feeds a checksum, by its hash.
    pub const HASH: Option<ChecksumFeeder<T>> = Some(|value, hasher| value.hash(hasher));
}

impl<T: Checksum> Probe<T> {
    /// How a value feeds a checksum.
    pub const CHECKSUM: Option<ChecksumFeeder<T>> = Some(T::feed);
}

impl<T: Recycle> Probe<T> {
    /// How a value becomes equal to another one, in its own memory.
    pub const RECYCLE: Option<RecycleValue<T>> = Some(T::refresh);
}

#[expect(drop_bounds, reason = "asks whether `Drop` is the type's own")]
impl<T: Drop> Probe<T> {
    /// Whether the type's own code runs when a value is dropped.
    pub const HAS_DROP: bool = true;
}

impl<T: MapIds> Probe<T> {
    /// How the ids inside of a value become others, if it can have any.
    pub const MAP_IDS: Option<MapValue<T>> = match T::HAS_IDS {
        true => Some(T::map_ids),
        false => None,
    };
}

/// The first of two ways to feed a checksum.
pub const fn first_of<T>(
    first: Option<ChecksumFeeder<T>>,
    second: Option<ChecksumFeeder<T>>,
) -> Option<ChecksumFeeder<T>> {
    match first {
        Some(_) => first,
        None => second,
    }
}

/// The answer for types without `Hash`.
pub trait NoHash<T> {
    /// Not at all.
    const HASH: Option<ChecksumFeeder<T>> = None;
}

impl<T> NoHash<T> for Probe<T> {}

/// The answer for types without `Checksum`.
pub trait NoChecksum<T> {
    /// Not at all.
    const CHECKSUM: Option<ChecksumFeeder<T>> = None;
}

impl<T> NoChecksum<T> for Probe<T> {}

/// The answer for types without `Recycle`.
pub trait NoRecycle<T> {
    /// Not at all.
    const RECYCLE: Option<RecycleValue<T>> = None;
}

impl<T> NoRecycle<T> for Probe<T> {}

/// How a value of a type without `Recycle` becomes equal to another one.
pub const fn recycle_or_swap<T>(recycle: Option<RecycleValue<T>>) -> RecycleValue<T> {
    match recycle {
        Some(recycle) => recycle,
        None => mem::swap,
    }
}

/// The answer for types without a `Drop` of their own.
pub trait NoDrop {
    /// It does not.
    const HAS_DROP: bool = false;
}

impl<T> NoDrop for Probe<T> {}

/// The answer for types without `MapIds`.
pub trait NoMapIds<T> {
    /// Not at all.
    const MAP_IDS: Option<MapValue<T>> = None;
}

impl<T> NoMapIds<T> for Probe<T> {}

/// The answer for types without `Debug`.
pub trait NoDebug<T> {
    /// Not at all.
    const DEBUG: Option<fn(&T, &mut Formatter<'_>) -> Result> = None;
}

impl<T> NoDebug<T> for Probe<T> {}

/// The answer for types without `Clone`.
pub trait NoClone<T> {
    /// Not at all.
    const CLONE: Option<fn(&T) -> T> = None;
}

impl<T> NoClone<T> for Probe<T> {}

/// The answer for types without `Default`.
pub trait NoDefault<T> {
    /// Not at all.
    const DEFAULT: Option<fn() -> T> = None;
}

impl<T> NoDefault<T> for Probe<T> {}
