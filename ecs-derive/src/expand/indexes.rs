//! The indexed fields of a component: what the library is told of them, and the methods of the
//! context that look entities up.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;

use crate::ast::{Component, Context};
use crate::attr::Keys;
use crate::index::IndexedField;

use super::blocks::{declaration, implementation, inherent};
use super::method::{Method, READS};

/// The implementations of `Indexed`, one for each indexed field, and what must hold of the type.
pub(super) fn fields(component: &Component) -> TokenStream {
    let each = component.indexes.iter().enumerate();
    let each = each.map(|(n, field)| {
        let (indexed, clone) = (indexed(component, n, field), clone(component, field));
        quote!(#indexed #clone)
    });
    quote!(#(#each)*)
}

fn indexed(component: &Component, n: usize, field: &IndexedField) -> TokenStream {
    let (krate, ident) = (&component.krate, &component.ident);
    let private = quote!(#krate::__private);
    let IndexedField {
        ty,
        member,
        name,
        primary,
        ..
    } = field;
    let (key, keys) = match field.keys {
        Keys::Whole => (quote!(#ty), quote!(each(&self.#member))),
        Keys::Each => (
            quote!(#private::Element<#ty>),
            quote!(<#ty as #private::Elements<Self::Key>>::each(&self.#member, each)),
        ),
    };
    let lookup = component.lookup(field).unraw().to_string();
    let implementation = quote! {
        #[automatically_derived]
        impl #private::Indexed<#n> for #ident {
            type Key = #key;
            const PRIMARY: ::core::primitive::bool = #primary;
            const NAME: &'static ::core::primitive::str = #name;
            const LOOKUP: &'static ::core::primitive::str = #lookup;
            const DEBUG: ::core::option::Option<
                fn(&Self::Key, &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result,
            > = #private::Probe::<Self::Key>::DEBUG;

            fn keys(&self, each: &mut dyn ::core::ops::FnMut(&Self::Key)) {
                #keys
            }
        }
    };
    located_at(ty.span(), implementation)
}

/// The tokens as if they stood at one place, for errors, and meaning what they mean.
fn located_at(place: Span, tokens: TokenStream) -> TokenStream {
    let each = tokens.into_iter().map(|token| {
        let span = token.span().located_at(place);
        let mut token = match token {
            TokenTree::Group(group) => {
                let inner = located_at(place, group.stream());
                TokenTree::Group(Group::new(group.delimiter(), inner))
            }
            other => other,
        };
        token.set_span(span);
        token
    });
    each.collect()
}

/// A primary index needs copies of the component, so that an update can be refused.
fn clone(component: &Component, field: &IndexedField) -> Option<TokenStream> {
    let (krate, ident) = (&component.krate, &component.ident);
    let message = format!(
        "a component with a `primary_index` must be `Clone`: `update_{}` changes a copy first, so \
         that nothing has changed where the new key is another entity's; add `#[derive(Clone)]`",
        component.base
    );
    field.primary.then(|| {
        quote_spanned! {field.span=>
            const _: () = if #krate::__private::Probe::<#ident>::CLONE.is_none() {
                ::core::panic!(#message)
            };
        }
    })
}

/// The list of the indexed fields in the implementation of `Component`.
pub(super) fn list(component: &Component, context: &Context) -> Option<TokenStream> {
    let (krate, path) = (&component.krate, &context.path);
    let each = 0..component.indexes.len();
    (!component.indexes.is_empty()).then(|| {
        quote! {
            const INDEXES: &'static [#krate::__private::FieldIndex<Self>] =
                &[#(#krate::__private::field_index::<#path, Self, #each>()),*];
        }
    })
}

/// The methods that look entities up, on every context.
pub(super) fn lookups(component: &Component) -> TokenStream {
    match component.attrs.extension {
        _ if component.indexes.is_empty() => TokenStream::new(),
        Some(_) => extension(component),
        None => {
            let each = component.contexts.iter().map(|context| {
                let (path, entity) = (&context.path, context.entity());
                inherent(&quote!(#path), &methods(component, &quote!(#entity<'_>)))
            });
            each.collect()
        }
    }
}

/// A trait, since only the context's own crate can give it inherent methods.
fn extension(component: &Component) -> TokenStream {
    let (krate, name) = (
        &component.krate,
        format_ident!("{}IndexExt", component.ident),
    );
    let text = format!(
        "The methods of a context that look entities up by the component `{}`.",
        component.ident.unraw()
    );
    let methods = methods(component, &quote!(<Self as #krate::Handles>::Entity<'_>));
    let header = quote!(#name: #krate::Context);
    let declaration = declaration(&text, &component.visibility, &header, &methods);
    let paths = component.contexts.iter().map(|context| &context.path);
    let implementations = paths.map(|path| implementation(&quote!(#name for #path), &methods));
    quote!(#declaration #(#implementations)*)
}

fn methods(component: &Component, entity: &TokenStream) -> Vec<Method> {
    let each = component.indexes.iter().enumerate();
    each.map(|(n, field)| lookup(component, n, field, entity))
        .collect()
}

fn lookup(component: &Component, n: usize, field: &IndexedField, entity: &TokenStream) -> Method {
    let (krate, ident) = (&component.krate, &component.ident);
    let (name, text) = (&field.name, ident.unraw());
    let private = quote!(#krate::__private);
    let (call, output) = match field.primary {
        true => (quote!(entity_with), quote!(::core::option::Option<#entity>)),
        false => (quote!(entities_with), quote!(#krate::IndexIter<'_, Self>)),
    };
    let (ty, has) = match field.keys {
        Keys::Whole => (field.ty.clone(), format!("has this `{name}`")),
        Keys::Each => (
            quote!(<#ident as #private::Indexed<#n>>::Key),
            format!("has this in its `{name}`"),
        ),
    };
    let does = match field.primary {
        true => format!("Returns the entity whose component `{text}` {has}."),
        false => format!(
            "Returns the entities whose component `{text}` {has}, in the order in which they \
             were filed under it; where one leaves, the last one takes its place."
        ),
    };
    let signature = quote! {
        (&self, key: &Q) -> #output
        where
            #ty: ::core::borrow::Borrow<Q>,
            Q: ::core::hash::Hash + ::core::cmp::Eq + ?::core::marker::Sized,
    };
    let body = quote!(#private::#call::<Self, #ident, Q, #n>(self, key));
    Method::new(component.lookup(field), &does, signature, body)
        .generics(quote!(<Q>))
        .visible_as(&component.lookup_visibility(field))
        .events(READS)
        .must_use()
}
