//! The reading accessors of both entity handles.

use proc_macro2::TokenStream;
use quote::quote;

use crate::model::method::Method;
use crate::model::promises::READS;
use crate::model::reader::Reader;
use crate::parse::Component;

use super::builder::Builder;
use super::{many, related};

/// The accessors on a handle.
pub(super) fn methods(component: &Component, reader: &Reader) -> Vec<Method> {
    let mut methods = match component.is_many() {
        true => many::reading(component, reader),
        false => Reading::new(component, reader).methods(),
    };
    methods.extend(related::method(component, reader));
    methods
}

struct Reading<'c> {
    build: Builder<'c>,
    reader: &'c Reader,
}

impl<'c> Reading<'c> {
    fn new(component: &'c Component, reader: &'c Reader) -> Self {
        let build = Builder::new(component);
        Self { build, reader }
    }

    fn methods(&self) -> Vec<Method> {
        match self.build.component.is_flag() {
            true => vec![self.has("has_*"), self.has(&self.build.is())],
            false => vec![self.has("has_*"), self.value(), self.get()],
        }
    }

    fn has(&self, name: &str) -> Method {
        let bool = quote!(::core::primitive::bool);
        self.reads(
            name,
            "Returns whether the entity has {}.",
            &bool,
            &quote!(has),
        )
    }

    fn value(&self) -> Method {
        let reference = self.reader.reference(&self.build.ty);
        let does = "Returns {} of the entity.";
        let method = self.reads("*", does, &reference, &quote!(component));
        method.panics(self.reader.missing)
    }

    fn get(&self) -> Method {
        let reference = self.reader.reference(&self.build.ty);
        let does = "Returns {}, or `None` if the entity does not have it.";
        let option = quote!(::core::option::Option<#reference>);
        self.reads("get_*", does, &option, &quote!(get))
    }

    fn reads(&self, name: &str, does: &str, output: &TokenStream, call: &TokenStream) -> Method {
        let (signature, ty) = (self.reader.signature(output), &self.build.ty);
        let body = quote!(self.#call::<#ty>());
        let method = self.build.method(name, does, signature, body);
        method.events(READS).must_use()
    }
}
