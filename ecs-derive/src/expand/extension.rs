//! The accessors of a component whose context lives in another crate: two traits, or three where it
//! is unique, since only the context's own crate can give its types inherent methods.

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
            "the shared handle of an entity",
            &accessors.shared,
        ),
        declaration(
            component,
            &quote!(#exclusive),
            "the exclusive handle of an entity",
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
    let (on_contexts, of_contexts) = (on_contexts(component, accessors), component.contexts.iter());
    let each = of_contexts.map(|context| {
        let (entity, entity_mut) = (context.entity(), context.entity_mut());
        quote! {
            #lints
            impl<'entity> #shared<'entity> for #entity<'entity> { #(#reading)* }

            #lints
            impl #exclusive for #entity_mut<'_> { #(#writing)* }
        }
    });
    quote!(#(#traits)* #(#each)* #on_contexts)
}

/// The trait for the contexts themselves, which a unique component has, and its implementations.
/// Its methods are the same for each context.
fn on_contexts(component: &Component, accessors: &Accessors) -> TokenStream {
    let Some(methods) = accessors.contexts.first().filter(|m| !m.is_empty()) else {
        return TokenStream::new();
    };
    let krate = &component.krate;
    let name = format_ident!("{}ContextExt", component.ident);
    let header = quote!(#name: #krate::Context);
    let declaration = declaration(component, &header, "its contexts", methods);
    let lints = lints();
    let methods = methods.iter().map(Method::implemented);
    let methods = quote!(#(#methods)*);
    let paths = component.contexts.iter().map(|context| &context.path);
    quote! {
        #declaration
        #(
            #lints
            impl #name for #paths { #methods }
        )*
    }
}

fn declaration(
    component: &Component,
    name: &TokenStream,
    place: &str,
    methods: &[Method],
) -> TokenStream {
    let text = component.ident.unraw();
    let docs = docs(&format!(
        "The accessors of the component `{text}` on {place}."
    ));
    let (lints, visibility) = (lints(), &component.visibility);
    let methods = methods.iter().map(Method::declared);
    quote! {
        #docs
        #lints
        #visibility trait #name { #(#methods)* }
    }
}
