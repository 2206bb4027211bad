//! The accessors of a component whose context lives in another crate: two traits, or three if it
//! is unique, since only the context's own crate can give its types inherent methods.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::ext::IdentExt as _;

use crate::ast::Component;

use super::accessors::Accessors;
use super::blocks::{declaration, implementation};
use super::method::Method;

/// The traits and their implementations.
pub(super) fn expand(component: &Component, accessors: &Accessors) -> TokenStream {
    let on_handles = on_handles(component, accessors);
    let on_contexts = on_contexts(component, accessors);
    quote!(#on_handles #on_contexts)
}

/// The traits for the two handles.
fn on_handles(component: &Component, accessors: &Accessors) -> TokenStream {
    let Accessors {
        shared, exclusive, ..
    } = accessors;
    let reading = format_ident!("{}Ext", component.ident);
    let writing = format_ident!("{}MutExt", component.ident);
    let (shared_handle, exclusive_handle) = (
        "the shared handle of an entity",
        "the exclusive handle of an entity",
    );
    let traits = [
        declared(component, shared_handle, quote!(#reading<'entity>), shared),
        declared(component, exclusive_handle, quote!(#writing), exclusive),
    ];
    let implementations = component.contexts.iter().flat_map(|context| {
        let (entity, entity_mut) = (context.entity(), context.entity_mut());
        let header = quote!(<'entity> #reading<'entity> for #entity<'entity>);
        [
            implementation(&header, shared),
            implementation(&quote!(#writing for #entity_mut<'_>), exclusive),
        ]
    });
    traits.into_iter().chain(implementations).collect()
}

/// The trait for the contexts themselves, if the component is unique. Its methods are the same for
/// each context.
fn on_contexts(component: &Component, accessors: &Accessors) -> Option<TokenStream> {
    let mut contexts = accessors.contexts.iter();
    let methods = contexts.find(|methods| !methods.is_empty())?;
    let (krate, name) = (
        &component.krate,
        format_ident!("{}ContextExt", component.ident),
    );
    let declaration = declared(
        component,
        "its contexts",
        quote!(#name: #krate::Context),
        methods,
    );
    let paths = component.contexts.iter().map(|context| &context.path);
    let implementations = paths.map(|path| implementation(&quote!(#name for #path), methods));
    Some(quote!(#declaration #(#implementations)*))
}

fn declared(
    component: &Component,
    place: &str,
    header: TokenStream,
    methods: &[Method],
) -> TokenStream {
    let name = component.ident.unraw();
    let text = format!("The accessors of the component `{name}` on {place}.");
    declaration(&text, &component.visibility, &header, methods)
}
