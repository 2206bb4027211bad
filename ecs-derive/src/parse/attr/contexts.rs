//! `#[contexts(..)]`, on a type with `#[derive(Contexts)]` and on its fields.

use syn::{Attribute, Path};

use crate::error::Errors;

use super::entries::{Given, each_in, set, unknown};
use super::library;
use super::values::word;

const ON_FIELDS: &[&str] = &["skip"];

/// The `#[contexts(..)]` of a type: the path of the library, if given.
pub(crate) fn on_type(attrs: &[Attribute], errors: &mut Errors) -> Option<Given<Path>> {
    library::on_type("contexts", attrs, ON_FIELDS, errors)
}

/// Whether a field is skipped. A field with a mistake in its `#[contexts(..)]` counts as skipped,
/// because nothing else can be meant.
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
