//! The indexed fields of a component.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens as _;
use syn::ext::IdentExt as _;
use syn::{DeriveInput, Expr, Fields, Ident, Index, Member, Visibility};

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
    let primary = read.attrs.primary_index.is_some();
    let second = given.next().map(|given| given.key.span());
    if *value == Keys::Ordered && !primary && second.is_none() {
        return None; // a structure alone
    }
    Some(IndexedField {
        member: member(n, field),
        name: read.argument.unraw().to_string(),
        ty: read.ty.clone(),
        visibility: read.visibility.clone(),
        keys: *value,
        primary,
        span: key.span(),
        second,
    })
}

/// An index that is a structure, of which the context has a method that returns it.
pub(crate) struct StructureIndex {
    pub(crate) kind: StructureKind,
    pub(crate) visibility: Visibility,
    /// The span of the attribute.
    pub(crate) span: Span,
}

pub(crate) enum StructureKind {
    /// Sorts entities by a field.
    Ordered {
        member: Member,
        name: String,
        ty: TokenStream,
    },
    /// Finds entities by place.
    Grid {
        /// Of a cell.
        size: TokenStream,
        /// The coordinates, if the struct has them.
        fields: Vec<Ident>,
    },
}

/// The indexes of a struct that are structures, in order.
pub(crate) fn structures(
    item: &DeriveInput,
    fields: &Fields,
    read: &[Field],
    grid: Option<&Given<Expr>>,
) -> Vec<StructureIndex> {
    let each = fields.iter().zip(read).enumerate();
    let ordered = each.filter_map(|(n, (field, read))| {
        let attrs = [&read.attrs.primary_index, &read.attrs.index];
        let given = attrs.into_iter().flatten().next()?;
        (given.value == Keys::Ordered).then(|| StructureIndex {
            kind: StructureKind::Ordered {
                member: member(n, field),
                name: read.argument.unraw().to_string(),
                ty: read.ty.clone(),
            },
            visibility: read.visibility.clone(),
            span: given.key.span(),
        })
    });
    let grid = grid.map(|given| StructureIndex {
        kind: StructureKind::Grid {
            size: given.value.to_token_stream(),
            fields: coordinates(fields),
        },
        visibility: item.vis.clone(),
        span: given.key.span(),
    });
    ordered.chain(grid).collect()
}

/// The fields `x` and `y`, or `x`, `y` and `z`, if they are `f32`.
fn coordinates(fields: &Fields) -> Vec<Ident> {
    let named = |name: &&str| {
        let mut idents = fields
            .iter()
            .filter_map(|field| Some((field.ident.clone()?, field)));
        idents.find(|(ident, _)| ident == name)
    };
    let found: Vec<_> = ["x", "y", "z"].iter().map_while(named).collect();
    let are_floats = found
        .iter()
        .all(|(_, field)| field.ty.to_token_stream().to_string() == "f32");
    match are_floats && found.len() > 1 {
        true => found.into_iter().map(|(ident, _)| ident).collect(),
        false => Vec::new(),
    }
}

/// The name or number of a field.
pub(super) fn member(n: usize, field: &syn::Field) -> Member {
    match &field.ident {
        Some(name) => Member::Named(name.clone()),
        None => Member::Unnamed(Index::from(n)),
    }
}
