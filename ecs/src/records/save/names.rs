//! The names of components in files: the name of the type, `Position`; its full path if several
//! types have the same name; followed by the version unless it is 1, `Position@2`.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::marker::PhantomData;

use hashbrown::HashMap;

use crate::state::HasCore;
use crate::storage::descriptor::ComponentDescriptor;
use crate::storage::descriptor::saving::SavingTable;
use crate::storage::registry::numbering;
use crate::words::component::RawComponentIndex;

/// The components of a context, by index, and by their present and former names in files.
pub(crate) struct Names<C> {
    context: PhantomData<fn() -> C>,
    all: Vec<Named>,
    /// The components found for names in a file.
    found: HashMap<String, Option<(Named, u32)>>,
}

/// A component of a context.
#[derive(Clone, Copy)]
pub(crate) struct Named {
    pub(crate) index: RawComponentIndex,
    pub(crate) descriptor: &'static ComponentDescriptor,
}

impl Named {
    pub(crate) fn saving(&self) -> &'static SavingTable {
        &self.descriptor.saving
    }

    pub(crate) fn name(&self) -> &'static str {
        self.descriptor.names.component
    }
}

impl<C: HasCore> Names<C> {
    pub(crate) fn new() -> Self {
        let indices = (0..).map(RawComponentIndex::new);
        let all = indices.zip(numbering::<C>().descriptors());
        let named = |(index, descriptor)| Named { index, descriptor };
        Self {
            context: PhantomData,
            all: all.map(named).collect(),
            found: HashMap::new(),
        }
    }

    /// Returns a component by its index.
    pub(crate) fn at(&self, component: RawComponentIndex) -> &Named {
        &self.all[component.get()]
    }

    /// The name of a component in files.
    pub(crate) fn name_of(&self, component: RawComponentIndex) -> String {
        let name = self.plain_name_of(component);
        match self.at(component).saving().version {
            1 => name.to_owned(),
            version => format!("{name}@{version}"),
        }
    }

    /// The name of a component in files, without its version.
    pub(crate) fn plain_name_of(&self, component: RawComponentIndex) -> &'static str {
        let named = self.at(component);
        match self.own(named.name()) {
            Some(_) => named.name(),
            None => named.descriptor.type_name(),
        }
    }

    /// Finds the component with this name in a file, and its version, if it can be loaded.
    pub(crate) fn find(&mut self, name: &str) -> Option<(Named, u32)> {
        if let Some(found) = self.found.get(name) {
            return *found;
        }
        let found = self.look_for(name);
        let found = found.filter(|(named, _)| named.saving().is_saved());
        self.found.insert(name.to_owned(), found);
        found
    }

    /// Finds the component with this name in a file, and its version.
    ///
    /// Complexity: linear in the components.
    pub(crate) fn look_for(&self, name: &str) -> Option<(Named, u32)> {
        if let Some(own) = self.own(name) {
            return Some((own, 1));
        }
        let (name, version) = match name.rsplit_once('@') {
            Some((name, version)) => (name, version.parse().ok()?),
            None => (name, 1),
        };
        let has_had = |named: &Named| {
            let aliases = named.saving().aliases;
            aliases.contains(&name) || named.descriptor.type_name() == name
        };
        let named = self.own(name).or_else(|| self.only(has_had))?;
        Some((named, version))
    }

    /// The component with this name; `None` if several have it.
    fn own(&self, name: &str) -> Option<Named> {
        self.only(|named| named.name() == name)
    }

    fn only(&self, is_it: impl Fn(&Named) -> bool) -> Option<Named> {
        let mut all = self.all.iter().filter(|named| is_it(named));
        let first = all.next()?;
        all.next().is_none().then_some(*first)
    }
}
