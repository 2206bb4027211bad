//! What a list knows of each of its systems, whatever the world it works on.

use alloc::string::String;

use super::stats::Statistics;

/// A system as its list sees it, without its logic.
#[doc(hidden)]
#[derive(Default)]
pub struct SystemStatus {
    pub(super) name: String,
    pub(super) disabled: bool,
    /// Whether it did not take part at the last execute.
    pub(super) passed_over: bool,
    /// Whether changes are discarded that come while it is passed over.
    pub(super) discards: bool,
    /// Whether its calls are timed.
    pub(super) measured: bool,
    pub(super) statistics: Statistics,
}
