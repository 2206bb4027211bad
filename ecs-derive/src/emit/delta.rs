//! How deltas divide the values of a component: into fields, and numbers with a step.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens as _, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Data, Member};

use crate::parse::{Component, Step};

/// The cells of a component with `delta`.
pub(super) fn cells(component: &Component) -> Option<TokenStream> {
    if !component.is_divided() {
        return None;
    }
    let Data::Struct(data) = &component.data else {
        return None;
    };
    let private = {
        let krate = &component.krate;
        quote!(#krate::__private)
    };
    let fields = data.fields.members().zip(&data.fields);
    let (mut text, mut layout, mut written) = (Vec::new(), Vec::new(), Vec::new());
    for (nth, (member, field)) in fields.enumerate() {
        let (ty, span) = (&field.ty, field.ty.span());
        let step = component.step(nth);
        text.push(named(&member, step));
        match step {
            Some(step) => {
                let step = Literal::f64_suffixed(step.value);
                layout.push(quote_spanned!(span=> #private::FieldCells::stepped::<#ty>(#step)));
                written.push(quote_spanned!(span=> __cells.stepped(&__this.#member, #step);));
            }
            None => {
                layout.push(quote!(#private::FieldCells::PLAIN));
                let call = Ident::new("plain", span);
                written.push(quote!(__cells.#call(&__this.#member);));
            }
        }
    }
    let text = text.join(", ");
    Some(quote! {
        #private::Cells::new(
            #text,
            const { &[#(#layout),*] },
            |__this: &Self, __cells| { #(#written)* },
        )
    })
}

/// For example `x: 0.01`, or `name` without a step.
fn named(member: &Member, step: Option<&Step>) -> String {
    let name = member.to_token_stream();
    match step {
        Some(step) => format!("{name}: {}", step.text),
        None => name.to_string(),
    }
}
