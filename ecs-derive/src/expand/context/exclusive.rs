//! `GameEntityMut<'_>`: the handle that changes an entity.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt as _;

use crate::ast::ContextItem;
use crate::expand::method::{
    DEAD, DESTROYS, ENDING, MISSING, MOVES, Method, PRESENT, READS, REPLACES, UPDATES,
};

use super::handle;
use super::reading::Reader;

/// The struct.
pub(super) fn definition(item: &ContextItem) -> TokenStream {
    let docs = format!(
        "An entity of context `{}`, to be changed.\n\nThe methods that change it return the \
         handle, so that calls can be chained. Observers run within these calls, and may destroy \
         the entity: then `is_alive` is false, it has no components, and further changes are \
         refused.",
        item.ident.unraw()
    );
    handle::definition(item, &docs, &item.entity_mut(), &quote!(EntityMut))
}

/// The generic methods.
pub(super) fn methods(item: &ContextItem) -> Vec<Method> {
    let (scope, reader) = (Scope::new(item), reader());
    let mut methods = reader.methods(item);
    methods.extend(scope.whole());
    methods.extend(scope.adding());
    methods.extend(scope.changing());
    methods.extend(scope.swapping());
    methods.extend(scope.removing());
    methods.extend(scope.filling());
    methods.extend(scope.ending());
    methods.extend(super::listening::methods(item));
    methods.push(super::dynamic::exclusive(item));
    methods
}

fn reader() -> Reader {
    Reader {
        receiver: quote!(&self),
        reference: quote!(&),
        missing: MISSING,
    }
}

/// The words that the signatures share.
struct Scope<'i> {
    item: &'i ContextItem,
    /// `<T: Component>`.
    one: TokenStream,
    result: TokenStream,
}

impl<'i> Scope<'i> {
    fn new(item: &'i ContextItem) -> Self {
        let ContextItem { krate, ident, .. } = item;
        Self {
            item,
            one: quote!(<T: #krate::Component<#ident>>),
            result: quote!(::core::result::Result<&mut Self, #krate::Error>),
        }
    }

    /// A method of one component that returns the handle, and what it takes behind `&mut self`.
    fn chains(&self, name: &str, does: &str, takes: TokenStream, call: TokenStream) -> Method {
        let body = quote! {
            self.0.#call;
            self
        };
        Method::named(name, does, quote!((&mut self #takes) -> &mut Self), body)
            .generics(self.one.clone())
    }

    /// The same where it can be refused.
    fn tries(&self, name: &str, does: &str, takes: TokenStream, call: TokenStream) -> Method {
        let result = &self.result;
        let body = quote! {
            self.0.#call?;
            ::core::result::Result::Ok(self)
        };
        Method::named(name, does, quote!((&mut self #takes) -> #result), body)
            .generics(self.one.clone())
    }

    /// Of the entity as a whole, beside what a shared handle has.
    fn whole(&self) -> Vec<Method> {
        let (context, entity) = (&self.item.ident, self.item.entity());
        let is_alive = Method::named(
            "is_alive",
            "Whether the entity still lives: not if an observer has destroyed it.",
            quote!((&self) -> ::core::primitive::bool),
            quote!(self.0.is_alive()),
        );
        let context_mut = Method::named(
            "context_mut",
            "Returns the context that the entity lives in, to be changed.",
            quote!((&mut self) -> &mut #context),
            quote!(self.0.context_mut()),
        );
        let as_ref = Method::named(
            "as_ref",
            "Returns a handle that reads the same entity.",
            quote!((&self) -> #entity<'_>),
            quote!(::core::convert::From::from(self.0.as_ref())),
        );
        let methods = [is_alive, context_mut, as_ref.panics(DEAD)];
        methods.map(|method| method.events(READS).must_use()).into()
    }

    fn adding(&self) -> Vec<Method> {
        let takes = quote!(, value: T);
        let (adds, sets) = (
            "Adds a component.",
            "Sets a component, whether the entity has it or not.",
        );
        vec![
            self.chains("add", adds, takes.clone(), quote!(add(value)))
                .events(MOVES)
                .panics(PRESENT),
            self.tries("try_add", adds, takes.clone(), quote!(try_add(value)))
                .events(MOVES)
                .errors(PRESENT),
            self.chains("replace", sets, takes.clone(), quote!(replace(value)))
                .events(REPLACES)
                .panics(DEAD),
            self.tries("try_replace", sets, takes, quote!(try_replace(value)))
                .events(REPLACES)
                .errors(DEAD),
        ]
    }

    fn changing(&self) -> Vec<Method> {
        let takes = quote!(, change: impl ::core::ops::FnOnce(&mut T));
        let does = "Changes the component `T` in place.";
        let untracked = Method::named(
            "mut_untracked",
            "Lends the component `T` for writes that are **not reported**: no observer, \
             collector or reactive system learns of them.",
            quote!((&mut self) -> &mut T),
            quote!(self.0.mut_untracked::<T>()),
        );
        vec![
            self.chains("update", does, takes.clone(), quote!(update::<T>(change)))
                .events(UPDATES)
                .panics(MISSING),
            self.tries("try_update", does, takes, quote!(try_update::<T>(change)))
                .events(UPDATES)
                .errors(MISSING),
            untracked.generics(self.one.clone()).panics(MISSING),
        ]
    }

    fn swapping(&self) -> [Method; 2] {
        let ContextItem { krate, ident, .. } = self.item;
        let does = "Exchanges the component `T` with another entity, in one step: also two keys of \
                    a primary index, which one after the other would be refused.";
        let takes = quote!(, other: #krate::EntityId<#ident>);
        let reports = "Reports for both, when both are changed, what `update` reports.";
        let refused = "one of them is dead or does not have the component";
        [
            self.chains("swap", does, takes.clone(), quote!(swap::<T>(other)))
                .events(reports)
                .panics(refused),
            self.tries("try_swap", does, takes, quote!(try_swap::<T>(other)))
                .events(reports)
                .errors(refused),
        ]
    }

    fn removing(&self) -> Vec<Method> {
        let does = "Removes the component `T`.";
        let takes =
            "Removes the component `T` and returns its value, or `None` where there is none.";
        let (krate, value) = (&self.item.krate, quote!(::core::option::Option<T>));
        let take = Method::named(
            "take",
            takes,
            quote!((&mut self) -> #value),
            quote!(self.0.take::<T>()),
        );
        let try_take = Method::named(
            "try_take",
            takes,
            quote!((&mut self) -> ::core::result::Result<#value, #krate::Error>),
            quote!(self.0.try_take::<T>()),
        );
        vec![
            self.chains("remove", does, quote!(), quote!(remove::<T>()))
                .events(MOVES)
                .panics(MISSING),
            self.tries("try_remove", does, quote!(), quote!(try_remove::<T>()))
                .events(MOVES)
                .errors(MISSING),
            take.generics(self.one.clone()).events(MOVES).panics(DEAD),
            try_take
                .generics(self.one.clone())
                .events(MOVES)
                .errors(DEAD),
        ]
    }

    fn filling(&self) -> Vec<Method> {
        let ContextItem { krate, ident, .. } = self.item;
        let bounds = quote!(<T: #krate::Component<#ident> + ::core::default::Default>);
        let takes = quote!(, fill: impl ::core::ops::FnOnce(&mut T));
        let (adds, sets) = (
            "Adds the component `T` with a value from its pool, or the default one, which `fill` \
             completes.",
            "Sets the component `T` to a value from its pool, or the default one, which `fill` \
             completes.",
        );
        vec![
            self.chains("add_with", adds, takes.clone(), quote!(add_with::<T>(fill)))
                .generics(bounds.clone())
                .events(MOVES)
                .panics(PRESENT),
            self.chains("replace_with", sets, takes, quote!(replace_with::<T>(fill)))
                .generics(bounds)
                .events(REPLACES)
                .panics(DEAD),
        ]
    }

    fn ending(&self) -> Vec<Method> {
        let krate = &self.item.krate;
        let does = "Destroys the entity.";
        vec![
            self.chains(
                "remove_all",
                "Removes every component, in ascending order of index, in one change each.",
                quote!(),
                quote!(remove_all()),
            )
            .generics(TokenStream::new())
            .events(MOVES)
            .panics(DEAD),
            Method::named("destroy", does, quote!((self)), quote!(self.0.destroy()))
                .events(DESTROYS)
                .panics(ENDING),
            Method::named(
                "try_destroy",
                does,
                quote!((self) -> ::core::result::Result<(), #krate::Error>),
                quote!(self.0.try_destroy()),
            )
            .events(DESTROYS)
            .errors(ENDING),
        ]
    }
}
