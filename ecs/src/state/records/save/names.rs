//! What components are called in files: by the name of their type, `Position`; by its full path if
//! several have the same name; with the version behind it if that is not the first, `Position@2`.

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
use crate::words::component::ComponentIndex;

/// The components of a context, by index, and by the names that they have and had in files.
pub(crate) struct Names<C> {
    context: PhantomData<fn() -> C>,
    all: Vec<Named>,
    own: HashMap<&'static str, Owner>,
    others: HashMap<&'static str, Owner>,
}

/// The component with a name, or none if several have it.
type Owner = Option<ComponentIndex>;

/// A component of a context.
#[derive(Clone, Copy)]
pub(crate) struct Named {
    pub(crate) index: ComponentIndex,
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
        let (mut own, mut others) = (HashMap::new(), HashMap::new());
        let named = |(at, descriptor): (usize, &'static ComponentDescriptor)| Named {
            index: ComponentIndex::new(at),
            descriptor,
        };
        let all: Vec<_> = numbering::<C>()
            .descriptors()
            .into_iter()
            .enumerate()
            .map(named)
            .collect();
        for named in &all {
            add(&mut own, named.name(), named.index);
            let aliases = named.saving().aliases.iter().copied();
            for name in aliases.chain([named.descriptor.type_name()]) {
                add(&mut others, name, named.index);
            }
        }
        let context = PhantomData;
        Self {
            context,
            all,
            own,
            others,
        }
    }

    /// A component by its index.
    pub(crate) fn at(&self, component: ComponentIndex) -> &Named {
        &self.all[component.get()]
    }

    /// What a component is called in files.
    pub(crate) fn name_of(&self, component: ComponentIndex) -> String {
        let named = self.at(component);
        let name = match self.own[named.name()] {
            Some(_) => named.name(),
            None => named.descriptor.type_name(),
        };
        match named.saving().version {
            1 => name.to_owned(),
            version => format!("{name}@{version}"),
        }
    }

    /// The component that a name in a file stands for, and its version, if it can be loaded.
    pub(crate) fn find(&self, name: &str) -> Option<(&Named, u32)> {
        let (index, version) = match self.own.get(name) {
            Some(Some(own)) => (*own, 1), // nearly always
            _ => self.find_versioned(name)?,
        };
        let named = self.at(index);
        named.saving().is_saved().then_some((named, version))
    }

    fn find_versioned(&self, name: &str) -> Option<(ComponentIndex, u32)> {
        let (name, version) = match name.rsplit_once('@') {
            Some((name, version)) => (name, version.parse().ok()?),
            None => (name, 1),
        };
        let own = self.own.get(name).copied().flatten();
        let index = own.or_else(|| *self.others.get(name)?)?;
        Some((index, version))
    }
}

/// Notes that a component has a name.
fn add(names: &mut HashMap<&'static str, Owner>, name: &'static str, index: ComponentIndex) {
    let owner = names.entry(name).or_insert(Some(index));
    if *owner != Some(index) {
        *owner = None;
    }
}
