//! The indexed fields of a component.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::ext::IdentExt as _;
use syn::{Fields, Index, Visibility};

use crate::ast::{Component, Field};
use crate::attr::Given;
use crate::reach;

/// What `index` and `primary_index` can say in parentheses.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Keys {
    /// The field is the key.
    Whole,
    /// Each of its elements is one.
    Each,
}

/// A field with `index` or `primary_index`.
pub(crate) struct IndexedField {
    /// How the field is reached in a value.
    pub(crate) member: TokenStream,
    /// What the field is called in messages and, where several are indexed, in methods.
    pub(crate) name: String,
    pub(crate) ty: TokenStream,
    pub(crate) visibility: Visibility,
    pub(crate) keys: Keys,
    pub(crate) primary: bool,
    /// Where the attribute stands.
    pub(crate) span: Span,
    /// Where a second one stands, which is one too many.
    pub(crate) second: Option<Span>,
}

/// The fields that are indexed, in order; `read` are the same fields, read.
pub(crate) fn of(fields: &Fields, read: &[Field]) -> Vec<IndexedField> {
    let each = fields.iter().zip(read).enumerate();
    each.filter_map(|(n, (field, read))| indexed(n, field, read))
        .collect()
}

fn indexed(n: usize, field: &syn::Field, read: &Field) -> Option<IndexedField> {
    let attrs = [&read.attrs.primary_index, &read.attrs.index];
    let mut given = attrs.into_iter().flatten();
    let Given { key, value } = given.next()?;
    let second = given.next().map(|given| given.key.span());
    let member = match &field.ident {
        Some(name) => quote!(#name),
        None => {
            let place = Index::from(n);
            quote!(#place)
        }
    };
    Some(IndexedField {
        member,
        name: read.argument.unraw().to_string(),
        ty: read.ty.clone(),
        visibility: read.visibility.clone(),
        keys: *value,
        primary: read.attrs.primary_index.is_some(),
        span: key.span(),
        second,
    })
}

impl IndexedField {
    /// The method that looks entities up: named after the component, and after the field
    /// too where the component has several indexed ones.
    pub(crate) fn lookup(&self, component: &Component) -> Ident {
        let before = match self.primary {
            true => "entity_with_",
            false => "entities_with_",
        };
        match component.indexes.len() {
            1 => component.accessor(before, ""),
            _ => component.accessor(before, &format!("_{}", self.name)),
        }
    }

    /// The lookup is as visible as the field and the type.
    pub(crate) fn lookup_visibility(&self, component: &Component) -> Visibility {
        reach::least(&component.visibility, &self.visibility)
    }
}
