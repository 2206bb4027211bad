//! A context: the struct that holds everything, its constructors, its traits, and its two handles
//! of entities with their methods, each of which is one call of the generic method of the same
//! name. What one calls on the context itself are the methods of the trait `Context`.

mod dynamic;
mod exclusive;
mod handle;
mod listening;
mod reading;
mod shared;

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt as _;
use syn::{Attribute, Ident};

use crate::ast::ContextItem;

use super::lints::lints;
use super::method::Method;

/// Everything that takes the place of the struct.
pub(crate) fn expand(item: &ContextItem) -> TokenStream {
    let (context, entity, entity_mut) = (&item.ident, item.entity(), item.entity_mut());
    let parts = [
        definition(item),
        implement(&quote!(#context), &constructors(item)),
        shared::definition(item),
        implement(&quote!(<'a> #entity<'a>), &shared::methods(item)),
        exclusive::definition(item),
        implement(&quote!(#entity_mut<'_>), &exclusive::methods(item)),
    ];
    let (traits, lints) = (traits(item), lints());
    quote! {
        #(#parts)*

        #lints
        const _: () = { #traits };
    }
}

fn constructors(item: &ContextItem) -> [Method; 2] {
    let krate = &item.krate;
    let new = Method::named(
        "new",
        "Makes a context without entities.",
        quote!(() -> Self),
        quote!(Self { core: #krate::Core::new() }),
    );
    let with_capacity = Method::named(
        "with_capacity",
        "Makes a context without entities that has memory for some.",
        quote!((entities: ::core::primitive::usize) -> Self),
        quote!(Self { core: #krate::Core::with_capacity(entities) }),
    );
    let refused = "a context cannot hold so many, or there is no memory for them";
    [new.must_use(), with_capacity.panics(refused).must_use()]
}

/// The item again, where a `cfg` stands below the attribute: that must be decided before the struct
/// has companions.
pub(crate) fn postponed(item: &ContextItem) -> Option<TokenStream> {
    let is_conditional =
        |attr: &&Attribute| attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr");
    let (first, rest): (Vec<_>, Vec<_>) = item.attrs.iter().partition(is_conditional);
    if first.is_empty() {
        return None;
    }
    let ContextItem {
        visibility,
        ident,
        krate,
        ..
    } = item;
    let path = quote!(#krate).to_string();
    Some(quote! {
        #(#first)*
        #[#krate::context(crate = #path)]
        #(#rest)*
        #visibility struct #ident;
    })
}

fn definition(item: &ContextItem) -> TokenStream {
    let ContextItem {
        attrs,
        visibility,
        ident,
        krate,
    } = item;
    quote! {
        #(#attrs)*
        #visibility struct #ident {
            core: #krate::Core<#ident>,
        }
    }
}

/// An inherent `impl` of what follows the keyword.
fn implement(header: &TokenStream, methods: &[Method]) -> TokenStream {
    let (lints, methods) = (lints(), methods.iter().map(Method::inherent));
    quote! {
        #lints
        impl #header { #(#methods)* }
    }
}

fn traits(item: &ContextItem) -> TokenStream {
    let ident = &item.ident;
    let (entity, entity_mut) = (item.entity(), item.entity_mut());
    let parts = [
        context_trait(item),
        default_and_display(item),
        debug(&quote!(#ident), &quote!(core)),
        from(item, &entity, &quote!(Entity)),
        debug(&quote!(#entity<'_>), &quote!(0)),
        shared::traits(item),
        from(item, &entity_mut, &quote!(EntityMut)),
        debug(&quote!(#entity_mut<'_>), &quote!(0)),
    ];
    quote!(#(#parts)*)
}

fn context_trait(item: &ContextItem) -> TokenStream {
    let ContextItem { ident, krate, .. } = item;
    let (entity, entity_mut) = (item.entity(), item.entity_mut());
    let name = ident.unraw().to_string();
    quote! {
        #[automatically_derived]
        impl #krate::Context for #ident {}

        #[automatically_derived]
        impl #krate::Handles for #ident {
            type Entity<'a> = #entity<'a>;
            type EntityMut<'a> = #entity_mut<'a>;
        }

        #[automatically_derived]
        impl #krate::HasCore for #ident {
            const NAME: &'static ::core::primitive::str = #name;

            #[inline]
            fn core(&self) -> &#krate::Core<Self> { &self.core }

            #[inline]
            fn core_mut(&mut self) -> &mut #krate::Core<Self> { &mut self.core }
        }
    }
}

fn default_and_display(item: &ContextItem) -> TokenStream {
    let ContextItem { ident, krate, .. } = item;
    quote! {
        #[automatically_derived]
        impl ::core::default::Default for #ident {
            fn default() -> Self { Self::new() }
        }

        #[automatically_derived]
        impl ::core::fmt::Display for #ident {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.pad(<Self as #krate::HasCore>::NAME)
            }
        }
    }
}

/// `Debug` as of a field.
fn debug(ty: &TokenStream, field: &TokenStream) -> TokenStream {
    quote! {
        #[automatically_derived]
        impl ::core::fmt::Debug for #ty {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Debug::fmt(&self.#field, f)
            }
        }
    }
}

/// A handle from the generic one.
fn from(item: &ContextItem, name: &Ident, inner: &TokenStream) -> TokenStream {
    let ContextItem { ident, krate, .. } = item;
    quote! {
        #[automatically_derived]
        impl<'a> ::core::convert::From<#krate::#inner<'a, #ident>> for #name<'a> {
            #[inline]
            fn from(inner: #krate::#inner<'a, #ident>) -> Self { Self(inner) }
        }
    }
}
