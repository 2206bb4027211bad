//! Reading a value whose type only one side knows from a format that only the other side knows.
//!
//! ```text
//! the type                             the format
//! T::deserialize(At(..))               D
//!    │ hint: a struct of these fields     │
//!    ├─────────── Source::ask ───────────►│ deserialize_struct
//!    │◄────────── Asker::take ────────────┤ visit_map: Given::Map
//!    │  then keys and values, one by one, in the same way
//! ```
//!
//! So a value takes two dynamic calls, and a field four, none of which allocates. `erased-serde`, which
//! writes values, takes a dozen of them to read a field: loading JSON would take two to three times as
//! long.

mod asking;
mod format;
#[cfg(test)]
mod tests;
mod tree;
mod value;

pub(crate) use self::asking::Source;
pub(crate) use self::format::Format;
pub(crate) use self::value::{at, read};
