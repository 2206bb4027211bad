//! The accessors of a unique component on its contexts, each a call of the generic one of
//! the handle `Unique` or `UniqueMut`.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::Ident;

use crate::ast::{Component, Context};

use super::builder::{Builder, Change};
use super::method::{
    CREATES_OWNER, DESTROYS, ENDING_OWNER, MISSING_OR_ENDING_OWNER, MISSING_OWNER, Method, OWNED,
    READS, REPLACES_OR_CREATES, SETS_OR_UNSETS, UNTRACKED, UPDATES,
};

/// The accessors on one of the contexts; none if the component is not unique.
pub(super) fn accessors(component: &Component, context: &Context) -> Vec<Method> {
    if !component.is_unique() {
        return Vec::new();
    }
    let build = OnContext::new(component, context);
    let mut methods = build.reading();
    match component.is_flag() {
        true => methods.push(build.setting_flag()),
        false => methods.extend(build.setting()),
    }
    methods.push(build.replacing());
    if !component.is_flag() {
        methods.extend(build.changing());
    }
    methods.extend(build.removing());
    methods
}

/// Describes the accessors of a context, a few of a kind at a time.
struct OnContext<'c> {
    build: Builder<'c>,
    /// The handle that reads an entity.
    entity: TokenStream,
    /// The handle that changes an entity.
    entity_mut: TokenStream,
}

impl<'c> OnContext<'c> {
    fn new(component: &'c Component, context: &Context) -> Self {
        let (entity, entity_mut) = handles(component, context);
        let mut build = Builder::new(component);
        let (krate, ty) = (&component.krate, &build.ty);
        build.receiver = quote!(<Self as #krate::Context>::unique_mut::<#ty>(self));
        Self {
            build,
            entity,
            entity_mut,
        }
    }

    fn reading(&self) -> Vec<Method> {
        let (ty, entity) = (&self.build.ty, &self.entity);
        let krate = &self.build.component.krate;
        let reads = |name, does, output: TokenStream, call: TokenStream| {
            let (signature, body) = (
                quote!((&self) -> #output),
                quote!(<Self as #krate::Context>::unique::<#ty>(self).#call()),
            );
            let method = self.build.method(name, does, signature, body);
            method.events(READS).must_use()
        };
        let (bool, option) = (
            quote!(::core::primitive::bool),
            quote!(::core::option::Option),
        );
        let has = |name| {
            reads(
                name,
                "Whether an entity has {}.",
                bool.clone(),
                quote!(is_set),
            )
        };
        let does = "Returns the entity that has {}, or `None` if there is none.";
        let owner = quote!(#option<#entity<'_>>);
        let owner = reads("*_entity", does, owner, quote!(entity));
        if self.build.component.is_flag() {
            return vec![has("has_*"), has("is_*"), owner];
        }
        let does = "Returns {} of the one entity that has it.";
        let value = reads("*", does, quote!(&#ty), quote!(component));
        let does = "Returns {}, or `None` if no entity has it.";
        let get = reads("get_*", does, quote!(#option<&#ty>), quote!(get));
        vec![has("has_*"), value.panics(MISSING_OWNER), get, owner]
    }

    fn setting(&self) -> [Method; 2] {
        let (entity_mut, value) = (&self.entity_mut, self.build.value());
        let methods = self.build.both(Change {
            name: "set_*",
            does: "Creates an entity with {}, in one change.",
            takes: self.build.arguments(),
            output: quote!(#entity_mut<'_>),
            calls: "set",
            with: quote!((#value)),
            events: CREATES_OWNER,
            refused: OWNED,
        });
        let fields = self.build.component.fields_visibility();
        methods.map(|method| method.visible_as(&fields))
    }

    fn setting_flag(&self) -> Method {
        let (entity_mut, handle) = (&self.entity_mut, &self.build.receiver);
        let value = self.build.value();
        let on = Ident::new("on", Span::mixed_site());
        let does = "Creates an entity with {} if there is none and `on` is true, or **destroys \
                    the entity** that has it, with all its other components, if `on` is false. \
                    Returns the entity that has it now.";
        let output = quote!(::core::option::Option<#entity_mut<'_>>);
        let signature = quote!((&mut self, #on: ::core::primitive::bool) -> #output);
        let body = quote!(#handle.set_flag(#value, #on));
        let method = self.build.method("set_*", does, signature, body);
        method.events(SETS_OR_UNSETS).panics(ENDING_OWNER)
    }

    fn replacing(&self) -> Method {
        let (entity_mut, handle) = (&self.entity_mut, &self.build.receiver);
        let (takes, value) = (self.build.arguments(), self.build.value());
        let does = "Sets {}, whether an entity has it or not: if none has, one is created with it.";
        let signature = quote!((&mut self #takes) -> #entity_mut<'_>);
        let body = quote!(#handle.replace(#value));
        let method = self.build.method("replace_*", does, signature, body);
        method
            .events(REPLACES_OR_CREATES)
            .visible_as(&self.build.component.fields_visibility())
    }

    fn changing(&self) -> Vec<Method> {
        let entity_mut = &self.entity_mut;
        let (change, takes) = self.build.closure("change");
        let updates = self.build.both(Change {
            name: "update_*",
            does: "Changes {} in place.",
            takes,
            output: quote!(#entity_mut<'_>),
            calls: "update",
            with: quote!((#change)),
            events: UPDATES,
            refused: MISSING_OWNER,
        });
        let mut methods = Vec::from(updates);
        if self.build.component.indexes.is_empty() {
            methods.push(self.untracked()); // an index would not follow
        }
        methods
    }

    fn untracked(&self) -> Method {
        let (ty, handle) = (&self.build.ty, &self.build.receiver);
        let signature = quote!((&mut self) -> &mut #ty);
        let body = quote!(#handle.mut_untracked());
        let method = self
            .build
            .method("*_mut_untracked", UNTRACKED, signature, body);
        method.panics(MISSING_OWNER)
    }

    fn removing(&self) -> [Method; 2] {
        self.build.both(Change {
            name: "remove_*",
            does: "**Destroys the entity** that has {}, with all its other components. To take \
                   the component alone, remove it from the entity.",
            takes: TokenStream::new(),
            output: TokenStream::new(),
            calls: "remove",
            with: quote!(()),
            events: DESTROYS,
            refused: MISSING_OR_ENDING_OWNER,
        })
    }
}

/// The handles of the context's entities. In a trait for several contexts they are those of
/// `Self`.
fn handles(component: &Component, context: &Context) -> (TokenStream, TokenStream) {
    let krate = &component.krate;
    match component.attrs.extension {
        Some(_) => (
            quote!(<Self as #krate::Handles>::Entity),
            quote!(<Self as #krate::Handles>::EntityMut),
        ),
        None => {
            let (entity, entity_mut) = (context.entity(), context.entity_mut());
            (quote!(#entity), quote!(#entity_mut))
        }
    }
}
