//! The relation field of a component.

use proc_macro2::{Span, TokenStream};
use syn::{Fields, Member};

use super::attr::{Given, RelationAttrs};
use super::field::Field;
use super::index::member;

/// A field with `relation`.
pub(crate) struct Relation {
    /// The name or number of the field.
    pub(crate) member: Member,
    pub(crate) ty: TokenStream,
    /// The arguments of `relation(..)`.
    pub(crate) attrs: RelationAttrs,
    /// The span of the attribute.
    pub(crate) span: Span,
}

/// The relation fields, in order. `read` are the same fields, parsed.
pub(crate) fn of(fields: &Fields, read: &mut [Field]) -> Vec<Relation> {
    let each = fields.iter().zip(read).enumerate();
    each.filter_map(|(n, (field, read))| relation(n, field, read))
        .collect()
}

fn relation(n: usize, field: &syn::Field, read: &mut Field) -> Option<Relation> {
    let Given { key, value } = read.attrs.relation.take()?;
    Some(Relation {
        member: member(n, field),
        ty: read.ty.clone(),
        attrs: value,
        span: key.span(),
    })
}
