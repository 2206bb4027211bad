//! What keeps a context fit: where entities stand in memory, and how much of it is held.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::expand::method::{Method, READS};

use super::Scope;

/// When room is refused, for texts.
const ABSURD: &str =
    "a context cannot hold so many, or memory has no room for them; nothing has changed then";

impl Scope<'_> {
    pub(super) fn upkeep(&self) -> Vec<Method> {
        let mut methods = self.moving();
        methods.extend(self.measuring());
        methods.extend(self.pooling());
        methods
    }

    /// A method that calls the one of the same name in the trait `Upkeep`.
    fn keeps(&self, name: &str, does: &str, signature: TokenStream, call: TokenStream) -> Method {
        let krate = self.krate;
        let body = quote!(<Self as #krate::Upkeep>::#call);
        Method::named(name, does, signature, body).events(READS)
    }

    /// The constructor of a context with room.
    pub(super) fn with_capacity(&self) -> Method {
        let krate = self.krate;
        Method::named(
            "with_capacity",
            "Makes a context without entities that has room for some.",
            quote!((entities: ::core::primitive::usize) -> Self),
            quote!(Self { core: #krate::Core::with_capacity(entities) }),
        )
        .events(READS)
        .panics(ABSURD)
        .must_use()
    }

    fn moving(&self) -> Vec<Method> {
        let krate = self.krate;
        let usize = quote!(::core::primitive::usize);
        vec![
            self.keeps(
                "defragment",
                "Moves entities with the same components together in memory. Ids, groups and \
                 collectors mean the same as before; the order of walking is new: by \
                 signature, then as before.",
                quote!((&mut self)),
                quote!(defragment(self)),
            ),
            self.keeps(
                "defragment_for",
                "Does a part of what `defragment` does: brings at most `moves` entities to \
                 their places, and returns whether there may be more to do.",
                quote!((&mut self, moves: #usize) -> ::core::primitive::bool),
                quote!(defragment_for(self, moves)),
            ),
            self.keeps(
                "fragmentation",
                "Returns what there is to gain by `defragment`.",
                quote!((&self) -> #krate::Fragmentation),
                quote!(fragmentation(self)),
            )
            .must_use(),
            self.keeps(
                "reserve_entities",
                "Makes room for entities to come.",
                quote!((&mut self, entities: #usize)),
                quote!(reserve_entities(self, entities)),
            )
            .panics(ABSURD),
            self.keeps(
                "reserve",
                "Makes room for the components `T` of entities to come.",
                quote!((&mut self, values: #usize)),
                quote!(reserve::<T>(self, values)),
            )
            .generics(quote!(<T: #krate::Component<Self>>))
            .panics(ABSURD),
            self.keeps(
                "shrink_to_fit",
                "Gives back the memory that nothing is in; to `defragment` first frees the most. \
                 Values in pools stay.",
                quote!((&mut self)),
                quote!(shrink_to_fit(self)),
            ),
        ]
    }

    fn measuring(&self) -> Vec<Method> {
        let krate = self.krate;
        vec![
            self.keeps(
                "memory",
                "Returns how much memory the context holds, and for what.",
                quote!((&self) -> #krate::Memory),
                quote!(memory(self)),
            )
            .must_use(),
            self.keeps(
                "reusable_entities",
                "Returns the number of destroyed entities whose place waits for the next ones.",
                quote!((&self) -> ::core::primitive::usize),
                quote!(reusable_entities(self)),
            )
            .must_use(),
        ]
    }

    fn pooling(&self) -> Vec<Method> {
        let krate = self.krate;
        let one = quote!(<T: #krate::Component<Self>>);
        let of_one = |name: &str, does, signature| {
            let method = format_ident!("{name}");
            self.keeps(name, does, signature, quote!(#method::<T>(self)))
                .generics(one.clone())
        };
        vec![
            of_one(
                "pooled_components",
                "Returns the number of values in the pool of the component `T`.",
                quote!((&self) -> ::core::primitive::usize),
            )
            .must_use(),
            of_one(
                "clear_pool",
                "Drops the values in the pool of the component `T`.",
                quote!((&mut self)),
            ),
            self.keeps(
                "clear_pools",
                "Drops the values in the pools of all components.",
                quote!((&mut self)),
                quote!(clear_pools(self)),
            ),
        ]
    }
}
