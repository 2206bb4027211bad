//! Types with `#[derive(MapIds)]`.

use syn::{Data, DeriveInput, Generics, Ident, Path};

use crate::error::Errors;

use super::attr::library as attr;
use super::library;

/// A type whose fields may contain ids.
pub(crate) struct MapIdsItem {
    pub(crate) ident: Ident,
    pub(crate) generics: Generics,
    /// The path of the library.
    pub(crate) krate: Path,
    pub(crate) data: Data,
}

impl MapIdsItem {
    pub(crate) fn read(input: DeriveInput, errors: &mut Errors) -> Self {
        if let Data::Union(data) = &input.data {
            let message = "the ids in a union cannot be distinguished: implement `MapIds` by hand";
            errors.at(data.union_token, message);
        }
        Self {
            krate: library::path(attr::on_type("map_ids", &input.attrs, &[], errors)),
            ident: input.ident,
            generics: input.generics,
            data: input.data,
        }
    }
}
