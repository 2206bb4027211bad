//! The path of the library in generated code.

use syn::{Path, parse_quote};

use super::attr::Given;

/// The path given by `crate = ".."`, or `::ecs`.
pub(super) fn path(given: Option<Given<Path>>) -> Path {
    given.map_or_else(|| parse_quote!(::ecs), |given| given.value)
}
