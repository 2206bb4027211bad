//! From a checked item to the code that takes its place.

pub(crate) mod accessors;
mod arguments;
pub(crate) mod context;
pub(crate) mod contexts;
pub(crate) mod events;
mod extension;
mod indexes;
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
    let listening = events::expand(component, |method| method);
    quote!(#traits #accessors #lookups #listening)
}

/// These accessors, in the form that the component asks for.
pub(crate) fn accessors(component: &ast::Component, methods: &Accessors) -> TokenStream {
    match component.attrs.extension {
        Some(_) => extension::expand(component, methods),
        None => accessors::expand(component, methods),
    }
}

/// The lints that generated code may not raise on the user's behalf: nobody calls all of it, it
/// uses what is deprecated, it repeats names, visibilities and numbers of fields that the user has
/// chosen, and stand-ins ignore their arguments.
///
/// Only these are named: where the user forbids one, to allow it is an error.
pub(crate) fn lints() -> TokenStream {
    quote! {
        #[allow(
            dead_code,
            deprecated,
            non_camel_case_types,
            non_snake_case,
            private_interfaces,
            unreachable_pub,
            unused_variables,
            clippy::too_many_arguments,
        )]
    }
}
