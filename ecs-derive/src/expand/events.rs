//! The methods that listen to the events a component is declared with: on its contexts to those of
//! any entity, on the exclusive handle to those of one. Each is a call of the generic one.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;
use syn::ext::IdentExt as _;

use crate::ast::Component;
use crate::attr::{Event, EventKind, Scope};

use super::lints::lints;
use super::method::{DEAD, LISTENS, Method, docs, listener};

/// The priorities of the events in the implementation of `Component`.
pub(super) fn priorities(component: &Component) -> Option<TokenStream> {
    let events = &component.attrs.events;
    if events.iter().all(|event| event.priority == 0) {
        return None;
    }
    let of = |scope, kind| {
        let mut given = events.iter();
        given
            .find(|event| (event.scope, event.kind) == (scope, kind))
            .map_or(0, |event| event.priority)
    };
    let each = [Scope::Any, Scope::Own].map(|scope| {
        let each = [EventKind::Set, EventKind::Removed].map(|kind| of(scope, kind));
        quote!([#(#each),*])
    });
    Some(quote! {
        const EVENT_PRIORITIES: [[::core::primitive::i32; 2]; 2] = [#(#each),*];
    })
}

/// The methods, each as `change` makes it.
pub(crate) fn expand(component: &Component, change: impl Fn(Method) -> Method) -> TokenStream {
    let places = [Scope::Any, Scope::Own].map(|scope| Place {
        component,
        scope,
        change: &change,
    });
    let each = places.iter().map(|place| match component.attrs.extension {
        _ if place.events().next().is_none() => TokenStream::new(),
        Some(_) => place.extension(),
        None => place.inherent(),
    });
    quote!(#(#each)*)
}

/// Where the methods for events of one scope stand.
struct Place<'c, F> {
    component: &'c Component,
    scope: Scope,
    change: F,
}

impl<F: Fn(Method) -> Method> Place<'_, F> {
    fn events(&self) -> impl Iterator<Item = &Event> {
        let events = self.component.attrs.events.iter();
        events.filter(|event| event.scope == self.scope)
    }

    /// The methods, for listeners that are handed this type.
    fn methods(&self, entity: &TokenStream) -> Vec<Method> {
        let methods = self.events().map(|event| self.method(event, entity));
        methods.map(&self.change).collect()
    }

    fn method(&self, event: &Event, entity: &TokenStream) -> Method {
        let (krate, ident) = (&self.component.krate, &self.component.ident);
        let text = format!("the component `{}`", ident.unraw());
        let (generic, change) = match event.kind {
            EventKind::Set => (
                "set",
                format!("after {text} was added, replaced or updated"),
            ),
            EventKind::Removed => (
                "removed",
                format!("after {text} was lost, by removal or by the end of the entity"),
            ),
        };
        let (before, does) = match self.scope {
            Scope::Any => (
                "on_any_",
                format!("Calls `listener` with any entity {change}."),
            ),
            Scope::Own => (
                "on_",
                format!("Calls `listener` with the entity {change}. It ends with the entity."),
            ),
        };
        let name = self.component.accessor(before, &format!("_{generic}"));
        let (listener, takes) = listener(entity);
        let generic = format_ident!("on_{generic}");
        let method = Method::new(
            name,
            &does,
            quote!((&mut self, #takes) -> #krate::Subscription),
            self.call(&generic, &listener),
        );
        let method = method
            .visible_as(&self.component.visibility)
            .events(LISTENS);
        match self.scope {
            Scope::Any => method,
            Scope::Own => method.panics(DEAD),
        }
    }

    fn call(&self, generic: &Ident, listener: &Ident) -> TokenStream {
        let (krate, ident) = (&self.component.krate, &self.component.ident);
        match self.scope {
            Scope::Any => quote! {
                <Self as #krate::Context>::events(self).#generic::<#ident>(#listener)
            },
            Scope::Own => quote!(self.#generic::<#ident>(#listener)),
        }
    }

    /// The `impl` blocks of the types themselves.
    fn inherent(&self) -> TokenStream {
        let each = self.component.contexts.iter().map(|context| {
            let (lints, path, entity_mut) = (lints(), &context.path, context.entity_mut());
            let methods = self.methods(&quote!(#entity_mut<'_>));
            let methods = methods.iter().map(Method::inherent);
            let this = match self.scope {
                Scope::Any => quote!(#path),
                Scope::Own => quote!(#entity_mut<'_>),
            };
            quote! {
                #lints
                impl #this { #(#methods)* }
            }
        });
        quote!(#(#each)*)
    }

    /// A trait, where the context is in another crate. That of the handles knows the context, so
    /// that a listener is handed the right one.
    fn extension(&self) -> TokenStream {
        let (component, lints) = (self.component, lints());
        let (krate, visibility) = (&component.krate, &component.visibility);
        let (suffix, place, header) = match self.scope {
            Scope::Any => ("EventExt", "its contexts", quote!(: #krate::Context)),
            Scope::Own => (
                "EventMutExt",
                "the exclusive handle of an entity",
                quote!(<C: #krate::Context>),
            ),
        };
        let name = format_ident!("{}{suffix}", component.ident);
        let docs = docs(&format!(
            "The methods that listen to the events of the component `{}`, on {place}.",
            component.ident.unraw()
        ));
        let of = match self.scope {
            Scope::Any => quote!(Self),
            Scope::Own => quote!(C),
        };
        let methods = self.methods(&quote!(<#of as #krate::Handles>::EntityMut<'_>));
        let methods = methods.iter().map(Method::declared);
        let implementations = self.implementations(&name);
        quote! {
            #docs
            #lints
            #visibility trait #name #header { #(#methods)* }

            #implementations
        }
    }

    fn implementations(&self, name: &Ident) -> TokenStream {
        let krate = &self.component.krate;
        let each = self.component.contexts.iter().map(|context| {
            let (lints, path, entity_mut) = (lints(), &context.path, context.entity_mut());
            let methods = self.methods(&quote!(<#path as #krate::Handles>::EntityMut<'_>));
            let methods = methods.iter().map(Method::implemented);
            let header = match self.scope {
                Scope::Any => quote!(#name for #path),
                Scope::Own => quote!(#name<#path> for #entity_mut<'_>),
            };
            quote! {
                #lints
                impl #header { #(#methods)* }
            }
        });
        quote!(#(#each)*)
    }
}
