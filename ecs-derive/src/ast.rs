//! The items that the macros are put on, in the terms of this library.
//!
//! Reading never fails on what a user could have meant: a mistake is noted, and the item is
//! completed with the nearest thing that can be expanded, so that one mistake causes no others.

use heck::ToSnakeCase as _;
use proc_macro2::{Span, TokenStream};
use quote::format_ident;
use syn::ext::IdentExt as _;
use syn::{
    Attribute, Data, DataEnum, DeriveInput, Fields, Generics, Ident, Path, Token, Visibility,
    parse_quote, parse_quote_spanned, parse_str,
};

use crate::attr::{self, ContextArgs, TypeAttrs};
use crate::error::Errors;
use crate::field::Field;
use crate::index::{self, IndexedField};
use crate::reach;

/// A type with `#[derive(Component)]`.
pub(crate) struct Component {
    pub(crate) ident: Ident,
    pub(crate) visibility: Visibility,
    pub(crate) generics: Generics,
    pub(crate) attrs: TypeAttrs,
    /// Where to find the library.
    pub(crate) krate: Path,
    pub(crate) contexts: Vec<Context>,
    /// What the names of the accessors are made of, without `r#`.
    pub(crate) base: String,
    pub(crate) shape: Shape,
    pub(crate) indexes: Vec<IndexedField>,
    pub(crate) union_token: Option<Token![union]>,
}

/// What the accessors take.
pub(crate) enum Shape {
    /// Nothing: there are no fields.
    Flag,
    /// The value as a whole: an enum, or a struct with `by_value`.
    Whole,
    /// The fields in braces.
    Named(Vec<Field>),
    /// The fields in parentheses.
    Tuple(Vec<Field>),
}

/// A context that a component belongs to.
pub(crate) struct Context {
    pub(crate) path: Path,
}

/// A struct with `#[ecs::context]`.
pub(crate) struct ContextItem {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) ident: Ident,
    pub(crate) krate: Path,
}

impl Component {
    /// Reads the item and its `#[component(..)]`.
    pub(crate) fn read(input: DeriveInput, errors: &mut Errors) -> Self {
        let mut attrs = TypeAttrs::read(&input.attrs, errors);
        let contexts = match attrs.contexts.take() {
            Some(given) if !given.value.is_empty() => given.value,
            _ => vec![default_context(&input.ident)],
        };
        let (shape, indexes) = Shape::read(&input, &attrs, errors);
        Self {
            krate: attrs.krate.take().map_or_else(default_crate, |k| k.value),
            contexts: contexts.into_iter().map(|path| Context { path }).collect(),
            base: base(&input.ident, &attrs, errors),
            shape,
            indexes,
            union_token: match &input.data {
                Data::Union(data) => Some(data.union_token),
                _ => None,
            },
            ident: input.ident,
            visibility: input.vis,
            generics: input.generics,
            attrs,
        }
    }

    /// The fields that the accessors take one by one.
    pub(crate) fn fields(&self) -> &[Field] {
        match &self.shape {
            Shape::Named(fields) | Shape::Tuple(fields) => fields,
            Shape::Flag | Shape::Whole => &[],
        }
    }

    pub(crate) fn is_flag(&self) -> bool {
        matches!(self.shape, Shape::Flag)
    }

    pub(crate) fn is_pooled(&self) -> bool {
        self.attrs.pooled.is_some() && !self.is_flag()
    }

    pub(crate) fn is_unique(&self) -> bool {
        self.attrs.unique.is_some()
    }

    /// The visibility of the methods that take the fields: of the least visible one.
    pub(crate) fn fields_visibility(&self) -> Visibility {
        let all = self.fields().iter().map(|field| &field.visibility);
        all.fold(self.visibility.clone(), |least, field| {
            reach::least(&least, field)
        })
    }

    /// The name of an accessor; where it is a keyword, a raw one.
    pub(crate) fn accessor(&self, before: &str, after: &str) -> Ident {
        let name = format!("{before}{}{after}", self.base);
        let mut ident = match parse_str(&name) {
            // `gen` is a keyword from edition 2024 on, which the parser does not know.
            Ok(ident) if name != "gen" => ident,
            _ => format_ident!("r#{name}"),
        };
        ident.set_span(Span::call_site().located_at(self.name_span()));
        ident
    }

    /// The method that looks entities up by an indexed field: named after the component,
    /// and after the field too where the component has several indexed ones.
    pub(crate) fn lookup(&self, field: &IndexedField) -> Ident {
        let before = match field.primary {
            true => "entity_with_",
            false => "entities_with_",
        };
        match self.indexes.len() {
            1 => self.accessor(before, ""),
            _ => self.accessor(before, &format!("_{}", field.name)),
        }
    }

    /// The lookup is as visible as the field and the type.
    pub(crate) fn lookup_visibility(&self, field: &IndexedField) -> Visibility {
        reach::least(&self.visibility, &field.visibility)
    }

    /// Where the user wrote the name of the accessors.
    pub(crate) fn name_span(&self) -> Span {
        match &self.attrs.name {
            Some(name) => name.value.span(),
            None => self.ident.span(),
        }
    }
}

impl Context {
    /// The last part of the path, as users see it.
    pub(crate) fn name(&self) -> String {
        let last = self.path.segments.last();
        last.map(|s| s.ident.unraw().to_string())
            .unwrap_or_default()
    }

    /// The type of the shared handle, without its lifetime.
    pub(crate) fn entity(&self) -> Path {
        self.sibling("Entity")
    }

    /// The type of the exclusive handle, without its lifetime.
    pub(crate) fn entity_mut(&self) -> Path {
        self.sibling("EntityMut")
    }

    fn sibling(&self, suffix: &str) -> Path {
        let mut path = self.path.clone();
        if let Some(last) = path.segments.last_mut() {
            last.ident = format_ident!("{}{suffix}", last.ident);
        }
        path
    }
}

impl Shape {
    /// The shape, and the fields that are indexed, which accessors may not take one by one.
    fn read(
        input: &DeriveInput,
        attrs: &TypeAttrs,
        errors: &mut Errors,
    ) -> (Self, Vec<IndexedField>) {
        let fields = match &input.data {
            Data::Struct(data) => &data.fields,
            Data::Enum(data) => return (Self::of_enum(data, errors), Vec::new()),
            Data::Union(_) => return (Self::Whole, Vec::new()),
        };
        let read: Vec<_> = fields
            .iter()
            .enumerate()
            .map(|(n, field)| Field::read(field, (n, fields.len()), &input.ident, errors))
            .collect();
        let indexes = index::of(fields, &read);
        let shape = match fields {
            _ if read.is_empty() => Self::Flag,
            _ if attrs.by_value.is_some() => {
                reject_into(&read, errors);
                Self::Whole
            }
            Fields::Named(_) => Self::Named(read),
            _ => Self::Tuple(read),
        };
        (shape, indexes)
    }

    fn of_enum(data: &DataEnum, errors: &mut Errors) -> Self {
        let fields = data.variants.iter().flat_map(|v| &v.fields);
        let attrs = data.variants.iter().flat_map(|v| &v.attrs);
        for attr in attrs
            .chain(fields.flat_map(|f| &f.attrs))
            .filter(attr::is_component)
        {
            let message = "accessors take an enum as a whole: `#[component(..)]` belongs on the \
                           enum itself, not inside it";
            errors.at(attr, message);
        }
        Self::Whole
    }
}

impl ContextItem {
    /// Takes of the item what a context keeps: fields and parameters are `valid`'s to reject.
    pub(crate) fn read(item: DeriveInput, args: ContextArgs) -> Self {
        Self {
            krate: args.krate.map_or_else(default_crate, |k| k.value),
            attrs: item.attrs,
            visibility: item.vis,
            ident: item.ident,
        }
    }

    pub(crate) fn entity(&self) -> Ident {
        format_ident!("{}Entity", self.ident)
    }

    pub(crate) fn entity_mut(&self) -> Ident {
        format_ident!("{}EntityMut", self.ident)
    }
}

pub(crate) fn default_crate() -> Path {
    parse_quote!(::ecs)
}

/// `crate::Game`, told where the type's name stands: that is where its absence shows.
fn default_context(ident: &Ident) -> Path {
    parse_quote_spanned!(Span::call_site().located_at(ident.span())=> crate::Game)
}

fn reject_into(fields: &[Field], errors: &mut Errors) {
    for given in fields.iter().filter_map(|field| field.attrs.into.as_ref()) {
        let message = "`into` has no effect in a `by_value` component, whose accessors take no \
                       fields: remove one of the two";
        errors.at(&given.key, message);
    }
}

/// The base of the accessors' names: as given, else the type's name in snake case.
fn base(ident: &Ident, attrs: &TypeAttrs, errors: &mut Errors) -> String {
    if let Some(given) = attrs.name.as_ref().map(|name| &name.value) {
        let text = given.value();
        let text = text.strip_prefix("r#").unwrap_or(&text);
        if is_name(text) {
            return text.to_owned();
        }
        errors.at(
            given,
            "this cannot be part of a method's name: write a name such as `\"pos\"`",
        );
    }
    let snake = ident.unraw().to_string().to_snake_case();
    if is_name(&snake) {
        return snake;
    }
    if attrs.name.is_none() {
        let message = "the name of this type makes no name for a method: write `#[component(name \
                       = \"..\")]`";
        errors.at(ident, message);
    }
    format!("component_{snake}")
}

/// Whether a method can have this name, if need be as a raw one.
fn is_name(text: &str) -> bool {
    let letters = text.chars().all(|c| c == '_' || c.is_alphanumeric());
    let begins = text.chars().next().is_some_and(|c| !c.is_numeric());
    let never = ["_", "self", "Self", "super", "crate"].contains(&text);
    letters && begins && !never && parse_str::<TokenStream>(text).is_ok()
}
