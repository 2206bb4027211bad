//! The ways from a world to its contexts.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned as _;

use crate::parse::{ContextField, World};

/// `HasContext` for each context of a world.
pub(crate) fn expand(world: &World) -> TokenStream {
    let each = world.contexts.iter().map(|field| has_context(world, field));
    quote!(#(#each)*)
}

/// Stands on the field's type: that is where it shows that it is no context, or is there twice by
/// two names.
fn has_context(world: &World, field: &ContextField) -> TokenStream {
    let (krate, ident, ContextField { member, ty }) = (&world.krate, &world.ident, field);
    let (parameters, arguments, clause) = world.generics.split_for_impl();
    quote_spanned! {ty.span()=>
        #[automatically_derived]
        impl #parameters #krate::HasContext<#ty> for #ident #arguments #clause {
            #[inline]
            fn context(&self) -> &#ty {
                #krate::__private::field_is_a_context::<#ty>();
                &self.#member
            }

            #[inline]
            fn context_mut(&mut self) -> &mut #ty {
                &mut self.#member
            }
        }
    }
}
