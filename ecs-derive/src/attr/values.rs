//! What can follow the word of an entry.

use proc_macro2::TokenStream;
use quote::ToTokens as _;
use syn::parse::ParseStream;
use syn::{Error, Ident, LitStr, Path, Result, Token, parenthesized, token};

use crate::error::Errors;

use super::entries::list;

/// Nothing.
pub(super) fn word(key: &Ident, input: ParseStream<'_>) -> Result<()> {
    if input.peek(Token![=]) || input.peek(token::Paren) {
        return Err(input.error(format!("`{key}` takes no value: write `{key}` alone")));
    }
    Ok(())
}

/// One of some words in parentheses.
pub(super) fn one_word<T: Copy>(
    key: &Ident,
    input: ParseStream<'_>,
    usage: &str,
    words: &[(&str, T)],
) -> Result<T> {
    if !input.peek(token::Paren) {
        return Err(Error::new(key.span(), usage));
    }
    let content;
    parenthesized!(content in input);
    let given: TokenStream = content.parse()?;
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

/// `= ".."` with a path inside.
pub(super) fn quoted_path(key: &Ident, input: ParseStream<'_>) -> Result<Path> {
    let text = text(key, input)?;
    text.parse_with(Path::parse_mod_style).map_err(|_| {
        Error::new(
            text.span(),
            "expected a path in quotes, such as `\"::ecs\"`",
        )
    })
}

/// The paths of `context = path` or `context(A, B)`, each once.
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
    if !input.peek(token::Paren) {
        return Err(Error::new(key.span(), usage));
    }
    let content;
    parenthesized!(content in input);
    if content.is_empty() {
        return Err(Error::new(
            key.span(),
            format!("no context is named: {usage}"),
        ));
    }
    let mut paths = Vec::new();
    list(&content, errors, |input, errors| {
        let path = context_path(input)?;
        match paths.iter().any(|known| same(known, &path)) {
            true => errors.at(path, "this context is named twice: remove one of them"),
            false => paths.push(path),
        }
        Ok(())
    });
    Ok(paths)
}

fn context_path(input: ParseStream<'_>) -> Result<Path> {
    if input.peek(LitStr) {
        return Err(input.error("write the path of the context without quotes"));
    }
    let path: Path = input
        .parse()
        .map_err(|e| Error::new(e.span(), "expected the path of a context, such as `Game`"))?;
    match path.segments.iter().find(|s| !s.arguments.is_none()) {
        Some(s) => Err(Error::new_spanned(
            &s.arguments,
            "a context has no generic arguments: write its path alone",
        )),
        None => Ok(path),
    }
}

fn same(a: &Path, b: &Path) -> bool {
    a.to_token_stream().to_string() == b.to_token_stream().to_string()
}
