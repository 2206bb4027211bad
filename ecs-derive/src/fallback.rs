//! What stands in for the expansion of an item with mistakes, so that each mistake is one error and
//! not one more at every use of the item.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Error, WherePredicate};

use crate::ast::{Component, Context};
use crate::expand::accessors::Accessors;
use crate::expand::{self, events, traits};
use crate::valid;

/// The component as far as it can be told: without the accessors that cannot be, and without
/// substance where it is generic.
pub(crate) fn component(component: &Component) -> TokenStream {
    let accessors =
        Accessors::of(component).without(valid::hides_another, valid::hides_another_of_contexts);
    if component.generics.params.is_empty() {
        return expand::all_of(component, &accessors);
    }
    let each = component
        .contexts
        .iter()
        .map(|context| generic_traits(component, context));
    let stubs = accessors.map(|m| m.stub(&component.generics));
    let accessors = expand::accessors(component, &stubs);
    let listening = events::expand(component, |m| m.stub(&component.generics));
    quote!(#(#each)* #accessors #listening)
}

/// An item that is no struct as it was, with a message where it begins to be something else.
pub(crate) fn not_a_struct(error: &Error, item: TokenStream) -> TokenStream {
    let message = "a context is a unit struct: write `#[ecs::context] pub struct Game;`";
    let error = Error::new(error.span(), message).into_compile_error();
    quote!(#error #item)
}

fn generic_traits(component: &Component, context: &Context) -> TokenStream {
    let (krate, ident, path) = (&component.krate, &component.ident, &context.path);
    let mut generics = component.generics.clone();
    let bounds: WherePredicate = syn::parse_quote! {
        Self: ::core::marker::Send + ::core::marker::Sync + 'static
    };
    generics.make_where_clause().predicates.push(bounds);
    let (parameters, arguments, clause) = generics.split_for_impl();
    let names = traits::names(component, context);
    quote! {
        impl #parameters #krate::Components<#path> for #ident #arguments #clause {
            fn visit(_: &mut dyn ::core::ops::FnMut(#krate::ComponentIndex)) {
                loop {}
            }
        }
        impl #parameters #krate::Component<#path> for #ident #arguments #clause {
            const NAMES: &'static #krate::ComponentNames = &#names;
            fn cell() -> &'static #krate::__private::IndexCell<#path, Self> {
                loop {}
            }
        }
        impl #parameters #krate::Bundle<#path> for #ident #arguments #clause {
            fn put(self, _: &mut #krate::BundleWriter<'_, #path>) {
                loop {}
            }
        }
    }
}
