//! What becomes of an item: parse → model → check → emit.
//!
//! Whatever is wrong, the code comes out beside the messages, so that the uses of the item do not
//! fail as well.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Error};

use crate::error::Errors;
use crate::parse::{BundleItem, Component, ContextItem, World};
use crate::{emit, fallback, model, valid};

/// `#[derive(Component)]`.
pub(crate) fn component(input: TokenStream) -> TokenStream {
    let expansion = syn::parse2(input).map(|input| {
        let mut errors = Errors::default();
        let component = Component::read(input, &mut errors);
        let blocks = model::component::blocks(&component);
        valid::component(&component, &blocks, &mut errors);
        match errors.is_empty() {
            true => emit::component(&component, &blocks),
            false => beside(errors, fallback::component(&component, blocks)),
        }
    });
    expansion.unwrap_or_else(Error::into_compile_error)
}

/// `#[ecs::context]`.
pub(crate) fn context(args: TokenStream, input: TokenStream) -> TokenStream {
    let item: DeriveInput = match syn::parse2(input.clone()) {
        Ok(item) => item,
        Err(error) => return fallback::not_a_struct(&error, input),
    };
    let mut errors = Errors::default();
    valid::context(&item, &mut errors);
    let item = ContextItem::read(item, args, &mut errors);
    match emit::context::postponed(&item) {
        Some(again) if errors.is_empty() => again,
        _ => beside(errors, emit::context::expand(&item)),
    }
}

/// `#[derive(Contexts)]`.
pub(crate) fn contexts(input: TokenStream) -> TokenStream {
    let expansion = syn::parse2(input).map(|input| {
        let mut errors = Errors::default();
        let world = World::read(input, &mut errors);
        beside(errors, emit::world::expand(&world))
    });
    expansion.unwrap_or_else(Error::into_compile_error)
}

/// `#[derive(Bundle)]`.
pub(crate) fn bundle(input: TokenStream) -> TokenStream {
    let expansion = syn::parse2(input).map(|input| {
        let mut errors = Errors::default();
        let bundle = BundleItem::read(input, &mut errors);
        beside(errors, emit::bundle::expand(&bundle))
    });
    expansion.unwrap_or_else(Error::into_compile_error)
}

fn beside(errors: Errors, expansion: TokenStream) -> TokenStream {
    let errors = errors.into_tokens();
    quote!(#errors #expansion)
}
