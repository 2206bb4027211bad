//! Attributes for types that only have `crate = ".."`.

use syn::{Attribute, Path};

use crate::error::Errors;

use super::entries::{Given, each_in, set, unknown};
use super::values::quoted_path;

/// The path of the library, if the attributes of this name give it. `on_fields` are the entries
/// allowed on fields.
pub(crate) fn on_type(
    name: &str,
    attrs: &[Attribute],
    on_fields: &[&str],
    errors: &mut Errors,
) -> Option<Given<Path>> {
    let mut krate = None;
    each_in(name, attrs, errors, |key, input, _| {
        match key.to_string().as_str() {
            "crate" => set(&mut krate, key, input, quoted_path),
            _ => Err(unknown(&key, &["crate"], on_fields, "a field")),
        }
    });
    krate
}
