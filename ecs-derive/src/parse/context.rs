//! Structs with `#[ecs::context]`.

use proc_macro2::TokenStream;
use quote::format_ident;
use syn::{Attribute, DeriveInput, Ident, Path, Visibility};

use crate::error::Errors;

use super::attr::context as attr;
use super::library;

/// A struct with `#[ecs::context]`.
pub(crate) struct ContextItem {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) ident: Ident,
    /// The path of the library.
    pub(crate) krate: Path,
}

impl ContextItem {
    /// Reads the item and the arguments of the attribute. `valid` rejects fields and parameters.
    pub(crate) fn read(item: DeriveInput, args: TokenStream, errors: &mut Errors) -> Self {
        Self {
            krate: library::path(attr::krate(args, errors)),
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
