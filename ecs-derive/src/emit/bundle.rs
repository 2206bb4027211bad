//! Implements bundles by forwarding to the tuple of the fields.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Generics, Ident, parse_quote};

use crate::model::method::spare;
use crate::parse::{BundleField, BundleItem};

use super::blocks::derived;
use super::lints::lints;

/// The maximum length of a tuple that is a bundle.
const MOST: usize = 12;

/// The traits, for every context in which all fields are bundles.
pub(crate) fn expand(item: &BundleItem) -> TokenStream {
    let lints = lints();
    let (components, bundle) = (components(item), bundle(item));
    quote! {
        #lints
        #[allow(private_bounds)]
        const _: () = { #components #bundle };
    }
}

fn components(item: &BundleItem) -> TokenStream {
    let items = ["visit", "visit_scope"].map(|method| {
        let method = format_ident!("{method}");
        visit(item, &quote!(Components), &quote!(#method))
    });
    implement(item, &quote!(Components), &quote!(#(#items)*))
}

/// The method that visits the components, of either trait.
fn visit(item: &BundleItem, name: &TokenStream, method: &TokenStream) -> TokenStream {
    let (krate, tuple, context) = (&item.krate, types(item), context(item));
    quote! {
        fn #method(__each: &mut dyn ::core::ops::FnMut(#krate::ComponentIndex<#context>)) {
            <#tuple as #krate::#name<#context>>::#method(__each);
        }
    }
}

fn bundle(item: &BundleItem) -> TokenStream {
    let (krate, tuple, values) = (&item.krate, types(item), values(item));
    let context = context(item);
    let visit = visit(item, &quote!(Bundle), &quote!(visit_components));
    let items = quote! {
        #visit

        #[inline(always)]
        fn put(self, __writer: &mut #krate::BundleWriter<'_, #context>) {
            #krate::Bundle::put(#values, __writer);
        }

        const FITS_INTO_ROW: ::core::primitive::bool =
            <#tuple as #krate::Bundle<#context>>::FITS_INTO_ROW;
        const ROW: #krate::__private::RowTypes = <#tuple as #krate::Bundle<#context>>::ROW;

        #[inline(always)]
        fn put_in_row(
            self,
            __row: #krate::__private::RowWriter<'_, #context>,
        ) -> #krate::__private::RowWriter<'_, #context> {
            #krate::Bundle::put_in_row(#values, __row)
        }
    };
    implement(item, &quote!(Bundle), &items)
}

fn implement(item: &BundleItem, name: &TokenStream, items: &TokenStream) -> TokenStream {
    let (krate, ident, context) = (&item.krate, &item.ident, context(item));
    let (_, arguments, _) = item.generics.split_for_impl();
    let generics = with_context(item, name);
    let (parameters, _, clause) = generics.split_for_impl();
    derived(
        &quote!(#parameters #krate::#name<#context> for #ident #arguments #clause),
        items,
    )
}

/// The parameters of the struct, and a context in which each field is a bundle.
fn with_context(item: &BundleItem, name: &TokenStream) -> Generics {
    let (krate, context) = (&item.krate, context(item));
    let mut generics = item.generics.clone();
    generics.params.push(parse_quote!(#context: 'static));
    let predicates = &mut generics.make_where_clause().predicates;
    predicates.push(parse_quote!(Self: 'static));
    for BundleField { ty, .. } in &item.fields {
        let bound = quote_spanned!(ty.span()=> #ty: #krate::#name<#context>);
        predicates.push(parse_quote!(#bound));
    }
    generics
}

/// The parameter for the context.
fn context(item: &BundleItem) -> Ident {
    let (generics, types) = (&item.generics.params, types(item));
    spare("__C", &quote!(#generics #types))
}

/// The types of the fields as a tuple.
fn types(item: &BundleItem) -> TokenStream {
    let types = item.fields.iter().map(|BundleField { ty, .. }| quote!(#ty));
    tuple(&types.collect::<Vec<_>>())
}

/// The values of the fields as a tuple.
fn values(item: &BundleItem) -> TokenStream {
    let fields = item.fields.iter();
    let values = fields.map(|BundleField { member, .. }| quote!(self.#member));
    tuple(&values.collect::<Vec<_>>())
}

/// A tuple; if there are too many elements, the last one is another tuple.
pub(super) fn tuple(elements: &[TokenStream]) -> TokenStream {
    if elements.len() <= MOST {
        return quote!((#(#elements,)*));
    }
    let (first, others) = elements.split_at(MOST - 1);
    let others = tuple(others);
    quote!((#(#first,)* #others))
}
