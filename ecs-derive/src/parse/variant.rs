//! The parts of which values of a type consist.

use proc_macro2::TokenStream;
use quote::ToTokens as _;
use syn::punctuated::Punctuated;
use syn::{Attribute, Data, DeriveInput, Fields, Ident, Member, Meta, Token};

/// A struct, or a variant of an enum.
pub(crate) struct Variant {
    /// The name of an enum variant.
    pub(crate) name: Option<Ident>,
    /// The fields, with their types.
    pub(crate) fields: Vec<(Member, TokenStream)>,
}

/// The variants of a type; empty if its fields cannot be borrowed, as in unions and packed types.
pub(super) fn all(input: &DeriveInput) -> Vec<Variant> {
    match &input.data {
        _ if input.attrs.iter().any(is_packed) => Vec::new(),
        Data::Struct(data) => vec![read(None, &data.fields)],
        Data::Enum(data) => {
            let variants = data.variants.iter();
            let each = variants.map(|it| read(Some(it.ident.clone()), &it.fields));
            each.collect()
        }
        Data::Union(_) => Vec::new(),
    }
}

fn read(name: Option<Ident>, fields: &Fields) -> Variant {
    let types = fields.iter().map(|field| field.ty.to_token_stream());
    Variant {
        name,
        fields: fields.members().zip(types).collect(),
    }
}

fn is_packed(attr: &Attribute) -> bool {
    let mut packed = false;
    if attr.path().is_ident("repr") {
        // Anything but a list is rejected by the compiler.
        _ = attr.parse_nested_meta(|meta| {
            packed |= meta.path.is_ident("packed");
            if meta.input.peek(syn::token::Paren) {
                let content;
                syn::parenthesized!(content in meta.input);
                content.parse::<TokenStream>()?;
            }
            Ok(())
        });
    }
    packed
}

/// Whether `#[serde(skip)]` or a form of it is among the attributes.
pub(crate) fn is_skipped(attrs: &[Attribute]) -> bool {
    has_any(attrs, &["skip", "skip_serializing", "skip_deserializing"])
}

/// Whether serde converts the type into another one.
pub(super) fn is_converted(attrs: &[Attribute]) -> bool {
    has_any(attrs, &["from", "try_from", "into", "remote"])
}

/// Whether serde does not write the field as its type does.
pub(crate) fn is_written_otherwise(attr: &Attribute) -> bool {
    let words = [
        "skip",
        "skip_serializing",
        "skip_serializing_if",
        "skip_deserializing",
        "with",
        "serialize_with",
        "deserialize_with",
        "flatten",
    ];
    has_any(core::slice::from_ref(attr), &words)
}

/// Whether one of serde's attributes has one of these words.
fn has_any(attrs: &[Attribute], words: &[&str]) -> bool {
    let of_serde = attrs.iter().filter(|attr| attr.path().is_ident("serde"));
    let lists =
        of_serde.map(|attr| attr.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated));
    let mut entries = lists.flatten().flatten(); // serde reports what is malformed
    entries.any(|entry| words.iter().any(|word| entry.path().is_ident(word)))
}
