//! A handle of an entity: a struct around the generic one.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;

use crate::ast::ContextItem;
use crate::expand::lints::lints;
use crate::expand::method::docs;

/// The struct called `name` around the generic handle `inner`.
pub(super) fn definition(
    item: &ContextItem,
    text: &str,
    name: &Ident,
    inner: &TokenStream,
) -> TokenStream {
    let ContextItem {
        visibility,
        ident,
        krate,
        ..
    } = item;
    let (docs, lints) = (docs(text), lints());
    quote! {
        #docs
        #lints
        #visibility struct #name<'a>(#krate::#inner<'a, #ident>);
    }
}
