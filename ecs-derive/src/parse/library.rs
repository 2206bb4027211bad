//! Where the expansion finds the library.

use syn::{Path, parse_quote};

use super::attr::Given;

/// The path that `crate = ".."` gives, else that of the library under its own name.
pub(super) fn path(given: Option<Given<Path>>) -> Path {
    given.map_or_else(|| parse_quote!(::ecs), |given| given.value)
}
