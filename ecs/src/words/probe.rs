//! Detects at compile time whether a component implements `Debug`, `Clone`, `Default`,
//! `Hash`, `Checksum`, `Identical`, `Recycle`, `Drop` or `MapIds`.
//!
//! `Probe::<T>::DEBUG` is the inherent constant if `T: Debug`, because inherent items take
//! precedence, and the constant `None` of the trait otherwise. This works only for a concrete `T`,
//! so the derive writes it.

use core::fmt::{self, Debug, Formatter};
use core::hash::Hash;
use core::marker::PhantomData;
use core::mem;

use crate::words::checksum::{Checksum, ChecksumFeeder};
use crate::words::identical::{CompareValues, Identical};
use crate::words::map_ids::{MapIds, MapValue};
use crate::words::recycle::{Recycle, RecycleValue};

/// A component type to be probed.
pub struct Probe<T>(PhantomData<T>);

impl<T: Debug> Probe<T> {
    /// Prints a value.
    pub const DEBUG: Option<fn(&T, &mut Formatter<'_>) -> fmt::Result> = Some(T::fmt);
}

impl<T: Clone> Probe<T> {
    /// Clones a value.
    pub const CLONE: Option<fn(&T) -> T> = Some(T::clone);
}

impl<T: Default> Probe<T> {
    /// Makes a default value.
    pub const DEFAULT: Option<fn() -> T> = Some(T::default);
}

impl<T: Hash> Probe<T> {
    /// Feeds a value to a checksum by its hash.
    pub const HASH: Option<ChecksumFeeder<T>> = Some(|value, hasher| value.hash(hasher));
}

impl<T: Checksum> Probe<T> {
    /// Feeds a value to a checksum.
    pub const CHECKSUM: Option<ChecksumFeeder<T>> = Some(T::feed);
}

impl<T: Identical> Probe<T> {
    /// Whether two values are identical.
    pub const IDENTICAL: Option<CompareValues<T>> = Some(T::is_identical);
}

impl<T: Recycle> Probe<T> {
    /// Makes a value equal to another one, in its own memory.
    pub const RECYCLE: Option<RecycleValue<T>> = Some(T::refresh);
}

#[expect(drop_bounds, reason = "asks whether `Drop` is the type's own")]
impl<T: Drop> Probe<T> {
    /// Whether the type implements `Drop`.
    pub const HAS_DROP: bool = true;
}

impl<T: MapIds> Probe<T> {
    /// Maps the ids inside a value, if it can contain any.
    pub const MAP_IDS: Option<MapValue<T>> = match T::HAS_IDS {
        true => Some(T::map_ids),
        false => None,
    };
}

/// Returns the first function, or else the second.
pub const fn first_of<T>(
    first: Option<ChecksumFeeder<T>>,
    second: Option<ChecksumFeeder<T>>,
) -> Option<ChecksumFeeder<T>> {
    match first {
        Some(_) => first,
        None => second,
    }
}

/// Returns the function of a component: its own, or by fields if each has one, or by its hash;
/// otherwise the first field without one.
pub const fn checksum_of<T>(
    own: Option<ChecksumFeeder<T>>,
    fields: &[(&'static str, bool)],
    by_fields: ChecksumFeeder<T>,
    hash: Option<ChecksumFeeder<T>>,
) -> Result<ChecksumFeeder<T>, &'static str> {
    if let Some(own) = own {
        return Ok(own);
    }
    let mut at = 0;
    while at < fields.len() && fields[at].1 {
        at += 1;
    }
    match hash {
        _ if at == fields.len() => Ok(by_fields),
        Some(hash) => Ok(hash),
        None => Err(fields[at].0),
    }
}

/// Whether two values can be compared and are identical.
pub fn are_identical<T>(way: Option<CompareValues<T>>, one: &T, other: &T) -> bool {
    way.is_some_and(|is_identical| is_identical(one, other))
}

/// The fallback for types without `Hash`.
pub trait NoHash<T> {
    /// Always `None`.
    const HASH: Option<ChecksumFeeder<T>> = None;
}

impl<T> NoHash<T> for Probe<T> {}

/// The fallback for types without `Checksum`.
pub trait NoChecksum<T> {
    /// Always `None`.
    const CHECKSUM: Option<ChecksumFeeder<T>> = None;
}

impl<T> NoChecksum<T> for Probe<T> {}

/// The fallback for types without `Identical`.
pub trait NoIdentical<T> {
    /// Always `None`.
    const IDENTICAL: Option<CompareValues<T>> = None;
}

impl<T> NoIdentical<T> for Probe<T> {}

/// The fallback for types without `Recycle`.
pub trait NoRecycle<T> {
    /// Always `None`.
    const RECYCLE: Option<RecycleValue<T>> = None;
}

impl<T> NoRecycle<T> for Probe<T> {}

/// Returns `recycle`, or a swap for types without `Recycle`.
pub const fn recycle_or_swap<T>(recycle: Option<RecycleValue<T>>) -> RecycleValue<T> {
    match recycle {
        Some(recycle) => recycle,
        None => mem::swap,
    }
}

/// The fallback for types that do not implement `Drop`.
pub trait NoDrop {
    /// Always `false`.
    const HAS_DROP: bool = false;
}

impl<T> NoDrop for Probe<T> {}

/// The fallback for types without `MapIds`.
pub trait NoMapIds<T> {
    /// Always `None`.
    const MAP_IDS: Option<MapValue<T>> = None;
}

impl<T> NoMapIds<T> for Probe<T> {}

/// The fallback for types without `Debug`.
pub trait NoDebug<T> {
    /// Always `None`.
    const DEBUG: Option<fn(&T, &mut Formatter<'_>) -> fmt::Result> = None;
}

impl<T> NoDebug<T> for Probe<T> {}

/// The fallback for types without `Clone`.
pub trait NoClone<T> {
    /// Always `None`.
    const CLONE: Option<fn(&T) -> T> = None;
}

impl<T> NoClone<T> for Probe<T> {}

/// The fallback for types without `Default`.
pub trait NoDefault<T> {
    /// Always `None`.
    const DEFAULT: Option<fn() -> T> = None;
}

impl<T> NoDefault<T> for Probe<T> {}
