//! `#[contexts(..)]`, on a type with `#[derive(Contexts)]` and on its fields.

use syn::{Attribute, Path};

use crate::error::Errors;

use super::entries::{Given, each_in, set, unknown};
use super::library;
use super::values::word;

const ON_FIELDS: &[&str] = &["skip"];

/// What `#[contexts(..)]` says on a type: where to find the library.
pub(crate) fn on_type(attrs: &[Attribute], errors: &mut Errors) -> Option<Given<Path>> {
    library::on_type("contexts", attrs, ON_FIELDS, errors)
}

/// Whether a field is no context. One with a mistake in its `#[contexts(..)]` is taken for
/// none: `skip` is all that could have been meant.
pub(crate) fn is_skipped(attrs: &[Attribute], errors: &mut Errors) -> bool {
    let mut skip = None::<Given<()>>;
    each_in("contexts", attrs, errors, |key, input, _| {
        match key.to_string().as_str() {
            "skip" => set(&mut skip, key, input, word),
            _ => Err(unknown(&key, ON_FIELDS, &["crate"], "the type")),
        }
    });
    attrs.iter().any(|attr| attr.path().is_ident("contexts"))
}
