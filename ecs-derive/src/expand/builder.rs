//! How the methods that are named after a component are written out.
//!
//! In the name of a method `*` stands for the component's base name, and in the text about it `{}`
//! for the component.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::Ident;
use syn::ext::IdentExt as _;

use crate::ast::Component;

use super::arguments;
use super::method::Method;

/// Writes the methods of one component.
pub(super) struct Builder<'c> {
    pub(super) component: &'c Component,
    /// The component as a type.
    pub(super) ty: TokenStream,
    /// What the changes are called on.
    pub(super) receiver: TokenStream,
    /// The component in texts.
    text: String,
}

/// A change that is written out twice: as a method that panics if it is refused, and as one that
/// returns an error.
pub(super) struct Change<'s> {
    /// The name of the first; the other has `try_` in front of it.
    pub(super) name: &'s str,
    pub(super) does: &'s str,
    /// The arguments, each behind a comma.
    pub(super) takes: TokenStream,
    /// What is returned if it is not refused; empty if nothing is.
    pub(super) output: TokenStream,
    /// The generic method that the first calls; the other calls the one with `try_` in front.
    pub(super) calls: &'s str,
    /// Everything behind the name of the generic method.
    pub(super) with: TokenStream,
    pub(super) events: &'s str,
    /// When it is refused.
    pub(super) refused: &'s str,
}

impl<'c> Builder<'c> {
    pub(super) fn new(component: &'c Component) -> Self {
        let ident = &component.ident;
        let (_, generics, _) = component.generics.split_for_impl();
        Self {
            component,
            ty: quote!(#ident #generics),
            receiver: quote!(self),
            text: format!("the component `{}`", ident.unraw()),
        }
    }

    /// A method that is as visible as the type.
    pub(super) fn method(
        &self,
        name: &str,
        does: &str,
        signature: TokenStream,
        body: TokenStream,
    ) -> Method {
        let (before, after) = name.split_once('*').unwrap_or((name, ""));
        let name = self.component.accessor(before, after);
        let does = does.replace("{}", &self.text);
        Method::new(name, &does, signature, body).visible_as(&self.component.visibility)
    }

    /// The two methods of a change.
    pub(super) fn both(&self, change: Change<'_>) -> [Method; 2] {
        let result = self.result(&change.output);
        let plain = self.form("", &change, &change.output);
        let tried = self.form("try_", &change, &result);
        [plain.panics(change.refused), tried.errors(change.refused)]
    }

    fn form(&self, prefix: &str, change: &Change<'_>, output: &TokenStream) -> Method {
        let (takes, with, receiver) = (&change.takes, &change.with, &self.receiver);
        let calls = format_ident!("{prefix}{}", change.calls);
        let arrow = (!output.is_empty()).then(|| quote!(-> #output));
        self.method(
            &format!("{prefix}{}", change.name),
            change.does,
            quote!((&mut self #takes) #arrow),
            quote!(#receiver.#calls #with),
        )
        .events(change.events)
    }

    /// `Result` of this, or of nothing.
    fn result(&self, output: &TokenStream) -> TokenStream {
        let krate = &self.component.krate;
        let output = match output.is_empty() {
            true => &quote!(()),
            false => output,
        };
        quote!(::core::result::Result<#output, #krate::Error>)
    }

    /// The arguments that are the fields, each behind a comma.
    pub(super) fn arguments(&self) -> TokenStream {
        arguments::declared(self.component, &self.ty)
    }

    /// The value that is made of them.
    pub(super) fn value(&self) -> TokenStream {
        arguments::value(self.component)
    }

    /// A closure that changes the value: its name, and it as an argument behind a comma.
    pub(super) fn closure(&self, name: &str) -> (Ident, TokenStream) {
        let (name, ty) = (Ident::new(name, Span::mixed_site()), &self.ty);
        let argument = quote!(, #name: impl ::core::ops::FnOnce(&mut #ty));
        (name, argument)
    }
}
