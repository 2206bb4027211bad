//! Feeds: what has changed, to be sent, and mirrors, which keep another context in step.
//!
//! ```text
//! Feed (handle.rs) ── take ──► Delta (delta.rs) ── apply ──► Mirror (mirror.rs)
//!                              a column for each component (column.rs)
//! ```

pub(crate) mod column;
mod delta;
mod handle;
mod mirror;
mod order;
mod plan;
#[cfg(feature = "serde")]
mod wire;

pub use self::delta::Delta;
pub use self::handle::Feed;
pub use self::mirror::Mirror;

pub(crate) use self::handle::begin;
