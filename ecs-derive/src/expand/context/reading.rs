//! The methods that both handles have: they read.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::ast::ContextItem;
use crate::expand::method::{Method, READS};

/// How a handle reads.
pub(super) struct Reader {
    /// How the methods take the handle.
    pub(super) receiver: TokenStream,
    /// What references live as long as.
    pub(super) reference: TokenStream,
    /// When a component cannot be read, for texts.
    pub(super) missing: &'static str,
}

impl Reader {
    /// The methods for the handle of this context.
    pub(super) fn methods(&self, item: &ContextItem) -> Vec<Method> {
        let mut methods = self.of_the_entity(item);
        methods.extend(self.of_components(item));
        methods
    }

    fn method(&self, name: &str, does: &str, output: &TokenStream, call: TokenStream) -> Method {
        let receiver = &self.receiver;
        Method::named(
            name,
            does,
            quote!((#receiver) -> #output),
            quote!(self.0.#call),
        )
        .events(READS)
        .must_use()
    }

    fn of_the_entity(&self, item: &ContextItem) -> Vec<Method> {
        let ContextItem { krate, ident, .. } = item;
        let reference = &self.reference;
        let rows = [
            (
                "id",
                "Returns the entity's id, which outlives this handle.",
                quote!(#krate::EntityId<#ident>),
            ),
            (
                "context",
                "Returns the context that the entity lives in.",
                quote!(#reference #ident),
            ),
            (
                "is_empty",
                "Whether the entity has no component at all.",
                quote!(::core::primitive::bool),
            ),
            (
                "component_indices",
                "Returns the indices of the entity's components, in ascending order.",
                quote!(#krate::__private::Vec<#krate::ComponentIndex>),
            ),
        ];
        let method = |(name, does, output)| {
            let call = format_ident!("{name}");
            self.method(name, does, &output, quote!(#call()))
        };
        rows.into_iter().map(method).collect()
    }

    fn of_components(&self, item: &ContextItem) -> Vec<Method> {
        let ContextItem { krate, ident, .. } = item;
        let reference = &self.reference;
        let (bool, option) = (
            quote!(::core::primitive::bool),
            quote!(::core::option::Option),
        );
        let one = quote!(<T: #krate::Component<#ident>>);
        let several = quote!(<T: #krate::Components<#ident>>);
        let method = |name, does, generics: &TokenStream, output| {
            let call = format_ident!("{name}");
            self.method(name, does, &output, quote!(#call::<T>()))
                .generics(generics.clone())
        };
        let (has, all, any) = (
            "Whether the entity has the component `T`.",
            "Whether the entity has every component of `T`: one component or a tuple.",
            "Whether the entity has at least one component of `T`: one component or a tuple.",
        );
        vec![
            method("has", has, &one, bool.clone()),
            method("has_all", all, &several, bool.clone()),
            method("has_any", any, &several, bool),
            method(
                "get",
                "Returns the component `T`, or `None` if the entity does not have it.",
                &one,
                quote!(#option<#reference T>),
            ),
            method(
                "component",
                "Returns the component `T`.",
                &one,
                quote!(#reference T),
            )
            .panics(self.missing),
        ]
    }
}
