//! Maps the ids in a value when it is copied: field by field, for fields that may contain ids.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Data, Field, Fields, Path};

use crate::model::method::local;
use crate::parse::{Component, MapIdsItem};

use super::blocks::{bounded, derived};
use super::lints::lints;

/// The words of types without ids, for which nothing is generated.
const WITHOUT_IDS: &[&str] = &[
    "bool",
    "char",
    "f32",
    "f64",
    "i8",
    "i16",
    "i32",
    "i64",
    "i128",
    "isize",
    "u8",
    "u16",
    "u32",
    "u64",
    "u128",
    "usize",
    "str",
    "static",
    "String",
    "Vec",
    "Option",
    "Box",
    "core",
    "std",
    "alloc",
    "string",
    "vec",
    "option",
    "boxed",
    "primitive",
];

/// The constant of the trait, if any field may contain ids.
pub(super) fn constant(component: &Component) -> Option<TokenStream> {
    let krate = &component.krate;
    if component.is_foreign {
        return Some(quote! {
            const MAP_IDS: ::core::option::Option<fn(&mut Self, &#krate::IdMap<'_>)> = {
                #[allow(unused_imports)] // used only for types that lack the trait
                use #krate::__private::NoMapIds as _;
                #krate::__private::Probe::<Self>::MAP_IDS
            };
        });
    }
    let ways = ways(krate, &component.data);
    if ways.is_empty() {
        return None;
    }
    let (this, map) = (local("__this"), local("__map"));
    let body = body(krate, &component.data, &this, &map);
    Some(quote! {
        const MAP_IDS: ::core::option::Option<fn(&mut Self, &#krate::IdMap<'_>)> = {
            #[allow(unused_imports)] // used only for types that lack the trait
            use #krate::__private::NoMapIds as _;
            if #(#ways.is_some())||* {
                ::core::option::Option::Some(|#this, #map| { #body })
            } else {
                ::core::option::Option::None
            }
        };
    })
}

pub(crate) fn expand(item: &MapIdsItem) -> TokenStream {
    let (krate, ident, lints) = (&item.krate, &item.ident, lints());
    let (this, map) = (quote!(self), local("__map"));
    let body = body(krate, &item.data, &this, &map);
    let generics = bounded(&item.generics, &quote!(#krate::MapIds));
    let (parameters, arguments, clause) = generics.split_for_impl();
    let implementation = derived(
        &quote!(#parameters #krate::MapIds for #ident #arguments #clause),
        &quote! {
            fn map_ids(&mut self, #map: &#krate::IdMap<'_>) { #body }
        },
    );
    quote! {
        #lints
        const _: () = {
            #[allow(unused_imports)] // used only for types that lack the trait
            use #krate::__private::NoMapIds as _;
            #implementation
        };
    }
}

/// The mapping functions of the field types that may contain ids.
fn ways(krate: &Path, data: &Data) -> Vec<TokenStream> {
    let fields: Vec<&Field> = match data {
        Data::Struct(data) => data.fields.iter().collect(),
        Data::Enum(data) => data.variants.iter().flat_map(|it| &it.fields).collect(),
        Data::Union(_) => Vec::new(),
    };
    let fields = fields.into_iter().filter(|field| may_have_ids(field));
    fields.map(|field| way(krate, field)).collect()
}

fn way(krate: &Path, field: &Field) -> TokenStream {
    let ty = &field.ty;
    quote!(#krate::__private::Probe::<#ty>::MAP_IDS)
}

/// Maps all ids of the value.
fn body(krate: &Path, data: &Data, this: &impl ToTokens, map: &impl ToTokens) -> TokenStream {
    match data {
        Data::Struct(data) => {
            let (pattern, calls) = parts(krate, &data.fields, map);
            match calls.is_empty() {
                true => TokenStream::new(),
                false => quote!(let Self #pattern = #this; #calls),
            }
        }
        Data::Enum(data) => {
            let arms = data.variants.iter().map(|variant| {
                let (name, (pattern, calls)) = (&variant.ident, parts(krate, &variant.fields, map));
                quote!(Self::#name #pattern => { #calls })
            });
            let arms: TokenStream = arms.collect();
            match arms.is_empty() {
                true => TokenStream::new(),
                false => quote!(match #this { #arms }),
            }
        }
        Data::Union(_) => TokenStream::new(),
    }
}

/// The pattern of the fields that may contain ids, and their mapping.
fn parts(krate: &Path, fields: &Fields, map: &impl ToTokens) -> (TokenStream, TokenStream) {
    let (mut bindings, mut calls) = (TokenStream::new(), TokenStream::new());
    for (number, field) in fields.iter().enumerate().filter(|(_, it)| may_have_ids(it)) {
        let binding = local(&format!("__field{number}"));
        let (way, each) = (way(krate, field), local("__each"));
        let member = match &field.ident {
            Some(name) => name.to_token_stream(),
            None => syn::Index::from(number).to_token_stream(),
        };
        bindings.extend(quote!(#member: #binding,));
        calls.extend(quote! {
            if let ::core::option::Option::Some(#each) = const { #way } {
                #each(#binding, #map);
            }
        });
    }
    (quote!({ #bindings .. }), calls)
}

/// Whether a type contains a word that may name a type with ids.
fn may_have_ids(field: &Field) -> bool {
    has_other_word(field.ty.to_token_stream())
}

fn has_other_word(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(word) => !WITHOUT_IDS.contains(&word.to_string().as_str()),
        TokenTree::Group(group) => has_other_word(group.stream()),
        _ => false,
    })
}
