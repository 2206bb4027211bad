//! Types with `#[derive(Checksum)]`.

use syn::{Data, DeriveInput, Generics, Ident, Path};

use crate::error::Errors;

use super::attr::library as attr;
use super::library;
use super::variant::{self, Variant};

const NOT_BORROWED: &str =
    "the fields of a union or a packed type cannot be borrowed: implement `Checksum` by hand";

/// A type whose fields feed a checksum.
pub(crate) struct ChecksumItem {
    pub(crate) ident: Ident,
    pub(crate) generics: Generics,
    /// The path of the library.
    pub(crate) krate: Path,
    /// Without the fields that are skipped; `None` if fields cannot be borrowed.
    pub(crate) variants: Option<Vec<Variant>>,
    pub(crate) has_skipped: bool,
}

impl ChecksumItem {
    pub(crate) fn read(input: DeriveInput, errors: &mut Errors) -> Self {
        let krate = attr::on_type("checksum", &input.attrs, attr::SKIP, errors);
        let mut variants = variant::all(&input);
        let has_skipped = match &input.data {
            Data::Struct(data) => remove_skipped([&data.fields], &mut variants, errors),
            Data::Enum(data) => {
                let fields = data.variants.iter().map(|variant| &variant.fields);
                remove_skipped(fields, &mut variants, errors)
            }
            Data::Union(_) => false,
        };
        let is_empty = matches!(&input.data, Data::Enum(data) if data.variants.is_empty());
        let is_borrowed = is_empty || !variants.is_empty();
        if !is_borrowed {
            errors.at(&input.ident, NOT_BORROWED);
        }
        Self {
            krate: library::path(krate),
            ident: input.ident,
            generics: input.generics,
            variants: is_borrowed.then_some(variants),
            has_skipped,
        }
    }
}

/// Returns whether there were any.
fn remove_skipped<'f>(
    fields: impl IntoIterator<Item = &'f syn::Fields>,
    variants: &mut [Variant],
    errors: &mut Errors,
) -> bool {
    let mut any = false;
    for (fields, variant) in fields.into_iter().zip(variants) {
        let mut fields = fields.iter();
        variant.fields.retain(|_| {
            let attrs = fields.next().map_or(&[][..], |field| &field.attrs);
            let is_skipped = attr::is_skipped("checksum", attrs, errors);
            any |= is_skipped;
            !is_skipped
        });
    }
    any
}
