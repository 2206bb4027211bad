//! The mistakes found in one item, gathered so that all of them are reported at once.

use std::fmt::Display;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::Error;

/// Every mistake found so far, each on its own tokens.
#[derive(Default)]
pub(crate) struct Errors(Option<Error>);

impl Errors {
    /// Adds a mistake that stands on `tokens`.
    pub(crate) fn at(&mut self, tokens: impl ToTokens, message: impl Display) {
        self.push(Error::new_spanned(tokens, message));
    }

    /// Adds a mistake that already knows its place.
    pub(crate) fn push(&mut self, error: Error) {
        match &mut self.0 {
            Some(all) => all.combine(error),
            none => *none = Some(error),
        }
    }

    /// Adds others.
    pub(crate) fn add(&mut self, others: Self) {
        others.0.into_iter().for_each(|others| self.push(others));
    }

    /// Adds the mistake that ended this, if one has.
    pub(crate) fn note(&mut self, done: syn::Result<()>) {
        if let Err(error) = done {
            self.push(error);
        }
    }

    /// Whether nothing is wrong.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The calls of `compile_error!` that tell the user.
    pub(crate) fn into_tokens(self) -> TokenStream {
        self.0.map(Error::into_compile_error).unwrap_or_default()
    }
}
