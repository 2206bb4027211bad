//! `#[component(..)]` and the arguments of `#[ecs::context(..)]`, read into one struct each.
//!
//! A mistake in one entry is noted and reading goes on behind the next comma, so that all of them
//! are reported at once. What entries mean together is `valid`'s business.

pub(crate) mod contexts;
mod event;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Parser as _};
use syn::{Attribute, Error, Ident, LitStr, Meta, Path, Result, Token, parenthesized, token};

use crate::error::Errors;

pub(crate) use self::event::{Event, Happening, Scope};

/// The entries that a type can have, for messages.
const ON_TYPES: &[&str] = &[
    "context",
    "name",
    "by_value",
    "pooled",
    "unique",
    "cleanup",
    "event",
    "extension",
    "crate",
];

/// The entries that a field can have, for messages.
const ON_FIELDS: &[&str] = &["into", "index", "primary_index"];

/// An entry that was given, with the word that gave it.
pub(crate) struct Given<T> {
    pub(crate) key: Ident,
    pub(crate) value: T,
}

/// What `cleanup(..)` asks for.
#[derive(Clone, Copy)]
pub(crate) enum Cleanup {
    Remove,
    Destroy,
}

/// What `#[component(..)]` says on a type.
#[derive(Default)]
pub(crate) struct TypeAttrs {
    pub(crate) contexts: Option<Given<Vec<Path>>>,
    pub(crate) name: Option<Given<LitStr>>,
    pub(crate) by_value: Option<Given<()>>,
    pub(crate) pooled: Option<Given<()>>,
    pub(crate) unique: Option<Given<()>>,
    pub(crate) cleanup: Option<Given<Cleanup>>,
    pub(crate) events: Vec<Event>,
    pub(crate) extension: Option<Given<()>>,
    pub(crate) krate: Option<Given<Path>>,
}

impl TypeAttrs {
    /// Reads all of a type's `#[component(..)]`.
    pub(crate) fn read(attrs: &[Attribute], errors: &mut Errors) -> Self {
        let mut read = Self::default();
        each_component(attrs, errors, |key, input, errors| {
            read.entry(key, input, errors)
        });
        read
    }

    fn entry(&mut self, key: Ident, input: ParseStream<'_>, errors: &mut Errors) -> Result<()> {
        match key.to_string().as_str() {
            "context" => {
                let paths = contexts(&key, input, errors)?;
                once(&mut self.contexts, key, paths)
            }
            "name" => set(&mut self.name, key, input, text),
            "by_value" => set(&mut self.by_value, key, input, word),
            "pooled" => set(&mut self.pooled, key, input, word),
            "unique" => set(&mut self.unique, key, input, word),
            "cleanup" => set(&mut self.cleanup, key, input, cleanup),
            "event" => event::read(&mut self.events, &key, input, errors),
            "extension" => set(&mut self.extension, key, input, word),
            "crate" => set(&mut self.krate, key, input, quoted_path),
            _ => Err(unknown(&key, ON_TYPES, ON_FIELDS, "a field")),
        }
    }
}

/// What `index` and `primary_index` can say in parentheses.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Keys {
    /// The field is the key.
    Whole,
    /// Each of its elements is one.
    Each,
}

/// What `#[component(..)]` says on a field.
#[derive(Default)]
pub(crate) struct FieldAttrs {
    pub(crate) into: Option<Given<()>>,
    pub(crate) index: Option<Given<Keys>>,
    pub(crate) primary_index: Option<Given<Keys>>,
}

impl FieldAttrs {
    /// Reads all of a field's `#[component(..)]`.
    pub(crate) fn read(attrs: &[Attribute], errors: &mut Errors) -> Self {
        let mut read = Self::default();
        each_component(attrs, errors, |key, input, _| read.entry(key, input));
        read
    }

    fn entry(&mut self, key: Ident, input: ParseStream<'_>) -> Result<()> {
        match key.to_string().as_str() {
            "into" => set(&mut self.into, key, input, word),
            "index" => set(&mut self.index, key, input, keys),
            "primary_index" => set(&mut self.primary_index, key, input, keys),
            _ => Err(unknown(&key, ON_FIELDS, ON_TYPES, "the type")),
        }
    }
}

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

/// Whether this is a `#[component(..)]`, which the derive owns.
pub(crate) fn is_component(attr: &&Attribute) -> bool {
    attr.path().is_ident("component")
}

fn each_component(
    attrs: &[Attribute],
    errors: &mut Errors,
    entry: impl FnMut(Ident, ParseStream<'_>, &mut Errors) -> Result<()>,
) {
    each_in("component", attrs, errors, entry);
}

/// Hands every entry of every attribute of a name to `entry`.
fn each_in(
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
        if let Err(error) = read {
            errors.push(error);
        }
    }
}

/// Hands every entry of a list to `entry`, with the word that it begins with.
fn entries(
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

/// Has `item` read every item of a list, and resumes behind the next comma where one is wrong.
fn list(
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

fn end_of_item(input: ParseStream<'_>) -> Result<()> {
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

/// Reads the value of an entry and keeps it, if it is the first of its kind.
fn set<T>(
    slot: &mut Option<Given<T>>,
    key: Ident,
    input: ParseStream<'_>,
    value: impl FnOnce(&Ident, ParseStream<'_>) -> Result<T>,
) -> Result<()> {
    let value = value(&key, input)?;
    once(slot, key, value)
}

fn once<T>(slot: &mut Option<Given<T>>, key: Ident, value: T) -> Result<()> {
    if slot.is_some() {
        let hint = match key == "context" {
            true => "list all contexts in one: `context(A, B)`",
            false => "remove one of them",
        };
        return Err(Error::new(
            key.span(),
            format!("`{key}` is given twice: {hint}"),
        ));
    }
    *slot = Some(Given { key, value });
    Ok(())
}

fn word(key: &Ident, input: ParseStream<'_>) -> Result<()> {
    if input.peek(Token![=]) || input.peek(token::Paren) {
        return Err(input.error(format!("`{key}` takes no value: write `{key}` alone")));
    }
    Ok(())
}

/// `cleanup(remove)` or `cleanup(destroy)`.
fn cleanup(key: &Ident, input: ParseStream<'_>) -> Result<Cleanup> {
    let usage = "write `cleanup(remove)` or `cleanup(destroy)`";
    if !input.peek(token::Paren) {
        return Err(Error::new(key.span(), usage));
    }
    let content;
    parenthesized!(content in input);
    let words: TokenStream = content.parse()?;
    match words.to_string().as_str() {
        "remove" => Ok(Cleanup::Remove),
        "destroy" => Ok(Cleanup::Destroy),
        "" => Err(Error::new(key.span(), usage)),
        _ => Err(Error::new_spanned(words, usage)),
    }
}

/// `index` or `index(each)`.
fn keys(key: &Ident, input: ParseStream<'_>) -> Result<Keys> {
    let usage = format!("write `{key}`, or `{key}(each)` where each element is a key");
    if input.peek(Token![=]) {
        return Err(input.error(usage));
    }
    if !input.peek(token::Paren) {
        return Ok(Keys::Whole);
    }
    let content;
    parenthesized!(content in input);
    let words: TokenStream = content.parse()?;
    match words.to_string().as_str() {
        "each" => Ok(Keys::Each),
        "" => Err(Error::new(key.span(), usage)),
        _ => Err(Error::new_spanned(words, usage)),
    }
}

fn text(key: &Ident, input: ParseStream<'_>) -> Result<LitStr> {
    let usage = format!("write `{key} = \"..\"`");
    if !input.peek(Token![=]) {
        return Err(Error::new(key.span(), usage));
    }
    input.parse::<Token![=]>()?;
    input.parse().map_err(|e| Error::new(e.span(), usage))
}

fn quoted_path(key: &Ident, input: ParseStream<'_>) -> Result<Path> {
    let text = text(key, input)?;
    text.parse_with(Path::parse_mod_style).map_err(|_| {
        Error::new(
            text.span(),
            "expected a path in quotes, such as `\"::ecs\"`",
        )
    })
}

/// The paths of `context = path` or `context(A, B)`, each once.
fn contexts(key: &Ident, input: ParseStream<'_>, errors: &mut Errors) -> Result<Vec<Path>> {
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

fn unknown(key: &Ident, here: &[&str], elsewhere: &[&str], place: &str) -> Error {
    let message = if elsewhere.iter().any(|known| key == known) {
        format!("`{key}` belongs on {place}, not here")
    } else {
        let known: Vec<_> = here.iter().map(|known| format!("`{known}`")).collect();
        format!("unknown attribute `{key}`: expected {}", one_of(&known))
    };
    Error::new(key.span(), message)
}

fn one_of(words: &[String]) -> String {
    match words {
        [word] => word.clone(),
        _ => format!("one of {}", words.join(", ")),
    }
}
