//! The blocks that methods stand in: an inherent `impl`, or a trait and its implementations.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Visibility;

use super::lints::lints;
use super::method::{Method, docs};

/// An inherent `impl` of what follows the keyword; nothing if there are no methods.
pub(super) fn inherent(header: &TokenStream, methods: &[Method]) -> TokenStream {
    block(header, methods, Method::inherent)
}

/// The implementation of a trait, `Trait for Type`; nothing if there are no methods.
pub(super) fn implementation(header: &TokenStream, methods: &[Method]) -> TokenStream {
    block(header, methods, Method::implemented)
}

fn block(
    header: &TokenStream,
    methods: &[Method],
    write: fn(&Method) -> TokenStream,
) -> TokenStream {
    if methods.is_empty() {
        return TokenStream::new();
    }
    let (lints, methods) = (lints(), methods.iter().map(write));
    quote! {
        #lints
        impl #header { #(#methods)* }
    }
}

/// A trait with a text about it, named by what follows the keyword.
pub(super) fn declaration(
    text: &str,
    visibility: &Visibility,
    header: &TokenStream,
    methods: &[Method],
) -> TokenStream {
    let (docs, lints) = (docs(text), lints());
    let methods = methods.iter().map(Method::declared);
    quote! {
        #docs
        #lints
        #visibility trait #header { #(#methods)* }
    }
}
