//! Structs with `#[derive(Contexts)]`: worlds of several contexts.

use quote::ToTokens as _;
use syn::{DeriveInput, Fields, Generics, Ident, Member, Path, Type};

use crate::error::Errors;

use super::attr::library as attr;
use super::{field, index, library};

const NOT_A_STRUCT: &str = "a world is a struct: write one with a field for each context";

pub(crate) struct World {
    pub(crate) ident: Ident,
    pub(crate) generics: Generics,
    /// The path of the library.
    pub(crate) krate: Path,
    /// The fields that are contexts, with distinct types.
    pub(crate) contexts: Vec<ContextField>,
}

pub(crate) struct ContextField {
    pub(crate) member: Member,
    pub(crate) ty: Type,
}

impl World {
    /// Reads the item and its `#[contexts(..)]`. Drops fields with repeated types.
    pub(crate) fn read(input: DeriveInput, errors: &mut Errors) -> Self {
        let krate = library::path(attr::on_type("contexts", &input.attrs, attr::SKIP, errors));
        let fields = field::of_struct(&input.data, NOT_A_STRUCT, errors);
        let contexts = fields.map(|fields| contexts(&input.ident, fields, errors));
        Self {
            krate,
            ident: input.ident,
            generics: input.generics,
            contexts: contexts.unwrap_or_default(),
        }
    }
}

fn contexts(world: &Ident, fields: &Fields, errors: &mut Errors) -> Vec<ContextField> {
    let all = fields.iter().enumerate();
    let all = all.filter(|(_, field)| !attr::is_skipped("contexts", &field.attrs, errors));
    let read = all.map(|(n, field)| ContextField {
        member: index::member(n, field),
        ty: field.ty.clone(),
    });
    let contexts: Vec<_> = read.collect();
    if contexts.is_empty() {
        let message = "a world has at least one context: write a field for it, such as `game: \
                       Game`";
        errors.at(world, message);
    }
    without_repetitions(contexts, errors)
}

fn without_repetitions(all: Vec<ContextField>, errors: &mut Errors) -> Vec<ContextField> {
    let mut contexts = Vec::<ContextField>::new();
    for field in all {
        match contexts.iter().find(|known| same(&known.ty, &field.ty)) {
            Some(first) => errors.at(&field.ty, repeated(first)),
            None => contexts.push(field),
        }
    }
    contexts
}

fn same(a: &Type, b: &Type) -> bool {
    a.to_token_stream().to_string() == b.to_token_stream().to_string()
}

fn repeated(first: &ContextField) -> String {
    format!(
        "the field `{}` already has this type, and systems find a context by its type: declare \
         another context for this field, or write `#[contexts(skip)]` above it",
        first.member.to_token_stream()
    )
}
