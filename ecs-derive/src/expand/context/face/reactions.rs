//! Matchers, groups, collectors and observers.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::expand::method::{Method, READS};

use super::Scope;

impl Scope<'_> {
    pub(super) fn matching(&self) -> Vec<Method> {
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

    pub(super) fn grouping(&self) -> Vec<Method> {
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
                "Reports *group created* at the first call, and nothing for the entities that \
                 match already.",
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
            Method::named(
                "removed_values",
                "Gathers from now on the values of `T` that entities lose, by removal or by \
                 their end.",
                quote!((&mut self) -> #krate::RemovedValues<Self, T>),
                quote!(<Self as #krate::Context>::removed_values::<T>(self)),
            )
            .generics(quote!(<T: #krate::Component<Self> + ::core::clone::Clone>))
            .events("Reports *group created* where there is no group of these entities yet."),
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
        self.calls_in("Observing", name, &does, signature, quote!(, observer))
            .events(READS)
    }

    pub(super) fn observing(&self) -> Vec<Method> {
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

    pub(super) fn unsubscribing(&self) -> Vec<Method> {
        let krate = self.krate;
        vec![
            self.calls_in(
                "Observing",
                "unsubscribe",
                "Ends a subscription at once, and returns whether it was still there.",
                quote!((&mut self, subscription: #krate::Subscription) -> ::core::primitive::bool),
                quote!(, subscription),
            )
            .panics("the subscription is one of another context"),
            self.calls_in(
                "Observing",
                "clear_observers",
                "Ends every subscription to the context and its groups; collectors stay.",
                quote!((&mut self)),
                quote!(),
            ),
            self.calls_in(
                "Observing",
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
}
