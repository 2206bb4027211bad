//! How methods name the handles of a context's entities.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::Lifetime;

use crate::model::method::spare;
use crate::parse::{Component, Context};

use super::kind::Kind;

/// The types of the handles, without their lifetimes.
pub(super) struct Handles {
    /// Of the handle that reads an entity.
    pub(super) entity: TokenStream,
    /// Of the handle that changes an entity.
    pub(super) entity_mut: TokenStream,
    /// The context, if it is one.
    pub(super) context: Option<TokenStream>,
}

impl Handles {
    /// By their own names, which stand beside that of the context.
    pub(super) fn by_name(context: &Context) -> Self {
        let (entity, entity_mut) = (context.entity(), context.entity_mut());
        let path = &context.path;
        Self {
            entity: quote!(#entity),
            entity_mut: quote!(#entity_mut),
            context: Some(quote!(#path)),
        }
    }

    /// As a trait for several contexts has to.
    pub(super) fn in_trait(component: &Component, kind: Kind) -> Self {
        match kind {
            Kind::EventsOfOne => Self::of(component, &quote!(C)),
            _ => Self::of(component, &quote!(Self)),
        }
    }

    /// As those of a context whose path is known.
    pub(super) fn of_path(component: &Component, context: &Context) -> Self {
        let path = &context.path;
        Self::of(component, &quote!(#path))
    }

    fn of(component: &Component, context: &TokenStream) -> Self {
        let krate = &component.krate;
        Self {
            entity: quote!(<#context as #krate::Handles>::Entity),
            entity_mut: quote!(<#context as #krate::Handles>::EntityMut),
            context: only_context(component),
        }
    }
}

/// The context of a component that belongs to no other.
fn only_context(component: &Component) -> Option<TokenStream> {
    match component.contexts.as_slice() {
        [Context { path, .. }] => Some(quote!(#path)),
        _ => None,
    }
}

/// The lifetime of the handle that reads.
pub(crate) fn handle_lifetime(component: &Component) -> Lifetime {
    lifetime("entity", component)
}

/// The lifetime that is called so, unless one in the type is.
pub(super) fn lifetime(name: &str, component: &Component) -> Lifetime {
    Lifetime {
        apostrophe: Span::call_site(),
        ident: spare(name, &component.ty),
    }
}
