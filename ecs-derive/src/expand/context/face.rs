//! The methods of the context itself.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Ident, Path};

use crate::ast::ContextItem;
use crate::expand::method::{Method, READS};

const CREATED: &str =
    "Reports *created*, and *entered* to the groups that match entities without components.";
const DESTROYS: &str =
    "Reports *will be destroyed*, then *left* to every group of the entity, then *destroyed*.";
const GONE: &str = "the entity is dead";
const ENDING: &str = "the entity is dead or being destroyed already";

/// All of them.
pub(super) fn methods(item: &ContextItem) -> Vec<Method> {
    let scope = Scope::new(item);
    let mut methods = vec![scope.new_context()];
    methods.extend(scope.creating());
    methods.extend(scope.finding());
    methods.extend(scope.destroying());
    methods.extend(scope.counting());
    methods.extend(scope.querying());
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
        .events(READS)
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
            .events(entered)
            .panics("the bundle has a component twice; no entity is created then"),
            self.calls(
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
            .events(entered)
            .panics("a bundle has a component twice; its entity is not created then"),
        ]
    }

    fn finding(&self) -> Vec<Method> {
        let (id, entity, entity_mut) = (&self.id, &self.entity, &self.entity_mut);
        let (reads, changes) = (
            "Returns the handle that reads an entity",
            "Returns the handle that changes an entity",
        );
        let finds = |name, receiver: TokenStream, does: &str, output: TokenStream| {
            self.reads(
                name,
                does,
                quote!((#receiver, id: #id) -> #output),
                quote!(, id),
            )
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
            finds(name, receiver, &format!("{does}."), quote!(#handle<'_>)).panics(GONE)
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
            self.calls(
                "destroy",
                "Destroys an entity.",
                quote!((&mut self, id: #id)),
                quote!(, id),
            )
            .events(DESTROYS)
            .panics(ENDING),
            self.calls(
                "try_destroy",
                "Destroys an entity.",
                quote!((&mut self, id: #id) -> ::core::result::Result<(), #krate::Error>),
                quote!(, id),
            )
            .events(DESTROYS)
            .errors(ENDING),
            self.calls(
                "destroy_all",
                "Destroys every entity that is alive now; those that observers create meanwhile \
                 stay.",
                quote!((&mut self)),
                quote!(),
            )
            .events("Reports for each entity what `destroy` reports."),
            self.calls(
                "reset",
                "Destroys every entity, empties every collector, and gives out the indices of \
                 entities from the start again. Groups and observers stay; the ids of before \
                 stay dead.",
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
                "Iterates over the entities, in ascending order of index.",
                quote!((&self) -> #krate::Entities<'_, Self>),
                quote!(),
            ),
        ]
    }

    fn querying(&self) -> Vec<Method> {
        let krate = self.krate;
        let query = Method::named(
            "query",
            "Returns the entities that have certain components, and the values of these. What is \
             written through `&mut T` is **not reported**.",
            quote!((&mut self) -> #krate::Query<'_, Self, Q>),
            quote!(<Self as #krate::Context>::query::<Q>(self)),
        );
        let view = Method::named(
            "view",
            "Reads one component of many entities by id, the column looked up once.",
            quote!((&self) -> #krate::View<'_, Self, T>),
            quote!(<Self as #krate::Context>::view::<T>(self)),
        );
        vec![
            query
                .generics(quote!(<Q: #krate::QueryData<Self>>))
                .panics("a component is asked for twice, once of it as `&mut T`")
                .must_use(),
            view.generics(quote!(<T: #krate::Component<Self>>))
                .events(READS)
                .must_use(),
        ]
    }

    fn matching(&self) -> Vec<Method> {
        let krate = self.krate;
        let matcher = |name, does| {
            let method = format_ident!("{name}");
            let body = quote!(#krate::Matcher::<Self>::#method::<T>());
            Method::named(name, does, quote!(() -> #krate::Matcher<Self>), body)
                .generics(quote!(<T: #krate::Components<Self>>))
                .events(READS)
                .must_use()
        };
        vec![
            matcher(
                "all_of",
                "Matches entities that have every component of `T`: one component or a tuple.",
            ),
            matcher(
                "any_of",
                "Matches entities that have at least one component of `T`: one component or a tuple.",
            ),
            matcher(
                "none_of",
                "Matches entities that have no component of `T`: one component or a tuple.",
            ),
        ]
    }

    fn grouping(&self) -> Vec<Method> {
        let (krate, vec) = (self.krate, &self.vec);
        vec![
            self.calls(
                "group",
                "Returns the group of the entities that match: made at the first call, the same \
                 at every later one with an equal matcher.",
                quote!((&mut self, matcher: #krate::Matcher<Self>) -> #krate::Group<Self>),
                quote!(, matcher),
            )
            .events(
                "Reports *group created* at the first call, and nothing for the entities \
                 that match already.",
            ),
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
            .events("Reports *group created* for the groups that it is the first to need."),
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
                "Ends a subscription at once, and returns whether it was still there.",
                quote!((&mut self, subscription: #krate::Subscription) -> ::core::primitive::bool),
                quote!(, subscription),
            )
            .panics("the subscription is one of another context"),
            self.calls(
                "clear_observers",
                "Ends every subscription to the context and its \
                 groups; collectors stay.",
                quote!((&mut self)),
                quote!(),
            ),
            self.calls(
                "set_notification_limit",
                "Sets how many notifications one call may lead to. A chain of reactions that \
                 goes on beyond it is endless, and is stopped with a panic that names the group \
                 and the component.",
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
                "Returns what is known of each component, by its index.",
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
