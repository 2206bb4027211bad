//! The reading methods of both entity handles.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Ident, parse_quote};

use crate::model::method::{Method, spare};
use crate::model::promises::READS;
use crate::model::reader::Reader;
use crate::parse::ContextItem;

/// All methods of the shared handle.
pub(crate) fn shared(item: &ContextItem) -> Vec<Method> {
    let ContextItem { krate, ident, .. } = item;
    let mut methods = methods(item, &Reader::shared(&parse_quote!('a)));
    methods.push(dynamic(quote!((self) -> #krate::DynEntity<'a, #ident>)));
    methods
}

/// The methods of both handles.
pub(super) fn methods(item: &ContextItem, reader: &Reader) -> Vec<Method> {
    let reading = ContextReading { item, reader };
    let mut methods = Vec::from(reading.of_the_entity());
    methods.extend(reading.has());
    methods.extend([reading.get(), reading.component(), reading.related()]);
    let parameter = reading.parameter();
    let methods = methods.into_iter();
    methods.map(|it| it.of_parameter(&parameter)).collect()
}

/// The method for access to components by index.
pub(super) fn dynamic(signature: TokenStream) -> Method {
    let does = "Returns a handle that accesses components by index, for tools that do not know \
                the types.";
    let method = Method::named("dynamic", does, signature, quote!(self.0.dynamic()));
    method.events(READS).must_use()
}

/// A type parameter with this name, unless the context has it.
pub(super) fn parameter(item: &ContextItem, name: &str) -> Ident {
    let (krate, ident) = (&item.krate, &item.ident);
    spare(name, &quote!(#krate #ident))
}

struct ContextReading<'i> {
    item: &'i ContextItem,
    reader: &'i Reader,
}

impl ContextReading<'_> {
    fn of_the_entity(&self) -> [Method; 4] {
        let ContextItem { krate, ident, .. } = self.item;
        let reference = self.reader.reference(&quote!(#ident));
        let id = "Returns the entity's id.";
        let context = "Returns the entity's context.";
        let is_empty = "Returns whether the entity has no components.";
        let indices = "Returns the indices of the entity's components, in ascending order.";
        let list = quote!(#krate::__private::Vec<#krate::ComponentIndex<#ident>>);
        [
            self.plain("id", id, &quote!(#krate::EntityId<#ident>)),
            self.plain("context", context, &reference),
            self.plain("is_empty", is_empty, &bool()),
            self.plain("component_indices", indices, &list),
        ]
    }

    fn has(&self) -> [Method; 3] {
        let one = "Returns whether the entity has the component `T`.";
        let all = "Returns whether the entity has every component of `T`: one component or a \
                   tuple.";
        let any = "Returns whether the entity has at least one component of `T`: one component \
                   or a tuple.";
        [
            self.of("Component", "has", one, &bool()),
            self.of("Components", "has_all", all, &bool()),
            self.of("Components", "has_any", any, &bool()),
        ]
    }

    fn get(&self) -> Method {
        let t = self.parameter();
        let reference = self.reader.reference(&quote!(#t));
        let does = "Returns the component `T`, or `None` if the entity does not have it.";
        self.of(
            "Component",
            "get",
            does,
            &quote!(::core::option::Option<#reference>),
        )
    }

    fn component(&self) -> Method {
        let t = self.parameter();
        let (does, output) = (
            "Returns the component `T`.",
            self.reader.reference(&quote!(#t)),
        );
        let method = self.of("Component", "component", does, &output);
        method.panics(self.reader.missing)
    }

    fn related(&self) -> Method {
        let t = self.parameter();
        let ContextItem { krate, ident, .. } = self.item;
        let lifetime = self.reader.lifetime();
        let does = "Returns the entity's part in the relation `T`: its target and its sources.";
        let output = quote!(#krate::Related<#lifetime, #ident, #t>);
        self.of("Relation", "related", does, &output)
    }

    /// The type parameter for a component.
    fn parameter(&self) -> Ident {
        parameter(self.item, "T")
    }

    /// A method without generic parameters.
    fn plain(&self, name: &str, does: &str, output: &TokenStream) -> Method {
        self.reads(name, does, output, &TokenStream::new())
    }

    /// A method for any type with this trait.
    fn of(&self, bound: &str, name: &str, does: &str, output: &TokenStream) -> Method {
        let t = self.parameter();
        let ContextItem { krate, ident, .. } = self.item;
        let bound = format_ident!("{bound}");
        let method = self.reads(name, does, output, &quote!(::<#t>));
        method.generics(quote!(<#t: #krate::#bound<#ident>>))
    }

    fn reads(&self, name: &str, does: &str, output: &TokenStream, of: &TokenStream) -> Method {
        let (signature, call) = (self.reader.signature(output), format_ident!("{name}"));
        let method = Method::named(name, does, signature, quote!(self.0.#call #of()));
        method.events(READS).must_use()
    }
}

fn bool() -> TokenStream {
    quote!(::core::primitive::bool)
}
