//! The arguments of `#[ecs::context(..)]`.

use proc_macro2::TokenStream;
use syn::Path;
use syn::parse::{ParseStream, Parser as _};

use crate::error::Errors;

use super::entries::{Given, entries, set, unknown};
use super::values::quoted_path;

/// The path of the library, if given.
pub(crate) fn krate(args: TokenStream, errors: &mut Errors) -> Option<Given<Path>> {
    let mut krate = None;
    let each = |input: ParseStream<'_>| {
        entries(input, errors, |key, input, _| {
            match key.to_string().as_str() {
                "crate" => set(&mut krate, key, input, quoted_path),
                _ => Err(unknown(&key, &["crate"], &[], "")),
            }
        });
        Ok(())
    };
    let read = each.parse2(args);
    errors.note(read);
    krate
}
