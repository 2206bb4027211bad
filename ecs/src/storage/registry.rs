//! The dense indexes of components: the number of each component type in each context type.
//!
//! Components found at link time come first, sorted by name; others are numbered at first use
//! (`numbering.rs`). A component is identified by its [`TypeId`] and has functions made from the
//! type itself ([`ComponentDescriptor`]), so no implementation of [`Component`] can make one type
//! pass for another.
//!
//! This is the only global state of the library. It numbers *types* and knows no context values.

use alloc::vec::Vec;
use core::any::TypeId;

use crate::storage::descriptor::ComponentDescriptor;
use crate::storage::numbering::{self, Numberings};
use crate::words::component::{Component, NumberCell, RawComponentIndex, typed};

/// A component registered at link time.
#[doc(hidden)]
pub struct Registration {
    context: fn() -> TypeId,
    descriptor: &'static ComponentDescriptor,
}

impl Registration {
    /// Registers component `T` of context `C`.
    pub const fn new<C: 'static, T: Component<C>>() -> Self {
        Self {
            context: TypeId::of::<C>,
            descriptor: ComponentDescriptor::of::<C, T>(),
        }
    }
}

inventory::collect!(Registration);

/// Returns the dense index of `T` in `C`. Used by generated code.
#[doc(hidden)]
pub fn typed_index_of<C: 'static, T: Component<C>>() -> typed::ComponentIndex<C> {
    typed::ComponentIndex::of(index_of::<C, T>())
}

/// Returns the dense index of `T` in `C`: one load after the first use.
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
    number(T::cell().number(), TypeId::of::<C>(), descriptor)
}

/// Returns the dense index of a component in contexts of a type, which must be one of its own.
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

/// Whether all components are numbered at first use, each together with those before it in order.
/// `tests/late-numbers` uses this to test contexts, marks, snapshots and saves made before a
/// component is known.
fn are_late() -> bool {
    #[cfg(feature = "__checks")]
    return std::env::var_os("ECS_LATE_NUMBERS").is_some();
    #[cfg(not(feature = "__checks"))]
    false
}

/// Numbers the components that disable entities, if all components are numbered at first use: the
/// groups of a context must know them from the start.
pub(crate) fn number_disabling(context: TypeId) {
    if are_late() {
        let announced = announced(context).into_iter();
        let disabling = announced.filter(|descriptor| descriptor.disables);
        disabling.for_each(|descriptor| _ = index_in(context, descriptor));
    }
}

/// Sorts components by name, regardless of link order. Two components in different blocks of a
/// function can have the same path; then their `TypeId` decides.
fn put_in_order(linked: &mut Vec<&'static ComponentDescriptor>) {
    linked.sort_by_key(|found| (found.names.component, found.type_name(), (found.type_id)()));
    linked.dedup_by_key(|descriptor| (descriptor.type_id)());
}

/// The components of one context type.
pub(crate) type ContextNumbering = numbering::Numbering<&'static ComponentDescriptor>;

/// Returns the numbering of `C`, created by the first call.
pub(crate) fn numbering<C: 'static>() -> &'static ContextNumbering {
    numbering_of(TypeId::of::<C>())
}

/// Returns the numbering of a context type, created by the first call.
pub(crate) fn numbering_of(context: TypeId) -> &'static ContextNumbering {
    static NUMBERINGS: Numberings<&'static ComponentDescriptor> = Numberings::new();
    NUMBERINGS.of(context, || match are_late() {
        true => Vec::new(),
        false => announced(context),
    })
}

/// Returns the registered components of a context in index order.
fn announced(context: TypeId) -> Vec<&'static ComponentDescriptor> {
    let all = inventory::iter::<Registration>.into_iter();
    let of_context = all.filter(|found| (found.context)() == context);
    let mut linked: Vec<_> = of_context.map(|found| found.descriptor).collect();
    put_in_order(&mut linked);
    linked
}

impl ContextNumbering {
    pub(crate) fn descriptors(&self) -> Vec<&'static ComponentDescriptor> {
        self.late_descriptors(0)
    }

    /// Returns the components starting at index `known`.
    pub(crate) fn late_descriptors(&self, known: usize) -> Vec<&'static ComponentDescriptor> {
        self.iter().skip(known).collect()
    }

    pub(crate) fn get(&self, index: RawComponentIndex) -> Option<&'static ComponentDescriptor> {
        self.iter().nth(index.get())
    }

    pub(crate) fn of_type(&self, type_id: TypeId) -> Option<&'static ComponentDescriptor> {
        self.iter()
            .find(|descriptor| (descriptor.type_id)() == type_id)
    }

    pub(crate) fn name(&self, index: RawComponentIndex) -> &'static str {
        self.get(index)
            .map_or("?", |descriptor| descriptor.names.component)
    }
}
