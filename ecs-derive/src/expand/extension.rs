//! The accessors of a component whose context lives in another crate: two traits, since only the
//! context's own crate can give the handles inherent methods.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::ext::IdentExt as _;

use crate::ast::Component;

use super::accessors::Accessors;
use super::lints;
use super::method::{Method, docs};

/// The traits and their implementations for the handles of every context.
pub(crate) fn expand(component: &Component, accessors: &Accessors) -> TokenStream {
    let shared = format_ident!("{}Ext", component.ident);
    let exclusive = format_ident!("{}MutExt", component.ident);
    let traits = [
        declaration(
            component,
            &quote!(#shared<'entity>),
            "shared",
            &accessors.shared,
        ),
        declaration(
            component,
            &quote!(#exclusive),
            "exclusive",
            &accessors.exclusive,
        ),
    ];
    let (lints, reading) = (lints(), accessors.shared.iter().map(Method::implemented));
    let reading: Vec<_> = reading.collect();
    let writing: Vec<_> = accessors
        .exclusive
        .iter()
        .map(Method::implemented)
        .collect();
    let each = component.contexts.iter().map(|context| {
        let (entity, entity_mut) = (context.entity(), context.entity_mut());
        quote! {
            #lints
            impl<'entity> #shared<'entity> for #entity<'entity> { #(#reading)* }

            #lints
            impl #exclusive for #entity_mut<'_> { #(#writing)* }
        }
    });
    quote!(#(#traits)* #(#each)*)
}

fn declaration(
    component: &Component,
    name: &TokenStream,
    handle: &str,
    methods: &[Method],
) -> TokenStream {
    let text = component.ident.unraw();
    let docs = docs(&format!(
        "The accessors of the component `{text}` on the {handle} handle of an entity."
    ));
    let (lints, visibility) = (lints(), &component.visibility);
    let methods = methods.iter().map(Method::declared);
    quote! {
        #docs
        #lints
        #visibility trait #name { #(#methods)* }
    }
}
