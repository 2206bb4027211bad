//! `Debug` for wrapper types.

use proc_macro2::TokenStream;
use quote::quote;

use super::blocks::derived;

/// Forwards `Debug` to a field.
pub(super) fn debug(ty: &TokenStream, field: &TokenStream) -> TokenStream {
    let items = quote! {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            ::core::fmt::Debug::fmt(&self.#field, f)
        }
    };
    derived(&quote!(::core::fmt::Debug for #ty), &items)
}
