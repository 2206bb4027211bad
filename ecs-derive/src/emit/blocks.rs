//! The blocks that methods stand in: an `impl`, inherent or of a trait, and a trait.
//!
//! Blocks of methods that users call have docs, and lints of their own; others are as derived.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Ident, Path, Visibility};

use crate::model::Method;

use super::lints::lints;
use super::method::{declared, docs, implemented, inherent};

/// An inherent `impl` of what follows the keyword; nothing if there are no methods.
pub(super) fn inherent_impl(krate: &Path, header: &TokenStream, methods: &[Method]) -> TokenStream {
    block(krate, header, methods, inherent)
}

/// The implementation of a trait, `Trait for Type`; nothing if there are no methods.
pub(super) fn trait_impl(krate: &Path, header: &TokenStream, methods: &[Method]) -> TokenStream {
    block(krate, header, methods, implemented)
}

fn block(
    krate: &Path,
    header: &TokenStream,
    methods: &[Method],
    write: fn(&Method) -> TokenStream,
) -> TokenStream {
    if methods.is_empty() {
        return TokenStream::new();
    }
    let (lints, parameters) = (lints(), parameters(methods));
    let methods = methods.iter().map(write);
    let block = quote! {
        #lints
        impl #header { #(#methods)* }
    };
    match parameters.is_empty() {
        true => block,
        false => with_variables(krate, &parameters, &block),
    }
}

/// The names of the parameters of methods, each once.
fn parameters(methods: &[Method]) -> Vec<Ident> {
    let mut names: Vec<_> = methods.iter().flat_map(Method::parameters).collect();
    names.sort();
    names.dedup();
    names
}

/// The items where these names can be those of variables: what the user has called so, a constant,
/// a static or a unit struct, would be what a pattern means. A function that is nearer hides it.
pub(super) fn with_variables(krate: &Path, names: &[Ident], items: &TokenStream) -> TokenStream {
    quote! {
        const _: () = {
            #[allow(unused_imports)] // no pattern means a function
            use #krate::__private::{#(variable as #names),*};

            #items
        };
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
