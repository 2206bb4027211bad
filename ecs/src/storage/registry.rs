//! The dense indexes of components: which number each component type has in each
//! context type.
//!
//! Those found at link time come first, sorted by name; others are numbered at first use
//! (`numbering.rs`). A component is known by its [`TypeId`] and by functions made from the type itself
//! ([`ComponentDescriptor`]): no implementation of [`Component`], however wrong, makes one type pass
//! for another.
//!
//! This is the program's one piece of global state. It numbers *types*; it knows
//! nothing of any context value.

use alloc::vec::Vec;
use core::any::TypeId;

use crate::storage::descriptor::ComponentDescriptor;
use crate::storage::numbering::{self, Numberings};
use crate::words::component::{Component, NumberCell, RawComponentIndex, typed};
use crate::words::demands::ThreadSafe;

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

/// Returns the dense index of `T` in `C`, for what the macros write.
#[doc(hidden)]
pub fn typed_index_of<C: 'static, T: Component<C>>() -> typed::ComponentIndex<C> {
    typed::ComponentIndex::of(index_of::<C, T>())
}

/// The dense index of `T` in `C`: one load once it is known.
#[inline]
pub(crate) fn index_of<C: 'static, T: Component<C>>() -> RawComponentIndex {
    let cell = T::cell().number();
    match cell.known() {
        Some(known) => known,
        None => number_of::<C, T>(),
    }
}

#[cold]
#[inline(never)]
fn number_of<C: 'static, T: Component<C>>() -> RawComponentIndex {
    let descriptor = const { ComponentDescriptor::of::<C, T>() };
    number(T::cell().number(), const { TypeId::of::<C>() }, descriptor)
}

/// The dense index that a component has in contexts of a type, of which it is one.
pub(crate) fn index_in(
    context: TypeId,
    descriptor: &'static ComponentDescriptor,
) -> RawComponentIndex {
    let cell = (descriptor.cell)();
    let known = cell.known();
    known.unwrap_or_else(|| number(cell, context, descriptor))
}

fn number(
    cell: &NumberCell,
    context: TypeId,
    descriptor: &'static ComponentDescriptor,
) -> RawComponentIndex {
    let numbering = numbering_of(context);
    if are_late() {
        let first = announced(context).into_iter();
        let first = first.take_while(|first| *first != descriptor);
        first.for_each(|first| _ = numbering.number(first));
    }
    let index = RawComponentIndex::new(numbering.number(descriptor));
    cell.fill(index);
    index
}

/// Whether all components are numbered at first use, each with those that come before it in order: so
/// `tests/late-numbers` looks at contexts, marks, snapshots and saves of before.
fn are_late() -> bool {
    #[cfg(feature = "__checks")]
    return std::env::var_os("ECS_LATE_NUMBERS").is_some();
    #[cfg(not(feature = "__checks"))]
    false
}

/// Numbers the components of a context that disable entities, if all are numbered at first use: its groups
/// must know them from the start.
pub(crate) fn number_disabling(context: TypeId) {
    if are_late() {
        let announced = announced(context).into_iter();
        let disabling = announced.filter(|descriptor| descriptor.disables);
        disabling.for_each(|descriptor| _ = index_in(context, descriptor));
    }
}

/// Puts components in the order of their numbers: by name, whatever the linker has done with them.
/// Two can have one path, in two blocks of a function; then the compiler tells which is first.
fn put_in_order(linked: &mut Vec<&'static ComponentDescriptor>) {
    linked.sort_by_key(|found| (found.names.component, found.type_name(), found.type_id));
    linked.dedup_by_key(|descriptor| descriptor.type_id);
}

/// The components of one context type.
pub(crate) type ContextNumbering = numbering::Numbering<&'static ComponentDescriptor>;

/// The numbering of `C`, made at the first call.
pub(crate) fn numbering<C: 'static>() -> &'static ContextNumbering {
    numbering_of(TypeId::of::<C>())
}

/// The numbering of contexts of a type, made at the first call.
pub(crate) fn numbering_of(context: TypeId) -> &'static ContextNumbering {
    static NUMBERINGS: Numberings<&'static ComponentDescriptor> = Numberings::new();
    NUMBERINGS.of(context, || match are_late() {
        true => Vec::new(),
        false => announced(context),
    })
}

/// The components of a context that were announced, in the order of their numbers.
fn announced(context: TypeId) -> Vec<&'static ComponentDescriptor> {
    let all = inventory::iter::<Registration>.into_iter();
    let of_context = all.filter(|found| found.context == context);
    let mut linked: Vec<_> = of_context.map(|found| found.descriptor).collect();
    put_in_order(&mut linked);
    linked
}

impl ContextNumbering {
    /// The components in order of their index.
    pub(crate) fn descriptors(&self) -> Vec<&'static ComponentDescriptor> {
        self.late_descriptors(0)
    }

    /// The components from an index on.
    pub(crate) fn late_descriptors(&self, known: usize) -> Vec<&'static ComponentDescriptor> {
        self.iter().skip(known).collect()
    }

    /// The component with an index.
    pub(crate) fn get(&self, index: RawComponentIndex) -> Option<&'static ComponentDescriptor> {
        self.iter().nth(index.get())
    }

    /// The component of a type.
    pub(crate) fn of_type(&self, type_id: TypeId) -> Option<&'static ComponentDescriptor> {
        self.iter().find(|descriptor| descriptor.type_id == type_id)
    }

    /// The name of the component with `index`, for messages.
    pub(crate) fn name(&self, index: RawComponentIndex) -> &'static str {
        self.get(index)
            .map_or("?", |descriptor| descriptor.names.component)
    }
}
