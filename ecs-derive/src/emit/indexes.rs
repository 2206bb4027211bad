//! The indexed fields of a component.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;

use crate::parse::{Component, Context, IndexedField, Keys};

use super::relations;
use super::tokens::located_at;

/// The implementations of `Indexed`, one per indexed field, with checks of the type.
pub(super) fn fields(component: &Component) -> TokenStream {
    let each = component.indexes.iter().enumerate();
    let each = each.map(|(n, field)| {
        let implementation = located_at(field.ty.span(), indexed(component, n, field));
        let clone = clone(component, field);
        quote!(#implementation #clone)
    });
    quote!(#(#each)*)
}

fn indexed(component: &Component, n: usize, field: &IndexedField) -> TokenStream {
    let (krate, ty) = (&component.krate, &component.ty);
    let (private, IndexedField { name, primary, .. }) = (quote!(#krate::__private), field);
    let lookup = component.lookup(field).unraw().to_string();
    let (key, keys) = (key(component, field), keys(component, field));
    quote! {
        #[automatically_derived]
        impl #private::Indexed<#n> for #ty {
            type Key = #key;
            const PRIMARY: ::core::primitive::bool = #primary;
            const NAME: &'static ::core::primitive::str = #name;
            const LOOKUP: &'static ::core::primitive::str = #lookup;
            const DEBUG: ::core::option::Option<
                fn(&Self::Key, &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result,
            > = #private::Probe::<Self::Key>::DEBUG;

            fn keys(&self, __each: &mut dyn ::core::ops::FnMut(&Self::Key)) {
                #keys
            }
        }
    }
}

fn key(component: &Component, field: &IndexedField) -> TokenStream {
    let (krate, ty) = (&component.krate, &field.ty);
    match field.keys {
        Keys::Whole => ty.clone(),
        Keys::Each => quote!(<#ty as #krate::__private::HasElements>::Element),
    }
}

/// Calls `each` with the keys of a value.
fn keys(component: &Component, field: &IndexedField) -> TokenStream {
    let (krate, IndexedField { ty, member, .. }) = (&component.krate, field);
    match field.keys {
        Keys::Whole => quote!(__each(&self.#member);),
        Keys::Each => quote! {
            <#ty as #krate::__private::Elements<Self::Key>>::each(&self.#member, __each);
        },
    }
}

/// Checks that the component is `Clone`, which a primary index needs to reject updates.
fn clone(component: &Component, field: &IndexedField) -> Option<TokenStream> {
    let krate = &component.krate;
    let ty = located_at(field.span, component.ty.clone());
    field.primary.then(|| {
        quote_spanned! {field.span=>
            const _: () = #krate::__private::has_primary_index::<#ty>();
        }
    })
}

/// The list of field indexes in the implementation of `Component`; that of a relation comes last.
pub(super) fn list(component: &Component, context: &Context) -> Option<TokenStream> {
    let (krate, path) = (&component.krate, &context.path);
    let each = 0..component.indexes.len();
    let indexes = each.map(|n| quote!(#krate::__private::field_index::<#path, Self, #n>()));
    let all: Vec<_> = indexes
        .chain(relations::index(component, context))
        .collect();
    (!all.is_empty()).then(|| {
        quote! {
            const INDEXES: &'static [#krate::__private::FieldIndex<Self>] = &[#(#all),*];
        }
    })
}
