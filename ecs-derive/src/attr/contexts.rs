//! `#[contexts(..)]`, on a type with `#[derive(Contexts)]` and on its fields.

use syn::{Attribute, Path};

use crate::error::Errors;

use super::{Given, each_in, quoted_path, set, unknown, word};

const ON_TYPES: &[&str] = &["crate"];
const ON_FIELDS: &[&str] = &["skip"];

/// What `#[contexts(..)]` says on a type: where to find the library.
pub(crate) fn on_type(attrs: &[Attribute], errors: &mut Errors) -> Option<Given<Path>> {
    let mut krate = None;
    each_in("contexts", attrs, errors, |key, input, _| {
        match key.to_string().as_str() {
            "crate" => set(&mut krate, key, input, quoted_path),
            _ => Err(unknown(&key, ON_TYPES, ON_FIELDS, "a field")),
        }
    });
    krate
}

/// What `#[contexts(..)]` says on a field: whether it is no context.
pub(crate) fn on_field(attrs: &[Attribute], errors: &mut Errors) -> Option<Given<()>> {
    let mut skip = None;
    each_in("contexts", attrs, errors, |key, input, _| {
        match key.to_string().as_str() {
            "skip" => set(&mut skip, key, input, word),
            _ => Err(unknown(&key, ON_FIELDS, ON_TYPES, "the type")),
        }
    });
    skip
}
