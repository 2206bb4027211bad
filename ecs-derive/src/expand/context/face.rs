//! The methods of the context itself. Here are those that make, find and destroy entities.

mod bulk;
mod contents;
mod copying;
mod indexes;
mod listening;
mod looking_up;
mod reactions;
mod unique;
mod upkeep;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Ident, Path};

use crate::ast::ContextItem;
use crate::expand::method::{DEAD, DESTROYS, ENDING, Method, READS};

const CREATED: &str =
    "Reports *created*, and *entered* to the groups that match entities without components.";
const CREATED_WHOLE: &str =
    "Reports *created*, then *entered* to the groups that the finished entity is in.";

/// All of them.
pub(super) fn methods(item: &ContextItem) -> Vec<Method> {
    let scope = Scope::new(item);
    let mut methods = vec![scope.new_context(), scope.with_capacity()];
    methods.extend(scope.creating());
    methods.extend(scope.creating_many());
    methods.extend(scope.changing_many());
    methods.extend(scope.swapping());
    methods.extend(scope.finding());
    methods.extend(scope.destroying());
    methods.extend(scope.counting());
    methods.extend(scope.querying());
    methods.extend(scope.matching());
    methods.extend(scope.grouping());
    methods.extend(scope.indexing());
    methods.extend(scope.observing());
    methods.extend(scope.unsubscribing());
    methods.extend(scope.listening());
    methods.extend(scope.delivering());
    methods.extend(scope.inspecting());
    methods.extend(scope.copying());
    methods.extend(scope.looking_up());
    methods.extend(scope.owning());
    methods.extend(scope.setting());
    methods.push(scope.cleaning());
    methods.extend(scope.upkeep());
    methods
}

/// The words that the signatures share.
struct Scope<'i> {
    krate: &'i Path,
    entity: Ident,
    entity_mut: Ident,
    id: TokenStream,
    vec: TokenStream,
}

impl<'i> Scope<'i> {
    fn new(item: &'i ContextItem) -> Self {
        let krate = &item.krate;
        Self {
            krate,
            entity: item.entity(),
            entity_mut: item.entity_mut(),
            id: quote!(#krate::EntityId<Self>),
            vec: quote!(#krate::__private::Vec),
        }
    }

    /// A method that calls the one of the same name in the trait `Context` with these arguments.
    fn calls(
        &self,
        name: &str,
        does: &str,
        signature: TokenStream,
        arguments: TokenStream,
    ) -> Method {
        self.calls_in("Context", name, does, signature, arguments)
    }

    /// The same for another trait that all contexts have.
    fn calls_in(
        &self,
        of: &str,
        name: &str,
        does: &str,
        signature: TokenStream,
        arguments: TokenStream,
    ) -> Method {
        let (krate, of, method) = (self.krate, format_ident!("{of}"), format_ident!("{name}"));
        let body = quote!(<Self as #krate::#of>::#method(self #arguments));
        Method::named(name, does, signature, body)
    }

    fn reads(
        &self,
        name: &str,
        does: &str,
        signature: TokenStream,
        arguments: TokenStream,
    ) -> Method {
        self.calls(name, does, signature, arguments)
            .events(READS)
            .must_use()
    }

    /// The same of the trait `LookUp`.
    fn finds(
        &self,
        name: &str,
        does: &str,
        signature: TokenStream,
        arguments: TokenStream,
    ) -> Method {
        self.calls_in("LookUp", name, does, signature, arguments)
            .events(READS)
            .must_use()
    }

    fn new_context(&self) -> Method {
        let krate = self.krate;
        let body = quote!(Self { core: #krate::Core::new() });
        Method::named(
            "new",
            "Makes a context without entities.",
            quote!(() -> Self),
            body,
        )
        .events(READS)
        .must_use()
    }

    fn creating(&self) -> Vec<Method> {
        let (krate, entity_mut) = (self.krate, &self.entity_mut);
        vec![
            self.calls_in(
                "Lifecycle",
                "create_entity",
                "Creates an entity without components.",
                quote!((&mut self) -> #entity_mut<'_>),
                quote!(),
            )
            .events(CREATED),
            self.calls_in(
                "Lifecycle",
                "create_with",
                "Creates an entity with a component, or with a tuple of them, in one change.",
                quote!((&mut self, bundle: B) -> #entity_mut<'_>),
                quote!(, bundle),
            )
            .generics(quote!(<B: #krate::Bundle<Self>>))
            .events(CREATED_WHOLE)
            .panics("the bundle has a component twice; no entity is created then"),
        ]
    }

    fn finding(&self) -> Vec<Method> {
        let (id, entity, entity_mut) = (&self.id, &self.entity, &self.entity_mut);
        let (reads, changes) = (
            "Returns the handle that reads an entity",
            "Returns the handle that changes an entity",
        );
        let finds = |name, receiver: TokenStream, does: &str, output: TokenStream| {
            let signature = quote!((#receiver, id: #id) -> #output);
            self.finds(name, does, signature, quote!(, id))
        };
        let gets = |name, receiver, does, handle: &Ident| {
            let does = format!("{does}, or `None` where it is dead.");
            finds(
                name,
                receiver,
                &does,
                quote!(::core::option::Option<#handle<'_>>),
            )
        };
        let handles = |name, receiver, does, handle: &Ident| {
            finds(name, receiver, &format!("{does}."), quote!(#handle<'_>)).panics(DEAD)
        };
        let contains = "Whether the entity lives in this context.";
        vec![
            finds(
                "contains",
                quote!(&self),
                contains,
                quote!(::core::primitive::bool),
            ),
            handles("entity", quote!(&self), reads, entity),
            gets("get_entity", quote!(&self), reads, entity),
            handles("entity_mut", quote!(&mut self), changes, entity_mut),
            gets("get_entity_mut", quote!(&mut self), changes, entity_mut),
        ]
    }

    fn destroying(&self) -> Vec<Method> {
        let (krate, id) = (self.krate, &self.id);
        vec![
            self.calls_in(
                "Lifecycle",
                "destroy",
                "Destroys an entity.",
                quote!((&mut self, id: #id)),
                quote!(, id),
            )
            .events(DESTROYS)
            .panics(ENDING),
            self.calls_in(
                "Lifecycle",
                "try_destroy",
                "Destroys an entity.",
                quote!((&mut self, id: #id) -> ::core::result::Result<(), #krate::Error>),
                quote!(, id),
            )
            .events(DESTROYS)
            .errors(ENDING),
            self.calls_in(
                "Lifecycle",
                "destroy_all",
                "Destroys every entity that is alive now; those that observers create meanwhile \
                 stay.",
                quote!((&mut self)),
                quote!(),
            )
            .events("Reports for each entity what `destroy` reports."),
            self.calls(
                "reset",
                "Destroys every entity, empties every collector and every list of removed \
                 values, and gives out the indices of entities from the start again. Groups \
                 and observers stay; the ids of before stay dead.",
                quote!((&mut self)),
                quote!(),
            )
            .events("Reports for each entity what `destroy` reports."),
        ]
    }
}
