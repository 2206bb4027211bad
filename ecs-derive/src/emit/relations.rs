//! The relation of a component.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned as _;

use crate::parse::{Component, Context, OnTargetDestroyed, Relation};

use super::blocks::derived;
use super::tokens::located_at;

/// The implementations that make a component a relation of a context.
pub(super) fn implementations(component: &Component, context: &Context) -> Option<TokenStream> {
    let relation = component.relation()?;
    let (krate, owner, path) = (&component.krate, &component.ty, &context.path);
    let (rules, fields) = (
        rules(component, relation),
        fields(component, context, relation),
    );
    let main = derived(
        &quote!(#krate::Relation<#path> for #owner),
        &quote!(#rules #fields),
    );
    let attrs = &relation.attrs;
    let kinds = [
        (&attrs.acyclic, "AcyclicRelation"),
        (&attrs.ordered, "OrderedRelation"),
    ];
    let kinds = kinds.into_iter().filter(|(given, _)| given.is_some());
    let kinds = kinds.map(|(_, kind)| {
        let kind = format_ident!("{kind}");
        derived(
            &quote!(#krate::#kind<#path> for #owner),
            &TokenStream::new(),
        )
    });
    let clone = clone(component, relation);
    let main = located_at(relation.ty.span(), main);
    Some(quote!(#main #(#kinds)* #clone))
}

/// The constants that differ from the defaults.
fn rules(component: &Component, relation: &Relation) -> TokenStream {
    let (krate, attrs) = (&component.krate, &relation.attrs);
    let given = attrs.on_target_destroyed.as_ref().map(|given| given.value);
    let end = match given {
        // The entry has nothing left.
        None | Some(OnTargetDestroyed::Remove) if component.is_many() => {
            Some(OnTargetDestroyed::Destroy)
        }
        given => given,
    };
    let end = end.map(|end| {
        let way = match end {
            OnTargetDestroyed::Remove => "Remove",
            OnTargetDestroyed::Destroy => "Destroy",
            OnTargetDestroyed::Keep => "Keep",
            OnTargetDestroyed::Reject => "Reject",
        };
        let way = format_ident!("{way}");
        quote! {
            const ON_TARGET_DESTROYED: #krate::OnTargetDestroyed = #krate::OnTargetDestroyed::#way;
        }
    });
    let words = [("ACYCLIC", &attrs.acyclic), ("ORDERED", &attrs.ordered)];
    let given = words.into_iter().filter(|(_, given)| given.is_some());
    let words = given.map(|(name, _)| {
        let name = format_ident!("{name}");
        quote!(const #name: ::core::primitive::bool = true;)
    });
    quote!(#end #(#words)*)
}

/// The methods that read and write the field.
fn fields(component: &Component, context: &Context, relation: &Relation) -> TokenStream {
    let (krate, path) = (&component.krate, &context.path);
    let Relation { ty, member, .. } = relation;
    let id = quote!(#krate::EntityId<#path>);
    let field = quote!(<#ty as #krate::__private::RelationField<#path>>);
    quote! {
        fn target(&self) -> #id {
            #field::target(&self.#member)
        }

        fn set_target(&mut self, __target: #id) {
            #field::set_target(&mut self.#member, __target);
        }
    }
}

/// Checks that the component is `Clone`, which a relation needs to reject updates.
fn clone(component: &Component, relation: &Relation) -> TokenStream {
    let krate = &component.krate;
    let ty = located_at(relation.span, component.ty.clone());
    quote_spanned! {relation.span=>
        const _: () = #krate::__private::is_relation::<#ty>();
    }
}

/// The entry in the list of field indexes.
pub(super) fn index(component: &Component, context: &Context) -> Option<TokenStream> {
    let (krate, path) = (&component.krate, &context.path);
    let index = quote!(#krate::__private::relation_index::<#path, Self>());
    component.relation().map(|_| index)
}
