//! Blocks of methods: inherent impls, trait impls and traits.
//!
//! Blocks with methods for users have docs and allow lints; others are like those of any derive.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Generics, Ident, Path, Visibility, parse_quote};

use crate::model::Method;

use super::lints::lints;
use super::method::{declared, docs, implemented, inherent};

/// An inherent `impl` with this header; nothing if there are no methods.
pub(super) fn inherent_impl(krate: &Path, header: &TokenStream, methods: &[Method]) -> TokenStream {
    block(krate, header, methods, inherent)
}

/// A trait `impl` with the header `Trait for Type`; nothing if there are no methods.
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

/// The names of all parameters, without repetitions.
fn parameters(methods: &[Method]) -> Vec<Ident> {
    let mut names: Vec<_> = methods.iter().flat_map(Method::parameters).collect();
    names.sort();
    names.dedup();
    names
}

/// Wraps items so that these names can be variables in them. A constant, static or unit struct of
/// the user with such a name would turn a pattern into a match against it; an imported function of
/// the same name hides it.
pub(super) fn with_variables(krate: &Path, names: &[Ident], items: &TokenStream) -> TokenStream {
    quote! {
        const _: () = {
            #[allow(unused_imports)] // patterns do not refer to functions
            use #krate::__private::{#(variable as #names),*};

            #items
        };
    }
}

/// A trait with a doc comment.
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

/// The generics, with a bound on each type parameter.
pub(super) fn bounded(generics: &Generics, bound: &TokenStream) -> Generics {
    let mut bounded = generics.clone();
    for parameter in generics.type_params() {
        let parameter = &parameter.ident;
        let clause = bounded.make_where_clause();
        clause.predicates.push(parse_quote!(#parameter: #bound));
    }
    bounded
}

/// A trait implementation without docs, like those of any derive.
pub(super) fn derived(header: &TokenStream, items: &TokenStream) -> TokenStream {
    quote! {
        #[automatically_derived]
        impl #header { #items }
    }
}
