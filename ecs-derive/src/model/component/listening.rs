//! The methods that listen to declared events: on contexts to those of any entity, on the exclusive
//! handle to those of one. Each calls the generic method.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

use crate::model::method::{Method, listener};
use crate::model::promises::{DEAD, LISTENS};
use crate::parse::{Component, Event, EventKind, Scope};

use super::handles::Handles;

/// The methods for the events of one scope.
pub(super) fn methods(component: &Component, scope: Scope, handles: &Handles) -> Vec<Method> {
    let events = component.attrs.events.iter();
    let of_scope = events.filter(|event| event.scope == scope);
    let method = |event| Listening { component, event }.method(handles);
    of_scope.map(method).collect()
}

struct Listening<'c> {
    component: &'c Component,
    event: &'c Event,
}

impl Listening<'_> {
    fn method(&self, handles: &Handles) -> Method {
        let (krate, entity_mut) = (&self.component.krate, &handles.entity_mut);
        let (listener, takes) = listener(krate, &handles.owner, &quote!(#entity_mut<'_>));
        let signature = quote!((&mut self, #takes) -> #krate::Subscription);
        let method = Method::new(self.name(), &self.does(), signature, self.body(&listener));
        let method = method
            .visible_as(&self.component.visibility)
            .events(LISTENS);
        match self.event.scope {
            Scope::Any => method,
            Scope::Own => method.panics(DEAD),
        }
    }

    fn name(&self) -> Ident {
        let before = match self.event.scope {
            Scope::Any => "on_any_",
            Scope::Own => "on_",
        };
        self.component
            .accessor(before, &format!("_{}", self.kind()))
    }

    fn kind(&self) -> &'static str {
        match self.event.kind {
            EventKind::Set => "set",
            EventKind::Removed => "removed",
        }
    }

    fn does(&self) -> String {
        let change = self.change();
        match self.event.scope {
            Scope::Any => format!("Calls `listener` with each entity {change}."),
            Scope::Own => {
                format!(
                    "Calls `listener` with the entity {change}. The listener is removed with \
                         the entity."
                )
            }
        }
    }

    fn change(&self) -> String {
        let name = &self.component.text;
        let happened = match self.event.kind {
            EventKind::Set => "added, replaced or updated",
            EventKind::Removed => "removed, or destroyed with the entity",
        };
        format!("after the component `{name}` was {happened}")
    }

    fn body(&self, listener: &Ident) -> TokenStream {
        let (krate, ty) = (&self.component.krate, &self.component.ty);
        let generic = format_ident!("on_{}", self.kind());
        let on = match self.event.scope {
            Scope::Any => quote!(<Self as #krate::Context>::events(self)),
            Scope::Own => quote!(self),
        };
        quote!(#on.#generic::<#ty>(#listener))
    }
}
