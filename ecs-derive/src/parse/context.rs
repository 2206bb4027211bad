//! Structs with `#[ecs::context]`.

use proc_macro2::TokenStream;
use quote::format_ident;
use syn::{Attribute, DeriveInput, Ident, LitInt, Path, Visibility};

use crate::error::Errors;

use super::attr::ContextAttrs;
use super::library;

/// A struct with `#[ecs::context]`.
pub(crate) struct ContextItem {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) ident: Ident,
    /// The path of the library.
    pub(crate) krate: Path,
    /// Whether it stays on its thread.
    pub(crate) local: bool,
    /// The number of free slots that are not reused, if given.
    pub(crate) minimum_free: Option<LitInt>,
}

impl ContextItem {
    /// Reads the item and the arguments of the attribute. `valid` rejects fields and parameters.
    pub(crate) fn read(item: DeriveInput, args: TokenStream, errors: &mut Errors) -> Self {
        let args = ContextAttrs::read(args, errors);
        Self {
            krate: library::path(args.krate),
            local: args.local.is_some(),
            minimum_free: args.minimum_free.map(|given| given.value),
            attrs: item.attrs,
            visibility: item.vis,
            ident: item.ident,
        }
    }

    /// The name of the shared handle.
    pub(crate) fn entity(&self) -> Ident {
        format_ident!("{}Entity", self.ident)
    }

    /// The name of the exclusive handle.
    pub(crate) fn entity_mut(&self) -> Ident {
        format_ident!("{}EntityMut", self.ident)
    }
}
