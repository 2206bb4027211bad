//! Entity indexes, and the exchange of keys.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::expand::method::Method;

use super::Scope;

impl Scope<'_> {
    pub(super) fn indexing(&self) -> Vec<Method> {
        let (krate, entity) = (self.krate, &self.entity);
        let key = quote! {
            ::core::hash::Hash
                + ::core::cmp::Eq
                + ::core::marker::Send
                + ::core::marker::Sync
                + 'static
        };
        let function = |output: TokenStream| {
            quote! {
                impl ::core::ops::Fn(#entity<'_>) -> #output
                    + ::core::marker::Send
                    + ::core::marker::Sync
                    + 'static
            }
        };
        let (one, each) = (function(quote!(K)), function(quote!(I)));
        let matcher = quote!(matcher: #krate::Matcher<Self>);
        let made = "Reports *group created* where the matcher is a new one.";
        let makes = |name: &str, does, signature, function: &str| {
            let (method, function) = (format_ident!("{name}"), format_ident!("{function}"));
            let body = quote!(<Self as #krate::Indexing>::#method(self, matcher, #function));
            Method::named(name, does, signature, body).events(made)
        };
        vec![
            makes(
                "entity_index",
                "Makes an index of the entities that match, by the key that `key` tells of each: \
                 of all that match already, and of whoever will.",
                quote! {
                    (&mut self, #matcher, key: #one) -> #krate::EntityIndex<Self, K>
                    where
                        K: #key,
                },
                "key",
            )
            .generics(quote!(<K>)),
            makes(
                "entity_index_each",
                "Makes an index of the entities that match, by the keys that `keys` tells of \
                 each: none, one or several.",
                quote! {
                    (&mut self, #matcher, keys: #each) -> #krate::EntityIndex<Self, I::Item>
                    where
                        I: ::core::iter::IntoIterator,
                        I::Item: #key,
                },
                "keys",
            )
            .generics(quote!(<I>)),
        ]
    }

    pub(super) fn swapping(&self) -> Vec<Method> {
        let (krate, id) = (self.krate, &self.id);
        let refused = "one of them is dead or does not have the component";
        let swaps = |name, output: TokenStream| {
            let method = format_ident!("{name}");
            Method::named(
                name,
                "Exchanges a component of two entities in one step: also two keys of a primary \
                 index, which one after the other would be refused.",
                quote!((&mut self, a: #id, b: #id) #output),
                quote!(<Self as #krate::Indexing>::#method::<T>(self, a, b)),
            )
            .generics(quote!(<T: #krate::Component<Self>>))
            .events("Reports for both, when both are changed, what `update` reports.")
        };
        vec![
            swaps("swap", quote!()).panics(refused),
            swaps(
                "try_swap",
                quote!(-> ::core::result::Result<(), #krate::Error>),
            )
            .errors(refused),
        ]
    }
}
