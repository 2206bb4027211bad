//! What the accessors take, and the value that they make of it.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::Ident;

use crate::ast::{Component, Shape};
use crate::field::Field;

/// The arguments of the methods that take fields, each behind a comma.
pub(super) fn declared(component: &Component, ty: &TokenStream) -> TokenStream {
    match &component.shape {
        Shape::Flag => TokenStream::new(),
        Shape::Whole => {
            let value = whole();
            quote!(, #value: #ty)
        }
        Shape::Named(fields) | Shape::Tuple(fields) => {
            let each = fields.iter().map(argument);
            quote!(#(, #each)*)
        }
    }
}

/// The value that is made of the arguments.
pub(super) fn value(component: &Component) -> TokenStream {
    let ident = &component.ident;
    match &component.shape {
        Shape::Flag => quote!(#ident {}),
        Shape::Whole => {
            let value = whole();
            quote!(#value)
        }
        Shape::Named(fields) => {
            let each = fields.iter().map(|field| {
                let (name, value) = (&field.argument, converted(field));
                match field.attrs.into {
                    Some(_) => quote!(#name: #value),
                    None => value,
                }
            });
            quote!(#ident { #(#each),* })
        }
        Shape::Tuple(fields) => {
            let each = fields.iter().map(converted);
            quote!(#ident(#(#each),*))
        }
    }
}

fn argument(field: &Field) -> TokenStream {
    let (name, ty) = (&field.argument, &field.ty);
    match field.attrs.into {
        Some(_) => quote!(#name: impl ::core::convert::Into<#ty>),
        None => quote!(#name: #ty),
    }
}

fn converted(field: &Field) -> TokenStream {
    let argument = &field.argument;
    match field.attrs.into {
        Some(_) => quote!(::core::convert::Into::into(#argument)),
        None => quote!(#argument),
    }
}

fn whole() -> Ident {
    Ident::new("value", Span::mixed_site())
}
