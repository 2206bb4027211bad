//! The indexed fields of a component.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;

use crate::parse::{Component, Context, IndexedField, Keys, StructureIndex, StructureKind};

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
    let structures = component.structures.iter().enumerate();
    let structures = structures.map(|(n, index)| structure(component, n, index));
    quote!(#(#each)* #(#structures)*)
}

/// The implementation of `Structured` for each context, and of `Place` if it has coordinates.
fn structure(component: &Component, n: usize, index: &StructureIndex) -> TokenStream {
    let (krate, ty, n) = (&component.krate, &component.ty, component.indexes.len() + n);
    let private = quote!(#krate::__private);
    let each = component.contexts.iter().map(|context| {
        let path = &context.path;
        let (structure, new, key) = parts(component, index, &quote!(#path));
        quote! {
            #[automatically_derived]
            impl #private::Structured<#path, #n> for #ty {
                type Structure = #structure;

                fn structure() -> Self::Structure {
                    #new
                }

                fn empty() -> &'static Self::Structure {
                    static EMPTY: #private::OnceBox<#structure> = #private::OnceBox::new();
                    EMPTY.get_or_init(|| #private::Box::new(#new))
                }

                fn key(&self) -> <Self::Structure as #krate::Index<#path>>::Key {
                    #key
                }
            }
        }
    });
    let implementations = quote!(#(#each)*);
    match &index.kind {
        StructureKind::Ordered { ty, .. } => located_at(ty.span(), implementations),
        StructureKind::Grid { size, fields } => {
            let (place, size) = (place(component, fields), check_size(size));
            let implementations = located_at(index.span, implementations);
            quote!(#place #size #implementations)
        }
    }
}

/// The type of a structure, an empty one, and the key of a value.
fn parts(
    component: &Component,
    index: &StructureIndex,
    context: &TokenStream,
) -> (TokenStream, TokenStream, TokenStream) {
    let (krate, ty) = (&component.krate, &component.ty);
    match &index.kind {
        StructureKind::Ordered {
            member, ty: key, ..
        } => (
            quote!(#krate::Ordered<#context, #key>),
            quote!(#krate::Ordered::new()),
            quote!(::core::clone::Clone::clone(&self.#member)),
        ),
        StructureKind::Grid { size, .. } => (
            quote!(#krate::__private::GridOf<#context, #ty>),
            quote! {
                <<#ty as #krate::Place>::At as #krate::__private::Coordinates>::grid::<#context>(#size)
            },
            quote!(<#ty as #krate::Place>::at(self)),
        ),
    }
}

/// The implementation of `Place` by fields.
fn place(component: &Component, fields: &[Ident]) -> Option<TokenStream> {
    let (krate, ty, dimensions) = (&component.krate, &component.ty, fields.len());
    (!fields.is_empty()).then(|| {
        quote! {
            #[automatically_derived]
            impl #krate::Place for #ty {
                type At = [::core::primitive::f32; #dimensions];

                fn at(&self) -> Self::At {
                    [#(self.#fields),*]
                }
            }
        }
    })
}

/// Checks the size of a cell.
fn check_size(size: &TokenStream) -> TokenStream {
    let value = located_at(size.span(), quote!(__SIZE));
    quote_spanned! {size.span()=>
        const _: () = {
            const #value: ::core::primitive::f32 = #size;
            ::core::assert!(
                #value > 0.0 && #value < ::core::primitive::f32::INFINITY,
                "the size of a cell is a positive finite number: write `grid = 16.0`"
            );
        };
    }
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
        Keys::Whole | Keys::Ordered => ty.clone(),
        Keys::Each => quote!(<#ty as #krate::__private::HasElements>::Element),
    }
}

/// Calls `each` with the keys of a value.
fn keys(component: &Component, field: &IndexedField) -> TokenStream {
    let (krate, IndexedField { ty, member, .. }) = (&component.krate, field);
    match field.keys {
        Keys::Whole | Keys::Ordered => quote!(__each(&self.#member);),
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
    let count = component.indexes.len();
    let indexes = (0..count).map(|n| quote!(#krate::__private::field_index::<#path, Self, #n>()));
    let structures = (count..count + component.structures.len())
        .map(|n| quote!(#krate::__private::structure_index::<#path, Self, #n>()));
    let all: Vec<_> = indexes
        .chain(structures)
        .chain(relations::index(component, context))
        .collect();
    (!all.is_empty()).then(|| {
        quote! {
            const INDEXES: &'static [#krate::__private::FieldIndex<Self>] = &[#(#all),*];
        }
    })
}
