//! From a checked item to the code that takes its place: parse → check → expand.
//!
//! Whatever is wrong, the code comes out beside the messages, so that the uses of the item do not
//! fail as well.

pub(crate) mod accessors;
mod arguments;
pub(crate) mod context;
mod extension;
pub(crate) mod method;
pub(crate) mod traits;

use proc_macro2::TokenStream;
use quote::quote;
use syn::DeriveInput;

use crate::ast::{self, ContextItem};
use crate::attr::ContextArgs;
use crate::error::Errors;
use crate::{fallback, valid};

use self::accessors::Accessors;

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
        return all_of(&component, &Accessors::of(&component));
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
    let expansion = match context::postponed(&item) {
        Some(again) if errors.is_empty() => again,
        _ => context::expand(&item),
    };
    let errors = errors.into_tokens();
    quote!(#errors #expansion)
}

/// Everything that stands beside a component: its traits and these accessors.
pub(crate) fn all_of(component: &ast::Component, methods: &Accessors) -> TokenStream {
    let (traits, accessors) = (traits::expand(component), accessors(component, methods));
    quote!(#traits #accessors)
}

/// These accessors, in the form that the component asks for.
pub(crate) fn accessors(component: &ast::Component, methods: &Accessors) -> TokenStream {
    match component.attrs.extension {
        Some(_) => extension::expand(component, methods),
        None => accessors::expand(component, methods),
    }
}

/// The lints that generated code may not raise on the user's behalf: nobody calls all of it, it
/// uses what is deprecated, it repeats names, visibilities and numbers of fields that the user has
/// chosen, and stand-ins ignore their arguments.
///
/// Only these are named: where the user forbids one, to allow it is an error.
pub(crate) fn lints() -> TokenStream {
    quote! {
        #[allow(
            dead_code,
            deprecated,
            non_camel_case_types,
            non_snake_case,
            private_interfaces,
            unreachable_pub,
            unused_variables,
            clippy::too_many_arguments,
        )]
    }
}
