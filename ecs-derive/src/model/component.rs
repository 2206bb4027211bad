//! The methods named after a component: a block for each receiver type and each part of the
//! library.

pub(crate) mod arguments;
mod builder;
mod exclusive;
mod handles;
mod kind;
mod listening;
mod lookups;
mod many;
mod reading;
mod related;
mod unique;

use crate::parse::{Component, Context, Scope};

use super::method::Method;
use super::reader::Reader;

use self::handles::Handles;

pub(crate) use self::handles::handle_lifetime;
pub(crate) use self::kind::Kind;

/// Methods in one inherent `impl`, or in a trait with its implementations.
pub(crate) struct Block {
    pub(crate) kind: Kind,
    /// The methods of the trait; empty if there is none.
    pub(crate) declared: Vec<Method>,
    /// The methods for each context of the component, in order.
    pub(crate) of_contexts: Vec<Vec<Method>>,
}

/// All methods that the component's shape and attributes require.
pub(crate) fn blocks(component: &Component) -> Vec<Block> {
    if !component.has_accessors() {
        return Vec::new();
    }
    let all = Kind::ALL.map(|kind| Block::of(component, kind));
    all.into_iter().filter(Block::has_methods).collect()
}

impl Block {
    fn of(component: &Component, kind: Kind) -> Self {
        let in_trait = component
            .is_extension()
            .then(|| Handles::in_trait(component, kind));
        let methods = |handles| kind.methods(component, &handles);
        let of_context = |context| methods(kind.handles(component, context));
        Self {
            kind,
            declared: in_trait.map(methods).unwrap_or_default(),
            of_contexts: component.contexts.iter().map(of_context).collect(),
        }
    }

    fn has_methods(&self) -> bool {
        self.of_contexts.iter().any(|methods| !methods.is_empty())
    }

    /// The methods of one context; those of the others have the same names.
    pub(crate) fn methods(&self) -> &[Method] {
        self.of_contexts.first().map_or(&[], Vec::as_slice)
    }

    /// Removes methods with repeated names.
    pub(crate) fn without_repetitions(mut self) -> Self {
        for methods in self.of_contexts.iter_mut().chain([&mut self.declared]) {
            let mut names = Vec::new();
            methods.retain(|method| {
                let is_new = !names.contains(&method.name);
                names.push(method.name.clone());
                is_new
            });
        }
        self
    }

    /// Replaces each method by the result of `change`, or removes it.
    pub(crate) fn filter_map(mut self, change: impl Fn(Method) -> Option<Method>) -> Self {
        for methods in self.of_contexts.iter_mut().chain([&mut self.declared]) {
            *methods = methods.drain(..).filter_map(&change).collect();
        }
        self
    }
}

impl Kind {
    fn methods(self, component: &Component, handles: &Handles) -> Vec<Method> {
        match self {
            Self::Shared => {
                reading::methods(component, &Reader::shared(&handle_lifetime(component)))
            }
            Self::Exclusive => exclusive::methods(component, handles),
            Self::Unique => unique::methods(component, handles),
            Self::Lookups => lookups::methods(component, handles),
            Self::EventsOfAny => listening::methods(component, Scope::Any, handles),
            Self::EventsOfOne => listening::methods(component, Scope::Own, handles),
        }
    }

    /// How methods written for a context name its handles.
    fn handles(self, component: &Component, context: &Context) -> Handles {
        match self {
            _ if !component.is_extension() => Handles::by_name(context),
            Self::EventsOfAny | Self::EventsOfOne => Handles::of_path(component, context),
            _ => Handles::in_trait(component, self),
        }
    }
}
