//! Structs with `#[derive(Bundle)]`.

use syn::{DeriveInput, Fields, Generics, Ident, Member, Path, Type};

use crate::error::Errors;

use super::attr::library as attr;
use super::{field, index, library};

const NOT_A_STRUCT: &str = "a bundle is a struct: write one with a field for each component";

pub(crate) struct BundleItem {
    pub(crate) ident: Ident,
    pub(crate) generics: Generics,
    /// The path of the library.
    pub(crate) krate: Path,
    pub(crate) fields: Vec<BundleField>,
}

/// A field: a component or another bundle; in query data, a term.
pub(crate) struct BundleField {
    pub(crate) member: Member,
    pub(crate) ty: Type,
}

impl BundleItem {
    pub(crate) fn read(input: DeriveInput, errors: &mut Errors) -> Self {
        let krate = library::path(attr::on_type("bundle", &input.attrs, &[], errors));
        let found = field::of_struct(&input.data, NOT_A_STRUCT, errors);
        let fields = found.map(|found| fields(&input.ident, found, errors));
        Self {
            krate,
            fields: fields.unwrap_or_default(),
            ident: input.ident,
            generics: input.generics,
        }
    }
}

fn fields(bundle: &Ident, fields: &Fields, errors: &mut Errors) -> Vec<BundleField> {
    if fields.is_empty() {
        let message = "a bundle has at least one field: write one for each component, such as \
                       `position: Position`";
        errors.at(bundle, message);
    }
    each(fields)
}

/// The fields of a struct that is treated as a tuple.
pub(super) fn each(fields: &Fields) -> Vec<BundleField> {
    let all = fields.iter().enumerate();
    let read = all.map(|(n, field)| BundleField {
        member: index::member(n, field),
        ty: field.ty.clone(),
    });
    read.collect()
}
