//! The accessors of a unique component on its contexts. Each calls the generic method of `Unique`
//! or `UniqueMut`.

use proc_macro2::TokenStream;
use quote::quote;

use crate::model::change::Change;
use crate::model::method::{Method, local};
use crate::model::promises::{
    DESTROYS, ENDING_OWNER, FULL, GOES_TO_STATE, MISSING_OR_ENDING_ALONE, MISSING_OR_ENDING_OWNER,
    MISSING_OWNER, READS, REPLACES_OR_CREATES, SETS_OR_UNSETS, UNSETS, UNTRACKED, UPDATES,
};
use crate::parse::Component;

use super::arguments;
use super::builder::Builder;
use super::handles::Handles;

/// The accessors on one of the contexts; none if the component is not unique.
pub(super) fn methods(component: &Component, handles: &Handles) -> Vec<Method> {
    let build = OnContext {
        build: Builder::new(component),
        handles,
    };
    match component.is_flag() {
        _ if !component.is_unique() => Vec::new(),
        true => build.of_flag(),
        false => build.of_value(),
    }
}

/// Describes the accessors of a context.
struct OnContext<'c> {
    build: Builder<'c>,
    handles: &'c Handles,
}

impl OnContext<'_> {
    fn of_flag(&self) -> Vec<Method> {
        let mut methods = vec![self.has("has_*"), self.has(&self.build.is())];
        methods.extend(self.owner());
        methods.push(self.set_flag());
        methods.extend(self.remove());
        methods.extend(self.destroy());
        methods
    }

    fn of_value(&self) -> Vec<Method> {
        let mut methods = vec![self.has("has_*"), self.value(), self.get()];
        methods.extend(self.owner());
        match self.build.component.is_state() {
            true => methods.push(self.set_state()),
            false => methods.extend(self.set()),
        }
        methods.extend(self.update());
        if !self.build.component.is_indexed() {
            methods.push(self.untracked()); // an index would not notice
        }
        methods.extend(self.remove());
        methods.extend(self.destroy());
        methods
    }

    fn has(&self, name: &str) -> Method {
        let bool = quote!(::core::primitive::bool);
        self.reads(
            name,
            "Returns whether an entity has {}.",
            &bool,
            &quote!(is_set),
        )
    }

    fn value(&self) -> Method {
        let (does, ty) = ("Returns {} of the entity that has it.", &self.build.ty);
        let method = self.reads("*", does, &quote!(&#ty), &quote!(component));
        method.panics(MISSING_OWNER)
    }

    fn get(&self) -> Method {
        let does = "Returns {}, or `None` if no entity has it.";
        let ty = &self.build.ty;
        let option = quote!(::core::option::Option<&#ty>);
        self.reads("get_*", does, &option, &quote!(get))
    }

    fn owner(&self) -> [Method; 2] {
        let does = "Returns the entity that has {}, or `None` if there is none.";
        let entity = &self.handles.entity;
        let option = quote!(::core::option::Option<#entity<'_>>);
        let reading = self.reads("*_entity", does, &option, &quote!(entity));
        let does = "Returns the exclusive handle of the entity that has {}, or `None` if there \
                    is none.";
        let (unique, owner) = (self.unique(), self.owner_mut());
        let signature = quote!((&mut self) -> ::core::option::Option<#owner>);
        let build = &self.build;
        let writing = build.method("*_entity_mut", does, signature, quote!(#unique.entity()));
        [reading, writing.events(READS).must_use()]
    }

    fn reads(&self, name: &str, does: &str, output: &TokenStream, call: &TokenStream) -> Method {
        let (krate, ty) = (&self.build.component.krate, &self.build.ty);
        let signature = quote!((&self) -> #output);
        let body = quote!(<Self as #krate::Context>::unique::<#ty>(self).#call());
        let method = self.build.method(name, does, signature, body);
        method.events(READS).must_use()
    }

    /// The receiver of changes.
    fn unique(&self) -> TokenStream {
        let (krate, ty) = (&self.build.component.krate, &self.build.ty);
        quote!(<Self as #krate::Context>::unique_mut::<#ty>(self))
    }

    fn owner_mut(&self) -> TokenStream {
        let entity_mut = &self.handles.entity_mut;
        quote!(#entity_mut<'_>)
    }

    fn set(&self) -> [Method; 2] {
        let methods = self.build.both(&Change {
            name: "set_*",
            does: "Replaces {} of the entity that has it, or creates an entity with it.",
            takes: self.build.takes_fields(),
            output: self.owner_mut(),
            on: self.unique(),
            calls: "set",
            with: self.build.with_fields(),
            events: REPLACES_OR_CREATES,
            rejected: FULL,
            ..Change::of_handle()
        });
        methods.map(|method| self.visible_as_fields(method))
    }

    fn set_state(&self) -> Method {
        let does = "Sets the state of the context. Does nothing if the context is in this state \
                    already.";
        let (takes, owner) = (self.build.takes_fields(), self.owner_mut());
        let (unique, with) = (self.unique(), self.build.with_fields());
        let (signature, body) = (quote!(#takes -> #owner), quote!(#unique.set_state #with));
        let method = self.build.method("set_*", does, signature, body);
        self.visible_as_fields(method.events(GOES_TO_STATE))
    }

    fn set_flag(&self) -> Method {
        let does = "Creates an entity with {} if `on` is true and none has it. If `on` is false, \
                    removes it, and destroys the entity if it has no other component. Returns \
                    the entity that has it now.";
        let (unique, owner, on) = (self.unique(), self.owner_mut(), local("on"));
        let value = arguments::value(self.build.component);
        let takes = quote!((&mut self, #on: ::core::primitive::bool));
        let signature = quote!(#takes -> ::core::option::Option<#owner>);
        let body = quote!(#unique.set_flag(#value, #on));
        let method = self.build.method("set_*", does, signature, body);
        method.events(SETS_OR_UNSETS).panics(ENDING_OWNER)
    }

    fn update(&self) -> [Method; 2] {
        let (change, argument) = self.build.closure("change");
        let returned = self.build.returned();
        self.build.both(&Change {
            name: "update_*",
            does: "Changes {} in place. Returns the result of `change`.",
            generics: quote!(<#returned>),
            takes: quote!((&mut self, #argument -> #returned)),
            output: quote!(#returned),
            on: self.unique(),
            calls: "update",
            with: quote!((#change)),
            events: UPDATES,
            rejected: MISSING_OWNER,
            ..Change::of_handle()
        })
    }

    fn untracked(&self) -> Method {
        let (ty, unique) = (&self.build.ty, self.unique());
        let signature = quote!((&mut self) -> &mut #ty);
        let body = quote!(#unique.mut_untracked());
        let build = &self.build;
        let method = build.method("*_mut_untracked", UNTRACKED, signature, body);
        method.panics(MISSING_OWNER)
    }

    fn remove(&self) -> [Method; 2] {
        self.build.both(&Change {
            name: "remove_*",
            does: "Removes {} from the entity that has it, and destroys the entity if it has no \
                   other component.",
            output: TokenStream::new(),
            on: self.unique(),
            calls: "remove",
            events: UNSETS,
            rejected: MISSING_OR_ENDING_ALONE,
            ..Change::of_handle()
        })
    }

    fn destroy(&self) -> [Method; 2] {
        self.build.both(&Change {
            name: "destroy_*_entity",
            does: "Destroys the entity that has {}, with all its other components.",
            output: TokenStream::new(),
            on: self.unique(),
            calls: "destroy_entity",
            events: DESTROYS,
            rejected: MISSING_OR_ENDING_OWNER,
            ..Change::of_handle()
        })
    }

    fn visible_as_fields(&self, method: Method) -> Method {
        method.visible_as(&self.build.component.fields_visibility())
    }
}
