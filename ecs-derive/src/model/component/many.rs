//! The accessors of a component that an entity can have several of. Each is an entry: an entity of its own. A
//! relation has one entry for each target, which finds it.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Ident, Path};

use crate::model::change::Change;
use crate::model::method::{Method, local};
use crate::model::promises::{
    ADDS_ENTRY, DEAD, DEAD_OR_TARGET, MISSING, MISSING_ENTRY, NOT_AN_ENTRY, PRESENT_ENTRY, READS,
    REMOVES_ENTRY, REPLACES_ENTRY, UPDATES_ENTRY,
};
use crate::model::reader::Reader;
use crate::parse::Component;

use super::builder::Builder;

/// The accessors that read.
pub(super) fn reading(component: &Component, reader: &Reader) -> Vec<Method> {
    let Some(many) = Many::new(component) else {
        return Vec::new();
    };
    match component.is_link() {
        true => many.reading_by_target(reader),
        false => vec![many.has(reader), many.all(reader)],
    }
}

/// The accessors that change.
pub(super) fn changing(component: &Component) -> Vec<Method> {
    let Some(many) = Many::new(component) else {
        return Vec::new();
    };
    let (of_fields, others) = match component.is_link() {
        true => (
            vec![many.add_link(), many.replace_link()],
            vec![many.update_link(), many.remove_link()],
        ),
        false => (vec![many.add()], vec![many.remove()]),
    };
    let fields = component.fields_visibility();
    let of_fields = of_fields.into_iter().flatten();
    let of_fields = of_fields.map(|method| method.visible_as(&fields));
    of_fields.chain(others.into_iter().flatten()).collect()
}

/// The method that returns the entries that refer to an entity, with their owners.
pub(super) fn referring(component: &Component, reader: &Reader, name: Ident) -> Option<Method> {
    let many = Many::new(component)?;
    let does = format!(
        "Returns the entities whose component `{}` refers to this one, each with the component, in \
         the order in which they were linked{}",
        component.text,
        match component.relation()?.attrs.ordered {
            Some(_) => ".",
            None => "; if one is removed, the last one takes its place.",
        }
    );
    let (signature, body) = (many.entries(reader), many.read(&quote!(to), None));
    let method = Method::new(name, &does, reader.signature(&signature), body);
    let method = method.visible_as(&component.visibility);
    Some(method.events(READS))
}

struct Many<'c> {
    build: Builder<'c>,
    krate: &'c Path,
    path: &'c Path,
}

impl<'c> Many<'c> {
    fn new(component: &'c Component) -> Option<Self> {
        Some(Self {
            build: Builder::new(component),
            krate: &component.krate,
            path: &component.contexts.first()?.path,
        })
    }

    /// The type of an id, which is that of the method's argument.
    fn id(&self) -> TokenStream {
        let Self { krate, path, .. } = self;
        quote!(#krate::EntityId<#path>)
    }

    fn entries(&self, reader: &Reader) -> TokenStream {
        let Self { krate, path, .. } = self;
        let (ty, lifetime) = (&self.build.ty, reader.lifetime());
        quote!(#krate::Entries<#lifetime, #path, #ty>)
    }

    /// A call of a function that reads the entries of the handle's entity.
    fn read(&self, function: &TokenStream, target: Option<&Ident>) -> TokenStream {
        let (Self { krate, path, .. }, ty) = (self, &self.build.ty);
        let target = target.into_iter();
        quote!(#krate::Entries::<#path, #ty>::#function(self.context(), self.id() #(, #target)*))
    }

    fn has(&self, reader: &Reader) -> Method {
        let bool = quote!(::core::primitive::bool);
        let all = self.read(&quote!(of), None);
        let does = "Returns whether the entity has an entry with {}.";
        let signature = reader.signature(&bool);
        let body = quote!(::core::iter::Iterator::next(&mut #all).is_some());
        let method = self.build.method("has_*", does, signature, body);
        method.events(READS).must_use()
    }

    fn all(&self, reader: &Reader) -> Method {
        let does = "Returns the entries of the entity with {}, in the order in which they were added: \
                    the id of each, and its component.";
        let signature = reader.signature(&self.entries(reader));
        let body = self.read(&quote!(of), None);
        self.build
            .method("all_*", does, signature, body)
            .events(READS)
    }

    fn reading_by_target(&self, reader: &Reader) -> Vec<Method> {
        let (krate, target) = (self.krate, local("target"));
        let reference = reader.reference(&self.build.ty);
        let find = self.read(&quote!(find), Some(&target));
        let value = self.read(&quote!(try_get), Some(&target));
        let get = self.read(&quote!(get), Some(&target));
        let (bool, id) = (quote!(::core::primitive::bool), self.id());
        let option = |of: &TokenStream| quote!(::core::option::Option<#of>);
        let reads = |name: &str, does: &str, output: &TokenStream, body: TokenStream| {
            let signature = reader.signature_with(&quote!(#target: #id), output);
            let method = self.build.method(name, does, signature, body);
            method.events(READS_BY_TARGET).must_use()
        };
        vec![
            reads(
                "has_*",
                "Returns whether the entity has {} for `target`.",
                &bool,
                quote!(#find.is_some()),
            ),
            reads(
                "*",
                "Returns {} of the entity for `target`.",
                &reference,
                quote!(#krate::__private::expect(#value)),
            )
            .panics(MISSING_ENTRY),
            reads(
                "get_*",
                "Returns {} for `target`, or `None` if the entity does not have it.",
                &option(&reference),
                get,
            ),
            reads(
                "*_entry",
                "Returns the id of the entry with {} for `target`, if the entity has one.",
                &option(&id),
                find,
            ),
            self.all(reader),
        ]
    }

    fn both(&self, change: &Change<'_>) -> [Method; 2] {
        let (krate, ty) = (self.krate, &self.build.ty);
        let on = quote! {
            #krate::__private::EntriesMut::<_, #ty>::new(self.id(), self.context_mut())
        };
        self.build.both(&Change {
            on,
            only_tries: true,
            takes: change.takes.clone(),
            output: change.output.clone(),
            generics: change.generics.clone(),
            bounds: change.bounds.clone(),
            with: change.with.clone(),
            ..*change
        })
    }

    fn add(&self) -> [Method; 2] {
        self.both(&Change {
            name: "add_*",
            does: "Adds an entry with {}, after the others. Returns the id of the entry.",
            takes: self.build.takes_fields(),
            with: self.build.with_fields(),
            output: self.id(),
            calls: "add",
            events: ADDS_ENTRY,
            rejected: DEAD,
            ..Change::of_handle()
        })
    }

    fn remove(&self) -> [Method; 2] {
        let (entry, id) = (local("entry"), self.id());
        self.both(&Change {
            name: "remove_*",
            does: "Destroys an entry with {}.",
            takes: quote!((&mut self, #entry: #id)),
            with: quote!((#entry)),
            calls: "remove",
            chains: true,
            events: REMOVES_ENTRY,
            rejected: NOT_AN_ENTRY,
            ..Change::of_handle()
        })
    }

    fn add_link(&self) -> [Method; 2] {
        self.both(&Change {
            name: "add_*",
            does: "Adds an entry with {}, after the others.",
            takes: self.build.takes_fields(),
            with: self.build.with_fields(),
            calls: "add_link",
            chains: true,
            events: ADDS_ENTRY,
            rejected: PRESENT_ENTRY,
            ..Change::of_handle()
        })
    }

    fn replace_link(&self) -> [Method; 2] {
        self.both(&Change {
            name: "replace_*",
            does: "Replaces {} of the entry for the target, or adds an entry.",
            takes: self.build.takes_fields(),
            with: self.build.with_fields(),
            calls: "replace_link",
            chains: true,
            events: REPLACES_ENTRY,
            rejected: DEAD_OR_TARGET,
            ..Change::of_handle()
        })
    }

    fn update_link(&self) -> [Method; 2] {
        let (change, argument) = self.build.closure("change");
        let (target, id, returned) = (local("target"), self.id(), self.build.returned());
        self.both(&Change {
            name: "update_*",
            does: "Changes a clone of {} for `target`, which then replaces it. Returns the result of \
                   `change`.",
            generics: quote!(<#returned>),
            takes: quote!((&mut self, #target: #id, #argument -> #returned)),
            with: quote!((#target, #change)),
            output: quote!(#returned),
            calls: "update_link",
            events: UPDATES_ENTRY,
            rejected: MISSING,
            ..Change::of_handle()
        })
    }

    fn remove_link(&self) -> [Method; 2] {
        let (target, id) = (local("target"), self.id());
        self.both(&Change {
            name: "remove_*",
            does: "Destroys the entry with {} for `target`.",
            takes: quote!((&mut self, #target: #id)),
            with: quote!((#target)),
            calls: "remove_link",
            chains: true,
            events: REMOVES_ENTRY,
            rejected: MISSING,
            ..Change::of_handle()
        })
    }
}

/// The text of a method that looks an entry up.
const READS_BY_TARGET: &str = "Events: none. Complexity: linear in the entries of the entity or in those \
                               that refer to the target, whichever are fewer.";
