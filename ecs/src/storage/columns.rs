//! All columns of a context, by component.
//!
//! Invariant: **`columns[i]` holds values of the component with index `i` in the numbering of
//! `context`**. The columns are made from that numbering, entry by entry, and the numbering tells
//! types apart by their `TypeId`; so the column at the index of `T` is one of `T`. Only
//! [`ColumnsOf`] knows the type of the context; everything else is compiled once.

#![expect(unsafe_code, reason = "gives columns back the type of their values")]

mod copy;
mod key_reads;
pub(crate) mod lanes;
pub(crate) mod row_types;
mod rows;

use alloc::vec::Vec;
use core::any::TypeId;
use core::ops::{Deref, DerefMut};

use crate::storage::column::{Column, ColumnOf};
use crate::storage::descriptor::ComponentDescriptor;
use crate::storage::heap::Heap;
use crate::storage::registry::{
    ContextNumbering, index_in, index_of, number_disabling, numbering_of,
};
use crate::storage::slots::Row;
use crate::words::component::{Component, ComponentInfo, ComponentNames, RawComponentIndex};
use crate::words::demands::Holds;
use crate::words::entity_id::AnyContext;
use crate::words::signature::RawComponentSet;

/// The columns of a context.
pub(crate) struct Columns {
    columns: Vec<Column>,
    infos: Vec<ComponentInfo<AnyContext>>,
    context: TypeId,
    /// The label component, if any.
    label: Option<RawComponentIndex>,
    /// The components that disable entities.
    disabling: RawComponentSet,
    /// What a running key function may read.
    #[cfg(debug_assertions)]
    key_reads: Option<RawComponentSet>,
}

impl Heap for Columns {
    /// Without the values.
    fn bytes(&self) -> usize {
        self.columns.bytes() + self.columns.len() * Column::BASE + self.infos.bytes()
    }

    fn trim(&mut self) {
        self.columns.iter_mut().for_each(Column::trim);
    }
}

/// The columns of a context of type `C`, with typed access.
#[repr(transparent)]
pub(crate) struct ColumnsOf<C> {
    erased: Columns,
    _holds: Holds<C>,
}

impl Columns {
    /// Creates a column for each component known so far in contexts of a type.
    pub(crate) fn new(context: TypeId) -> Self {
        number_disabling(context);
        let mut columns = Self {
            columns: Vec::new(),
            infos: Vec::new(),
            context,
            label: None,
            disabling: RawComponentSet::new(),
            #[cfg(debug_assertions)]
            key_reads: None,
        };
        columns.catch_up();
        columns
    }

    pub(crate) fn context(&self) -> TypeId {
        self.context
    }

    pub(crate) fn numbering(&self) -> &'static ContextNumbering {
        numbering_of(self.context)
    }

    /// Returns the index of a component of this context.
    pub(crate) fn index_of(&self, descriptor: &'static ComponentDescriptor) -> RawComponentIndex {
        index_in(self.context, descriptor)
    }

    pub(crate) fn label(&self) -> Option<RawComponentIndex> {
        self.label
    }

    #[inline]
    pub(crate) fn disabling(&self) -> &RawComponentSet {
        &self.disabling
    }

    /// Returns whether an entity may currently be disabled.
    #[inline]
    pub(crate) fn may_be_disabled(&self) -> bool {
        !self.disabling.is_empty() && self.has_disabled()
    }

    #[inline(never)]
    fn has_disabled(&self) -> bool {
        let mut disabling = self.disabling.iter();
        disabling.any(|component| self.columns[component.get()].with_memory().len() > 0)
    }

    /// Adds the columns of components that were numbered later.
    ///
    /// # Panics
    ///
    /// Panics if two components are labels.
    pub(crate) fn catch_up(&mut self) {
        for descriptor in self.numbering().late_descriptors(self.columns.len()) {
            self.check_label(descriptor);
            if descriptor.disables {
                let index = RawComponentIndex::new(self.columns.len());
                self.disabling.insert(index);
            }
            let column = Column::new(descriptor); // panics if a block does not fit into memory
            // Accessors use the cell, even if the value was added without it.
            (descriptor.cell)().fill(RawComponentIndex::new(self.columns.len()));
            self.infos.push(descriptor.info(self.columns.len()));
            self.columns.push(column);
        }
    }

    /// Records the component as the label, if it is one.
    fn check_label(&mut self, descriptor: &ComponentDescriptor) {
        if descriptor.is_label() {
            if let Some(first) = self.label {
                two_labels(
                    self.columns[first.get()].descriptor().names,
                    descriptor.names,
                );
            }
            self.label = Some(RawComponentIndex::new(self.columns.len()));
        }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.columns.len()
    }

    /// Drops the values of rows, component by component, or recycles them in pools.
    #[inline(never)]
    pub(crate) fn discard(&mut self, components: &[RawComponentIndex], rows: &[Row]) {
        let mut rest = Discard {
            columns: &mut self.columns,
            components,
            rows,
            next: 0,
        };
        rest.run();
    }

    /// Drops the values of one row. No user code runs before the first component whose values need
    /// more than being forgotten.
    #[inline(never)] // only a tail call, so no registers are saved
    pub(crate) fn discard_row(&mut self, components: &[RawComponentIndex], row: Row) {
        for (at, component) in components.iter().enumerate() {
            if !self.columns[component.get()].discard_plain(row) {
                return self.discard_rest(&components[at..], row);
            }
        }
    }

    #[inline(never)] // a tail call, so no registers are saved
    fn discard_rest(&mut self, components: &[RawComponentIndex], row: Row) {
        self.discard(components, &[row]);
    }

    /// Drops the values of many rows, first those of components that need no drop.
    pub(crate) fn discard_many(&mut self, components: &[RawComponentIndex], rows: &[Row]) {
        let mut others = Vec::new();
        for &component in components {
            let column = &mut self.columns[component.get()];
            if !column.forget_rows(rows) {
                others.push(component);
            }
        }
        self.discard(&others, rows);
    }

    /// Swaps two rows in the columns of some components.
    pub(crate) fn swap(
        &mut self,
        components: impl Iterator<Item = RawComponentIndex>,
        a: Row,
        b: Row,
    ) {
        for component in components {
            self.columns[component.get()].swap(a, b);
        }
    }

    /// Reserves memory for values of some components in `rows` rows starting at `start`.
    pub(crate) fn reserve(&mut self, components: &RawComponentSet, start: usize, rows: usize) {
        for component in components.iter() {
            if component.get() >= self.columns.len() {
                self.catch_up();
            }
            self.columns[component.get()].reserve(start, rows);
        }
    }

    /// Returns the columns in index order.
    #[inline]
    pub(crate) fn all(&self) -> &[Column] {
        &self.columns
    }

    pub(crate) fn iter(&self) -> core::slice::Iter<'_, Column> {
        self.columns.iter()
    }

    pub(crate) fn all_mut(&mut self) -> &mut [Column] {
        &mut self.columns
    }

    pub(crate) fn iter_mut(&mut self) -> core::slice::IterMut<'_, Column> {
        self.columns.iter_mut()
    }

    /// Drops all pooled values.
    pub(crate) fn clear_pools(&mut self) {
        for column in &mut self.columns {
            drop(column.take_pool());
        }
    }

    #[inline]
    #[track_caller]
    pub(crate) fn at(&self, component: RawComponentIndex) -> Option<&Column> {
        self.check_read(component);
        self.columns.get(component.get())
    }

    #[inline]
    pub(crate) fn at_mut(&mut self, component: RawComponentIndex) -> Option<&mut Column> {
        self.columns.get_mut(component.get())
    }

    /// Returns the column of a component that may have been numbered after this context was
    /// created.
    #[inline]
    pub(crate) fn ensured(&mut self, component: RawComponentIndex) -> &mut Column {
        if component.get() >= self.columns.len() {
            return self.late(component);
        }
        &mut self.columns[component.get()]
    }

    /// Returns the descriptor of a component, even if it was numbered later and never used here.
    pub(crate) fn describe(&self, component: RawComponentIndex) -> &'static ComponentDescriptor {
        match self.columns.get(component.get()) {
            Some(column) => column.descriptor(),
            None => {
                let descriptor = self.numbering().get(component);
                descriptor.expect("an index is made for a component of the context")
            }
        }
    }

    /// Returns the column of a component that was numbered after this context was created.
    #[cold]
    #[inline(never)]
    fn late(&mut self, component: RawComponentIndex) -> &mut Column {
        self.catch_up();
        &mut self.columns[component.get()]
    }
}

impl<C: 'static> ColumnsOf<C> {
    /// Gives the columns the type of their context.
    ///
    /// # Safety
    ///
    /// The context must be of type `C`.
    #[inline]
    pub(crate) unsafe fn view(columns: &Columns) -> &Self {
        debug_assert!(columns.context == TypeId::of::<C>());
        // SAFETY: `ColumnsOf` is a transparent wrapper.
        unsafe { &*core::ptr::from_ref(columns).cast() }
    }

    /// Gives the columns the type of their context.
    ///
    /// # Safety
    ///
    /// The context must be of type `C`.
    #[inline]
    pub(crate) unsafe fn view_mut(columns: &mut Columns) -> &mut Self {
        debug_assert!(columns.context == TypeId::of::<C>());
        // SAFETY: `ColumnsOf` is a transparent wrapper, and `&mut` excludes other references.
        unsafe { &mut *core::ptr::from_mut(columns).cast() }
    }

    /// Returns the descriptions of the components in index order.
    pub(crate) fn infos(&self) -> &[ComponentInfo<C>] {
        ComponentInfo::typed_all(&self.erased.infos)
    }

    /// Returns the column of a component as one of `T`.
    ///
    /// # Panics
    ///
    /// Panics if it is another component.
    pub(crate) fn typed<T: Component<C>>(
        &mut self,
        component: RawComponentIndex,
    ) -> &mut ColumnOf<T> {
        let column = self.erased.columns[component.get()].typed_mut();
        column.expect("the component is of this type")
    }

    /// Returns the column of `T`, or `None` if `T` was numbered later and never used here.
    #[inline]
    pub(crate) fn of<T: Component<C>>(&self) -> Option<&ColumnOf<T>> {
        // SAFETY: the index comes from the cell of `T`.
        unsafe { self.at_index(index_of::<C, T>().get()) }
    }

    /// Returns the column of `T` without numbering it: `None` also if the cell of `T` has no index
    /// yet.
    #[inline]
    pub(crate) fn of_known<T: Component<C>>(&self) -> Option<&ColumnOf<T>> {
        // SAFETY: the index comes from the cell of `T`.
        unsafe { self.at_index(T::cell().number().raw()) }
    }

    /// # Safety
    ///
    /// The index must come from a cell of `T`.
    #[inline]
    unsafe fn at_index<T: Component<C>>(&self, index: usize) -> Option<&ColumnOf<T>> {
        if index >= self.erased.columns.len() {
            return None; // explicit, because `get` would leave a null check
        }
        self.erased.check_read(RawComponentIndex::at(index));
        let column = &self.erased.columns[index];
        debug_assert!(column.descriptor().is_for::<T>());
        // SAFETY: by the invariant above, the column at the index of `T` is one of `T`; the index
        // comes from a cell that is invariant in `T`, so it belongs to no other type. `ColumnOf<T>`
        // is a transparent wrapper of `Column`.
        Some(unsafe { &*core::ptr::from_ref(column).cast::<ColumnOf<T>>() })
    }

    /// Returns the column of `T` and its index without numbering `T`, if both exist.
    #[inline]
    pub(crate) fn known<T: Component<C>>(
        &mut self,
    ) -> Option<(RawComponentIndex, &mut ColumnOf<T>)> {
        let index = T::cell().number().raw();
        let column = self.erased.columns.get_mut(index)?;
        debug_assert!(column.descriptor().is_for::<T>());
        // SAFETY: as in `at_index`, and `&mut self` excludes other references.
        let column = unsafe { &mut *core::ptr::from_mut(column).cast::<ColumnOf<T>>() };
        Some((RawComponentIndex::at(index), column))
    }

    #[inline]
    pub(crate) fn of_mut<T: Component<C>>(&mut self) -> &mut ColumnOf<T> {
        self.with_index().1
    }

    /// Returns the column of `T` and its index.
    #[inline]
    pub(crate) fn with_index<T: Component<C>>(&mut self) -> (RawComponentIndex, &mut ColumnOf<T>) {
        let index = index_of::<C, T>();
        let column = self.ensured(index);
        debug_assert!(column.descriptor().is_for::<T>());
        // SAFETY: as in `at_index`, and `&mut self` excludes other references.
        let column = unsafe { &mut *core::ptr::from_mut(column).cast::<ColumnOf<T>>() };
        (index, column)
    }
}

impl<C> Deref for ColumnsOf<C> {
    type Target = Columns;

    #[inline]
    fn deref(&self) -> &Columns {
        &self.erased
    }
}

impl<C> DerefMut for ColumnsOf<C> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Columns {
        &mut self.erased
    }
}

#[cold]
fn two_labels(first: &ComponentNames, second: &ComponentNames) -> ! {
    panic!(
        "components `{}` and `{}` of context `{}` are both `label`, and an entity has one; remove \
         `label` from one of them",
        first.component, second.component, first.context
    )
}

/// Drops the values of rows; continues with the rest when a `drop` panics.
struct Discard<'a> {
    columns: &'a mut [Column],
    /// The components left; the first one is done up to row `next`.
    components: &'a [RawComponentIndex],
    rows: &'a [Row],
    next: usize,
}

impl Discard<'_> {
    #[inline]
    fn run(&mut self) {
        while let Some((component, others)) = self.components.split_first() {
            let column = &mut self.columns[component.get()];
            while let Some(&row) = self.rows.get(self.next) {
                self.next += 1;
                column.discard(row);
            }
            (self.components, self.next) = (others, 0);
        }
    }
}

impl Drop for Discard<'_> {
    #[inline]
    fn drop(&mut self) {
        if !self.components.is_empty() {
            self.run();
        }
    }
}
