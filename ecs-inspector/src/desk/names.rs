//! Names of components: the name of the type, or its full path if several in the context share the
//! name.

use ecs::{ComponentIndex, ComponentInfo, Context, Matcher, SharedContext};

use crate::protocol::failure::{Code, Failure};
use crate::protocol::name_list::{NameList as Asked, is_same};

/// The names of all components of a context, by index.
pub(crate) struct Names<C> {
    names: Vec<&'static str>,
    indices: Vec<ComponentIndex<C>>,
}

impl<C> Default for Names<C> {
    fn default() -> Self {
        Self {
            names: Vec::new(),
            indices: Vec::new(),
        }
    }
}

impl<C: Context + SharedContext> Names<C> {
    /// Adds components that were numbered since the last call.
    pub(crate) fn catch_up(&mut self, context: &C) {
        let components = context.components();
        if components.len() == self.names.len() {
            return;
        }
        let is_alone = |info: &ComponentInfo<C>| {
            components
                .iter()
                .filter(|other| other.name() == info.name())
                .count()
                == 1
        };
        let name = |info: &ComponentInfo<C>| match is_alone(info) {
            true => info.name(),
            false => info.type_name(),
        };
        self.names = components.iter().map(name).collect();
        self.indices = components.iter().map(ComponentInfo::index).collect();
    }

    /// Returns the name of a component.
    pub(crate) fn of(&self, component: ComponentIndex<C>) -> &'static str {
        self.names.get(component.get()).copied().unwrap_or("?")
    }

    /// Returns the component of this name.
    pub(crate) fn find(&self, name: &str) -> Result<ComponentIndex<C>, Failure> {
        let at = self.names.iter().position(|known| is_same(known, name));
        at.map(|at| self.indices[at]).ok_or_else(|| {
            let message = format!("context `{}` has no component `{name}`", C::NAME);
            Code::UnknownComponent.because(message)
        })
    }

    /// Returns the components of these names.
    pub(crate) fn find_all(&self, names: &Asked) -> Result<Vec<ComponentIndex<C>>, Failure> {
        names.0.iter().map(|name| self.find(name)).collect()
    }

    /// Returns a matcher for the components of these names.
    pub(crate) fn matcher(&self, [all, any, none]: [&Asked; 3]) -> Result<Matcher<C>, Failure> {
        let matcher = Matcher::default().with_disabled(); // the list shows disabled entities
        let matcher = matcher.all_of_indices(self.find_all(all)?);
        let matcher = matcher.any_of_indices(self.find_all(any)?);
        Ok(matcher.none_of_indices(self.find_all(none)?))
    }
}
