//! The accessors of a unique component on its contexts, each a call of the generic one.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::Ident;
use syn::ext::IdentExt as _;

use crate::ast::{Component, Context};

use super::arguments::closure;
use super::method::{
    CREATES_OWNER, DESTROYS, ENDING_OWNER, MISSING_OR_ENDING_OWNER, MISSING_OWNER, Method, OWNED,
    READS, REPLACES_OR_CREATES, SETS_OR_UNSETS, UPDATES,
};
use super::{arguments, lints};

/// The accessors on one of the contexts; none where the component is not unique.
pub(super) fn accessors(component: &Component, context: &Context) -> Vec<Method> {
    if !component.is_unique() {
        return Vec::new();
    }
    let build = Builder::new(component, context);
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

/// The inherent `impl` block.
pub(super) fn expand(context: &Context, methods: &[Method]) -> TokenStream {
    if methods.is_empty() {
        return TokenStream::new();
    }
    let (lints, path) = (lints(), &context.path);
    let methods = methods.iter().map(Method::inherent);
    quote! {
        #lints
        impl #path { #(#methods)* }
    }
}

/// Describes the accessors, a few of a kind at a time.
struct Builder<'c> {
    component: &'c Component,
    /// The component as a type.
    ty: TokenStream,
    /// The component in texts.
    text: String,
    /// The handle that reads an entity.
    entity: TokenStream,
    /// The handle that changes an entity.
    entity_mut: TokenStream,
}

impl<'c> Builder<'c> {
    fn new(component: &'c Component, context: &Context) -> Self {
        let ident = &component.ident;
        let (_, generics, _) = component.generics.split_for_impl();
        let (entity, entity_mut) = handles(component, context);
        Self {
            component,
            ty: quote!(#ident #generics),
            text: format!("the component `{}`", ident.unraw()),
            entity,
            entity_mut,
        }
    }

    /// A method that is as visible as the type and calls the generic one with its arguments.
    fn method(
        &self,
        (before, after): (&str, &str),
        does: &str,
        signature: TokenStream,
        call: TokenStream,
    ) -> Method {
        let name = self.component.accessor(before, after);
        Method::new(name, does, signature, quote!(self.#call))
            .visible_as(&self.component.visibility)
    }

    /// A method that takes the fields.
    fn setter(&self, before: &str, does: &str, output: &TokenStream, call: TokenStream) -> Method {
        let arguments = arguments::declared(self.component, &self.ty);
        let value = arguments::value(self.component);
        let signature = quote!((&mut self #arguments) -> #output);
        self.method((before, ""), does, signature, quote!(#call(#value)))
            .visible_as(&self.component.fields_visibility())
    }

    fn result(&self, ok: &TokenStream) -> TokenStream {
        let krate = &self.component.krate;
        quote!(::core::result::Result<#ok, #krate::Error>)
    }

    fn reading(&self) -> Vec<Method> {
        let (ty, text, entity) = (&self.ty, &self.text, &self.entity);
        let reads = |name, does: String, output: TokenStream, call: TokenStream| {
            self.method(
                name,
                &does,
                quote!((&self) -> #output),
                quote!(#call::<#ty>()),
            )
            .events(READS)
            .must_use()
        };
        let has = |before| {
            let does = format!("Whether an entity has {text}.");
            let output = quote!(::core::primitive::bool);
            reads((before, ""), does, output, quote!(has_unique))
        };
        let value = reads(
            ("", ""),
            format!("Returns {text} of the one entity that has it."),
            quote!(&#ty),
            quote!(unique_component),
        );
        let get = reads(
            ("get_", ""),
            format!("Returns {text}, or `None` where no entity has it."),
            quote!(::core::option::Option<&#ty>),
            quote!(unique),
        );
        let owner = reads(
            ("", "_entity"),
            format!("Returns the entity that has {text}, or `None` where there is none."),
            quote!(::core::option::Option<#entity<'_>>),
            quote!(unique_entity),
        );
        match self.component.is_flag() {
            true => vec![has("has_"), has("is_"), owner],
            false => vec![has("has_"), value.panics(MISSING_OWNER), get, owner],
        }
    }

    fn setting(&self) -> [Method; 2] {
        let entity_mut = &self.entity_mut;
        let does = format!("Creates an entity with {}, in one change.", self.text);
        let changed = quote!(#entity_mut<'_>);
        [
            self.setter("set_", &does, &changed, quote!(set_unique))
                .events(CREATES_OWNER)
                .panics(OWNED),
            self.setter(
                "try_set_",
                &does,
                &self.result(&changed),
                quote!(try_set_unique),
            )
            .events(CREATES_OWNER)
            .errors(OWNED),
        ]
    }

    fn setting_flag(&self) -> Method {
        let (text, entity_mut) = (&self.text, &self.entity_mut);
        let on = Ident::new("on", Span::mixed_site());
        let value = arguments::value(self.component);
        let does = format!(
            "Creates an entity with {text} where there is none and `on` is true, or **destroys \
             the entity** that has it, with all its other components, where `on` is false. \
             Returns the entity that has it now."
        );
        let output = quote!(::core::option::Option<#entity_mut<'_>>);
        self.method(
            ("set_", ""),
            &does,
            quote!((&mut self, #on: ::core::primitive::bool) -> #output),
            quote!(set_unique_flag(#value, #on)),
        )
        .events(SETS_OR_UNSETS)
        .panics(ENDING_OWNER)
    }

    fn replacing(&self) -> Method {
        let (text, entity_mut) = (&self.text, &self.entity_mut);
        let does = format!(
            "Sets {text}, whether an entity has it or not: where none has, one is created with it."
        );
        let changed = quote!(#entity_mut<'_>);
        self.setter("replace_", &does, &changed, quote!(replace_unique))
            .events(REPLACES_OR_CREATES)
    }

    fn changing(&self) -> Vec<Method> {
        let (ty, text, entity_mut) = (&self.ty, &self.text, &self.entity_mut);
        let (change, argument) = closure("change", ty);
        let updates = |before, output: &TokenStream, call: TokenStream| {
            let does = format!("Changes {text} in place.");
            let signature = quote!((&mut self, #argument) -> #output);
            let call = quote!(#call::<#ty>(#change));
            self.method((before, ""), &does, signature, call)
                .events(UPDATES)
        };
        let changed = quote!(#entity_mut<'_>);
        let result = self.result(&changed);
        let untracked = self.method(
            ("", "_mut_untracked"),
            &format!(
                "Lends {text} for writes that are **not reported**: no observer, collector or \
                 reactive system learns of them."
            ),
            quote!((&mut self) -> &mut #ty),
            quote!(unique_mut_untracked::<#ty>()),
        );
        let mut methods = vec![
            updates("update_", &changed, quote!(update_unique)).panics(MISSING_OWNER),
            updates("try_update_", &result, quote!(try_update_unique)).errors(MISSING_OWNER),
        ];
        if self.component.indexes.is_empty() {
            methods.push(untracked.panics(MISSING_OWNER)); // an index would not follow
        }
        methods
    }

    fn removing(&self) -> [Method; 2] {
        let ty = &self.ty;
        let does = format!(
            "**Destroys the entity** that has {}, with all its other components. To take the \
             component alone, remove it from the entity.",
            self.text
        );
        let removes = |before, output: TokenStream, call: TokenStream| {
            let signature = quote!((&mut self) #output);
            self.method((before, ""), &does, signature, quote!(#call::<#ty>()))
                .events(DESTROYS)
        };
        let result = self.result(&quote!(()));
        [
            removes("remove_", quote!(), quote!(remove_unique)).panics(MISSING_OR_ENDING_OWNER),
            removes("try_remove_", quote!(-> #result), quote!(try_remove_unique))
                .errors(MISSING_OR_ENDING_OWNER),
        ]
    }
}

/// The handles of the context's entities. In a trait for several contexts they are those of
/// `Self`.
fn handles(component: &Component, context: &Context) -> (TokenStream, TokenStream) {
    let krate = &component.krate;
    match component.attrs.extension {
        Some(_) => (
            quote!(<Self as #krate::Context>::Entity),
            quote!(<Self as #krate::Context>::EntityMut),
        ),
        None => {
            let (entity, entity_mut) = (context.entity(), context.entity_mut());
            (quote!(#entity), quote!(#entity_mut))
        }
    }
}
