//! `#[component(..)]`, on a type and on its fields.

use proc_macro2::TokenStream;
use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Parser as _};
use syn::{
    Attribute, Error, Expr, ExprLit, Ident, Lit, LitInt, LitStr, Path, Result, Token, token,
};

use crate::error::Errors;

use super::delta::{self, Step};
use super::entries::{Given, each_in, once, set, unknown};
use super::event::{self, Event};
use super::instances::{self, Instance};
use super::range::{self, Range};
use super::relation::RelationAttrs;
use super::required::{self, Required};
use super::saving::{self, Number, Older};
use super::values::{contexts, one_word, parentheses, quoted_path, text, word};

/// The entries of types.
const ON_TYPES: &[&str] = &[
    "context",
    "name",
    "flag_prefix",
    "no_accessors",
    "instances",
    "by_value",
    "pooled",
    "unique",
    "state",
    "many",
    "requires",
    "cleanup",
    "event",
    "label",
    "hidden",
    "disables",
    "transient",
    "delta",
    "version",
    "from",
    "alias",
    "former_fields",
    "extension",
    "crate",
];

/// The entries of fields.
const ON_FIELDS: &[&str] = &[
    "into",
    "index",
    "primary_index",
    "relation",
    "delta",
    "hidden",
    "range",
    "color",
];

/// The argument of `cleanup(..)`.
#[derive(Clone, Copy)]
pub(crate) enum Cleanup {
    Remove,
    Destroy,
}

/// The `#[component(..)]` of a type.
#[derive(Default)]
pub(crate) struct TypeAttrs {
    pub(crate) contexts: Option<Given<Vec<Path>>>,
    pub(crate) name: Option<Given<LitStr>>,
    pub(crate) flag_prefix: Option<Given<LitStr>>,
    pub(crate) no_accessors: Option<Given<()>>,
    pub(crate) instances: Option<Given<Vec<Instance>>>,
    pub(crate) by_value: Option<Given<()>>,
    pub(crate) pooled: Option<Given<Option<LitInt>>>,
    pub(crate) unique: Option<Given<()>>,
    pub(crate) many: Option<Given<()>>,
    /// The size of a cell.
    pub(crate) grid: Option<Given<Expr>>,
    pub(crate) state: Option<Given<()>>,
    pub(crate) requires: Option<Given<Vec<Required>>>,
    pub(crate) cleanup: Option<Given<Cleanup>>,
    pub(crate) events: Vec<Event>,
    pub(crate) label: Option<Given<()>>,
    pub(crate) hidden: Option<Given<()>>,
    pub(crate) disables: Option<Given<()>>,
    pub(crate) transient: Option<Given<()>>,
    pub(crate) delta: Option<Given<Option<Step>>>,
    pub(crate) version: Option<Given<Number>>,
    pub(crate) older: Option<Given<Vec<Older>>>,
    pub(crate) aliases: Vec<Given<LitStr>>,
    pub(crate) former_fields: Vec<Given<LitStr>>,
    pub(crate) extension: Option<Given<()>>,
    pub(crate) krate: Option<Given<Path>>,
}

impl TypeAttrs {
    /// Reads all `#[component(..)]` of a type.
    pub(crate) fn read(attrs: &[Attribute], errors: &mut Errors) -> Self {
        let mut read = Self::default();
        each_in("component", attrs, errors, |key, input, errors| {
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
            "flag_prefix" => set(&mut self.flag_prefix, key, input, text),
            "no_accessors" => set(&mut self.no_accessors, key, input, word),
            "instances" => {
                let all = instances::read(&key, input, errors);
                let all = all.unwrap_or_else(|error| {
                    errors.push(error);
                    Vec::new() // the item counts as generic with instances
                });
                once(&mut self.instances, key, all)
            }
            "by_value" => set(&mut self.by_value, key, input, word),
            "pooled" => set(&mut self.pooled, key, input, pooled),
            "unique" => set(&mut self.unique, key, input, word),
            "state" => set(&mut self.state, key, input, word),
            "many" => set(&mut self.many, key, input, word),
            "requires" => {
                let all = required::read(&key, input, errors)?;
                once(&mut self.requires, key, all)
            }
            "cleanup" => set(&mut self.cleanup, key, input, cleanup),
            "event" => event::read(&mut self.events, &key, input, errors),
            "index" if input.peek(token::Paren) => set(&mut self.grid, key, input, grid),
            "label" => set(&mut self.label, key, input, word),
            "hidden" => set(&mut self.hidden, key, input, word),
            "disables" => set(&mut self.disables, key, input, word),
            "transient" => set(&mut self.transient, key, input, word),
            "delta" => set(&mut self.delta, key, input, delta::read),
            "version" => set(&mut self.version, key, input, saving::version),
            "from" => {
                let all = saving::older(&key, input, errors)?;
                once(&mut self.older, key, all)
            }
            "alias" => saving::former(&mut self.aliases, key, input),
            "former_fields" => saving::former(&mut self.former_fields, key, input),
            "extension" => set(&mut self.extension, key, input, word),
            "crate" => set(&mut self.krate, key, input, quoted_path),
            _ => Err(unknown(&key, ON_TYPES, ON_FIELDS, "a field")),
        }
    }
}

/// The argument of `index` and `primary_index`.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Keys {
    /// The field is the key.
    Whole,
    /// Each element is a key.
    Each,
    /// The field is the key, and entities are sorted by it.
    Ordered,
}

/// The `#[component(..)]` of a field.
#[derive(Default)]
pub(crate) struct FieldAttrs {
    pub(crate) into: Option<Given<()>>,
    pub(crate) index: Option<Given<Keys>>,
    pub(crate) primary_index: Option<Given<Keys>>,
    pub(crate) relation: Option<Given<RelationAttrs>>,
    pub(crate) delta: Option<Given<Option<Step>>>,
    pub(crate) hidden: Option<Given<()>>,
    pub(crate) range: Option<Given<Range>>,
    pub(crate) color: Option<Given<()>>,
}

impl FieldAttrs {
    /// Reads all `#[component(..)]` of a field.
    pub(crate) fn read(attrs: &[Attribute], errors: &mut Errors) -> Self {
        let mut read = Self::default();
        each_in("component", attrs, errors, |key, input, errors| {
            read.entry(key, input, errors)
        });
        read
    }

    fn entry(&mut self, key: Ident, input: ParseStream<'_>, errors: &mut Errors) -> Result<()> {
        match key.to_string().as_str() {
            "into" => set(&mut self.into, key, input, word),
            "index" => set(&mut self.index, key, input, keys),
            "primary_index" => set(&mut self.primary_index, key, input, keys),
            "relation" => {
                let attrs = RelationAttrs::read(&key, input, errors)?;
                once(&mut self.relation, key, attrs)
            }
            "delta" => set(&mut self.delta, key, input, delta::read),
            "hidden" => set(&mut self.hidden, key, input, word),
            "range" => set(&mut self.range, key, input, range::read),
            "color" => set(&mut self.color, key, input, word),
            _ => Err(unknown(&key, ON_FIELDS, ON_TYPES, "the type")),
        }
    }
}

pub(crate) fn is_component(attr: &&Attribute) -> bool {
    attr.path().is_ident("component")
}

fn cleanup(key: &Ident, input: ParseStream<'_>) -> Result<Cleanup> {
    let usage = "write `cleanup(remove)` or `cleanup(destroy)`";
    let ways = [("remove", Cleanup::Remove), ("destroy", Cleanup::Destroy)];
    one_word(key, input, usage, &ways)
}

/// `pooled`, or `pooled(keep = 64)`.
fn pooled(key: &Ident, input: ParseStream<'_>) -> Result<Option<LitInt>> {
    let usage = "write `pooled`, or `pooled(keep = 64)` with the maximum number of values to keep";
    if input.peek(Token![=]) {
        return Err(input.error(usage));
    }
    if !input.peek(token::Paren) {
        return Ok(None);
    }
    let given: TokenStream = parentheses(key, input, usage)?.parse()?;
    let keep = |input: ParseStream<'_>| {
        let word: Ident = input.parse()?;
        input.parse::<Token![=]>()?;
        let keep: LitInt = input.parse()?;
        Ok((word == "keep" && keep.base10_parse::<usize>()? > 0).then_some(keep))
    };
    match keep.parse2(given.clone()) {
        Ok(Some(keep)) => Ok(Some(keep)),
        _ if given.is_empty() => Err(Error::new(key.span(), usage)),
        _ => Err(Error::new_spanned(given, usage)),
    }
}

fn keys(key: &Ident, input: ParseStream<'_>) -> Result<Keys> {
    let usage = format!(
        "write `{key}`, `{key}(each)` if each element is a key, or `{key}(ordered)` to sort entities by it"
    );
    if input.peek(Token![=]) {
        return Err(input.error(usage));
    }
    let ways = [("each", Keys::Each), ("ordered", Keys::Ordered)];
    match input.peek(token::Paren) {
        true => one_word(key, input, &usage, &ways),
        false => Ok(Keys::Whole),
    }
}

/// `(grid = 16.0)`.
fn grid(key: &Ident, input: ParseStream<'_>) -> Result<Expr> {
    let usage =
        "write `index(grid = 16.0)`, with the size of a cell; other indexes belong on a field";
    let given = parentheses(key, input, usage)?;
    let is_grid = given
        .call(Ident::parse_any)
        .is_ok_and(|word| word == "grid");
    if !is_grid || !given.peek(Token![=]) {
        return Err(Error::new(key.span(), usage));
    }
    given.parse::<Token![=]>()?;
    let size: Expr = given
        .parse()
        .map_err(|error| Error::new(error.span(), usage))?;
    if let Expr::Lit(ExprLit {
        lit: Lit::Int(number),
        ..
    }) = &size
    {
        let message = format!("the size of a cell is an `f32`: write `{number}.0`");
        return Err(Error::new(number.span(), message));
    }
    match given.is_empty() {
        true => Ok(size),
        false => Err(given.error(usage)),
    }
}
