//! Unique components, and the clean-up systems.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::expand::method::{
    CREATES_OWNER, DESTROYS, ENDING_OWNER, MISSING_OR_ENDING_OWNER, MISSING_OWNER, Method, OWNED,
    READS, REPLACES_OR_CREATES, SETS_OR_UNSETS, UPDATES,
};

use super::Scope;

/// What all these methods are generic over.
fn of_one(scope: &Scope<'_>) -> TokenStream {
    let krate = scope.krate;
    quote!(<T: #krate::UniqueComponent<Self>>)
}

fn as_it_is(call: TokenStream) -> TokenStream {
    call
}

fn into(call: TokenStream) -> TokenStream {
    quote!(::core::convert::Into::into(#call))
}

/// The same for what is in an `Option` or a `Result`.
fn each_into(call: TokenStream) -> TokenStream {
    quote!(#call.map(::core::convert::Into::into))
}

impl Scope<'_> {
    /// A method that hands its argument on to the one of the same name in `Uniques`, and
    /// wraps what it gives as `wrapped` says.
    fn unique(
        &self,
        name: &str,
        does: &str,
        signature: TokenStream,
        argument: TokenStream,
        wrapped: impl Fn(TokenStream) -> TokenStream,
    ) -> Method {
        let (krate, method) = (self.krate, format_ident!("{name}"));
        let call = quote!(<Self as #krate::Uniques>::#method::<T>(self #argument));
        Method::named(name, does, signature, wrapped(call)).generics(of_one(self))
    }

    /// Who has a unique component, and what its value is.
    pub(super) fn owning(&self) -> Vec<Method> {
        let entity = &self.entity;
        let reads = |name, does, output: TokenStream| {
            self.unique(name, does, quote!((&self) -> #output), quote!(), as_it_is)
                .events(READS)
                .must_use()
        };
        let owner = self.unique(
            "unique_entity",
            "Returns the entity that has the unique component `T`, or `None` where there is none.",
            quote!((&self) -> ::core::option::Option<#entity<'_>>),
            quote!(),
            each_into,
        );
        vec![
            reads(
                "has_unique",
                "Whether an entity has the unique component `T`.",
                quote!(::core::primitive::bool),
            ),
            reads(
                "unique",
                "Returns the unique component `T`, or `None` where no entity has it.",
                quote!(::core::option::Option<&T>),
            ),
            reads(
                "unique_component",
                "Returns the unique component `T`.",
                quote!(&T),
            )
            .panics(MISSING_OWNER),
            owner.events(READS).must_use(),
        ]
    }

    /// What sets, changes and removes a unique component.
    pub(super) fn setting(&self) -> Vec<Method> {
        let (krate, entity_mut) = (self.krate, &self.entity_mut);
        let result = |ok: TokenStream| quote!(-> ::core::result::Result<#ok, #krate::Error>);
        let (changed, tried) = (quote!(-> #entity_mut<'_>), result(quote!(#entity_mut<'_>)));
        let sets = "Creates an entity with a unique component, in one change.";
        let updates = "Changes the unique component `T` in place.";
        let replaces = "Sets a unique component, whether an entity has it or not: where none has, \
                        one is created with it.";
        let lends = "Lends the unique component `T` for writes that are **not reported**: no \
                     observer, collector or reactive system learns of them.";
        let removes = "**Destroys the entity** that has the unique component `T`, with all its \
                       other components.";
        let (none, value) = ((quote!(), quote!()), (quote!(, value: T), quote!(, value)));
        let change = quote!(, change: impl ::core::ops::FnOnce(&mut T));
        let change = (change, quote!(, change));
        vec![
            self.changes("set_unique", sets, &value, &changed, into)
                .events(CREATES_OWNER)
                .panics(OWNED),
            self.changes("try_set_unique", sets, &value, &tried, each_into)
                .events(CREATES_OWNER)
                .errors(OWNED),
            self.changes("replace_unique", replaces, &value, &changed, into)
                .events(REPLACES_OR_CREATES),
            self.changes("update_unique", updates, &change, &changed, into)
                .events(UPDATES)
                .panics(MISSING_OWNER),
            self.changes("try_update_unique", updates, &change, &tried, each_into)
                .events(UPDATES)
                .errors(MISSING_OWNER),
            self.changes(
                "unique_mut_untracked",
                lends,
                &none,
                &quote!(-> &mut T),
                as_it_is,
            )
            .panics(MISSING_OWNER),
            self.changes("remove_unique", removes, &none, &quote!(), as_it_is)
                .events(DESTROYS)
                .panics(MISSING_OR_ENDING_OWNER),
            self.changes(
                "try_remove_unique",
                removes,
                &none,
                &result(quote!(())),
                as_it_is,
            )
            .events(DESTROYS)
            .errors(MISSING_OR_ENDING_OWNER),
            self.setting_flag(),
        ]
    }

    fn setting_flag(&self) -> Method {
        let entity_mut = &self.entity_mut;
        let argument = quote!(, value: T, on: ::core::primitive::bool);
        self.changes(
            "set_unique_flag",
            "Creates an entity with a unique component where there is none and `on` says so, or \
             **destroys the entity** that has it, with all its other components, where `on` says \
             not. Returns the entity that has it now.",
            &(argument, quote!(, value, on)),
            &quote!(-> ::core::option::Option<#entity_mut<'_>>),
            each_into,
        )
        .events(SETS_OR_UNSETS)
        .panics(ENDING_OWNER)
    }

    /// A method with these arguments, as they are declared and as they are passed on.
    fn changes(
        &self,
        name: &str,
        does: &str,
        (declared, passed): &(TokenStream, TokenStream),
        output: &TokenStream,
        wrapped: impl Fn(TokenStream) -> TokenStream,
    ) -> Method {
        let signature = quote!((&mut self #declared) #output);
        self.unique(name, does, signature, quote!(#passed), wrapped)
    }

    pub(super) fn cleaning(&self) -> Method {
        let krate = self.krate;
        Method::named(
            "cleanup_systems",
            "Returns the clean-up of all components of this context that have `cleanup(remove)` \
             or `cleanup(destroy)`, as one system.",
            quote!((&mut self) -> #krate::CleanupSystems<Self>),
            quote!(#krate::CleanupSystems::new(self)),
        )
        .events("Reports *group created* for the groups that it is the first to need.")
        .must_use()
    }
}
