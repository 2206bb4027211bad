//! From a checked item to the code that takes its place.

pub(crate) mod accessors;
mod arguments;
mod blocks;
mod builder;
pub(crate) mod context;
pub(crate) mod contexts;
pub(crate) mod events;
mod extension;
mod indexes;
mod lints;
pub(crate) mod method;
pub(crate) mod traits;
mod unique;

use proc_macro2::TokenStream;
use quote::quote;

use crate::ast;

use self::accessors::Accessors;

/// Everything that stands beside a component: its traits and these accessors.
pub(crate) fn all_of(component: &ast::Component, methods: &Accessors) -> TokenStream {
    let (traits, accessors) = (traits::expand(component), accessors(component, methods));
    let lookups = indexes::lookups(component);
    let subscribing = events::expand(component, |method| method);
    quote!(#traits #accessors #lookups #subscribing)
}

/// These accessors, in the form that the component asks for.
pub(crate) fn accessors(component: &ast::Component, methods: &Accessors) -> TokenStream {
    match component.attrs.extension {
        Some(_) => extension::expand(component, methods),
        None => accessors::expand(component, methods),
    }
}
