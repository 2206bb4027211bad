//! The accessors of a component, as methods of the two handles.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::ext::IdentExt as _;
use syn::{Ident, Visibility};

use crate::ast::Component;

use super::arguments::closure;
use super::method::{
    DEAD, DEAD_OR_OWNED, MISSING, MISSING_ALIVE, MOVES, Method, PRESENT, PRESENT_OR_OWNED, READS,
    REPLACES, UPDATES,
};
use super::{arguments, indexes, lints, unique};

/// The accessors of a component on each of the handles.
pub(crate) struct Accessors {
    /// On `GameEntity<'_>`.
    pub(crate) shared: Vec<Method>,
    /// On `GameEntityMut<'_>`.
    pub(crate) exclusive: Vec<Method>,
    /// On each context, in order, where the component is unique.
    pub(crate) contexts: Vec<Vec<Method>>,
}

impl Accessors {
    /// What the component's shape and attributes call for.
    pub(crate) fn of(component: &Component) -> Self {
        let build = Builder::new(component);
        let mut exclusive = build.reading(quote!(&self), quote!(&), MISSING);
        exclusive.extend(build.adding());
        exclusive.extend(build.removing());
        match component.is_flag() {
            true => exclusive.push(build.set()),
            false => exclusive.extend(build.changing()),
        }
        if component.is_pooled() {
            exclusive.extend(build.filling());
        }
        let of_context = |context| unique::accessors(component, context);
        indexes::note_refusals(component, &mut exclusive);
        Self {
            shared: build.reading(quote!(self), quote!(&'entity), MISSING_ALIVE),
            exclusive,
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
pub(crate) fn expand(component: &Component, accessors: &Accessors) -> TokenStream {
    let lints = lints();
    let shared: Vec<_> = accessors.shared.iter().map(Method::inherent).collect();
    let exclusive: Vec<_> = accessors.exclusive.iter().map(Method::inherent).collect();
    let contexts = component.contexts.iter().zip(&accessors.contexts);
    let each = contexts.map(|(context, methods)| {
        let (entity, entity_mut) = (context.entity(), context.entity_mut());
        let of_context = unique::expand(context, methods);
        quote! {
            #lints
            impl<'entity> #entity<'entity> { #(#shared)* }

            #lints
            impl #entity_mut<'_> { #(#exclusive)* }

            #of_context
        }
    });
    quote!(#(#each)*)
}

/// Describes the accessors, a few of a kind at a time.
struct Builder<'c> {
    component: &'c Component,
    /// The component as a type.
    ty: TokenStream,
    /// The component in texts.
    text: String,
    /// The visibility of the methods that take fields.
    fields: Visibility,
    /// What these take, behind `&mut self`.
    arguments: TokenStream,
    /// The value they make of it.
    value: TokenStream,
    result: TokenStream,
}

impl<'c> Builder<'c> {
    fn new(component: &'c Component) -> Self {
        let (krate, ident) = (&component.krate, &component.ident);
        let (_, generics, _) = component.generics.split_for_impl();
        let ty = quote!(#ident #generics);
        Self {
            component,
            text: format!("the component `{}`", ident.unraw()),
            fields: component.fields_visibility(),
            arguments: arguments::declared(component, &ty),
            ty,
            value: arguments::value(component),
            result: quote!(::core::result::Result<&mut Self, #krate::Error>),
        }
    }

    /// A method that is as visible as the type.
    fn method(
        &self,
        (before, after): (&str, &str),
        does: &str,
        signature: TokenStream,
        body: TokenStream,
    ) -> Method {
        Method::new(
            self.component.accessor(before, after),
            does,
            signature,
            body,
        )
        .visible_as(&self.component.visibility)
    }

    /// A method that takes the fields.
    fn setter(&self, before: &str, does: &str, output: &TokenStream, call: TokenStream) -> Method {
        let (arguments, value) = (&self.arguments, &self.value);
        let signature = quote!((&mut self #arguments) -> #output);
        self.method((before, ""), does, signature, quote!(self.#call(#value)))
            .visible_as(&self.fields)
    }

    fn reading(&self, receiver: TokenStream, reference: TokenStream, missing: &str) -> Vec<Method> {
        let (ty, text) = (&self.ty, &self.text);
        let has = |before| {
            let does = format!("Whether the entity has {text}.");
            let signature = quote!((#receiver) -> ::core::primitive::bool);
            self.method((before, ""), &does, signature, quote!(self.has::<#ty>()))
                .events(READS)
                .must_use()
        };
        if self.component.is_flag() {
            return vec![has("has_"), has("is_")];
        }
        let get = self.method(
            ("get_", ""),
            &format!("Returns {text}, or `None` where the entity does not have it."),
            quote!((#receiver) -> ::core::option::Option<#reference #ty>),
            quote!(self.get::<#ty>()),
        );
        let component = self.method(
            ("", ""),
            &format!("Returns {text} of the entity."),
            quote!((#receiver) -> #reference #ty),
            quote!(self.component::<#ty>()),
        );
        vec![
            has("has_"),
            component.events(READS).panics(missing).must_use(),
            get.events(READS).must_use(),
        ]
    }

    /// When an add and a replace are refused.
    fn refused(&self) -> (&'static str, &'static str) {
        match self.component.is_unique() {
            true => (PRESENT_OR_OWNED, DEAD_OR_OWNED),
            false => (PRESENT, DEAD),
        }
    }

    fn adding(&self) -> Vec<Method> {
        let (text, this) = (&self.text, quote!(&mut Self));
        let does = format!("Adds {text}.");
        let replaces = format!("Sets {text}, whether the entity has it or not.");
        vec![
            self.setter("add_", &does, &this, quote!(add))
                .events(MOVES)
                .panics(self.refused().0),
            self.setter("try_add_", &does, &self.result, quote!(try_add))
                .events(MOVES)
                .errors(self.refused().0),
            self.setter("replace_", &replaces, &this, quote!(replace))
                .events(REPLACES)
                .panics(self.refused().1),
            self.setter("try_replace_", &replaces, &self.result, quote!(try_replace))
                .events(REPLACES)
                .errors(self.refused().1),
        ]
    }

    fn removing(&self) -> Vec<Method> {
        let (ty, text, result) = (&self.ty, &self.text, &self.result);
        let does = format!("Removes {text}.");
        let remove = self.method(
            ("remove_", ""),
            &does,
            quote!((&mut self) -> &mut Self),
            quote!(self.remove::<#ty>()),
        );
        let try_remove = self.method(
            ("try_remove_", ""),
            &does,
            quote!((&mut self) -> #result),
            quote!(self.try_remove::<#ty>()),
        );
        vec![
            remove.events(MOVES).panics(MISSING),
            try_remove.events(MOVES).errors(MISSING),
        ]
    }

    fn changing(&self) -> Vec<Method> {
        let (ty, text) = (&self.ty, &self.text);
        let (change, argument) = closure("change", ty);
        let (does, result) = (format!("Changes {text} in place."), &self.result);
        let update = self.method(
            ("update_", ""),
            &does,
            quote!((&mut self, #argument) -> &mut Self),
            quote!(self.update::<#ty>(#change)),
        );
        let try_update = self.method(
            ("try_update_", ""),
            &does,
            quote!((&mut self, #argument) -> #result),
            quote!(self.try_update::<#ty>(#change)),
        );
        let take = self.method(
            ("take_", ""),
            &format!("Removes {text} and returns its value, or `None` where there is none."),
            quote!((&mut self) -> ::core::option::Option<#ty>),
            quote!(self.take::<#ty>()),
        );
        let untracked = self.method(
            ("", "_mut_untracked"),
            &format!(
                "Lends {text} for writes that are **not reported**: no observer, collector or \
                 reactive system learns of them."
            ),
            quote!((&mut self) -> &mut #ty),
            quote!(self.mut_untracked::<#ty>()),
        );
        let mut methods = vec![
            update.events(UPDATES).panics(MISSING),
            try_update.events(UPDATES).errors(MISSING),
            take.events(MOVES).panics(DEAD),
        ];
        if self.component.indexes.is_empty() {
            methods.push(untracked.panics(MISSING)); // an index would not follow
        }
        methods
    }

    fn filling(&self) -> Vec<Method> {
        let (ty, text) = (&self.ty, &self.text);
        let (fill, argument) = closure("fill", ty);
        let filler = |before, does: &str, call: TokenStream| {
            let does = format!(
                "{does} {text} with a value from the pool, or the default one, which `fill` \
                 completes. A value from the pool is as it was when it got there."
            );
            let signature = quote!((&mut self, #argument) -> &mut Self);
            self.method(
                (before, "_with"),
                &does,
                signature,
                quote!(self.#call::<#ty>(#fill)),
            )
        };
        vec![
            filler("add_", "Adds", quote!(add_with))
                .events(MOVES)
                .panics(self.refused().0),
            filler("replace_", "Sets", quote!(replace_with))
                .events(REPLACES)
                .panics(self.refused().1),
        ]
    }

    fn set(&self) -> Method {
        let (ty, value) = (&self.ty, &self.value);
        let on = Ident::new("on", Span::mixed_site());
        let body = quote! {
            match (#on, self.as_ref().has::<#ty>()) {
                (true, false) => self.add(#value),
                (false, true) => self.remove::<#ty>(),
                _ => self,
            }
        };
        let does = format!(
            "Adds {} where it is missing, or removes it where it is present.",
            self.text
        );
        let signature = quote!((&mut self, #on: ::core::primitive::bool) -> &mut Self);
        let same = "Reports nothing where the entity is as wanted already; otherwise, *entered* \
                    and *left* to the groups that the entity enters and leaves by it.";
        self.method(("set_", ""), &does, signature, body)
            .events(same)
            .panics(self.refused().1)
    }
}
