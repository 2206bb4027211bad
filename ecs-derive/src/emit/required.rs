//! The required components of a component.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote, quote_spanned};
use syn::spanned::Spanned as _;

use crate::model::method::local;
use crate::parse::{Component, Context, Required};

/// The checks of required components in a context.
pub(super) fn checks(component: &Component, context: &Context) -> TokenStream {
    let each = component.required.iter();
    let each = each.map(|required| {
        let (ty, checks) = (&required.ty, check(component, context, required));
        quote_spanned!(ty.span()=> const _: () = { #checks };)
    });
    each.collect()
}

fn check(component: &Component, context: &Context, required: &Required) -> TokenStream {
    let (krate, path, ty) = (&component.krate, &context.path, &required.ty);
    let name = ty.to_token_stream().to_string().replace(' ', "");
    let impossible = format!(
        "`{name}` cannot be required, because it is unique or `many`, has a `primary_index` or is \
         a relation: add it explicitly instead"
    );
    let has_value = required.value.is_none().then(|| {
        let default = default(component, context, required);
        let message = format!(
            "`{name}` is required without a value and is not `Default`: write \
             `requires({name} = ..)`, or add `#[derive(Default)]` to it"
        );
        quote_spanned!(ty.span()=> ::core::assert!(#default.is_some(), #message);)
    });
    quote_spanned! {ty.span()=>
        ::core::assert!(#krate::__private::can_be_required::<#path, #ty>(), #impossible);
        #has_value
    }
}

/// The function that makes the default value, if there is one.
fn default(component: &Component, context: &Context, required: &Required) -> TokenStream {
    let (krate, path, ty) = (&component.krate, &context.path, &required.ty);
    quote_spanned! {ty.span()=>
        #krate::__private::required_value::<#path, #ty>(#krate::__private::Probe::<#ty>::DEFAULT)
    }
}

/// The items in the implementation of `Component`.
pub(super) fn list(component: &Component, context: &Context) -> Option<TokenStream> {
    let (krate, path, visitor) = (&component.krate, &context.path, &local("__visitor"));
    let each = component.required.iter();
    let each = each.map(|required| {
        let (ty, value) = (&required.ty, value(component, context, required));
        quote_spanned!(ty.span()=> #visitor.require::<#ty>(#value);)
    });
    let owner = component
        .is_many()
        .then(|| quote!(#visitor.expect::<#krate::EntryOf<#path, Self>>();));
    component.requires().then(|| {
        quote! {
            const REQUIRES: ::core::primitive::bool = true;

            fn visit_required(#visitor: &mut impl #krate::__private::RequiredVisitor<#path>) {
                #owner
                #(#each)*
            }
        }
    })
}

/// The function that makes the value.
fn value(component: &Component, context: &Context, required: &Required) -> TokenStream {
    match &required.value {
        Some(value) => quote!(|| #value),
        None => {
            let default = default(component, context, required);
            quote_spanned!(required.ty.span()=> #default.unwrap())
        }
    }
}
