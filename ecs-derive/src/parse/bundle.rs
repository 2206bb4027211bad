//! A struct with `#[derive(Bundle)]`, read and checked.

use syn::{Data, DeriveInput, Fields, Generics, Ident, Member, Path, Type};

use crate::error::Errors;

use super::attr::bundle as attr;
use super::{index, library};

/// A struct whose fields are bundles.
pub(crate) struct BundleItem {
    pub(crate) ident: Ident,
    pub(crate) generics: Generics,
    /// Where to find the library.
    pub(crate) krate: Path,
    pub(crate) fields: Vec<BundleField>,
}

/// A field of it: a component, or a bundle again.
pub(crate) struct BundleField {
    pub(crate) member: Member,
    pub(crate) ty: Type,
}

impl BundleItem {
    /// Reads the item and its `#[bundle(..)]`.
    pub(crate) fn read(input: DeriveInput, errors: &mut Errors) -> Self {
        let krate = library::path(attr::krate(&input.attrs, errors));
        let fields = match &input.data {
            Data::Struct(data) => fields(&input.ident, &data.fields, errors),
            Data::Enum(data) => not_a_struct(data.enum_token, errors),
            Data::Union(data) => not_a_struct(data.union_token, errors),
        };
        Self {
            krate,
            fields,
            ident: input.ident,
            generics: input.generics,
        }
    }
}

fn not_a_struct(token: impl quote::ToTokens, errors: &mut Errors) -> Vec<BundleField> {
    let message = "a bundle is a struct: write one with a field for each component";
    errors.at(token, message);
    Vec::new()
}

fn fields(bundle: &Ident, fields: &Fields, errors: &mut Errors) -> Vec<BundleField> {
    if fields.is_empty() {
        let message = "a bundle has at least one field: write one for each component, such as \
                       `position: Position`";
        errors.at(bundle, message);
    }
    let all = fields.iter().enumerate();
    let read = all.map(|(n, field)| BundleField {
        member: index::member(n, field),
        ty: field.ty.clone(),
    });
    read.collect()
}
