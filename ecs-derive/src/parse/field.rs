//! The fields of a component.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::{Data, Fields, Ident, Visibility};

use crate::error::Errors;

use super::attr::FieldAttrs;

pub(crate) struct Field {
    /// The name of its argument.
    pub(crate) argument: Ident,
    /// The type, with the struct's name for `Self`.
    pub(crate) ty: TokenStream,
    pub(crate) visibility: Visibility,
    pub(crate) attrs: FieldAttrs,
}

/// The fields of a struct; reports `message` for another item.
pub(super) fn of_struct<'d>(
    data: &'d Data,
    message: &str,
    errors: &mut Errors,
) -> Option<&'d Fields> {
    match data {
        Data::Struct(data) => return Some(&data.fields),
        Data::Enum(data) => errors.at(data.enum_token, message),
        Data::Union(data) => errors.at(data.union_token, message),
    }
    None
}

pub(super) fn all(fields: &Fields, owner: &Ident, errors: &mut Errors) -> Vec<Field> {
    let count = fields.len();
    let each = fields.iter().enumerate();
    let read = each.map(|(index, field)| Field {
        argument: argument(field, index, count),
        ty: without_self(field.ty.to_token_stream(), owner),
        visibility: field.vis.clone(),
        attrs: FieldAttrs::read(&field.attrs, errors),
    });
    read.collect()
}

fn argument(field: &syn::Field, index: usize, count: usize) -> Ident {
    let name = match &field.ident {
        Some(name) => return name.clone(),
        None if count == 1 => "value".to_owned(),
        None => format!("value{index}"),
    };
    Ident::new(&name, Span::mixed_site())
}

/// Replaces `Self`, which would refer to a handle in the accessors.
fn without_self(tokens: TokenStream, owner: &Ident) -> TokenStream {
    let replace = |tree| match tree {
        TokenTree::Ident(word) if word == "Self" => renamed(owner, &word).into(),
        TokenTree::Group(group) => inside(&group, owner).into(),
        other => other,
    };
    tokens.into_iter().map(replace).collect()
}

fn renamed(owner: &Ident, word: &Ident) -> Ident {
    let mut name = owner.clone();
    name.set_span(word.span());
    name
}

fn inside(group: &Group, owner: &Ident) -> Group {
    let mut inner = Group::new(group.delimiter(), without_self(group.stream(), owner));
    inner.set_span(group.span());
    inner
}
