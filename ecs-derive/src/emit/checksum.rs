//! How a component feeds a checksum: as a whole, or, if its type has neither `Checksum` nor `Hash`,
//! field by field.

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens as _, quote};

use crate::parse::{Component, Field, Shape};

/// The constant of the trait.
pub(super) fn constant(component: &Component) -> TokenStream {
    let krate = &component.krate;
    let whole = way(component, &quote!(Self));
    let value = match fields(component) {
        _ if component.is_flag() => quote!(::core::option::Option::Some(|_, _| ())),
        fields if fields.is_empty() => whole,
        fields => by_fields(component, &whole, &fields),
    };
    quote! {
        const CHECKSUM: ::core::option::Option<fn(&Self, &mut #krate::ChecksumHasher)> = #value;
    }
}

/// How a value of a type feeds it, if it can.
fn way(component: &Component, ty: &TokenStream) -> TokenStream {
    let private = {
        let krate = &component.krate;
        quote!(#krate::__private)
    };
    quote!(#private::first_of(#private::Probe::<#ty>::CHECKSUM, #private::Probe::<#ty>::HASH))
}

/// The members of the component, with their types.
fn fields(component: &Component) -> Vec<(TokenStream, TokenStream)> {
    match &component.shape {
        Shape::Flag | Shape::Whole => Vec::new(),
        Shape::Named(fields) => fields.iter().map(named).collect(),
        Shape::Tuple(fields) => (0..).zip(fields).map(numbered).collect(),
    }
}

fn named(field: &Field) -> (TokenStream, TokenStream) {
    (field.argument.to_token_stream(), field.ty.clone())
}

fn numbered((number, field): (usize, &Field)) -> (TokenStream, TokenStream) {
    let number = Literal::usize_unsuffixed(number);
    (number.to_token_stream(), field.ty.clone())
}

/// The whole, or all fields one after the other.
fn by_fields(
    component: &Component,
    whole: &TokenStream,
    fields: &[(TokenStream, TokenStream)],
) -> TokenStream {
    let ways: Vec<_> = fields.iter().map(|(_, ty)| way(component, ty)).collect();
    let members = fields.iter().map(|(member, _)| member);
    quote! {
        match #whole {
            ::core::option::Option::None if true #(&& #ways.is_some())* => {
                ::core::option::Option::Some(|__this, __hasher| {
                    #(if let ::core::option::Option::Some(__feed) = const { #ways } {
                        __feed(&__this.#members, __hasher);
                    })*
                })
            }
            __whole => __whole,
        }
    }
}
