//! Structs with `#[derive(QueryData)]`.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::{DeriveInput, Generics, Ident, Path};

use crate::error::Errors;

use super::attr::library as attr;
use super::bundle::{self, BundleField};
use super::{field, library};

const NOT_A_STRUCT: &str = "query data must be a struct: write one with a field for each term";

pub(crate) struct QueryItem {
    pub(crate) ident: Ident,
    pub(crate) generics: Generics,
    /// The path of the library.
    pub(crate) krate: Path,
    /// The terms; empty if there are mistakes.
    pub(crate) fields: Vec<BundleField>,
    /// The lifetime of its references, without the apostrophe.
    pub(crate) lifetime: Option<Ident>,
}

impl QueryItem {
    pub(crate) fn read(input: DeriveInput, errors: &mut Errors) -> Self {
        let krate = library::path(attr::on_type("query_data", &input.attrs, &[], errors));
        let mut mistakes = Errors::default();
        let found = field::of_struct(&input.data, NOT_A_STRUCT, &mut mistakes);
        let fields = found.map_or_else(Vec::new, bundle::each);
        if found.is_some() && fields.is_empty() {
            let message = "query data must have at least one field: write one for each term, \
                           such as `position: &'a mut Position`";
            mistakes.at(&input.ident, message);
        }
        let lifetime = lifetime(&input.generics, &mut mistakes);
        for field in &fields {
            reject_static(field.ty.to_token_stream(), &mut mistakes);
        }
        let is_sound = mistakes.is_empty();
        errors.add(mistakes);
        Self {
            krate,
            lifetime,
            fields: if is_sound { fields } else { Vec::new() },
            ident: input.ident,
            generics: input.generics,
        }
    }
}

/// The lifetime parameter, of which there may be one.
fn lifetime(generics: &Generics, errors: &mut Errors) -> Option<Ident> {
    let mut lifetimes = generics.lifetimes().map(|it| &it.lifetime);
    let lifetime = lifetimes.next()?;
    for other in lifetimes {
        let message = format!(
            "all fields of query data have the same lifetime: write `{lifetime}` instead of \
             `{other}`"
        );
        errors.at(other, message);
    }
    Some(lifetime.ident.clone())
}

/// Rejects references with the lifetime `'static`.
fn reject_static(tokens: TokenStream, errors: &mut Errors) {
    for token in tokens {
        match token {
            TokenTree::Ident(name) if name == "static" => {
                let message = "the fields of query data have the lifetime of the struct: write \
                               `'a`, and `<'a>` after the name of the struct";
                errors.at(name, message);
            }
            TokenTree::Group(group) => reject_static(group.stream(), errors),
            _ => {}
        }
    }
}
