//! The accessors of a component, as methods of the two handles.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::Ident;

use crate::ast::Component;

use super::blocks::inherent;
use super::builder::{Builder, Change};
use super::method::{
    DEAD, DEAD_OR_OWNED, MISSING, MISSING_ALIVE, MOVES, Method, PRESENT, PRESENT_OR_OWNED, READS,
    REPLACES, UNTRACKED, UPDATES,
};
use super::unique;

/// The accessors of a component on each of the handles.
pub(crate) struct Accessors {
    /// On `GameEntity<'_>`.
    pub(crate) shared: Vec<Method>,
    /// On `GameEntityMut<'_>`.
    pub(crate) exclusive: Vec<Method>,
    /// On each context, in order, if the component is unique.
    pub(crate) contexts: Vec<Vec<Method>>,
}

impl Accessors {
    /// What the component's shape and attributes call for.
    pub(crate) fn of(component: &Component) -> Self {
        let build = Handles(Builder::new(component));
        let of_context = |context| unique::accessors(component, context);
        Self {
            shared: build.reading(&quote!(self), &quote!(&'entity), MISSING_ALIVE),
            exclusive: build.exclusive(),
            contexts: component.contexts.iter().map(of_context).collect(),
        }
    }

    /// The accessors of both handles.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Method> {
        self.shared.iter().chain(&self.exclusive)
    }

    /// Those of the contexts.
    pub(crate) fn of_contexts(&self) -> impl Iterator<Item = &Method> {
        self.contexts.iter().flatten()
    }

    /// What `change` makes of each of them.
    pub(crate) fn map(mut self, change: impl Fn(Method) -> Method) -> Self {
        let all = [&mut self.shared, &mut self.exclusive].into_iter();
        for methods in all.chain(&mut self.contexts) {
            *methods = methods.drain(..).map(&change).collect();
        }
        self
    }

    /// Without those that handles or contexts cannot have.
    pub(crate) fn without(
        mut self,
        on_handles: impl Fn(&Method) -> bool,
        on_contexts: impl Fn(&Method) -> bool,
    ) -> Self {
        self.shared.retain(|method| !on_handles(method));
        self.exclusive.retain(|method| !on_handles(method));
        for methods in &mut self.contexts {
            methods.retain(|method| !on_contexts(method));
        }
        self
    }
}

/// The inherent `impl` blocks.
pub(super) fn expand(component: &Component, accessors: &Accessors) -> TokenStream {
    let contexts = component.contexts.iter().zip(&accessors.contexts);
    let each = contexts.flat_map(|(context, methods)| {
        let (entity, entity_mut, path) = (context.entity(), context.entity_mut(), &context.path);
        [
            inherent(&quote!(<'entity> #entity<'entity>), &accessors.shared),
            inherent(&quote!(#entity_mut<'_>), &accessors.exclusive),
            inherent(&quote!(#path), methods),
        ]
    });
    each.collect()
}

/// Describes the accessors of the handles, a few of a kind at a time.
struct Handles<'c>(Builder<'c>);

impl Handles<'_> {
    fn exclusive(&self) -> Vec<Method> {
        let component = self.0.component;
        let mut methods = self.reading(&quote!(&self), &quote!(&), MISSING);
        methods.extend(self.adding());
        methods.extend(self.removing());
        match component.is_flag() {
            true => methods.push(self.set()),
            false => methods.extend(self.changing()),
        }
        if component.is_pooled() {
            methods.extend(self.filling());
        }
        methods
    }

    fn reading(
        &self,
        receiver: &TokenStream,
        reference: &TokenStream,
        missing: &str,
    ) -> Vec<Method> {
        let ty = &self.0.ty;
        let reads = |name, does, output: TokenStream, call: TokenStream| {
            let (signature, body) = (quote!((#receiver) -> #output), quote!(self.#call::<#ty>()));
            let method = self.0.method(name, does, signature, body);
            method.events(READS).must_use()
        };
        let bool = quote!(::core::primitive::bool);
        let has = |name| {
            reads(
                name,
                "Whether the entity has {}.",
                bool.clone(),
                quote!(has),
            )
        };
        if self.0.component.is_flag() {
            return vec![has("has_*"), has("is_*")];
        }
        let does = "Returns {}, or `None` if the entity does not have it.";
        let option = quote!(::core::option::Option<#reference #ty>);
        let value = "Returns {} of the entity.";
        vec![
            has("has_*"),
            reads("*", value, quote!(#reference #ty), quote!(component)).panics(missing),
            reads("get_*", does, option, quote!(get)),
        ]
    }

    /// When an add is refused.
    fn no_add(&self) -> &'static str {
        match self.0.component.is_unique() {
            true => PRESENT_OR_OWNED,
            false => PRESENT,
        }
    }

    /// When a replace is refused.
    fn no_replace(&self) -> &'static str {
        match self.0.component.is_unique() {
            true => DEAD_OR_OWNED,
            false => DEAD,
        }
    }

    fn adding(&self) -> impl Iterator<Item = Method> {
        let value = self.0.value();
        let change = |name, does, calls, events, refused| Change {
            name,
            does,
            takes: self.0.arguments(),
            output: quote!(&mut Self),
            calls,
            with: quote!((#value)),
            events,
            refused,
        };
        let sets = "Sets {}, whether the entity has it or not.";
        let changes = [
            change("add_*", "Adds {}.", "add", MOVES, self.no_add()),
            change("replace_*", sets, "replace", REPLACES, self.no_replace()),
        ];
        let fields = self.0.component.fields_visibility();
        let methods = changes.into_iter().flat_map(|change| self.0.both(change));
        methods.map(move |method| self.keyed(method).visible_as(&fields))
    }

    fn removing(&self) -> [Method; 2] {
        let ty = &self.0.ty;
        self.0.both(Change {
            name: "remove_*",
            does: "Removes {}.",
            takes: TokenStream::new(),
            output: quote!(&mut Self),
            calls: "remove",
            with: quote!(::<#ty>()),
            events: MOVES,
            refused: MISSING,
        })
    }

    fn changing(&self) -> Vec<Method> {
        let ty = &self.0.ty;
        let (change, takes) = self.0.closure("change");
        let updates = self.0.both(Change {
            name: "update_*",
            does: "Changes {} in place.",
            takes,
            output: quote!(&mut Self),
            calls: "update",
            with: quote!(::<#ty>(#change)),
            events: UPDATES,
            refused: MISSING,
        });
        let mut methods: Vec<_> = updates.map(|method| self.keyed(method)).into();
        methods.push(self.take());
        if self.0.component.indexes.is_empty() {
            methods.push(self.untracked()); // an index would not follow
        }
        methods
    }

    fn take(&self) -> Method {
        let ty = &self.0.ty;
        let does = "Removes {} and returns its value, or `None` if there is none.";
        let signature = quote!((&mut self) -> ::core::option::Option<#ty>);
        let take = self
            .0
            .method("take_*", does, signature, quote!(self.take::<#ty>()));
        take.events(MOVES).panics(DEAD)
    }

    fn untracked(&self) -> Method {
        let ty = &self.0.ty;
        let signature = quote!((&mut self) -> &mut #ty);
        let body = quote!(self.mut_untracked::<#ty>());
        let method = self.0.method("*_mut_untracked", UNTRACKED, signature, body);
        method.panics(MISSING)
    }

    fn filling(&self) -> [Method; 2] {
        let ty = &self.0.ty;
        let (fill, argument) = self.0.closure("fill");
        let filler = |name, does: &str, call: TokenStream| {
            let does = format!(
                "{does} {{}} with a value from the pool, or the default one, which `fill` \
                 completes. A value from the pool is as it was when it got there."
            );
            let signature = quote!((&mut self #argument) -> &mut Self);
            let body = quote!(self.#call::<#ty>(#fill));
            self.keyed(self.0.method(name, &does, signature, body))
        };
        let add = filler("add_*_with", "Adds", quote!(add_with));
        let replace = filler("replace_*_with", "Sets", quote!(replace_with));
        [
            add.events(MOVES).panics(self.no_add()),
            replace.events(REPLACES).panics(self.no_replace()),
        ]
    }

    fn set(&self) -> Method {
        let (ty, value) = (&self.0.ty, self.0.value());
        let on = Ident::new("on", Span::mixed_site());
        let body = quote! {
            match (#on, self.as_ref().has::<#ty>()) {
                (true, false) => self.add(#value),
                (false, true) => self.remove::<#ty>(),
                _ => self,
            }
        };
        let does = "Adds {} if `on` is true and it is missing, or removes it if `on` is false \
                    and it is present.";
        let events = "Reports nothing if the entity is as wanted already; otherwise *entered* \
                      and *left* to the groups that the entity enters and leaves by it.";
        let signature = quote!((&mut self, #on: ::core::primitive::bool) -> &mut Self);
        let method = self.0.method("set_*", does, signature, body);
        method.events(events).panics(self.no_replace())
    }

    /// Says that a primary index may refuse the value, if the component has one.
    fn keyed(&self, mut method: Method) -> Method {
        if self.0.component.indexes.iter().any(|field| field.primary) {
            method.note(
                "Refused, with nothing changed, if another entity has the key of a \
                 `primary_index`.",
            );
        }
        method
    }
}
