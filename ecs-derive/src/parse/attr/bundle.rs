//! `#[bundle(..)]`, on a type with `#[derive(Bundle)]`.

use syn::{Attribute, Path};

use crate::error::Errors;

use super::entries::{Given, each_in, set, unknown};
use super::values::quoted_path;

/// What `#[bundle(..)]` says: where to find the library.
pub(crate) fn krate(attrs: &[Attribute], errors: &mut Errors) -> Option<Given<Path>> {
    let mut krate = None;
    each_in("bundle", attrs, errors, |key, input, _| {
        match key.to_string().as_str() {
            "crate" => set(&mut krate, key, input, quoted_path),
            _ => Err(unknown(&key, &["crate"], &[], "")),
        }
    });
    krate
}
