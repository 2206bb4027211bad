//! How a component, and a type with `#[derive(Checksum)]`, feeds a checksum.
//!
//! A component does it by its own `Checksum`; otherwise field by field, each by its
//! `Checksum` or `Hash`, so that lists of numbers give the same result on every machine; otherwise
//! by its own `Hash`.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::{Member, Path};

use crate::parse::{ChecksumItem, Component, Variant};

use super::blocks::{bounded, derived};
use super::lints::lints;

pub(super) fn constant(component: &Component) -> TokenStream {
    let krate = &component.krate;
    let is_transient = component.attrs.transient.is_some();
    let value = match component.variants.as_slice() {
        _ if component.is_flag() || is_transient => quote!(::core::result::Result::Ok(|_, _| ())),
        [] => {
            let way = way(krate, &quote!(Self));
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
fn way(krate: &Path, ty: &TokenStream) -> TokenStream {
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
            let (name, way) = (name_of(variant, member), way(krate, ty));
            quote!((#name, #way.is_some()))
        })
    });
    let arms = (0_u32..).zip(variants).map(|it| arm(krate, it, false));
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
fn arm(krate: &Path, (number, variant): (u32, &Variant), has_skipped: bool) -> TokenStream {
    let names: Vec<Ident> = (0..variant.fields.len())
        .map(|nth| format_ident!("__field_{nth}"))
        .collect();
    let ways = variant.fields.iter().map(|(_, ty)| way(krate, ty));
    let members = variant.fields.iter().map(|(member, _)| member);
    let path = variant.name.as_ref().map(|name| quote!(::#name));
    let number = variant.name.as_ref().map(|_| {
        let number = Literal::u32_suffixed(number);
        quote!(::core::hash::Hasher::write_u32(__hasher, #number);)
    });
    let rest = has_skipped.then(|| quote!(..));
    quote! {
        Self #path { #(#members: #names,)* #rest } => {
            #number
            #(if let ::core::option::Option::Some(__feed) = const { #ways } {
                __feed(#names, __hasher);
            })*
        }
    }
}

/// `#[derive(Checksum)]`.
pub(crate) fn expand(item: &ChecksumItem) -> TokenStream {
    let (krate, ident, lints) = (&item.krate, &item.ident, lints());
    let generics = bounded(&item.generics, &quote!(#krate::Checksum));
    let fields = item.variants.iter().flatten();
    let fields = fields.flat_map(|it| it.fields.iter().map(move |field| (it, field)));
    let checks = fields.map(|(variant, field)| check(krate, variant, field));
    // An item is evaluated by `cargo check`, too, but cannot name parameters.
    let (items, inside) = match generics.params.is_empty() {
        true => (quote!(#(const _: () = #checks;)*), None),
        false => (TokenStream::new(), Some(quote!(#(const { #checks })*))),
    };
    let body = match &item.variants {
        None => TokenStream::new(),
        Some(variants) if variants.is_empty() => quote!(match *self {}),
        Some(variants) => {
            let arms = (0_u32..).zip(variants);
            let arms = arms.map(|it| arm(krate, it, item.has_skipped));
            quote!(match self { #(#arms)* })
        }
    };
    let (parameters, arguments, clause) = generics.split_for_impl();
    let implementation = derived(
        &quote!(#parameters #krate::Checksum for #ident #arguments #clause),
        &quote! {
            fn feed(&self, __hasher: &mut #krate::ChecksumHasher) { #inside #body }
        },
    );
    quote! {
        #lints
        const _: () = {
            #[allow(unused_imports)] // used only for types that lack the traits
            use #krate::__private::{NoChecksum as _, NoHash as _};
            #items
            #implementation
        };
    }
}

/// Rejects a field whose type cannot feed a checksum.
fn check(krate: &Path, variant: &Variant, (member, ty): &(Member, TokenStream)) -> TokenStream {
    let way = way(krate, ty);
    let message = format!(
        "the type of `{}` has neither `Checksum` nor `Hash`: derive `Checksum` for it, or write \
         `#[checksum(skip)]` above the field",
        name_of(variant, member)
    );
    let first = ty.clone().into_iter().next();
    let span = first.map_or_else(Span::call_site, |token| token.span());
    quote_spanned!(span=> ::core::assert!(#way.is_some(), #message))
}
