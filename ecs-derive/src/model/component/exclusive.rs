//! The accessors on the exclusive handle.

use proc_macro2::TokenStream;
use quote::quote;

use crate::model::change::Change;
use crate::model::method::{Method, local, spare};
use crate::model::promises::{
    DEAD, DEAD_OR_OWNED, MISSING, MOVES, PRESENT, PRESENT_OR_OWNED, REPLACES, UNTRACKED, UPDATES,
    UPDATES_WITH,
};
use crate::model::reader::Reader;
use crate::parse::Component;

use super::builder::Builder;
use super::handles::{Handles, lifetime};
use super::{arguments, many, reading};

/// The reading accessors, then the changing ones.
pub(super) fn methods(component: &Component, handles: &Handles) -> Vec<Method> {
    if component.is_many() {
        let mut methods = reading::methods(component, &Reader::exclusive());
        methods.extend(many::changing(component));
        return methods;
    }
    let changing = Changing(Builder::new(component));
    let of_shape = match component.is_flag() {
        true => vec![changing.set()],
        false => changing.in_place(handles),
    };
    let mut methods = reading::methods(component, &Reader::exclusive());
    methods.extend(changing.adding());
    methods.extend(changing.remove());
    methods.extend(of_shape);
    methods.extend(changing.filling());
    methods
}

/// Describes the changing accessors.
struct Changing<'c>(Builder<'c>);

impl Changing<'_> {
    /// The methods that take the fields.
    fn adding(&self) -> impl Iterator<Item = Method> {
        let methods = [self.add(), self.replace()].into_iter().flatten();
        let fields = self.0.component.fields_visibility();
        methods.map(move |method| self.keyed(method).visible_as(&fields))
    }

    fn add(&self) -> [Method; 2] {
        self.of_fields(Change {
            name: "add_*",
            does: "Adds {}.",
            calls: "add",
            events: MOVES,
            rejected: self.no_add(),
            ..Change::of_handle()
        })
    }

    fn replace(&self) -> [Method; 2] {
        self.of_fields(Change {
            name: "replace_*",
            does: "Adds or replaces {}.",
            calls: "replace",
            events: REPLACES,
            rejected: self.no_replace(),
            ..Change::of_handle()
        })
    }

    fn of_fields(&self, change: Change<'_>) -> [Method; 2] {
        self.0.both(&Change {
            takes: self.0.takes_fields(),
            with: self.0.with_fields(),
            ..change
        })
    }

    fn remove(&self) -> [Method; 2] {
        let ty = &self.0.ty;
        self.0.both(&Change {
            name: "remove_*",
            does: "Removes {}.",
            calls: "remove",
            with: quote!(::<#ty>()),
            events: MOVES,
            rejected: MISSING,
            ..Change::of_handle()
        })
    }

    /// The methods of components with fields.
    fn in_place(&self, handles: &Handles) -> Vec<Method> {
        let mut methods = Vec::from(self.update());
        let context = handles.context.iter();
        methods.extend(context.flat_map(|context| self.update_with(context)));
        methods.push(self.take());
        if !self.0.component.is_indexed() {
            methods.push(self.untracked()); // an index would not notice
        }
        methods
    }

    fn update(&self) -> [Method; 2] {
        let (change, argument) = self.0.closure("change");
        let (ty, returned) = (&self.0.ty, self.0.returned());
        let updates = self.0.both(&Change {
            name: "update_*",
            does: "Changes {} in place. Returns the result of `change`.",
            generics: quote!(<#returned>),
            takes: quote!((&mut self, #argument -> #returned)),
            output: quote!(#returned),
            calls: "update",
            with: quote!(::<#ty, #returned>(#change)),
            events: match self.0.component.is_checked() {
                true => UPDATES_WITH, // it changes a clone
                false => UPDATES,
            },
            rejected: MISSING,
            ..Change::of_handle()
        });
        updates.map(|method| self.keyed(method))
    }

    /// The methods whose closure also reads the context. They are callable if the component is
    /// `Clone`; a bound without a parameter would be checked here already.
    fn update_with(&self, context: &TokenStream) -> [Method; 2] {
        let (ty, change) = (&self.0.ty, local("change"));
        let clone = lifetime("clone", self.0.component);
        let returned = spare("R", &quote!(#ty #context));
        let closure = quote!(impl ::core::ops::FnOnce(&mut #ty, &#context) -> #returned);
        let updates = self.0.both(&Change {
            name: "update_*_with",
            does: "Changes a clone of {}, which then replaces it; `change` can read the rest of \
                   the context. Returns the result of `change`.",
            generics: quote!(<#returned>),
            output: quote!(#returned),
            takes: quote!((&mut self, #change: #closure)),
            bounds: quote!(for<#clone> #ty: ::core::clone::Clone),
            calls: "update_with",
            with: quote!(::<#ty, #returned>(#change)),
            events: UPDATES_WITH,
            rejected: MISSING,
            ..Change::of_handle()
        });
        updates.map(|method| self.keyed(method))
    }

    fn take(&self) -> Method {
        let ty = &self.0.ty;
        let does = "Removes {} and returns its value, or `None` if there is none.";
        let signature = quote!((&mut self) -> ::core::option::Option<#ty>);
        let body = quote!(self.take::<#ty>());
        let method = self.0.method("take_*", does, signature, body);
        method.events(MOVES).panics(DEAD)
    }

    fn untracked(&self) -> Method {
        let ty = &self.0.ty;
        let signature = quote!((&mut self) -> &mut #ty);
        let body = quote!(self.mut_untracked::<#ty>());
        let method = self.0.method("*_mut_untracked", UNTRACKED, signature, body);
        method.panics(MISSING)
    }

    /// The methods of pooled components.
    fn filling(&self) -> Vec<Method> {
        if !self.0.component.is_pooled() {
            return Vec::new();
        }
        let add = self.fills("add_*_with", "Adds", &quote!(add_with));
        let replace = self.fills("replace_*_with", "Sets", &quote!(replace_with));
        vec![
            add.events(MOVES).panics(self.no_add()),
            replace.events(REPLACES).panics(self.no_replace()),
        ]
    }

    fn fills(&self, name: &str, does: &str, call: &TokenStream) -> Method {
        let (ty, (fill, argument)) = (&self.0.ty, self.0.closure("fill"));
        let does = format!(
            "{does} {{}} with the default value, modified by `fill`. Reuses the memory of a \
             pooled value if there is one."
        );
        let signature = quote!((&mut self, #argument) -> &mut Self);
        let body = quote!(self.#call::<#ty>(#fill));
        self.keyed(self.0.method(name, &does, signature, body))
    }

    /// The method of flags.
    fn set(&self) -> Method {
        let does = "Adds {} if `on` is true, or removes it if `on` is false. Does nothing if it \
                    is present or missing already.";
        let events = "Events: none if nothing changes; otherwise *entered* and *left* for the \
                      groups that the entity enters and leaves.";
        let on = local("on");
        let signature = quote!((&mut self, #on: ::core::primitive::bool) -> &mut Self);
        let method = self.0.method("set_*", does, signature, self.set_body());
        method.events(events).panics(self.no_replace())
    }

    fn set_body(&self) -> TokenStream {
        let (ty, value) = (&self.0.ty, arguments::value(self.0.component));
        let on = local("on");
        quote! {
            match (#on, self.as_ref().has::<#ty>()) {
                (true, false) => self.add(#value),
                (false, true) => self.remove::<#ty>(),
                _ => self,
            }
        }
    }

    /// When an add is rejected.
    fn no_add(&self) -> &'static str {
        match self.0.component.is_unique() {
            true => PRESENT_OR_OWNED,
            false => PRESENT,
        }
    }

    /// When a replace is rejected.
    fn no_replace(&self) -> &'static str {
        match self.0.component.is_unique() {
            true => DEAD_OR_OWNED,
            false => DEAD,
        }
    }

    /// Adds a note that a primary index or relation may reject the value.
    fn keyed(&self, mut method: Method) -> Method {
        if self.0.component.indexes.iter().any(|field| field.primary) {
            method.note(
                "Rejected if another entity has the key of a `primary_index`; nothing has \
                 changed then.",
            );
        }
        if let Some(relation) = self.0.component.relation() {
            method.note(match relation.attrs.acyclic {
                Some(_) => {
                    "Rejected if the target is dead, is the entity itself, or refers to it \
                     directly or indirectly; nothing has changed then."
                }
                None => {
                    "Rejected if the target is dead or the entity itself; nothing has changed \
                     then."
                }
            });
        }
        method
    }
}
