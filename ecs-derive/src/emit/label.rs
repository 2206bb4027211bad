//! Formats the label of an entity.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, Member};

use crate::model::method::local;
use crate::parse::Component;

use super::tokens::located_at;

/// The constant of the trait, for a component that is a label: formats the only field of a struct,
/// or else the whole value.
pub(super) fn constant(component: &Component) -> Option<TokenStream> {
    let given = component.attrs.label.as_ref();
    let given = given.filter(|_| !component.is_flag())?;
    let krate = &component.krate;
    let [value, formatter] = ["__value", "__formatter"].map(local);
    let text = match only_field(&component.data) {
        Some(member) => quote!(&#value.#member),
        None => quote!(#value),
    };
    let write = quote!(#krate::__private::write_label(#text, #formatter));
    let write = located_at(given.key.span(), write);
    Some(quote! {
        const LABEL: ::core::option::Option<
            fn(&Self, &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result,
        > = ::core::option::Option::Some(|#value, #formatter| #write);
    })
}

/// The field of a struct with a single one.
fn only_field(data: &Data) -> Option<Member> {
    let Data::Struct(data) = data else {
        return None;
    };
    let mut members = data.fields.members();
    members.next().filter(|_| members.next().is_none())
}
