//! Parsers for the values of entries.

use proc_macro2::TokenStream;
use quote::ToTokens as _;
use syn::parse::{Parse as _, ParseBuffer, ParseStream};
use syn::{Error, Ident, LitStr, Path, PathSegment, Result, Token, parenthesized, token};

use crate::error::Errors;

use super::entries::list;

/// No value.
pub(super) fn word(key: &Ident, input: ParseStream<'_>) -> Result<()> {
    if input.peek(Token![=]) || input.peek(token::Paren) {
        return Err(input.error(format!("`{key}` takes no value: write `{key}` alone")));
    }
    Ok(())
}

/// The contents of the parentheses after a word; without these, `usage` is the error.
pub(super) fn parentheses<'i>(
    key: &Ident,
    input: &ParseBuffer<'i>,
    usage: &str,
) -> Result<ParseBuffer<'i>> {
    if !input.peek(token::Paren) {
        return Err(Error::new(key.span(), usage));
    }
    let content;
    parenthesized!(content in input);
    Ok(content)
}

/// One of several words, in parentheses.
pub(super) fn one_word<T: Copy>(
    key: &Ident,
    input: ParseStream<'_>,
    usage: &str,
    words: &[(&str, T)],
) -> Result<T> {
    let given: TokenStream = parentheses(key, input, usage)?.parse()?;
    let text = given.to_string();
    match words.iter().find(|(word, _)| *word == text) {
        Some((_, value)) => Ok(*value),
        None if given.is_empty() => Err(Error::new(key.span(), usage)),
        None => Err(Error::new_spanned(given, usage)),
    }
}

/// `= ".."`.
pub(super) fn text(key: &Ident, input: ParseStream<'_>) -> Result<LitStr> {
    let usage = format!("write `{key} = \"..\"`");
    if !input.peek(Token![=]) {
        return Err(Error::new(key.span(), usage));
    }
    input.parse::<Token![=]>()?;
    input.parse().map_err(|e| Error::new(e.span(), usage))
}

/// `= ".."` with a path in quotes.
pub(super) fn quoted_path(key: &Ident, input: ParseStream<'_>) -> Result<Path> {
    let text = text(key, input)?;
    let usage = "expected a path in quotes, such as `\"::ecs\"`";
    let path = text.parse_with(Path::parse_mod_style);
    path.map_err(|_| Error::new(text.span(), usage))
}

/// The paths of `context = path` or `context(A, B)`, without repetitions.
pub(super) fn contexts(
    key: &Ident,
    input: ParseStream<'_>,
    errors: &mut Errors,
) -> Result<Vec<Path>> {
    let usage = "write `context = Game` or `context(Game, Input)`";
    if input.peek(Token![=]) {
        input.parse::<Token![=]>()?;
        return Ok(vec![context_path(input)?]);
    }
    let content = parentheses(key, input, usage)?;
    if content.is_empty() {
        let message = format!("no context is named: {usage}");
        return Err(Error::new(key.span(), message));
    }
    Ok(different_contexts(&content, errors))
}

fn different_contexts(input: ParseStream<'_>, errors: &mut Errors) -> Vec<Path> {
    let mut paths = Vec::new();
    list(input, errors, |input, errors| {
        let path = context_path(input)?;
        match paths.iter().any(|known| same(known, &path)) {
            true => errors.at(path, "this context is named twice: remove one of them"),
            false => paths.push(path),
        }
        Ok(())
    });
    paths
}

fn context_path(input: ParseStream<'_>) -> Result<Path> {
    if input.peek(LitStr) {
        return Err(input.error("write the path of the context without quotes"));
    }
    let usage = "expected the path of a context, such as `Game`";
    let path = input
        .call(Path::parse)
        .map_err(|e| Error::new(e.span(), usage))?;
    path.segments.iter().try_for_each(without_arguments)?;
    Ok(path)
}

fn without_arguments(segment: &PathSegment) -> Result<()> {
    let message = "a context has no generic arguments: write its path alone";
    match segment.arguments.is_none() {
        true => Ok(()),
        false => Err(Error::new_spanned(&segment.arguments, message)),
    }
}

fn same(a: &Path, b: &Path) -> bool {
    a.to_token_stream().to_string() == b.to_token_stream().to_string()
}
