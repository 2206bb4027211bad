//! The methods of the exclusive handle.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

use crate::model::change::Change;
use crate::model::method::{Method, listener};
use crate::model::promises::{
    DEAD, DESTROYS, ENDING, LISTENS, MISSING, MOVES, PRESENT, READS, REPLACES, UNTRACKED, UPDATES,
    UPDATES_WITH,
};
use crate::model::reader::Reader;
use crate::parse::ContextItem;

use super::reading::{self, parameter};

pub(crate) fn methods(item: &ContextItem) -> Vec<Method> {
    let changing = ContextChanging(item);
    let mut methods = reading::methods(item, &Reader::exclusive());
    methods.extend(changing.whole());
    methods.extend(changing.bundles());
    methods.extend(changing.changes());
    methods.extend(changing.filling());
    methods.extend(changing.ending());
    methods.extend(changing.listening());
    methods.push(changing.dynamic());
    let parameter = changing.parameter();
    let methods = methods.into_iter();
    methods.map(|it| it.of_parameter(&parameter)).collect()
}

/// Describes the methods that the shared handle does not have.
struct ContextChanging<'i>(&'i ContextItem);

impl ContextChanging<'_> {
    /// Methods for the entity as a whole.
    fn whole(&self) -> [Method; 3] {
        let methods = [is_alive(), self.context_mut(), self.as_ref()];
        methods.map(|method| method.events(READS).must_use())
    }

    /// Changes of several components at once.
    fn bundles(&self) -> Vec<Method> {
        let mut methods = Vec::from(self.takes_bundle(Change {
            does: "Inserts all components of a bundle in one change: replaces those that the \
                   entity has, and adds the others.",
            events: "Events: *entered* and *left* for the groups that the entity enters and \
                     leaves; then, for each component that was present, *updated* for the groups \
                     that name it and still contain the entity.",
            rejected: "the entity is dead, or another entity has a unique component or the key \
                       of a `primary_index`",
            ..chained("insert")
        }));
        methods.extend(self.takes_bundle(Change {
            does: "Adds all components of a bundle in one change.",
            events: MOVES,
            rejected: "the entity is dead or already has one of the components, or another \
                       entity has a unique one or the key of a `primary_index`",
            ..chained("add_all")
        }));
        methods.push(with());
        methods
    }

    fn takes_bundle(&self, change: Change<'_>) -> [Method; 2] {
        let ContextItem { krate, ident, .. } = self.0;
        let parameter = parameter(self.0, "B");
        let change = Change {
            takes: quote!((&mut self, bundle: #parameter)),
            with: quote!((bundle)),
            ..change
        };
        let methods = change.both(krate, Method::named);
        methods.map(|method| method.generics(quote!(<#parameter: #krate::Bundle<#ident>>)))
    }

    fn context_mut(&self) -> Method {
        let (does, context) = (
            "Returns a mutable reference to the entity's context.",
            &self.0.ident,
        );
        let (signature, body) = (
            quote!((&mut self) -> &mut #context),
            quote!(self.0.context_mut()),
        );
        Method::named("context_mut", does, signature, body)
    }

    fn as_ref(&self) -> Method {
        let (does, entity) = (
            "Returns a shared handle of the same entity.",
            self.0.entity(),
        );
        let body = quote!(::core::convert::From::from(self.0.as_ref()));
        Method::named("as_ref", does, quote!((&self) -> #entity<'_>), body).panics(DEAD)
    }

    /// Changes of one component.
    fn changes(&self) -> Vec<Method> {
        let mut methods = Vec::new();
        methods.extend(self.add());
        methods.extend(self.replace());
        methods.extend(self.update());
        methods.extend(self.update_with());
        methods.push(self.mut_untracked());
        methods.extend(self.swap());
        methods.extend(self.remove());
        methods.extend(self.take());
        methods
    }

    fn add(&self) -> [Method; 2] {
        let t = self.parameter();
        self.both(&Change {
            does: "Adds a component.",
            takes: quote!((&mut self, value: #t)),
            with: quote!((value)),
            events: MOVES,
            rejected: PRESENT,
            ..chained("add")
        })
    }

    fn replace(&self) -> [Method; 2] {
        let t = self.parameter();
        self.both(&Change {
            does: "Adds or replaces a component.",
            takes: quote!((&mut self, value: #t)),
            with: quote!((value)),
            events: REPLACES,
            rejected: DEAD,
            ..chained("replace")
        })
    }

    fn update(&self) -> [Method; 2] {
        let (t, r) = (self.parameter(), parameter(self.0, "R"));
        let ContextItem { krate, ident, .. } = self.0;
        let change = Change {
            does: "Changes the component `T` in place. Returns the result of `change`.",
            generics: quote!(<#t: #krate::Component<#ident>, #r>),
            takes: quote!((&mut self, change: impl ::core::ops::FnOnce(&mut #t) -> #r)),
            output: quote!(#r),
            with: quote!(::<#t, #r>(change)),
            chains: false,
            events: UPDATES,
            rejected: MISSING,
            ..chained("update")
        };
        change.both(krate, Method::named)
    }

    fn update_with(&self) -> [Method; 2] {
        let (t, r) = (self.parameter(), parameter(self.0, "R"));
        let ContextItem { krate, ident, .. } = self.0;
        let change = Change {
            does: "Changes a clone of the component `T`, which then replaces it; `change` can \
                   read the rest of the context. Returns the result of `change`.",
            generics: quote!(<#t: #krate::Component<#ident> + ::core::clone::Clone, #r>),
            takes: quote!((&mut self, change: impl ::core::ops::FnOnce(&mut #t, &#ident) -> #r)),
            output: quote!(#r),
            with: quote!(::<#t, #r>(change)),
            chains: false,
            events: UPDATES_WITH,
            rejected: MISSING,
            ..chained("update_with")
        };
        change.both(krate, Method::named)
    }

    fn mut_untracked(&self) -> Method {
        let t = self.parameter();
        let does = UNTRACKED.replace("{}", "the component `T`");
        let (signature, body) = (
            quote!((&mut self) -> &mut #t),
            quote!(self.0.mut_untracked::<#t>()),
        );
        let method = Method::named("mut_untracked", &does, signature, body);
        method.generics(self.one()).panics(MISSING)
    }

    fn swap(&self) -> [Method; 2] {
        let t = self.parameter();
        let ContextItem { krate, ident, .. } = self.0;
        self.both(&Change {
            does: "Swaps the component `T` with another entity in one step, which also works for \
                   two keys of a primary index.",
            takes: quote!((&mut self, other: #krate::EntityId<#ident>)),
            with: quote!(::<#t>(other)),
            events: "Events: those of `update` for both, after both have changed.",
            rejected: "one of them is dead or does not have the component",
            ..chained("swap")
        })
    }

    fn remove(&self) -> [Method; 2] {
        let t = self.parameter();
        self.both(&Change {
            does: "Removes the component `T`.",
            with: quote!(::<#t>()),
            events: MOVES,
            rejected: MISSING,
            ..chained("remove")
        })
    }

    fn take(&self) -> [Method; 2] {
        let t = self.parameter();
        self.both(&Change {
            does: "Removes the component `T` and returns its value, or `None` if there is none.",
            output: quote!(::core::option::Option<#t>),
            with: quote!(::<#t>()),
            chains: false,
            events: MOVES,
            rejected: DEAD,
            ..chained("take")
        })
    }

    /// The methods that fill a pooled value.
    fn filling(&self) -> [Method; 2] {
        let (adds, sets) = (
            self.fills("add_with", "Adds the component `T` with"),
            self.fills("replace_with", "Adds or replaces the component `T` with"),
        );
        [
            adds.events(MOVES).panics(PRESENT),
            sets.events(REPLACES).panics(DEAD),
        ]
    }

    fn fills(&self, name: &str, does: &str) -> Method {
        let t = self.parameter();
        let ContextItem { krate, ident, .. } = self.0;
        let call = format_ident!("{name}");
        let does = format!(
            "{does} the default value, modified by `fill`. Reuses the memory of a pooled \
                     value if there is one."
        );
        let signature = quote!((&mut self, fill: impl ::core::ops::FnOnce(&mut #t)) -> &mut Self);
        let body = quote!(self.0.#call::<#t>(fill); self);
        let method = Method::named(name, &does, signature, body);
        method.generics(quote!(<#t: #krate::Component<#ident> + #krate::__private::Pooled>))
    }

    fn ending(&self) -> Vec<Method> {
        let mut methods = vec![remove_all()];
        methods.extend(self.destroy());
        methods
    }

    fn destroy(&self) -> [Method; 2] {
        let destroy = Change {
            does: "Destroys the entity.",
            takes: quote!((self)),
            output: TokenStream::new(),
            chains: false,
            events: DESTROYS,
            rejected: ENDING,
            ..chained("destroy")
        };
        destroy.both(&self.0.krate, Method::named)
    }

    fn listening(&self) -> [Method; 3] {
        let set = "the component `T` was added, replaced or updated";
        let removed = "the component `T` was removed, or the entity destroyed";
        [
            self.listens("on_set", set),
            self.listens("on_removed", removed),
            self.observes(),
        ]
    }

    fn observes(&self) -> Method {
        let ContextItem { krate, ident, .. } = self.0;
        let does = "Calls `observer` immediately with each change of this entity, including its \
                    destruction, which removes the observer.";
        let takes = quote! {
            impl ::core::ops::FnMut(&mut #ident, &#krate::EntityChange<'_, #ident>) + #krate::FitsIn<#ident>
        };
        let signature = quote!((&mut self, observer: #takes) -> #krate::Subscription);
        let body = quote!(self.0.on_change(observer));
        Method::named("on_change", does, signature, body).panics(DEAD)
    }

    fn listens(&self, name: &str, when: &str) -> Method {
        let t = self.parameter();
        let ContextItem { krate, ident, .. } = self.0;
        let (entity_mut, set) = (self.0.entity_mut(), name == "on_set");
        let (listener, takes) = listener(krate, &quote!(#ident), &quote!(#entity_mut<'_>));
        let does = format!(
            "Calls `listener` with the entity after {when}. The listener is removed with \
                     the entity."
        );
        let signature = quote!((&mut self, #takes) -> #krate::Subscription);
        let body = quote!(self.0.listen_by_handle::<#t, #set>(#listener));
        let method = Method::named(name, &does, signature, body);
        method.generics(self.one()).events(LISTENS).panics(DEAD)
    }

    fn dynamic(&self) -> Method {
        let ContextItem { krate, ident, .. } = self.0;
        reading::dynamic(quote!((&mut self) -> #krate::DynEntityMut<'_, #ident>))
    }

    fn both(&self, change: &Change<'_>) -> [Method; 2] {
        let methods = change.both(&self.0.krate, Method::named);
        methods.map(|method| method.generics(self.one()))
    }

    /// The type parameter for a component.
    fn parameter(&self) -> Ident {
        parameter(self.0, "T")
    }

    /// The same with its bound, for methods of one component.
    fn one(&self) -> TokenStream {
        let t = self.parameter();
        let ContextItem { krate, ident, .. } = self.0;
        quote!(<#t: #krate::Component<#ident>>)
    }
}

fn is_alive() -> Method {
    let does = "Returns whether the entity is alive; an observer may have destroyed it.";
    let signature = quote!((&self) -> ::core::primitive::bool);
    Method::named("is_alive", does, signature, quote!(self.0.is_alive()))
}

/// The method that makes a factory function a single expression.
fn with() -> Method {
    let does = "Calls `build` with the entity, and returns the handle by value, so that a \
                function that creates an entity and returns its handle can be a single \
                expression.";
    let signature = quote!((mut self, build: impl ::core::ops::FnOnce(&mut Self)) -> Self);
    let method = Method::named("with", does, signature, quote!(build(&mut self); self));
    method.events("Events: those of the changes in `build`.")
}

fn remove_all() -> Method {
    let does = "Removes all components in ascending order of index, with one change for each.";
    let (signature, body) = (
        quote!((&mut self) -> &mut Self),
        quote!(self.0.remove_all(); self),
    );
    let method = Method::named("remove_all", does, signature, body);
    method.events(MOVES).panics(DEAD)
}

/// A change with the name of the generic method, which returns the handle.
fn chained(name: &str) -> Change<'_> {
    Change {
        name,
        calls: name,
        on: quote!(self.0),
        chains: true,
        ..Change::of_handle()
    }
}
