//! What changes many entities in one call.

use quote::quote;

use super::{CREATED_WHOLE, Scope};
use crate::expand::method::Method;

/// Where the methods are.
const TRAIT: &str = "BulkChanges";

impl Scope<'_> {
    pub(super) fn creating_many(&self) -> Vec<Method> {
        let (krate, vec, id) = (self.krate, &self.vec, &self.id);
        vec![
            self.calls_in(
                TRAIT,
                "create_many",
                "Creates an entity from each of the bundles, in one change each.",
                quote! {
                    (&mut self, bundles: I) -> #vec<#id>
                    where
                        I: ::core::iter::IntoIterator,
                        I::Item: #krate::Bundle<Self>,
                },
                quote!(, bundles),
            )
            .generics(quote!(<I>))
            .events(CREATED_WHOLE)
            .panics("a bundle has a component twice; its entity is not created then"),
            self.calls_in(
                TRAIT,
                "create_columns",
                "Creates an entity from each row of lists of values: a `Vec<T>` or a `&[T]` for \
                 each component.",
                quote! {
                    (&mut self, batch: B) -> ::core::result::Result<#vec<#id>, #krate::Error>
                },
                quote!(, batch),
            )
            .generics(quote!(<B: #krate::Batch<Self>>))
            .events(CREATED_WHOLE)
            .panics("a component is there twice; nothing is created then")
            .errors("the lists differ in length; nothing is created then"),
        ]
    }

    pub(super) fn changing_many(&self) -> Vec<Method> {
        let (krate, id) = (self.krate, &self.id);
        let one = quote!(<T: #krate::Component<Self>>);
        let refused = "an entity cannot take part, or is there twice";
        let output = quote!(::core::result::Result<(), #krate::Error>);
        vec![
            self.calls_in(
                TRAIT,
                "add_many",
                "Adds to each of the entities a component, with the value made for it.",
                quote! {
                    (
                        &mut self,
                        ids: &[#id],
                        value: impl ::core::ops::FnMut(#id) -> T,
                    ) -> #output
                },
                quote!(, ids, value),
            )
            .generics(one.clone())
            .events("Reports for each entity, in order, what `add` reports.")
            .errors(refused),
            Method::named(
                "remove_many",
                "Removes a component from each of the entities.",
                quote!((&mut self, ids: &[#id]) -> #output),
                quote!(<Self as #krate::BulkChanges>::remove_many::<T>(self, ids)),
            )
            .generics(one)
            .events("Reports for each entity, in order, what `remove` reports.")
            .errors(refused),
            self.calls_in(
                TRAIT,
                "destroy_many",
                "Destroys each of the entities.",
                quote!((&mut self, ids: &[#id]) -> #output),
                quote!(, ids),
            )
            .events("Reports for each entity, in order, what `destroy` reports.")
            .errors("an entity is dead, or is there twice; nothing has changed then"),
        ]
    }
}
