//! The arguments of accessors, and the value made of them.

use proc_macro2::TokenStream;
use quote::quote;

use crate::model::method::local;
use crate::parse::{Component, Field, Shape};

/// The field arguments, each after a comma.
pub(super) fn declared(component: &Component, ty: &TokenStream) -> TokenStream {
    let each: Vec<_> = match &component.shape {
        Shape::Flag => Vec::new(),
        Shape::Whole => vec![whole(ty)],
        Shape::Named(fields) | Shape::Tuple(fields) => fields.iter().map(argument).collect(),
    };
    quote!(#(, #each)*)
}

/// The value made of the arguments.
pub(crate) fn value(component: &Component) -> TokenStream {
    let constructor = &component.constructor;
    match &component.shape {
        Shape::Flag => quote!(#constructor {}),
        Shape::Whole => {
            let value = local("value");
            quote!(#value)
        }
        Shape::Named(fields) => {
            let each = fields.iter().map(named);
            quote!(#constructor { #(#each),* })
        }
        Shape::Tuple(fields) => {
            let each = fields.iter().map(converted);
            quote!(#constructor(#(#each),*))
        }
    }
}

fn whole(ty: &TokenStream) -> TokenStream {
    let value = local("value");
    quote!(#value: #ty)
}

fn argument(field: &Field) -> TokenStream {
    let (name, ty) = (&field.argument, &field.ty);
    match field.attrs.into {
        Some(_) => quote!(#name: impl ::core::convert::Into<#ty>),
        None => quote!(#name: #ty),
    }
}

fn named(field: &Field) -> TokenStream {
    let (name, value) = (&field.argument, converted(field));
    match field.attrs.into {
        Some(_) => quote!(#name: #value),
        None => value,
    }
}

fn converted(field: &Field) -> TokenStream {
    let argument = &field.argument;
    match field.attrs.into {
        Some(_) => quote!(::core::convert::Into::into(#argument)),
        None => quote!(#argument),
    }
}
