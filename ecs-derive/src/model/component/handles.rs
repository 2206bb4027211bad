//! The paths of a context's entity handles.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::Lifetime;

use crate::model::method::spare;
use crate::parse::{Component, Context};

use super::kind::Kind;

/// The handle types, without lifetimes.
pub(super) struct Handles {
    /// The shared handle.
    pub(super) entity: TokenStream,
    /// The exclusive handle.
    pub(super) entity_mut: TokenStream,
    /// The context that they belong to.
    pub(super) owner: TokenStream,
    /// The context, if there is only one.
    pub(super) context: Option<TokenStream>,
}

impl Handles {
    /// By name, next to the context.
    pub(super) fn by_name(context: &Context) -> Self {
        let (entity, entity_mut) = (context.entity(), context.entity_mut());
        let path = &context.path;
        Self {
            entity: quote!(#entity),
            entity_mut: quote!(#entity_mut),
            owner: quote!(#path),
            context: Some(quote!(#path)),
        }
    }

    /// In a trait for several contexts.
    pub(super) fn in_trait(component: &Component, kind: Kind) -> Self {
        match kind {
            Kind::EventsOfOne => Self::of(component, &quote!(C)),
            _ => Self::of(component, &quote!(Self)),
        }
    }

    /// For a context whose path is known.
    pub(super) fn of_path(component: &Component, context: &Context) -> Self {
        let path = &context.path;
        Self::of(component, &quote!(#path))
    }

    fn of(component: &Component, context: &TokenStream) -> Self {
        let krate = &component.krate;
        Self {
            entity: quote!(<#context as #krate::Handles>::Entity),
            entity_mut: quote!(<#context as #krate::Handles>::EntityMut),
            owner: context.clone(),
            context: only_context(component),
        }
    }
}

/// The context of a component, if it has a single one.
fn only_context(component: &Component) -> Option<TokenStream> {
    match component.contexts.as_slice() {
        [Context { path, .. }] => Some(quote!(#path)),
        _ => None,
    }
}

/// The lifetime of the shared handle.
pub(crate) fn handle_lifetime(component: &Component) -> Lifetime {
    lifetime("entity", component)
}

/// A lifetime with this name, unless it occurs in the type.
pub(super) fn lifetime(name: &str, component: &Component) -> Lifetime {
    Lifetime {
        apostrophe: Span::call_site(),
        ident: spare(name, &component.ty),
    }
}
