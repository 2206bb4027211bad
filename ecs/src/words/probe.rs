//! Asks at compile time whether a component has `Debug`, `Clone` or `Default`.
//!
//! `Probe::<T>::DEBUG` means the inherent constant if `T: Debug`, since inherent
//! items come first, and the trait's constant `None` otherwise. This needs a known
//! `T`, so it is the derive that asks.

use core::fmt::{Debug, Formatter, Result};
use core::marker::PhantomData;

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
