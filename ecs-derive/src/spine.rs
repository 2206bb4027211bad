//! What becomes of an item: parse → check → expand.
//!
//! Whatever is wrong, the code comes out beside the messages, so that the uses of the item do not
//! fail as well.

use proc_macro2::TokenStream;
use quote::quote;
use syn::DeriveInput;

use crate::ast::{self, ContextItem};
use crate::attr::ContextArgs;
use crate::contexts::World;
use crate::error::Errors;
use crate::expand;
use crate::expand::accessors::Accessors;
use crate::{fallback, valid};

/// `#[derive(Component)]`.
pub(crate) fn component(input: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let mut errors = Errors::default();
    let component = ast::Component::read(input, &mut errors);
    valid::component(&component, &mut errors);
    if errors.is_empty() {
        return expand::all_of(&component, &Accessors::of(&component));
    }
    let expansion = fallback::component(&component);
    let errors = errors.into_tokens();
    quote!(#errors #expansion)
}

/// `#[ecs::context]`.
pub(crate) fn context(args: TokenStream, input: TokenStream) -> TokenStream {
    let item: DeriveInput = match syn::parse2(input.clone()) {
        Ok(item) => item,
        Err(error) => return fallback::not_a_struct(&error, input),
    };
    let mut errors = Errors::default();
    valid::context(&item, &mut errors);
    let item = ContextItem::read(item, ContextArgs::read(args, &mut errors));
    let expansion = match expand::context::postponed(&item) {
        Some(again) if errors.is_empty() => again,
        _ => expand::context::expand(&item),
    };
    let errors = errors.into_tokens();
    quote!(#errors #expansion)
}

/// `#[derive(Contexts)]`.
pub(crate) fn contexts(input: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let mut errors = Errors::default();
    let world = World::read(input, &mut errors);
    let expansion = expand::contexts::expand(&world);
    let errors = errors.into_tokens();
    quote!(#errors #expansion)
}
