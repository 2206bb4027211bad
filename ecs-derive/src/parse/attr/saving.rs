//! `version = 2`, `from(1 = OldPosition)` and `alias = ".."`: attributes for loading old saves.

use syn::parse::ParseStream;
use syn::{Error, Ident, LitInt, LitStr, Result, Token, Type};

use crate::error::Errors;

use super::entries::{Given, list};
use super::values::{parentheses, text};

/// A number with its literal.
pub(crate) struct Number {
    pub(crate) literal: LitInt,
    pub(crate) value: u32,
}

/// The type that reads an older version.
pub(crate) struct Older {
    pub(crate) version: Number,
    pub(crate) ty: Type,
}

/// `= 2`.
pub(super) fn version(key: &Ident, input: ParseStream<'_>) -> Result<Number> {
    let usage = format!("write `{key} = 2`");
    if !input.peek(Token![=]) {
        return Err(Error::new(key.span(), usage));
    }
    input.parse::<Token![=]>()?;
    number(input, &usage)
}

/// The older versions in the parentheses.
pub(super) fn older(
    key: &Ident,
    input: ParseStream<'_>,
    errors: &mut Errors,
) -> Result<Vec<Older>> {
    let usage = "write `from(1 = OldPosition)`: each older version with the type that reads it";
    let content = parentheses(key, input, usage)?;
    if content.is_empty() {
        let message = format!("no version is named: {usage}");
        return Err(Error::new(key.span(), message));
    }
    let mut all = Vec::new();
    list(&content, errors, |input, _| {
        let version = number(input, usage)?;
        if !input.peek(Token![=]) {
            return Err(Error::new_spanned(version.literal, usage));
        }
        input.parse::<Token![=]>()?;
        let ty = input.parse().map_err(|e| Error::new(e.span(), usage))?;
        all.push(Older { version, ty });
        Ok(())
    });
    Ok(all)
}

/// Reads a former name of the component, or its former fields.
pub(super) fn former(
    all: &mut Vec<Given<LitStr>>,
    key: Ident,
    input: ParseStream<'_>,
) -> Result<()> {
    let value = text(&key, input)?;
    all.push(Given { key, value });
    Ok(())
}

/// Versions start at one.
fn number(input: ParseStream<'_>, usage: &str) -> Result<Number> {
    let literal: LitInt = input.parse().map_err(|e| Error::new(e.span(), usage))?;
    match literal.base10_parse() {
        Ok(value) if value > 0 => Ok(Number { literal, value }),
        _ => Err(Error::new(literal.span(), "version numbers start at 1")),
    }
}
