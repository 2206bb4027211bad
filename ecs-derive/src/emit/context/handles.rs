//! The two entity handles of a context, which wrap the generic ones: `GameEntity<'_>` is `Copy` and
//! reads, `GameEntityMut<'_>` changes.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;
use syn::ext::IdentExt as _;

use crate::emit::blocks::derived;
use crate::emit::debug::debug;
use crate::emit::lints::lints;
use crate::emit::method::docs;
use crate::parse::ContextItem;

/// The struct of the shared handle.
pub(super) fn shared(item: &ContextItem) -> TokenStream {
    let name = item.ident.unraw();
    let text = format!("The shared handle of an entity of context `{name}`: reads it.");
    definition(item, &text, &item.entity(), &quote!(Entity))
}

/// The struct of the exclusive handle.
pub(super) fn exclusive(item: &ContextItem) -> TokenStream {
    let text = format!(
        "The exclusive handle of an entity of context `{}`: reads and changes it.\n\nMethods \
         that change the entity return the handle, so that calls can be chained. Observers run \
         within these calls and may destroy the entity: then `is_alive` is false, it has no \
         components, and further changes are rejected.",
        item.ident.unraw()
    );
    definition(item, &text, &item.entity_mut(), &quote!(EntityMut))
}

/// A struct with this name around a generic handle.
fn definition(item: &ContextItem, text: &str, name: &Ident, inner: &TokenStream) -> TokenStream {
    let ContextItem { ident, krate, .. } = item;
    let (docs, lints, visibility) = (docs(text), lints(), &item.visibility);
    quote! {
        #docs
        #lints
        #visibility struct #name<'a>(#krate::#inner<'a, #ident>);
    }
}

/// The traits of both.
pub(super) fn traits(item: &ContextItem) -> TokenStream {
    let (entity, entity_mut, none) = (item.entity(), item.entity_mut(), TokenStream::new());
    let parts = [
        from(item, &entity, &quote!(Entity)),
        debug(&quote!(#entity<'_>), &quote!(0)),
        clone(&entity),
        derived(&quote!(::core::marker::Copy for #entity<'_>), &none),
        partial_eq(&entity),
        derived(&quote!(::core::cmp::Eq for #entity<'_>), &none),
        from(item, &entity_mut, &quote!(EntityMut)),
        debug(&quote!(#entity_mut<'_>), &quote!(0)),
    ];
    quote!(#(#parts)*)
}

/// Converts a generic handle.
fn from(item: &ContextItem, name: &Ident, inner: &TokenStream) -> TokenStream {
    let ContextItem { ident, krate, .. } = item;
    let inner = quote!(#krate::#inner<'a, #ident>);
    let items = quote! {
        #[inline]
        fn from(inner: #inner) -> Self { Self(inner) }
    };
    derived(
        &quote!(<'a> ::core::convert::From<#inner> for #name<'a>),
        &items,
    )
}

fn clone(entity: &Ident) -> TokenStream {
    let items = quote! {
        #[inline]
        fn clone(&self) -> Self { *self }
    };
    derived(&quote!(::core::clone::Clone for #entity<'_>), &items)
}

fn partial_eq(entity: &Ident) -> TokenStream {
    let items = quote! {
        #[inline]
        fn eq(&self, other: &Self) -> ::core::primitive::bool { self.id() == other.id() }
    };
    derived(&quote!(::core::cmp::PartialEq for #entity<'_>), &items)
}
