//! Builds the methods named after a component.
//!
//! In method names `*` stands for the base name of the component, in texts `{}` for the component.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;

use crate::model::change::Change;
use crate::model::method::{Method, local, spare};
use crate::parse::Component;

use super::arguments;

/// Builds the methods of one component.
pub(super) struct Builder<'c> {
    pub(super) component: &'c Component,
    pub(super) ty: TokenStream,
    /// The component in texts.
    text: String,
}

impl<'c> Builder<'c> {
    pub(super) fn new(component: &'c Component) -> Self {
        Self {
            component,
            ty: component.ty.clone(),
            text: format!("the component `{}`", component.text),
        }
    }

    /// The name of the method that reads a flag.
    pub(super) fn is(&self) -> String {
        format!("{}_*", self.component.flag_prefix())
    }

    /// A method with the visibility of the type.
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

    /// Both methods of a change.
    pub(super) fn both(&self, change: &Change<'_>) -> [Method; 2] {
        change.both(&self.component.krate, |name, does, signature, body| {
            self.method(name, does, signature, body)
        })
    }

    /// The arguments of a method that takes the fields.
    pub(super) fn takes_fields(&self) -> TokenStream {
        let fields = arguments::declared(self.component, &self.ty);
        quote!((&mut self #fields))
    }

    /// The value made of the fields, as an argument.
    pub(super) fn with_fields(&self) -> TokenStream {
        let value = arguments::value(self.component);
        quote!((#value))
    }

    /// A type parameter for the return type of a closure.
    pub(super) fn returned(&self) -> Ident {
        spare("R", &self.ty)
    }

    /// A closure that changes the value: its name, and its declaration as an argument.
    pub(super) fn closure(&self, name: &str) -> (Ident, TokenStream) {
        let (name, ty) = (local(name), &self.ty);
        let argument = quote!(#name: impl ::core::ops::FnOnce(&mut #ty));
        (name, argument)
    }
}
