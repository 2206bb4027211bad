//! Resets a pooled value to equal a fresh one: by its own `Recycle`, or else field by field.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use syn::{Data, Index};

use crate::model::method::local;
use crate::parse::Component;

/// The constant of the trait, for pooled components.
pub(super) fn constant(component: &Component) -> Option<TokenStream> {
    let krate = &component.krate;
    let value = value(component);
    component.is_pooled().then(|| {
        quote! {
            const RECYCLE: fn(&mut Self, &mut Self) = {
                #[allow(unused_imports)] // used only for types that lack the trait
                use #krate::__private::{NoDrop as _, NoRecycle as _};
                #value
            };
        }
    })
}

fn value(component: &Component) -> TokenStream {
    let private = {
        let krate = &component.krate;
        quote!(#krate::__private)
    };
    let whole = quote!(#private::Probe::<Self>::RECYCLE);
    let Data::Struct(data) = &component.data else {
        return quote!(#private::recycle_or_swap(#whole));
    };
    let [pooled, fresh, recycle] = ["__pooled", "__fresh", "__recycle"].map(local);
    let fields = data.fields.iter().enumerate().map(|(number, field)| {
        let ty = &field.ty;
        let member = match &field.ident {
            Some(name) => name.to_token_stream(),
            None => Index::from(number).to_token_stream(),
        };
        quote! {
            (const { #private::recycle_or_swap(#private::Probe::<#ty>::RECYCLE) })(
                &mut #pooled.#member,
                &mut #fresh.#member,
            );
        }
    });
    quote! {
        match #whole {
            ::core::option::Option::Some(#recycle) => #recycle,
            ::core::option::Option::None if #private::Probe::<Self>::HAS_DROP => ::core::mem::swap,
            ::core::option::Option::None => |#pooled, #fresh| { #(#fields)* },
        }
    }
}
