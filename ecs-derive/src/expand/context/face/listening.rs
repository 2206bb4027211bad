//! Listeners to the events of components.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::expand::method::{LISTENS, Method, READS, listener};

use super::Scope;

/// Where the methods are.
const TRAIT: &str = "Listening";

impl Scope<'_> {
    pub(super) fn listening(&self) -> Vec<Method> {
        let (krate, entity_mut) = (self.krate, &self.entity_mut);
        let (listener, takes) = listener(&quote!(#entity_mut<'_>));
        let one = quote!(<T: #krate::Component<Self>>);
        let listens = |name, when: &str| {
            let method = format_ident!("{name}");
            let does = format!("Calls `listener` with every entity {when}.");
            let signature = quote!((&mut self, #takes) -> #krate::Subscription);
            let body = quote!(<Self as #krate::Listening>::#method::<T>(self, #listener));
            Method::named(name, &does, signature, body)
                .generics(one.clone())
                .events(LISTENS)
        };
        vec![
            listens(
                "on_any_set",
                "to which the component `T` was added, or of which it was replaced or updated",
            ),
            listens(
                "on_any_removed",
                "that lost the component `T`, by removal or by its end",
            ),
        ]
    }

    pub(super) fn delivering(&self) -> Vec<Method> {
        let (krate, size) = (self.krate, quote!(::core::primitive::usize));
        let listener = quote!(listener: #krate::Subscription);
        let of = |name, does, takes: TokenStream, passes: TokenStream| {
            self.calls_in(TRAIT, name, does, takes, passes)
                .events(READS)
        };
        let systems = Method::named(
            "event_systems",
            "Returns the delivery of events as a system.",
            quote!((&self) -> #krate::EventSystems<Self>),
            quote!(#krate::EventSystems::new()),
        );
        let foreign = "the listener is one of another context";
        vec![
            systems.events(READS).must_use(),
            of(
                "clear_listeners",
                "Ends all listeners at once.",
                quote!((&mut self)),
                quote!(),
            ),
            of(
                "listeners",
                "Returns the number of listeners.",
                quote!((&self) -> #size),
                quote!(),
            )
            .must_use(),
            of(
                "replay",
                "Calls a listener to *set* with what is there already: with its entity, or with \
                 every entity, that has the component. Returns the number of these calls.",
                quote!((&mut self, #listener) -> #size),
                quote!(, listener),
            )
            .panics(foreign),
            of(
                "deliver_events",
                "Tells the listeners of all events since the last delivery, and returns the number \
                 of calls that took. Inside a listener it does nothing.",
                quote!((&mut self) -> #size),
                quote!(),
            ),
            of(
                "undelivered_events",
                "Returns the number of events that wait to be delivered.",
                quote!((&self) -> #size),
                quote!(),
            )
            .must_use(),
            of(
                "warn_of_undelivered_events",
                "Says whether the end or the reset of a context whose events waited and were never \
                 delivered is worth a message on standard error. It is, at first.",
                quote!((&mut self, warn: ::core::primitive::bool)),
                quote!(, warn),
            ),
        ]
    }
}
