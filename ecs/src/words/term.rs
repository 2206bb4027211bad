//! Terms over relations, as seen by code that does not know them.

use core::any::Any;

/// What the flag of a term stands for.
pub(crate) trait AnyTerm: Any + Send + Sync {
    /// Whether both flags stand for the same.
    fn is_same(&self, other: &dyn Any) -> bool;
}
