//! The forms of a method: inherent, or the declaration and implementation of a trait method.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Visibility;

use crate::model::Method;

/// In an inherent `impl`.
pub(super) fn inherent(method: &Method) -> TokenStream {
    let (promise, code) = (promise(method), code(method, Some(&method.visibility)));
    quote!(#promise #code)
}

/// In a `trait`.
pub(super) fn declared(method: &Method) -> TokenStream {
    let (promise, signature) = (promise(method), signature(method));
    quote!(#promise #signature;)
}

/// In the `impl` of a trait.
pub(super) fn implemented(method: &Method) -> TokenStream {
    code(method, None)
}

fn promise(method: &Method) -> TokenStream {
    let docs = docs(&method.docs());
    let must_use = method.must_use.then(|| quote!(#[must_use]));
    quote!(#docs #must_use)
}

fn code(method: &Method, visibility: Option<&Visibility>) -> TokenStream {
    let track_caller = method.panics.then(|| quote!(#[track_caller]));
    let (signature, body) = (signature(method), &method.body);
    quote! {
        #[inline]
        #track_caller
        #visibility #signature { #body }
    }
}

fn signature(method: &Method) -> TokenStream {
    let (name, generics, signature) = (&method.name, &method.generics, &method.signature);
    let bounds = (!method.bounds.is_empty())
        .then_some(&method.bounds)
        .into_iter();
    quote!(fn #name #generics #signature #(where #bounds)*)
}

/// A text as a doc comment.
pub(super) fn docs(text: &str) -> TokenStream {
    let lines = text.lines().map(|line| match line {
        "" => String::new(),
        _ => format!(" {line}"),
    });
    quote!(#(#[doc = #lines])*)
}
