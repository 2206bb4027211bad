//! The fields of a component.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::{Ident, Visibility};

use crate::attr::FieldAttrs;
use crate::error::Errors;

/// A field of a struct.
pub(crate) struct Field {
    /// The name of the argument that fills it.
    pub(crate) argument: Ident,
    /// Its type, with the struct's name for `Self`.
    pub(crate) ty: TokenStream,
    pub(crate) visibility: Visibility,
    pub(crate) attrs: FieldAttrs,
}

impl Field {
    /// Reads the field with this index among so many of a type.
    pub(crate) fn read(
        field: &syn::Field,
        (index, count): (usize, usize),
        owner: &Ident,
        errors: &mut Errors,
    ) -> Self {
        Self {
            argument: argument(field, index, count),
            ty: without_self(field.ty.to_token_stream(), owner),
            visibility: field.vis.clone(),
            attrs: FieldAttrs::read(&field.attrs, errors),
        }
    }
}

fn argument(field: &syn::Field, index: usize, count: usize) -> Ident {
    let name = match &field.ident {
        Some(name) => return name.clone(),
        None if count == 1 => "value".to_owned(),
        None => format!("value{index}"),
    };
    Ident::new(&name, Span::mixed_site())
}

/// Writes the type's own name for `Self`, which means a handle where the accessors stand.
fn without_self(tokens: TokenStream, ident: &Ident) -> TokenStream {
    let replace = |tree| match tree {
        TokenTree::Ident(word) if word == "Self" => {
            let mut name = ident.clone();
            name.set_span(word.span());
            TokenTree::Ident(name)
        }
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), without_self(group.stream(), ident));
            inner.set_span(group.span());
            TokenTree::Group(inner)
        }
        other => other,
    };
    tokens.into_iter().map(replace).collect()
}
