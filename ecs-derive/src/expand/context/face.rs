//! The methods of the context itself.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Ident, Path};

use crate::ast::ContextItem;
use crate::expand::method::{Method, READS};

const CREATED: &str = "Reports *created*.";
const DESTROYS: &str =
    "Reports *will be destroyed*, then *left* to every group of the entity, then *destroyed*.";
const GONE: &str = "there is no such entity: it is dead, or of another context";

/// All of them.
pub(super) fn methods(item: &ContextItem) -> Vec<Method> {
    let scope = Scope::new(item);
    let mut methods = vec![scope.new_context()];
    methods.extend(scope.creating());
    methods.extend(scope.finding());
    methods.extend(scope.destroying());
    methods.extend(scope.counting());
    methods.extend(scope.matching());
    methods.extend(scope.grouping());
    methods.extend(scope.observing());
    methods.extend(scope.unsubscribing());
    methods.extend(scope.inspecting());
    methods.extend(scope.pooling());
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
        let (krate, method) = (self.krate, format_ident!("{name}"));
        let body = quote!(<Self as #krate::Context>::#method(self #arguments));
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

    fn new_context(&self) -> Method {
        let krate = self.krate;
        let body = quote!(Self { core: #krate::Core::new() });
        Method::named(
            "new",
            "Makes a context without entities.",
            quote!(() -> Self),
            body,
        )
        .must_use()
    }

    fn creating(&self) -> Vec<Method> {
        let (krate, vec, id, entity_mut) = (self.krate, &self.vec, &self.id, &self.entity_mut);
        let entered =
            "Reports *created*, then *entered* to the groups that the finished entity is in.";
        vec![
            self.calls(
                "create_entity",
                "Creates an entity without components.",
                quote!((&mut self) -> #entity_mut<'_>),
                quote!(),
            )
            .events(CREATED),
            self.calls(
                "create_with",
                "Creates an entity with a component, or with a tuple of them, in one change.",
                quote!((&mut self, bundle: B) -> #entity_mut<'_>),
                quote!(, bundle),
            )
            .generics(quote!(<B: #krate::Bundle<Self>>))
            .events(entered),
            self.calls(
                "create_many",
                "Creates an entity from each of the bundles.",
                quote! {
                    (&mut self, bundles: I) -> #vec<#id>
                    where
                        I: ::core::iter::IntoIterator,
                        I::Item: #krate::Bundle<Self>,
                },
                quote!(, bundles),
            )
            .generics(quote!(<I>))
            .events(entered),
        ]
    }

    fn finding(&self) -> Vec<Method> {
        let (id, entity, entity_mut) = (&self.id, &self.entity, &self.entity_mut);
        let (reads, changes) = (
            "Returns the handle that reads an entity",
            "Returns the handle that changes an entity",
        );
        let or_none = |does| format!("{does}, or `None` where there is no such entity.");
        vec![
            self.reads(
                "contains",
                "Whether the entity lives in this context.",
                quote!((&self, id: #id) -> ::core::primitive::bool),
                quote!(, id),
            ),
            self.reads(
                "entity",
                &format!("{reads}."),
                quote!((&self, id: #id) -> #entity<'_>),
                quote!(, id),
            )
            .panics(GONE),
            self.reads(
                "get_entity",
                &or_none(reads),
                quote!((&self, id: #id) -> ::core::option::Option<#entity<'_>>),
                quote!(, id),
            ),
            self.reads(
                "entity_mut",
                &format!("{changes}."),
                quote!((&mut self, id: #id) -> #entity_mut<'_>),
                quote!(, id),
            )
            .panics(GONE),
            self.reads(
                "get_entity_mut",
                &or_none(changes),
                quote!((&mut self, id: #id) -> ::core::option::Option<#entity_mut<'_>>),
                quote!(, id),
            ),
        ]
    }

    fn destroying(&self) -> Vec<Method> {
        let (krate, id) = (self.krate, &self.id);
        vec![
            self.calls("destroy", "Destroys an entity.", quote!((&mut self, id: #id)), quote!(, id))
                .events(DESTROYS)
                .panics(GONE),
            self.calls(
                "try_destroy",
                "Destroys an entity.",
                quote!((&mut self, id: #id) -> ::core::result::Result<(), #krate::Error>),
                quote!(, id),
            )
            .events(DESTROYS)
            .errors(GONE),
            self.calls(
                "destroy_all",
                "Destroys every entity.",
                quote!((&mut self)),
                quote!(),
            )
            .events("Reports for each entity what `destroy` reports."),
            self.calls(
                "reset",
                "Destroys every entity and makes the context as good as new; its groups, collectors and observers stay.",
                quote!((&mut self)),
                quote!(),
            )
            .events("Reports for each entity what `destroy` reports."),
        ]
    }

    fn counting(&self) -> Vec<Method> {
        let krate = self.krate;
        vec![
            self.reads(
                "len",
                "Returns the number of entities.",
                quote!((&self) -> ::core::primitive::usize),
                quote!(),
            ),
            self.reads(
                "is_empty",
                "Whether there is no entity.",
                quote!((&self) -> ::core::primitive::bool),
                quote!(),
            ),
            self.reads(
                "entities",
                "Iterates over the entities.",
                quote!((&self) -> #krate::Entities<'_, Self>),
                quote!(),
            ),
        ]
    }

    fn matching(&self) -> Vec<Method> {
        let krate = self.krate;
        let matcher = |name, does| {
            let method = format_ident!("{name}");
            let body = quote!(#krate::Matcher::<Self>::#method::<T>());
            Method::named(name, does, quote!(() -> #krate::Matcher<Self>), body)
                .generics(quote!(<T: #krate::Components<Self>>))
                .must_use()
        };
        vec![
            matcher(
                "all_of",
                "Matches entities that have every component of the tuple `T`.",
            ),
            matcher(
                "any_of",
                "Matches entities that have a component of the tuple `T`.",
            ),
            matcher(
                "none_of",
                "Matches entities that have no component of the tuple `T`.",
            ),
        ]
    }

    fn grouping(&self) -> Vec<Method> {
        let (krate, vec) = (self.krate, &self.vec);
        vec![
            self.calls(
                "group",
                "Returns the group of the entities that match, which is made at the first call with an equal matcher.",
                quote!((&mut self, matcher: #krate::Matcher<Self>) -> #krate::Group<Self>),
                quote!(, matcher),
            )
            .events("Reports *group created* where it is made."),
            self.reads(
                "groups",
                "Returns the groups, in order of creation.",
                quote!((&self) -> #vec<#krate::Group<Self>>),
                quote!(),
            ),
            self.calls(
                "collector",
                "Makes a collector of the entities that the trigger concerns from now on.",
                quote!((&mut self, trigger: #krate::Trigger<Self>) -> #krate::Collector<Self>),
                quote!(, trigger),
            )
            .events("Reports *group created* where the trigger's groups are made."),
        ]
    }

    /// A method that takes an observer of `about`.
    fn observes(&self, name: &str, when: &str, about: TokenStream) -> Method {
        let krate = self.krate;
        let signature = quote! {
            (
                &mut self,
                observer: impl ::core::ops::FnMut(&mut Self, #about)
                    + ::core::marker::Send
                    + ::core::marker::Sync
                    + 'static
            ) -> #krate::Subscription
        };
        let does =
            format!("Calls `observer` {when}; observers run in the order of their subscription.");
        self.calls(name, &does, signature, quote!(, observer))
            .events(READS)
    }

    fn observing(&self) -> Vec<Method> {
        let (krate, id) = (self.krate, &self.id);
        vec![
            self.observes("on_created", "after an entity is created", id.clone()),
            self.observes(
                "on_will_be_destroyed",
                "before an entity is destroyed, while it is whole and in its groups",
                id.clone(),
            ),
            self.observes(
                "on_destroyed",
                "after an entity is destroyed, with an id that is dead by then",
                id.clone(),
            ),
            self.observes(
                "on_group_created",
                "after a group is made",
                quote!(#krate::Group<Self>),
            ),
        ]
    }

    fn unsubscribing(&self) -> Vec<Method> {
        let krate = self.krate;
        vec![
            self.calls(
                "unsubscribe",
                "Ends a subscription at once. Returns whether there was one.",
                quote!((&mut self, subscription: #krate::Subscription) -> ::core::primitive::bool),
                quote!(, subscription),
            ),
            self.calls("clear_observers", "Ends every subscription.", quote!((&mut self)), quote!()),
            self.calls(
                "set_notification_limit",
                "Sets how many notifications one change may lead to; a chain of reactions that goes on beyond it panics.",
                quote!((&mut self, limit: ::core::primitive::usize)),
                quote!(, limit),
            ),
        ]
        .into_iter()
        .map(|method| method.events(READS))
        .collect()
    }

    fn inspecting(&self) -> Vec<Method> {
        let krate = self.krate;
        vec![
            self.reads(
                "components",
                "Returns what is known of each component of the context, in order of their indices.",
                quote!((&self) -> &[#krate::ComponentInfo]),
                quote!(),
            ),
            self.reads(
                "reusable_entities",
                "Returns the number of destroyed entities whose place waits for the next ones.",
                quote!((&self) -> ::core::primitive::usize),
                quote!(),
            ),
        ]
    }

    fn pooling(&self) -> Vec<Method> {
        let krate = self.krate;
        let one = quote!(<T: #krate::Component<Self>>);
        let pooled = format_ident!("pooled_components");
        let clear = format_ident!("clear_pool");
        vec![
            Method::new(
                pooled.clone(),
                "Returns the number of values in the pool of the component `T`.",
                quote!((&self) -> ::core::primitive::usize),
                quote!(<Self as #krate::Context>::#pooled::<T>(self)),
            )
            .generics(one.clone())
            .events(READS)
            .must_use(),
            Method::new(
                clear.clone(),
                "Drops the values in the pool of the component `T`.",
                quote!((&mut self)),
                quote!(<Self as #krate::Context>::#clear::<T>(self)),
            )
            .generics(one)
            .events(READS),
            self.calls(
                "clear_pools",
                "Drops the values in the pools of all components.",
                quote!((&mut self)),
                quote!(),
            )
            .events(READS),
        ]
    }
}
