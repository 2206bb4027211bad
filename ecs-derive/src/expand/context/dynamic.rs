//! The method of both handles that leads to the components by their index.

use proc_macro2::TokenStream;
use quote::quote;

use crate::ast::ContextItem;
use crate::expand::method::{Method, READS};

/// That of `GameEntity<'_>`.
pub(super) fn shared(item: &ContextItem) -> Method {
    let ContextItem { krate, ident, .. } = item;
    method(quote!((self) -> #krate::DynEntity<'a, #ident>))
}

/// That of `GameEntityMut<'_>`.
pub(super) fn exclusive(item: &ContextItem) -> Method {
    let ContextItem { krate, ident, .. } = item;
    method(quote!((&mut self) -> #krate::DynEntityMut<'_, #ident>))
}

fn method(signature: TokenStream) -> Method {
    let does = "Returns the components by their index, for tools that do not know the types.";
    Method::named("dynamic", does, signature, quote!(self.0.dynamic()))
        .events(READS)
        .must_use()
}
