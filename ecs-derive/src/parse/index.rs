//! The indexed fields of a component.

use proc_macro2::{Span, TokenStream};
use syn::ext::IdentExt as _;
use syn::{Fields, Index, Member, Visibility};

use super::attr::{Given, Keys};
use super::field::Field;

/// A field with `index` or `primary_index`.
pub(crate) struct IndexedField {
    /// The name or number of the field.
    pub(crate) member: Member,
    /// The name of the field in messages and, if several are indexed, in methods.
    pub(crate) name: String,
    pub(crate) ty: TokenStream,
    pub(crate) visibility: Visibility,
    pub(crate) keys: Keys,
    pub(crate) primary: bool,
    /// The span of the attribute.
    pub(crate) span: Span,
    /// The span of a second one, which is a mistake.
    pub(crate) second: Option<Span>,
}

impl IndexedField {
    /// The prefix of the lookup's name.
    pub(super) fn prefix(&self) -> &'static str {
        match self.primary {
            true => "entity_with_",
            false => "entities_with_",
        }
    }
}

/// The indexed fields, in order. `read` are the same fields, parsed.
pub(crate) fn of(fields: &Fields, read: &[Field]) -> Vec<IndexedField> {
    let each = fields.iter().zip(read).enumerate();
    each.filter_map(|(n, (field, read))| indexed(n, field, read))
        .collect()
}

fn indexed(n: usize, field: &syn::Field, read: &Field) -> Option<IndexedField> {
    let attrs = [&read.attrs.primary_index, &read.attrs.index];
    let mut given = attrs.into_iter().flatten();
    let Given { key, value } = given.next()?;
    Some(IndexedField {
        member: member(n, field),
        name: read.argument.unraw().to_string(),
        ty: read.ty.clone(),
        visibility: read.visibility.clone(),
        keys: *value,
        primary: read.attrs.primary_index.is_some(),
        span: key.span(),
        second: given.next().map(|given| given.key.span()),
    })
}

/// The name or number of a field.
pub(super) fn member(n: usize, field: &syn::Field) -> Member {
    match &field.ident {
        Some(name) => Member::Named(name.clone()),
        None => Member::Unnamed(Index::from(n)),
    }
}
