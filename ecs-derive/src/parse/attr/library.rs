//! Attributes for types that only have `crate = ".."`, and for their fields that only have `skip`.

use syn::{Attribute, Path};

use crate::error::Errors;

use super::entries::{Given, each_in, set, unknown};
use super::values::{quoted_path, word};

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

/// What fields can have.
pub(crate) const SKIP: &[&str] = &["skip"];

/// Whether a field is skipped by the attributes of this name. One with a mistake in them counts as
/// skipped, because nothing else can be meant.
pub(crate) fn is_skipped(name: &str, attrs: &[Attribute], errors: &mut Errors) -> bool {
    let mut skip = None::<Given<()>>;
    each_in(name, attrs, errors, |key, input, _| {
        match key.to_string().as_str() {
            "skip" => set(&mut skip, key, input, word),
            _ => Err(unknown(&key, SKIP, &["crate"], "the type")),
        }
    });
    attrs.iter().any(|attr| attr.path().is_ident(name))
}
