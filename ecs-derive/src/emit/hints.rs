//! The display hints of fields.

use proc_macro2::TokenStream;
use quote::quote;

use crate::parse::{Component, FieldHint, Hint};

/// The constant of the trait, if there are any.
pub(super) fn constant(component: &Component) -> Option<TokenStream> {
    let krate = &component.krate;
    let each = component.hints.iter().map(|FieldHint { path, hint }| {
        let hint = match hint {
            Hint::Hidden => quote!(Hidden),
            Hint::Color => quote!(Color),
            Hint::Range(range) => {
                let (from, to) = (range.from, range.to);
                quote!(Range { from: #from, to: #to })
            }
        };
        quote!(#krate::FieldHint { path: #path, hint: #krate::Hint::#hint })
    });
    (!component.hints.is_empty()).then(|| {
        quote! {
            const HINTS: &'static [#krate::FieldHint] = &[#(#each),*];
        }
    })
}
