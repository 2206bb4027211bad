//! The contexts of a world.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Type;
use syn::spanned::Spanned as _;

use crate::model::method::spare;
use crate::parse::{ContextField, World};

/// `HasContext` for each context of a world, `HasContexts` for each pair, and `VisitContexts`.
pub(crate) fn expand(world: &World) -> TokenStream {
    let each = world.contexts.iter().map(|field| has_context(world, field));
    let pairs = pairs(&world.contexts).map(|(a, b)| has_contexts(world, a, b));
    let visit = visit_contexts(world);
    quote!(#(#each)* #(#pairs)* #visit)
}

/// Uses the spans of the field types, where the compiler reports a type that is not a context.
fn visit_contexts(world: &World) -> TokenStream {
    let (krate, ident) = (&world.krate, &world.ident);
    let (parameters, arguments, clause) = world.generics.split_for_impl();
    let types = world.contexts.iter().map(|ContextField { ty, .. }| ty);
    let visitor = spare("__V", &quote!(#parameters #(#types)*));
    let each = world.contexts.iter().map(|ContextField { member, ty }| {
        quote_spanned! {at(ty)=> #krate::__private::visit_field::<#ty, _>(&mut self.#member, __visitor);}
    });
    quote! {
        #[automatically_derived]
        impl #parameters #krate::VisitContexts for #ident #arguments #clause {
            fn visit_contexts<#visitor: #krate::ContextVisitor>(&mut self, __visitor: &mut #visitor) {
                let _ = &__visitor; // if there are no contexts
                #(#each)*
            }
        }
    }
}

/// All ordered pairs of contexts.
fn pairs(contexts: &[ContextField]) -> impl Iterator<Item = (&ContextField, &ContextField)> {
    let numbered = || contexts.iter().enumerate();
    let all = numbered().flat_map(move |a| numbered().map(move |b| (a, b)));
    all.filter(|((a, _), (b, _))| a != b)
        .map(|((_, a), (_, b))| (a, b))
}

/// Uses the span of the field type, where the compiler reports an alias of an earlier type.
fn has_context(world: &World, field: &ContextField) -> TokenStream {
    let (krate, ident, ContextField { member, ty }) = (&world.krate, &world.ident, field);
    let (parameters, arguments, clause) = world.generics.split_for_impl();
    quote_spanned! {at(ty)=>
        #[automatically_derived]
        impl #parameters #krate::HasContext<#ty> for #ident #arguments #clause {
            #[inline]
            fn context(&self) -> &#ty {
                &self.#member
            }

            #[inline]
            fn context_mut(&mut self) -> &mut #ty {
                &mut self.#member
            }
        }
    }
}

/// Borrows two fields at once.
fn has_contexts(world: &World, first: &ContextField, second: &ContextField) -> TokenStream {
    let (krate, ident) = (&world.krate, &world.ident);
    let (parameters, arguments, clause) = world.generics.split_for_impl();
    let (a, b) = (&first.ty, &second.ty);
    let (a_field, b_field) = (&first.member, &second.member);
    quote_spanned! {at(&second.ty)=>
        #[automatically_derived]
        impl #parameters #krate::HasContexts<#a, #b> for #ident #arguments #clause {
            #[inline]
            fn contexts_mut(&mut self) -> (&mut #a, &mut #b) {
                (&mut self.#a_field, &mut self.#b_field)
            }
        }
    }
}

/// The location of a type, with the hygiene of the macro's call site.
fn at(ty: &Type) -> Span {
    Span::call_site().located_at(ty.span())
}
