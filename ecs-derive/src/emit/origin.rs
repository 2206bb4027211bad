//! Checks that a context is in the crate of the component, as inherent methods require.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote, quote_spanned};
use syn::Path;
use syn::ext::IdentExt as _;

use crate::parse::{Component, Context};

/// The crate of the expansion.
pub(super) fn origin(krate: &Path) -> TokenStream {
    quote! {
        #krate::__private::Origin::new(
            ::core::module_path!(),
            ::core::option_env!("CARGO_BIN_NAME"),
        )
    }
}

/// An error for a context in another crate, next to the compiler's own, which does not mention
/// `extension`.
pub(super) fn checked(component: &Component, context: &Context) -> TokenStream {
    let (krate, path, message) = (&component.krate, &context.path, message(component, context));
    let here = origin(krate);
    quote_spanned! {context.span()=>
        const _: () = ::core::assert!(!<#path as #krate::Handles>::ORIGIN.is_outside(&#here), #message);
    }
}

fn message(component: &Component, context: &Context) -> String {
    let (name, attribute) = (component.stem.unraw(), attribute(component));
    format!(
        "the context `{}` is in another crate, and only that crate can add methods to its types: \
         write `#[component({attribute})]`, so that the accessors are methods of the traits \
         `{name}Ext` and `{name}MutExt`",
        context.name()
    )
}

/// The attribute to write: the contexts of a component, and `extension`.
fn attribute(component: &Component) -> String {
    let paths = component.contexts.iter();
    let paths: Vec<_> = paths.map(|context| text(&context.path)).collect();
    match paths.as_slice() {
        [path] => format!("context = {path}, extension"),
        _ => format!("context({}), extension", paths.join(", ")),
    }
}

fn text(path: &Path) -> String {
    path.to_token_stream().to_string().replace(' ', "")
}
