//! How a component feeds a checksum: by its own `Checksum`; otherwise field by field, each by its
//! `Checksum` or `Hash`, so that lists of numbers give the same result on every machine; otherwise
//! by its own `Hash`.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use syn::Member;
use syn::ext::IdentExt as _;

use crate::parse::{Component, Variant};

pub(super) fn constant(component: &Component) -> TokenStream {
    let krate = &component.krate;
    let is_transient = component.attrs.transient.is_some();
    let value = match component.variants.as_slice() {
        _ if component.is_flag() || is_transient => quote!(::core::result::Result::Ok(|_, _| ())),
        [] => {
            let way = way(component, &quote!(Self));
            quote!(match #way {
                ::core::option::Option::Some(__way) => ::core::result::Result::Ok(__way),
                ::core::option::Option::None => ::core::result::Result::Err(""),
            })
        }
        variants => by_fields(component, variants),
    };
    let transient = is_transient.then(|| {
        quote!(
            const TRANSIENT: ::core::primitive::bool = true;
        )
    });
    quote! {
        #transient
        const CHECKSUM: ::core::result::Result<
            fn(&Self, &mut #krate::ChecksumHasher),
            &'static ::core::primitive::str,
        > = #value;
    }
}

/// How a value of a type feeds the hasher, if it can.
fn way(component: &Component, ty: &TokenStream) -> TokenStream {
    let krate = &component.krate;
    let private = quote!(#krate::__private);
    quote!(#private::first_of(#private::Probe::<#ty>::CHECKSUM, #private::Probe::<#ty>::HASH))
}

/// Feeds all fields of the current variant, unless the type has a `Checksum`.
fn by_fields(component: &Component, variants: &[Variant]) -> TokenStream {
    let krate = &component.krate;
    let private = quote!(#krate::__private);
    let probe = quote!(#private::Probe::<Self>);
    let fields = variants.iter().flat_map(|variant| {
        variant.fields.iter().map(|(member, ty)| {
            let (name, way) = (name_of(variant, member), way(component, ty));
            quote!((#name, #way.is_some()))
        })
    });
    let arms = (0_u32..).zip(variants).map(|it| arm(component, it));
    quote! {
        #private::checksum_of(
            #probe::CHECKSUM,
            &[#(#fields),*],
            |__this, __hasher| match __this { #(#arms)* },
            #probe::HASH,
        )
    }
}

/// How an error names a field: `x`, or `Gun.rounds` in an enum.
fn name_of(variant: &Variant, member: &Member) -> String {
    let variant = variant
        .name
        .as_ref()
        .map(|name| format!("{}.", name.unraw()));
    let member = match member {
        Member::Named(name) => name.unraw().to_string(),
        Member::Unnamed(index) => index.index.to_string(),
    };
    format!("{}{member}", variant.unwrap_or_default())
}

/// The match arm of a variant: feeds the number of an enum's variant, then the fields.
fn arm(component: &Component, (number, variant): (u32, &Variant)) -> TokenStream {
    let names: Vec<Ident> = (0..variant.fields.len())
        .map(|nth| format_ident!("__field_{nth}"))
        .collect();
    let ways = variant.fields.iter().map(|(_, ty)| way(component, ty));
    let members = variant.fields.iter().map(|(member, _)| member);
    let path = variant.name.as_ref().map(|name| quote!(::#name));
    let number = variant.name.as_ref().map(|_| {
        let number = Literal::u32_suffixed(number);
        quote!(::core::hash::Hasher::write_u32(__hasher, #number);)
    });
    quote! {
        Self #path { #(#members: #names,)* } => {
            #number
            #(if let ::core::option::Option::Some(__feed) = const { #ways } {
                __feed(#names, __hasher);
            })*
        }
    }
}
