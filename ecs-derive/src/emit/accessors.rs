//! The methods named after a component. They are inherent, or trait methods if the context is in
//! another crate, because only that crate can add inherent methods to its types.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

use crate::model::component::handle_lifetime;
use crate::model::{Block, Kind, Method};
use crate::parse::{Component, Context};

use super::blocks::{declaration, inherent_impl, trait_impl};

/// The methods, in the form that the component requires.
pub(crate) fn accessors(component: &Component, blocks: &[Block]) -> TokenStream {
    let is_pair = |a: &Block, b: &Block| (a.kind, b.kind) == (Kind::Shared, Kind::Exclusive);
    let together = blocks.chunk_by(is_pair);
    let each = together.map(|blocks| match component.is_extension() {
        true => traits(component, blocks),
        false => for_each_context(component, blocks, inherent),
    });
    each.collect()
}

/// Traits with their implementations.
fn traits(component: &Component, blocks: &[Block]) -> TokenStream {
    let declarations = blocks.iter().map(|block| declared(component, block));
    let implementations = for_each_context(component, blocks, implemented);
    quote!(#(#declarations)* #implementations)
}

/// Calls `write` for each block, context by context.
fn for_each_context(
    component: &Component,
    blocks: &[Block],
    write: fn(&Component, Kind, &Context, &[Method]) -> TokenStream,
) -> TokenStream {
    let contexts = component.contexts.iter().enumerate();
    let each = contexts.flat_map(|(n, context)| {
        let blocks = blocks.iter();
        blocks.map(move |block| write(component, block.kind, context, &block.of_contexts[n]))
    });
    each.collect()
}

fn inherent(
    component: &Component,
    kind: Kind,
    context: &Context,
    methods: &[Method],
) -> TokenStream {
    let (this, entity) = (receiver(component, kind, context), context.entity());
    let lifetime = handle_lifetime(component);
    let header = match kind {
        // A flag borrows nothing from the entity.
        Kind::Shared if component.is_flag() => quote!(#entity<'_>),
        Kind::Shared => quote!(<#lifetime> #this),
        _ => this,
    };
    inherent_impl(&component.krate, &header, methods)
}

fn implemented(
    component: &Component,
    kind: Kind,
    context: &Context,
    methods: &[Method],
) -> TokenStream {
    let (name, this) = (name(component, kind), receiver(component, kind, context));
    let (path, lifetime) = (&context.path, handle_lifetime(component));
    let header = match kind {
        Kind::Shared => quote!(<#lifetime> #name<#lifetime> for #this),
        Kind::EventsOfOne => quote!(#name<#path> for #this),
        _ => quote!(#name for #this),
    };
    trait_impl(&component.krate, &header, methods)
}

fn declared(component: &Component, block: &Block) -> TokenStream {
    let (krate, name) = (&component.krate, name(component, block.kind));
    let lifetime = handle_lifetime(component);
    let header = match block.kind {
        Kind::Shared => quote!(#name<#lifetime>),
        Kind::Exclusive => quote!(#name),
        // The context is a parameter, so that a listener receives the right handle.
        Kind::EventsOfOne => quote!(#name<C: #krate::Context>),
        _ => quote!(#name: #krate::Context),
    };
    let text = text(component, block.kind);
    declaration(&text, &component.visibility, &header, &block.declared)
}

/// The receiver of the methods.
fn receiver(component: &Component, kind: Kind, context: &Context) -> TokenStream {
    let (path, entity, entity_mut) = (&context.path, context.entity(), context.entity_mut());
    let lifetime = handle_lifetime(component);
    match kind {
        Kind::Shared => quote!(#entity<#lifetime>),
        Kind::Exclusive | Kind::EventsOfOne => quote!(#entity_mut<'_>),
        Kind::Unique | Kind::Lookups | Kind::EventsOfAny => quote!(#path),
    }
}

/// The name of the trait.
fn name(component: &Component, kind: Kind) -> Ident {
    let suffix = match kind {
        Kind::Shared => "Ext",
        Kind::Exclusive => "MutExt",
        Kind::Unique => "ContextExt",
        Kind::Lookups => "IndexExt",
        Kind::EventsOfAny => "EventExt",
        Kind::EventsOfOne => "EventMutExt",
    };
    format_ident!("{}{suffix}", component.stem)
}

/// The doc comment of the trait.
fn text(component: &Component, kind: Kind) -> String {
    let name = &component.text;
    let listening = "The methods that listen to the events of the component";
    match kind {
        Kind::Shared => {
            format!("The accessors of the component `{name}` on the shared handle of an entity.")
        }
        Kind::Exclusive => {
            format!("The accessors of the component `{name}` on the exclusive handle of an entity.")
        }
        Kind::Unique => format!("The accessors of the component `{name}` on its contexts."),
        Kind::Lookups => {
            format!("The methods of a context that look entities up by the component `{name}`.")
        }
        Kind::EventsOfAny => format!("{listening} `{name}`, on its contexts."),
        Kind::EventsOfOne => {
            format!("{listening} `{name}`, on the exclusive handle of an entity.")
        }
    }
}
