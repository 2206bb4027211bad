//! The methods that the attribute writes: the constructors of a context, and the methods of its two
//! entity handles, each of which calls the generic method of the same name. All other methods of a
//! context belong to the trait `Context`.

mod exclusive;
mod reading;

pub(crate) use self::exclusive::methods as exclusive;
pub(crate) use self::reading::shared;

use quote::quote;

use crate::parse::ContextItem;

use super::method::Method;

pub(crate) fn constructors(item: &ContextItem) -> [Method; 2] {
    [new(item), with_capacity(item)]
}

fn new(item: &ContextItem) -> Method {
    let krate = &item.krate;
    let does = "Creates an empty context.";
    let body = quote!(Self { core: #krate::Core::new() });
    Method::named("new", does, quote!(() -> Self), body).must_use()
}

fn with_capacity(item: &ContextItem) -> Method {
    let krate = &item.krate;
    let does = "Creates an empty context with capacity for this many entities.";
    let signature = quote!((entities: ::core::primitive::usize) -> Self);
    let body = quote!(Self { core: #krate::Core::with_capacity(entities) });
    let rejected = "a context cannot hold that many, or memory is exhausted";
    let method = Method::named("with_capacity", does, signature, body);
    method.panics(rejected).must_use()
}
