//! A struct with `#[ecs::context]`.

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
    /// Where to find the library.
    pub(crate) krate: Path,
}

impl ContextItem {
    /// Takes of the item what a context keeps, and reads the arguments of the attribute. Fields and
    /// parameters are `valid`'s to reject.
    pub(crate) fn read(item: DeriveInput, args: TokenStream, errors: &mut Errors) -> Self {
        Self {
            krate: library::path(attr::krate(args, errors)),
            attrs: item.attrs,
            visibility: item.vis,
            ident: item.ident,
        }
    }

    /// The name of the handle that reads an entity.
    pub(crate) fn entity(&self) -> Ident {
        format_ident!("{}Entity", self.ident)
    }

    /// The name of the handle that changes one.
    pub(crate) fn entity_mut(&self) -> Ident {
        format_ident!("{}EntityMut", self.ident)
    }
}
