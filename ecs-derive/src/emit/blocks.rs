//! The blocks that methods stand in: an `impl`, inherent or of a trait, and a trait.
//!
//! Blocks of methods that users call have docs, and lints of their own; others are as derived.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Visibility;

use crate::model::Method;

use super::lints::lints;
use super::method::{declared, docs, implemented, inherent};

/// An inherent `impl` of what follows the keyword; nothing if there are no methods.
pub(super) fn inherent_impl(header: &TokenStream, methods: &[Method]) -> TokenStream {
    block(header, methods, inherent)
}

/// The implementation of a trait, `Trait for Type`; nothing if there are no methods.
pub(super) fn trait_impl(header: &TokenStream, methods: &[Method]) -> TokenStream {
    block(header, methods, implemented)
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
    let methods = methods.iter().map(declared);
    quote! {
        #docs
        #lints
        #visibility trait #header { #(#methods)* }
    }
}

/// The implementation of a trait that is no more than what any derive writes.
pub(super) fn derived(header: &TokenStream, items: &TokenStream) -> TokenStream {
    quote! {
        #[automatically_derived]
        impl #header { #items }
    }
}
