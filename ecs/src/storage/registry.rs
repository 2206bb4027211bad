//! The dense indexes of components: which number each component type has in each
//! context type.
//!
//! ```text
//! NUMBERINGS ─► Numbering of Game ─► Numbering of Input ─► …        one per context type
//!                ├ linked: sorted by type name, found at link time
//!                └ late:   Entry ─► Entry ─► …                      appended at first use
//! ```
//!
//! Both chains only ever grow, by one atomic write, so no lock is needed and an
//! index once given never changes. A component is known by its [`TypeId`] and by
//! functions made from the type itself ([`ComponentDescriptor`]): no implementation of
//! [`Component`], however wrong, makes one type pass for another.
//!
//! This is the program's one piece of global state. It numbers *types*; it knows
//! nothing of any context value.

use alloc::vec::Vec;
use core::any::TypeId;
use core::sync::atomic::{Ordering, fence};

use crate::storage::chain::Chain;
use crate::storage::descriptor::ComponentDescriptor;
use crate::words::component::{Component, ComponentIndex};
use crate::words::thread_safe::ThreadSafe;

/// A component announced at link time, before the program starts.
#[doc(hidden)]
pub struct Registration {
    context: TypeId,
    descriptor: &'static ComponentDescriptor,
}

impl Registration {
    /// Announces component `T` of context `C`. That it is [`ThreadSafe`] is asked here once more,
    /// because in an `impl` the compiler says only what is missing, not what to write.
    pub const fn new<C: 'static, T: Component<C> + ThreadSafe>() -> Self {
        Self {
            context: TypeId::of::<C>(),
            descriptor: ComponentDescriptor::of::<C, T>(),
        }
    }
}

inventory::collect!(Registration);

/// Returns the dense index of `T` in `C`: one load once it is known.
#[doc(hidden)]
#[inline]
pub fn index_of<C: 'static, T: Component<C>>() -> ComponentIndex {
    T::cell().get_or_fill(number::<C, T>)
}

fn number<C: 'static, T: Component<C>>() -> ComponentIndex {
    ComponentIndex::new(numbering::<C>().number(ComponentDescriptor::of::<C, T>()))
}

/// Puts components in the order of their numbers: by name, whatever the linker has done with them.
/// Two can have one path, in two blocks of a function; then the compiler tells which is first.
fn put_in_order(linked: &mut Vec<&'static ComponentDescriptor>) {
    linked.sort_by_key(|found| (found.names.component, found.type_name(), found.type_id));
    linked.dedup_by_key(|descriptor| descriptor.type_id);
}

/// The components of one context type.
pub(crate) struct Numbering {
    context: TypeId,
    linked: Vec<&'static ComponentDescriptor>,
    late: Chain<&'static ComponentDescriptor>,
}

/// The numbering of `C`, made at the first call.
pub(crate) fn numbering<C: 'static>() -> &'static Numbering {
    static NUMBERINGS: Chain<Numbering> = Chain::new();
    // Whoever has read an index from a cell finds its component here: the cell was filled, by a
    // release store, after the component had been numbered.
    fence(Ordering::Acquire);
    let context = TypeId::of::<C>();
    NUMBERINGS
        .find_or_append(
            |numbering| numbering.context == context,
            || Numbering::linked(context),
        )
        .1
}

impl Numbering {
    fn linked(context: TypeId) -> Self {
        let mut linked: Vec<_> = inventory::iter::<Registration>
            .into_iter()
            .filter(|found| found.context == context)
            .map(|found| found.descriptor)
            .collect();
        put_in_order(&mut linked);
        Self {
            context,
            linked,
            late: Chain::new(),
        }
    }

    /// The index of a component, appended if it has none yet.
    fn number(&self, descriptor: &'static ComponentDescriptor) -> usize {
        let linked = self
            .linked
            .iter()
            .position(|known| known.type_id == descriptor.type_id);
        linked.unwrap_or_else(|| {
            let known = |late: &&ComponentDescriptor| late.type_id == descriptor.type_id;
            self.linked.len() + self.late.find_or_append(known, || descriptor).0
        })
    }

    /// The components in order of their index.
    pub(crate) fn descriptors(&self) -> impl Iterator<Item = &'static ComponentDescriptor> + '_ {
        self.linked.iter().copied().chain(self.late.iter().copied())
    }

    /// The name of the component with `index`, for messages.
    pub(crate) fn name(&self, index: ComponentIndex) -> &'static str {
        self.descriptors()
            .nth(index.get())
            .map_or("?", |descriptor| descriptor.names.component)
    }
}
