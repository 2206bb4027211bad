//! Looking up entities and components that may not be there.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::expand::method::{DEAD, Method, READS};

use super::Scope;

impl Scope<'_> {
    pub(super) fn looking_up(&self) -> Vec<Method> {
        let (krate, id) = (self.krate, &self.id);
        let (entity, entity_mut) = (&self.entity, &self.entity_mut);
        let result = |handle| quote!(::core::result::Result<#handle<'_>, #krate::Error>);
        let (shared, exclusive) = (result(entity), result(entity_mut));
        vec![
            self.looks_up(
                "try_entity",
                "Returns the handle that reads an entity.",
                quote!((&self, id: #id) -> #shared),
                quote!((self, id)),
            )
            .errors(DEAD),
            self.looks_up(
                "try_entity_mut",
                "Returns the handle that changes an entity.",
                quote!((&mut self, id: #id) -> #exclusive),
                quote!((self, id)),
            )
            .errors(DEAD),
            self.looks_up(
                "component_index",
                "Returns the index of the component `T`.",
                quote!((&self) -> #krate::ComponentIndex),
                quote!(::<T>(self)),
            )
            .generics(quote!(<T: #krate::Component<Self>>))
            .must_use(),
            self.looks_up(
                "find_component",
                "Returns what is known of the component with this name or full path.",
                quote! {
                    (&self, name: &::core::primitive::str)
                        -> ::core::option::Option<&#krate::ComponentInfo>
                },
                quote!((self, name)),
            )
            .must_use(),
        ]
    }

    /// A method that calls the one of the same name in the trait `LookUp`.
    fn looks_up(
        &self,
        name: &str,
        does: &str,
        signature: TokenStream,
        call: TokenStream,
    ) -> Method {
        let (krate, method) = (self.krate, format_ident!("{name}"));
        let body = quote!(<Self as #krate::LookUp>::#method #call);
        Method::named(name, does, signature, body).events(READS)
    }
}
