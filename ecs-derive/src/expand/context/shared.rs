//! `GameEntity<'_>`: the handle that reads, and is copied at will.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt as _;

use crate::ast::ContextItem;
use crate::expand::method::{MISSING_ALIVE, Method};

use super::handle;
use super::reading::Reader;

/// The struct.
pub(super) fn definition(item: &ContextItem) -> TokenStream {
    let docs = format!(
        "A living entity of context `{}`, to be read.",
        item.ident.unraw()
    );
    handle::definition(item, &docs, &item.entity(), &quote!(Entity))
}

/// What makes it a plain value.
pub(super) fn traits(item: &ContextItem) -> TokenStream {
    let entity = item.entity();
    quote! {
        #[automatically_derived]
        impl ::core::clone::Clone for #entity<'_> {
            #[inline]
            fn clone(&self) -> Self { *self }
        }

        #[automatically_derived]
        impl ::core::marker::Copy for #entity<'_> {}

        #[automatically_derived]
        impl ::core::cmp::PartialEq for #entity<'_> {
            #[inline]
            fn eq(&self, other: &Self) -> ::core::primitive::bool { self.id() == other.id() }
        }

        #[automatically_derived]
        impl ::core::cmp::Eq for #entity<'_> {}
    }
}

/// The generic methods.
pub(super) fn methods(item: &ContextItem) -> Vec<Method> {
    let reader = Reader {
        receiver: quote!(self),
        reference: quote!(&'a),
        missing: MISSING_ALIVE,
    };
    let mut methods = reader.methods(item);
    methods.push(super::dynamic::shared(item));
    methods
}
