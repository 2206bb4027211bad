//! How a component is saved: a macro call, which expands to nothing without the feature `serde`.

use proc_macro2::TokenStream;
use quote::quote;

use super::{delta, fields};
use crate::parse::Component;

pub(super) fn expand(component: &Component) -> TokenStream {
    let (krate, attrs) = (&component.krate, &component.attrs);
    if attrs.transient.is_some() {
        return quote!(#krate::__private::saving! { transient });
    }
    let version = attrs.version.as_ref().map_or(1, |given| given.value.value);
    let aliases = attrs.aliases.iter().map(|given| &given.value);
    let older = attrs.older.iter().flat_map(|given| &given.value);
    let older = older.map(|older| {
        let (version, ty) = (older.version.value, &older.ty);
        quote!(#version = #ty,)
    });
    let fields = fields::of(component);
    let former = attrs.former_fields.iter().map(|given| &given.value);
    let cells = delta::cells(component).map(|cells| quote!(, delta #cells));
    quote! {
        #krate::__private::saving! {
            version #version, aliases [#(#aliases)*], older [#(#older)*],
            fields #fields, former [#(#former)*] #cells
        }
    }
}
