//! Copying entities.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::expand::method::{Method, READS};

use super::Scope;

const CREATES: &str =
    "Reports *created*, then *entered* to the groups that the finished entity is in.";

const NOT_CLONED: &str = "the entity is dead or a component to be copied is not `Clone`";

impl Scope<'_> {
    pub(super) fn copying(&self) -> Vec<Method> {
        let mut methods = self.cloning();
        methods.extend(self.copying_to());
        methods.extend(self.taking_templates());
        methods
    }

    /// A method that calls the one of the same name in the trait `CopyEntities`.
    fn copies(
        &self,
        name: &str,
        does: &str,
        signature: TokenStream,
        arguments: TokenStream,
    ) -> Method {
        let (krate, method) = (self.krate, format_ident!("{name}"));
        let body = quote!(<Self as #krate::CopyEntities>::#method(self, #arguments));
        Method::named(name, does, signature, body)
    }

    fn cloning(&self) -> Vec<Method> {
        let (krate, id, entity) = (self.krate, &self.id, &self.entity_mut);
        let result = quote!(::core::result::Result<#entity<'_>, #krate::Error>);
        let with = quote!((&mut self, id: #id, copying: &#krate::Copying<Self>));
        let all = "Creates an entity with clones of all components of another one, in one \
                   change. Unique components are not copied.";
        let some = "Creates an entity with clones of some components of another one, in one \
                    change. Unique components are not copied.";
        vec![
            self.copies(
                "clone_entity",
                all,
                quote!((&mut self, id: #id) -> #entity<'_>),
                quote!(id),
            )
            .events(CREATES)
            .panics(NOT_CLONED),
            self.copies(
                "try_clone_entity",
                all,
                quote!((&mut self, id: #id) -> #result),
                quote!(id),
            )
            .events(CREATES)
            .errors(NOT_CLONED),
            self.copies(
                "clone_entity_with",
                some,
                quote!(#with -> #entity<'_>),
                quote!(id, copying),
            )
            .events(CREATES)
            .panics(NOT_CLONED),
            self.copies(
                "try_clone_entity_with",
                some,
                quote!(#with -> #result),
                quote!(id, copying),
            )
            .events(CREATES)
            .errors(NOT_CLONED),
        ]
    }

    fn copying_to(&self) -> Vec<Method> {
        let (krate, id) = (self.krate, &self.id);
        let takes = quote!((&mut self, from: #id, to: #id, copying: &#krate::Copying<Self>));
        let does = "Copies components of an entity to another one: those that `copying` \
                    chooses. Unique components are not copied.";
        let events = "Reports for each component, in ascending order of index, what `add` or \
                      `replace` reports.";
        let refused = "an entity is dead, a component to be copied is not `Clone`, or one is \
                       there already and `copying` does not say what becomes of it";
        let arguments = quote!(from, to, copying);
        vec![
            self.copies("copy_to", does, takes.clone(), arguments.clone())
                .events(events)
                .panics(refused),
            self.copies(
                "try_copy_to",
                does,
                quote!(#takes -> ::core::result::Result<(), #krate::Error>),
                arguments,
            )
            .events(events)
            .errors(refused),
        ]
    }

    fn taking_templates(&self) -> Vec<Method> {
        let (krate, id) = (self.krate, &self.id);
        let takes = quote!((&self, id: #id, copying: &#krate::Copying<Self>));
        let template = quote!(#krate::Template<Self>);
        let does = "Returns a template with clones of the components of an entity that \
                    `copying` chooses. Unique components are not copied.";
        vec![
            self.copies(
                "template_of",
                does,
                quote!(#takes -> #template),
                quote!(id, copying),
            )
            .panics(NOT_CLONED),
            self.copies(
                "try_template_of",
                does,
                quote!(#takes -> ::core::result::Result<#template, #krate::Error>),
                quote!(id, copying),
            )
            .errors(NOT_CLONED),
        ]
        .into_iter()
        .map(|method| method.events(READS).must_use())
        .collect()
    }
}
