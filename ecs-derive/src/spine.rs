//! The stages of each macro: parse → model → check → emit.
//!
//! Code is generated even if there are mistakes, so that uses of the item do not fail as well.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Error};

use crate::error::Errors;
use crate::parse::{
    BundleItem, ChecksumItem, Component, ContextItem, MapIdsItem, QueryItem, World, foreign,
    instance,
};
use crate::{emit, fallback, model, valid};

/// `#[derive(Component)]`.
pub(crate) fn component(input: TokenStream) -> TokenStream {
    let expansion = syn::parse2(input).map(|input| {
        let mut errors = Errors::default();
        let components = instance::read(input, &mut errors);
        all(components, errors)
    });
    expansion.unwrap_or_else(Error::into_compile_error)
}

/// The expansions of components.
fn all(components: Vec<Component>, mut errors: Errors) -> TokenStream {
    let with_blocks = |component| (model::component::blocks(&component), component);
    let all: Vec<_> = components.into_iter().map(with_blocks).collect();
    for (blocks, component) in &all {
        valid::component(component, blocks, &mut errors);
    }
    let is_sound = errors.is_empty();
    let each = all.into_iter().map(|(blocks, component)| match is_sound {
        true => emit::component(&component, &blocks),
        false => fallback::component(component, blocks),
    });
    alongside(errors, each.collect())
}

/// `foreign!`.
pub(crate) fn foreign(input: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    match foreign::read(input, &mut errors) {
        Ok(components) => all(components, errors),
        Err(error) => error.into_compile_error(),
    }
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
        _ => alongside(errors, emit::context::expand(&item)),
    }
}

/// `#[derive(Contexts)]`.
pub(crate) fn contexts(input: TokenStream) -> TokenStream {
    derive(input, World::read, emit::world::expand)
}

/// `#[derive(Bundle)]`.
pub(crate) fn bundle(input: TokenStream) -> TokenStream {
    derive(input, BundleItem::read, emit::bundle::expand)
}

/// `#[derive(QueryData)]`.
pub(crate) fn query_data(input: TokenStream) -> TokenStream {
    derive(input, QueryItem::read, emit::query_data::expand)
}

/// `#[derive(Checksum)]`.
pub(crate) fn checksum(input: TokenStream) -> TokenStream {
    derive(input, ChecksumItem::read, emit::checksum::expand)
}

/// `#[derive(MapIds)]`.
pub(crate) fn map_ids(input: TokenStream) -> TokenStream {
    derive(input, MapIdsItem::read, emit::ids::expand)
}

/// Expands what was read, after the errors.
fn derive<T>(
    input: TokenStream,
    read: fn(DeriveInput, &mut Errors) -> T,
    expand: fn(&T) -> TokenStream,
) -> TokenStream {
    let expansion = syn::parse2(input).map(|input| {
        let mut errors = Errors::default();
        let item = read(input, &mut errors);
        alongside(errors, expand(&item))
    });
    expansion.unwrap_or_else(Error::into_compile_error)
}

fn alongside(errors: Errors, expansion: TokenStream) -> TokenStream {
    let errors = errors.into_tokens();
    quote!(#errors #expansion)
}
