//! The arguments of `#[ecs::context(..)]`.

use proc_macro2::TokenStream;
use syn::parse::{ParseStream, Parser as _};
use syn::{Error, Ident, LitInt, Path, Result, Token};

use crate::error::Errors;

use super::entries::{Given, entries, set, unknown};
use super::values::{quoted_path, word};

/// The arguments.
const ALL: &[&str] = &["local", "minimum_free", "crate"];

/// The arguments of a context.
#[derive(Default)]
pub(crate) struct ContextAttrs {
    pub(crate) local: Option<Given<()>>,
    pub(crate) minimum_free: Option<Given<LitInt>>,
    pub(crate) krate: Option<Given<Path>>,
}

impl ContextAttrs {
    pub(crate) fn read(args: TokenStream, errors: &mut Errors) -> Self {
        let mut attrs = Self::default();
        let each = |input: ParseStream<'_>| {
            entries(input, errors, |key, input, _| attrs.entry(key, input));
            Ok(())
        };
        let read = each.parse2(args);
        errors.note(read);
        attrs
    }

    fn entry(&mut self, key: Ident, input: ParseStream<'_>) -> Result<()> {
        match key.to_string().as_str() {
            "local" => set(&mut self.local, key, input, word),
            "minimum_free" => set(&mut self.minimum_free, key, input, number),
            "crate" => set(&mut self.krate, key, input, quoted_path),
            _ => Err(unknown(&key, ALL, &[], "")),
        }
    }
}

/// `= 1024`.
fn number(key: &Ident, input: ParseStream<'_>) -> Result<LitInt> {
    let usage = |span| Error::new(span, format!("write `{key} = 1024`, a number of entities"));
    if !input.peek(Token![=]) {
        return Err(usage(key.span()));
    }
    input.parse::<Token![=]>()?;
    let number: LitInt = input.parse().map_err(|error: Error| usage(error.span()))?;
    match number.base10_parse::<u32>() {
        Ok(_) => Ok(number),
        Err(_) => Err(usage(number.span())),
    }
}
