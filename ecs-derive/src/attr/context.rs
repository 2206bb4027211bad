//! The arguments of `#[ecs::context(..)]`.

use proc_macro2::TokenStream;
use syn::Path;
use syn::parse::{ParseStream, Parser as _};

use crate::error::Errors;

use super::entries::{Given, entries, set, unknown};
use super::values::quoted_path;

/// The arguments of `#[ecs::context(..)]`.
#[derive(Default)]
pub(crate) struct ContextArgs {
    pub(crate) krate: Option<Given<Path>>,
}

impl ContextArgs {
    /// Reads the tokens between the parentheses.
    pub(crate) fn read(args: TokenStream, errors: &mut Errors) -> Self {
        let mut read = Self::default();
        let each = |input: ParseStream<'_>| {
            entries(input, errors, |key, input, _| {
                match key.to_string().as_str() {
                    "crate" => set(&mut read.krate, key, input, quoted_path),
                    _ => Err(unknown(&key, &["crate"], &[], "")),
                }
            });
            Ok(())
        };
        if let Err(error) = each.parse2(args) {
            errors.push(error);
        }
        read
    }
}
