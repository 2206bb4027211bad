//! What lets an entity have several of a component: the relation of each to its owner.

use proc_macro2::TokenStream;
use quote::quote;

use crate::parse::{Component, Context};

use super::blocks::derived;

/// The trait, with the names and the cell of the relation, and its registration at link time.
pub(super) fn implementation(component: &Component, context: &Context) -> Option<TokenStream> {
    if !component.is_many() {
        return None;
    }
    let (krate, ty, path) = (&component.krate, &component.ty, &context.path);
    let entry = quote!(#krate::EntryOf<#path, #ty>);
    let name = format!("EntryOf<{}>", component.text);
    let (context, accessor) = (context.name(), format!("entry_of_{}", component.base));
    let aliases = component.attrs.aliases.iter();
    let aliases = aliases.map(|given| format!("EntryOf<{}>", given.value.value()));
    let items = quote! {
        const ENTRY_NAMES: &'static #krate::ComponentNames = &#krate::ComponentNames {
            context: #context,
            component: #name,
            accessor: #accessor,
        };
        const ENTRY_ALIASES: &'static [&'static ::core::primitive::str] = &[#(#aliases),*];

        fn entry_cell() -> &'static #krate::__private::IndexCell<#path, #entry> {
            static CELL: #krate::__private::IndexCell<#path, #entry> =
                #krate::__private::IndexCell::new();
            &CELL
        }
    };
    let implementation = derived(&quote!(#krate::ManyComponent<#path> for #ty), &items);
    Some(quote! {
        #implementation
        #krate::__private::inventory::submit! {
            #krate::__private::Registration::new::<#path, #entry>()
        }
    })
}
