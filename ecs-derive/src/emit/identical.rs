//! Compares two values in full: field by field, if the library knows the types of all fields.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use crate::parse::{Component, Variant};

/// The constant of the trait. A flag needs none, and neither does a union.
pub(super) fn constant(component: &Component) -> Option<TokenStream> {
    if component.is_flag() || component.variants.is_empty() {
        return None;
    }
    let fields = component.variants.iter().flat_map(|it| &it.fields);
    let ways = fields.map(|(_, ty)| way(component, ty));
    let compared = compared(component);
    Some(quote! {
        const IDENTICAL: ::core::option::Option<fn(&Self, &Self) -> ::core::primitive::bool> =
            if true #(&& #ways.is_some())* {
                ::core::option::Option::Some(|__one, __other| #compared)
            } else {
                ::core::option::Option::None
            };
    })
}

/// Compares the variants, then their fields.
fn compared(component: &Component) -> TokenStream {
    let is_enum = component.variants.iter().any(|it| it.name.is_some());
    let same = is_enum
        .then(|| quote!(::core::mem::discriminant(__one) == ::core::mem::discriminant(__other)));
    let with_fields = component.variants.iter().filter(|it| !it.fields.is_empty());
    let arms: Vec<_> = with_fields.map(|it| arm(component, it)).collect();
    if arms.is_empty() {
        return same.unwrap_or_else(|| quote!(true));
    }
    let others = (component.variants.len() > 1).then(|| quote!(_ => true,));
    let fields = quote!(match (__one, __other) { #(#arms)* #others });
    match same {
        Some(same) => quote!(#same && #fields),
        None => fields,
    }
}

fn way(component: &Component, ty: &TokenStream) -> TokenStream {
    let krate = &component.krate;
    quote!(#krate::__private::Probe::<#ty>::IDENTICAL)
}

/// The match arm of two values of a variant.
fn arm(component: &Component, variant: &Variant) -> TokenStream {
    let names = |prefix: &str| -> Vec<Ident> {
        let numbers = 0..variant.fields.len();
        numbers
            .map(|nth| format_ident!("__{prefix}_{nth}"))
            .collect()
    };
    let (ones, others) = (names("one"), names("other"));
    let members: Vec<_> = variant.fields.iter().map(|(member, _)| member).collect();
    let fields = variant.fields.iter().zip(ones.iter().zip(&others));
    let krate = &component.krate;
    let all = fields.map(|((_, ty), (one, other))| {
        let way = way(component, ty);
        quote!(#krate::__private::are_identical(#way, #one, #other))
    });
    let path = variant.name.as_ref().map(|name| quote!(::#name));
    quote! {
        (Self #path { #(#members: #ones,)* }, Self #path { #(#members: #others,)* }) => { #(#all)&&* }
    }
}
