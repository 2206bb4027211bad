//! Reads lists of entries, each of which may occur once.
//!
//! After a mistake in an entry, parsing continues after the next comma, so that all mistakes are
//! reported at once.

use proc_macro2::TokenTree;
use syn::ext::IdentExt as _;
use syn::parse::ParseStream;
use syn::{Attribute, Error, Ident, Meta, Result, Token};

use crate::error::Errors;

use super::nearest::nearest;

/// An entry, with its keyword.
pub(crate) struct Given<T> {
    pub(crate) key: Ident,
    pub(crate) value: T,
}

/// Calls `entry` for every entry of the attributes with this name.
pub(super) fn each_in(
    name: &str,
    attrs: &[Attribute],
    errors: &mut Errors,
    mut entry: impl FnMut(Ident, ParseStream<'_>, &mut Errors) -> Result<()>,
) {
    for attr in attrs.iter().filter(|attr| attr.path().is_ident(name)) {
        if !matches!(attr.meta, Meta::List(_)) {
            let usage = format!("write the attributes in parentheses: `#[{name}(..)]`");
            errors.at(&attr.meta, usage);
            continue;
        }
        let read = attr.parse_args_with(|input: ParseStream<'_>| {
            entries(input, errors, &mut entry);
            Ok(())
        });
        errors.note(read);
    }
}

/// Calls `entry` for every entry of a list, with its keyword.
pub(super) fn entries(
    input: ParseStream<'_>,
    errors: &mut Errors,
    mut entry: impl FnMut(Ident, ParseStream<'_>, &mut Errors) -> Result<()>,
) {
    list(input, errors, |input, errors| {
        let key = input
            .call(Ident::parse_any)
            .map_err(|e| Error::new(e.span(), "expected the name of an attribute"))?;
        entry(key, input, errors)
    });
}

/// Calls `item` for every item of a list. After an error, continues after the next comma.
pub(super) fn list(
    input: ParseStream<'_>,
    errors: &mut Errors,
    mut item: impl FnMut(ParseStream<'_>, &mut Errors) -> Result<()>,
) {
    while !input.is_empty() {
        if let Err(error) = item(input, errors).and_then(|()| end_of_item(input)) {
            errors.push(error);
            skip_item(input);
        }
        let _ = input.parse::<Option<Token![,]>>();
    }
}

/// Expects a comma or the end.
pub(super) fn end_of_item(input: ParseStream<'_>) -> Result<()> {
    match input.is_empty() || input.peek(Token![,]) {
        true => Ok(()),
        false => Err(input.error("expected `,`")),
    }
}

fn skip_item(input: ParseStream<'_>) {
    while !input.is_empty() && !input.peek(Token![,]) {
        let _ = input.parse::<TokenTree>();
    }
}

/// Parses the value of an entry and stores it; a second one is an error.
pub(super) fn set<T>(
    slot: &mut Option<Given<T>>,
    key: Ident,
    input: ParseStream<'_>,
    value: impl FnOnce(&Ident, ParseStream<'_>) -> Result<T>,
) -> Result<()> {
    let value = value(&key, input)?;
    once(slot, key, value)
}

/// Stores the value of an entry; a second one is an error.
pub(super) fn once<T>(slot: &mut Option<Given<T>>, key: Ident, value: T) -> Result<()> {
    if slot.is_some() {
        return Err(repeated(&key));
    }
    *slot = Some(Given { key, value });
    Ok(())
}

/// The error for a repeated entry.
pub(super) fn repeated(key: &Ident) -> Error {
    let hint = match key.to_string().as_str() {
        "context" => "list all contexts in one: `context(A, B)`",
        "requires" => "list all components in one: `requires(A, B)`",
        "from" => "list all versions in one: `from(1 = A, 2 = B)`",
        _ => "remove one of them",
    };
    Error::new(key.span(), format!("`{key}` is given twice: {hint}"))
}

/// The error for an unknown entry, or for one that is allowed only `elsewhere`. Proposes the
/// nearest one.
pub(super) fn unknown(key: &Ident, here: &[&str], elsewhere: &[&str], place: &str) -> Error {
    let text = key.unraw().to_string();
    let message = match (nearest(&text, here), nearest(&text, elsewhere)) {
        _ if elsewhere.contains(&text.as_str()) => {
            format!("`{key}` belongs on {place}, not here")
        }
        (Some(word), _) if here.len() == 1 => {
            format!("unknown attribute `{key}`: did you mean `{word}`?")
        }
        (Some(word), _) => {
            let all = one_of(here);
            format!("unknown attribute `{key}`: did you mean `{word}`? Expected {all}")
        }
        (None, Some(word)) => {
            format!("unknown attribute `{key}`: did you mean `{word}`, which belongs on {place}?")
        }
        (None, None) => format!("unknown attribute `{key}`: expected {}", one_of(here)),
    };
    Error::new(key.span(), message)
}

fn one_of(words: &[&str]) -> String {
    let words: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
    match words.as_slice() {
        [word] => word.clone(),
        _ => format!("one of {}", words.join(", ")),
    }
}
