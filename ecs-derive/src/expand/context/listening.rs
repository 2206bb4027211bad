//! The methods of the exclusive handle that listen to the entity's events.

use quote::{format_ident, quote};

use crate::ast::ContextItem;
use crate::expand::method::{DEAD, LISTENS, Method, listener};

pub(super) fn methods(item: &ContextItem) -> [Method; 2] {
    let ContextItem { krate, ident, .. } = item;
    let entity_mut = item.entity_mut();
    let (listener, takes) = listener(&quote!(#entity_mut<'_>));
    let listens = |name, when: &str| {
        let method = format_ident!("{name}");
        let does =
            format!("Calls `listener` with the entity after {when}. It ends with the entity.");
        let signature = quote!((&mut self, mut #takes) -> #krate::Subscription);
        let body = quote! {
            self.0.#method::<T>(move |entity| #listener(::core::convert::From::from(entity)))
        };
        Method::named(name, &does, signature, body)
            .generics(quote!(<T: #krate::Component<#ident>>))
            .events(LISTENS)
            .panics(DEAD)
    };
    [
        listens(
            "on_set",
            "the component `T` was added to it, replaced or updated",
        ),
        listens(
            "on_removed",
            "it lost the component `T`, by removal or by its end",
        ),
    ]
}
