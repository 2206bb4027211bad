//! Implements query data by forwarding to the tuple of the fields.

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Generics, Ident, WherePredicate, parse_quote};

use crate::model::method::{local, spare};
use crate::parse::{BundleField, QueryItem};

use super::bundle::tuple;
use super::lints::lints;

/// The traits, for every context in which the fields are terms.
pub(crate) fn expand(item: &QueryItem) -> TokenStream {
    let (lints, data, reading) = (lints(), data(item), reading(item));
    quote! {
        #lints
        #[allow(private_bounds)]
        const _: () = { #data #reading };
    }
}

/// Forwards everything to the tuple, except the item, which is built from the tuple's.
fn data(item: &QueryItem) -> TokenStream {
    let (krate, ident, context) = (&item.krate, &item.ident, context(item));
    let (_, arguments, _) = item.generics.split_for_impl();
    let with_lifetime = with_lifetime(arguments.to_token_stream(), item);
    let generics = item_generics(item);
    let (parameters, _, clause) = generics.split_for_impl();
    let (types, value) = (types(item), value(item));
    quote! {
        #[automatically_derived]
        // SAFETY: all requirements of the trait are met by the tuple of the fields, to which
        // everything is forwarded; the struct is built from the tuple's item only.
        unsafe impl #parameters #krate::QueryData<#context> for #ident #arguments #clause {
            type Item<'__item> = #ident #with_lifetime;

            #krate::__private::query_data!(#context, #types);

            #[inline]
            unsafe fn item<'__item>(
                __block: Self::Block<'__item>,
                __place: ::core::primitive::usize,
            ) -> Self::Item<'__item> {
                #value
            }
        }
    }
}

fn reading(item: &QueryItem) -> TokenStream {
    let (krate, ident, context) = (&item.krate, &item.ident, context(item));
    let (_, arguments, _) = item.generics.split_for_impl();
    let generics = only_reading(item);
    let (parameters, _, clause) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        // SAFETY: bounds require each field to be read-only.
        unsafe impl #parameters #krate::ReadOnlyQueryData<#context> for #ident #arguments
            #clause
        {
        }
    }
}

/// The parameters of the struct, and a context in which each field is a term whose item is the
/// field with any lifetime.
fn item_generics(item: &QueryItem) -> Generics {
    let (krate, context) = (&item.krate, context(item));
    let parameters = item.generics.type_params();
    let parameters = parameters.map(|parameter| {
        let parameter = &parameter.ident;
        quote!(#parameter: 'static)
    });
    let fields = item.fields.iter().map(|BundleField { ty, .. }| {
        let with_lifetime = with_lifetime(ty.to_token_stream(), item);
        quote_spanned! {ty.span()=>
            #ty: for<'__item> #krate::QueryData<#context, Item<'__item> = #with_lifetime>
        }
    });
    with_context(item, parameters.chain(fields))
}

/// The parameters, if all fields are read-only.
fn only_reading(item: &QueryItem) -> Generics {
    let (krate, context) = (&item.krate, context(item));
    let fields = item.fields.iter().map(|BundleField { ty, .. }| {
        quote_spanned!(ty.span()=> #ty: #krate::ReadOnlyQueryData<#context>)
    });
    with_context(
        item,
        fields.chain([quote!(Self: #krate::QueryData<#context>)]),
    )
}

fn with_context(item: &QueryItem, predicates: impl Iterator<Item = TokenStream>) -> Generics {
    let (mut generics, context) = (item.generics.clone(), context(item));
    generics.params.push(parse_quote!(#context: 'static));
    let clause = generics.make_where_clause();
    clause
        .predicates
        .extend(predicates.map(|it| -> WherePredicate { parse_quote!(#it) }));
    generics
}

/// The parameter for the context.
fn context(item: &QueryItem) -> Ident {
    let types = item.fields.iter().map(|BundleField { ty, .. }| ty);
    let generics = &item.generics.params;
    spare("__C", &quote!(#generics #(#types)*))
}

/// The types of the fields as a tuple; for a struct with mistakes, any valid term.
fn types(item: &QueryItem) -> TokenStream {
    if item.fields.is_empty() {
        let (krate, context) = (&item.krate, context(item));
        return quote!(#krate::EntityId<#context>);
    }
    let types = item.fields.iter().map(|BundleField { ty, .. }| quote!(#ty));
    tuple(&types.collect::<Vec<_>>())
}

/// The struct, built from the tuple's item.
fn value(item: &QueryItem) -> TokenStream {
    if item.fields.is_empty() {
        return quote!(loop {});
    }
    let (krate, ident, context, types) = (&item.krate, &item.ident, context(item), types(item));
    let names: Vec<_> = (0..item.fields.len())
        .map(|nth| local(&format!("__field{nth}")).to_token_stream())
        .collect();
    let (pattern, fields) = (tuple(&names), item.fields.iter());
    let fields = fields.zip(&names);
    let fields = fields.map(|(BundleField { member, .. }, name)| quote!(#member: #name));
    // SAFETY of the generated code: the caller of `item` upholds what the tuple's `item` requires.
    quote! {
        let #pattern = unsafe {
            <#types as #krate::QueryData<#context>>::item(__block, __place)
        };
        #ident { #(#fields),* }
    }
}

/// Replaces the lifetime of the struct by that of an item.
fn with_lifetime(tokens: TokenStream, item: &QueryItem) -> TokenStream {
    match &item.lifetime {
        Some(lifetime) => replaced(tokens, lifetime),
        None => tokens,
    }
}

fn replaced(tokens: TokenStream, lifetime: &Ident) -> TokenStream {
    let mut is_lifetime = false;
    let replace = |token| {
        let was_lifetime = is_lifetime;
        is_lifetime = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '\'');
        match token {
            TokenTree::Ident(name) if was_lifetime && name == *lifetime => {
                let mut with_lifetime = format_ident!("__item");
                with_lifetime.set_span(name.span());
                with_lifetime.into()
            }
            TokenTree::Group(group) => {
                let mut inside = Group::new(group.delimiter(), replaced(group.stream(), lifetime));
                inside.set_span(group.span());
                inside.into()
            }
            other => other,
        }
    };
    tokens.into_iter().map(replace).collect()
}
