//! `GameEntity<'_>`: the handle that reads, and is copied at will.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt as _;

use crate::ast::ContextItem;
use crate::expand::method::{Method, READS};

/// The struct.
pub(super) fn definition(item: &ContextItem) -> TokenStream {
    let docs = format!(
        "A living entity of context `{}`, to be read.",
        item.ident.unraw()
    );
    super::handle(item, &docs, &item.entity(), &quote!(Entity))
}

/// What makes it a plain value.
pub(super) fn traits(item: &ContextItem) -> TokenStream {
    let entity = item.entity();
    quote! {
        #[automatically_derived]
        impl ::core::clone::Clone for #entity<'_> {
            #[inline]
            fn clone(&self) -> Self { *self }
        }

        #[automatically_derived]
        impl ::core::marker::Copy for #entity<'_> {}

        #[automatically_derived]
        impl ::core::cmp::PartialEq for #entity<'_> {
            #[inline]
            fn eq(&self, other: &Self) -> ::core::primitive::bool { self.id() == other.id() }
        }

        #[automatically_derived]
        impl ::core::cmp::Eq for #entity<'_> {}
    }
}

/// The generic methods.
pub(super) fn methods(item: &ContextItem) -> Vec<Method> {
    let mut methods = whole(item);
    methods.extend(components(item));
    methods
        .into_iter()
        .map(|method| method.events(READS).must_use())
        .collect()
}

/// Of the entity as a whole.
fn whole(item: &ContextItem) -> Vec<Method> {
    let ContextItem { krate, ident, .. } = item;
    vec![
        Method::named(
            "id",
            "Returns the entity's id, which outlives this handle.",
            quote!((self) -> #krate::EntityId<#ident>),
            quote!(self.0.id()),
        ),
        Method::named(
            "context",
            "Returns the context that the entity lives in.",
            quote!((self) -> &'a #ident),
            quote!(self.0.context()),
        ),
        Method::named(
            "is_empty",
            "Whether the entity has no component at all.",
            quote!((self) -> ::core::primitive::bool),
            quote!(self.0.is_empty()),
        ),
        Method::named(
            "component_indices",
            "Returns the indices of the entity's components, in ascending order.",
            quote!((self) -> #krate::__private::Vec<#krate::ComponentIndex>),
            quote!(self.0.component_indices()),
        ),
    ]
}

/// Of one component or several.
fn components(item: &ContextItem) -> Vec<Method> {
    let ContextItem { krate, ident, .. } = item;
    let reading =
        |name, does, output, body| Method::named(name, does, quote!((self) -> #output), body);
    let bool = quote!(::core::primitive::bool);
    let one = quote!(<T: #krate::Component<#ident>>);
    let several = quote!(<T: #krate::Components<#ident>>);
    vec![
        reading(
            "has",
            "Whether the entity has the component `T`.",
            bool.clone(),
            quote!(self.0.has::<T>()),
        )
        .generics(one.clone()),
        reading(
            "has_all",
            "Whether the entity has every component of the tuple `T`.",
            bool.clone(),
            quote!(self.0.has_all::<T>()),
        )
        .generics(several.clone()),
        reading(
            "has_any",
            "Whether the entity has a component of the tuple `T`.",
            bool,
            quote!(self.0.has_any::<T>()),
        )
        .generics(several),
        reading(
            "get",
            "Returns the component `T`, or `None` where the entity does not have it.",
            quote!(::core::option::Option<&'a T>),
            quote!(self.0.get::<T>()),
        )
        .generics(one.clone()),
        reading(
            "component",
            "Returns the component `T`.",
            quote!(&'a T),
            quote!(self.0.component::<T>()),
        )
        .generics(one)
        .panics("the entity does not have the component"),
    ]
}
