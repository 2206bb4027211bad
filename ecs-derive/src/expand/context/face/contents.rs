//! What is in a context: entities and components, counted and walked through.

use quote::quote;

use crate::expand::method::{Method, READS};

use super::Scope;

impl Scope<'_> {
    pub(super) fn counting(&self) -> Vec<Method> {
        let krate = self.krate;
        vec![
            self.finds(
                "len",
                "Returns the number of entities.",
                quote!((&self) -> ::core::primitive::usize),
                quote!(),
            ),
            self.finds(
                "is_empty",
                "Whether there is no entity.",
                quote!((&self) -> ::core::primitive::bool),
                quote!(),
            ),
            self.finds(
                "entities",
                "Iterates over the entities, in ascending order of index.",
                quote!((&self) -> #krate::Entities<'_, Self>),
                quote!(),
            ),
        ]
    }

    pub(super) fn querying(&self) -> Vec<Method> {
        let krate = self.krate;
        let query = Method::named(
            "query",
            "Returns the entities that have certain components, and the values of these. What is \
             written through `&mut T` is **not reported**.",
            quote!((&mut self) -> #krate::Query<'_, Self, Q>),
            quote!(<Self as #krate::Context>::query::<Q>(self)),
        );
        let view = Method::named(
            "view",
            "Reads one component of many entities by id, the column looked up once.",
            quote!((&self) -> #krate::View<'_, Self, T>),
            quote!(<Self as #krate::Context>::view::<T>(self)),
        );
        vec![
            query
                .generics(quote!(<Q: #krate::QueryData<Self>>))
                .panics("a component is asked for twice, once of it as `&mut T`")
                .must_use(),
            view.generics(quote!(<T: #krate::Component<Self>>))
                .events(READS)
                .must_use(),
        ]
    }

    pub(super) fn inspecting(&self) -> Vec<Method> {
        let krate = self.krate;
        vec![self.finds(
            "components",
            "Returns what is known of each component, by its index.",
            quote!((&self) -> &[#krate::ComponentInfo]),
            quote!(),
        )]
    }
}
