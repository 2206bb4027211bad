//! What changes many entities in one call.

use quote::quote;

use super::{CREATED_WHOLE, Scope};
use crate::expand::method::Method;

/// Where the methods are.
const TRAIT: &str = "BulkChanges";

const CANNOT_TAKE_PART: &str = "an entity cannot take part, or is there twice";

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
        vec![
            self.value_for_each(
                "add_many",
                "Adds to each of the entities a component, with the value made for it.",
            )
            .events("Reports for each entity, in order, what `add` reports.")
            .errors(CANNOT_TAKE_PART),
            self.value_for_each(
                "replace_many",
                "Replaces a component of each of the entities, or adds it, with the value made \
                 for it.",
            )
            .events("Reports for each entity, in order, what `replace` reports.")
            .errors("an entity is dead, or the component is unique and another one has it"),
            self.update_many(),
            Method::named(
                "remove_many",
                "Removes a component from each of the entities.",
                quote!((&mut self, ids: &[#id]) -> ::core::result::Result<(), #krate::Error>),
                quote!(<Self as #krate::BulkChanges>::remove_many::<T>(self, ids)),
            )
            .generics(quote!(<T: #krate::Component<Self>>))
            .events("Reports for each entity, in order, what `remove` reports.")
            .errors(CANNOT_TAKE_PART),
            self.calls_in(
                TRAIT,
                "destroy_many",
                "Destroys each of the entities.",
                quote!((&mut self, ids: &[#id]) -> ::core::result::Result<(), #krate::Error>),
                quote!(, ids),
            )
            .events("Reports for each entity, in order, what `destroy` reports.")
            .errors("an entity is dead, or is there twice; nothing has changed then"),
        ]
    }

    /// A method that is given a value for each entity.
    fn value_for_each(&self, name: &str, summary: &str) -> Method {
        let (krate, id) = (self.krate, &self.id);
        let signature = quote! {
            (
                &mut self,
                ids: &[#id],
                value: impl ::core::ops::FnMut(#id) -> T,
            ) -> ::core::result::Result<(), #krate::Error>
        };
        self.calls_in(TRAIT, name, summary, signature, quote!(, ids, value))
            .generics(quote!(<T: #krate::Component<Self>>))
    }

    fn update_many(&self) -> Method {
        let (krate, id) = (self.krate, &self.id);
        let signature = quote! {
            (
                &mut self,
                ids: &[#id],
                change: impl ::core::ops::FnMut(#id, &mut T),
            ) -> ::core::result::Result<(), #krate::Error>
        };
        let summary = "Changes a component of each of the entities in place.";
        let arguments = quote!(, ids, change);
        self.calls_in(TRAIT, "update_many", summary, signature, arguments)
            .generics(quote!(<T: #krate::Component<Self>>))
            .events("Reports for each entity, in order, what `update` reports.")
            .errors("an entity is dead, or lacks the component; nothing has changed then")
    }
}
