//! All columns of a context, by component.
//!
//! The invariant: **`columns[i]` holds values of the component with index `i` in the numbering of
//! `context`**. It is made from that numbering, entry by entry, and the numbering tells types apart
//! by themselves; so the column at the index of `T` is one of `T`. Nothing but [`ColumnsOf`] knows
//! the type of the context, so all else is compiled once.

#![expect(unsafe_code, reason = "gives columns back the type of their values")]

mod copy;
pub(crate) mod lanes;
pub(crate) mod row_types;
mod rows;

use alloc::vec::Vec;
use core::any::TypeId;
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};

use crate::storage::column::{Column, ColumnOf};
use crate::storage::descriptor::ComponentDescriptor;
use crate::storage::registry::{
    ContextNumbering, index_in, index_of, number_disabling, numbering_of,
};
use crate::storage::slots::Row;
use crate::words::component::{Component, ComponentInfo, ComponentNames, RawComponentIndex};
use crate::words::entity_id::AnyContext;
use crate::words::heap_size::heap_size;
use crate::words::signature::RawComponentSet;

/// The columns of a context.
pub(crate) struct Columns {
    columns: Vec<Column>,
    infos: Vec<ComponentInfo<AnyContext>>,
    context: TypeId,
    /// The component that is the label of its entities.
    label: Option<RawComponentIndex>,
    /// The components that disable their entities.
    disabling: RawComponentSet,
}

/// The columns of a context of type `C`: gives its components back their types.
#[repr(transparent)]
pub(crate) struct ColumnsOf<C> {
    erased: Columns,
    context: PhantomData<fn() -> C>,
}

impl Columns {
    /// A column for each component known by now of contexts of a type.
    pub(crate) fn new(context: TypeId) -> Self {
        number_disabling(context);
        let mut columns = Self {
            columns: Vec::new(),
            infos: Vec::new(),
            context,
            label: None,
            disabling: RawComponentSet::new(),
        };
        columns.catch_up();
        columns
    }

    /// The type of the context.
    pub(crate) fn context(&self) -> TypeId {
        self.context
    }

    /// The components of the context.
    pub(crate) fn numbering(&self) -> &'static ContextNumbering {
        numbering_of(self.context)
    }

    /// The index of one of these components.
    pub(crate) fn index_of(&self, descriptor: &'static ComponentDescriptor) -> RawComponentIndex {
        index_in(self.context, descriptor)
    }

    /// The component that is the label of its entities, if one is.
    pub(crate) fn label(&self) -> Option<RawComponentIndex> {
        self.label
    }

    /// The components that disable their entities.
    #[inline]
    pub(crate) fn disabling(&self) -> &RawComponentSet {
        &self.disabling
    }

    /// Whether an entity may be disabled at present.
    #[inline]
    pub(crate) fn may_be_disabled(&self) -> bool {
        !self.disabling.is_empty() && self.has_disabled()
    }

    #[inline(never)]
    fn has_disabled(&self) -> bool {
        let mut disabling = self.disabling.iter();
        disabling.any(|component| self.columns[component.get()].with_memory().len() > 0)
    }

    /// Adds the columns of components that were numbered late.
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
            // Accessors find a value by the cell, whoever has put it into the column.
            (descriptor.cell)().fill(RawComponentIndex::new(self.columns.len()));
            self.infos.push(descriptor.info(self.columns.len()));
            self.columns.push(column);
        }
    }

    /// Takes a component in as the label of the context, if it is one.
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

    /// How many components there are.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.columns.len()
    }

    /// Drops the values of some rows, component by component, or puts them on their
    /// pool stacks.
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

    /// Drops the values of one row: no user code runs before the first component whose values
    /// have something to be done with.
    #[inline(never)] // it calls nothing it comes back from, so it keeps nothing
    pub(crate) fn discard_row(&mut self, components: &[RawComponentIndex], row: Row) {
        for (at, component) in components.iter().enumerate() {
            if !self.columns[component.get()].discard_plain(row) {
                return self.discard_rest(&components[at..], row);
            }
        }
    }

    #[inline(never)] // the last thing done, so that nothing need be kept for afterwards
    fn discard_rest(&mut self, components: &[RawComponentIndex], row: Row) {
        self.discard(components, &[row]);
    }

    /// Drops the values of many rows, those first that need nothing done.
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

    /// Has two rows change places in the columns of some components.
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

    /// Makes room for values of some components in `rows` rows after the first
    /// `start`.
    pub(crate) fn reserve(&mut self, components: &RawComponentSet, start: usize, rows: usize) {
        for component in components.iter() {
            if component.get() >= self.columns.len() {
                self.catch_up();
            }
            self.columns[component.get()].reserve(start, rows);
        }
    }

    /// The columns by their components' index.
    #[inline]
    pub(crate) fn all(&self) -> &[Column] {
        &self.columns
    }

    /// The columns in order of their components' index.
    pub(crate) fn iter(&self) -> core::slice::Iter<'_, Column> {
        self.columns.iter()
    }

    /// The columns in order of their components' index, to be changed.
    pub(crate) fn all_mut(&mut self) -> &mut [Column] {
        &mut self.columns
    }

    /// The columns, to be changed.
    pub(crate) fn iter_mut(&mut self) -> core::slice::IterMut<'_, Column> {
        self.columns.iter_mut()
    }

    /// The bytes of the lists of columns, without what the columns hold.
    pub(crate) fn bytes(&self) -> usize {
        heap_size(&self.columns) + self.columns.len() * Column::BASE + heap_size(&self.infos)
    }

    /// Drops all values that wait to be used again.
    pub(crate) fn clear_pools(&mut self) {
        for column in &mut self.columns {
            drop(column.take_pool());
        }
    }

    /// The column of a component by its index.
    #[inline]
    pub(crate) fn at(&self, component: RawComponentIndex) -> Option<&Column> {
        self.columns.get(component.get())
    }

    /// The column of a component by its index.
    #[inline]
    pub(crate) fn at_mut(&mut self, component: RawComponentIndex) -> Option<&mut Column> {
        self.columns.get_mut(component.get())
    }

    /// The column of a component, which may have been numbered after this context was made.
    #[inline]
    pub(crate) fn ensured(&mut self, component: RawComponentIndex) -> &mut Column {
        if component.get() >= self.columns.len() {
            return self.late(component);
        }
        &mut self.columns[component.get()]
    }

    /// What a component is, also one that was numbered late and never used here.
    pub(crate) fn describe(&self, component: RawComponentIndex) -> &'static ComponentDescriptor {
        match self.at(component) {
            Some(column) => column.descriptor(),
            None => {
                let descriptor = self.numbering().get(component);
                descriptor.expect("an index is made for a component of the context")
            }
        }
    }

    /// The column of a component that was numbered after this context was made.
    #[cold]
    #[inline(never)]
    fn late(&mut self, component: RawComponentIndex) -> &mut Column {
        self.catch_up();
        &mut self.columns[component.get()]
    }
}

impl<C: 'static> ColumnsOf<C> {
    /// The columns with the type of their context.
    ///
    /// # Safety
    ///
    /// The context is of type `C`.
    #[inline]
    pub(crate) unsafe fn view(columns: &Columns) -> &Self {
        debug_assert!(columns.context == TypeId::of::<C>());
        // SAFETY: it is a transparent wrapper.
        unsafe { &*core::ptr::from_ref(columns).cast() }
    }

    /// The columns with the type of their context.
    ///
    /// # Safety
    ///
    /// The context is of type `C`.
    #[inline]
    pub(crate) unsafe fn view_mut(columns: &mut Columns) -> &mut Self {
        debug_assert!(columns.context == TypeId::of::<C>());
        // SAFETY: it is a transparent wrapper, and `&mut` excludes every other reference.
        unsafe { &mut *core::ptr::from_mut(columns).cast() }
    }

    /// What is known of each component, by index.
    pub(crate) fn infos(&self) -> &[ComponentInfo<C>] {
        ComponentInfo::typed_all(&self.erased.infos)
    }

    /// The column of a component that is `T`.
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

    /// The column of `T`; none if `T` was numbered late and never used here.
    #[inline]
    pub(crate) fn of<T: Component<C>>(&self) -> Option<&ColumnOf<T>> {
        // SAFETY: the index comes from the cell of `T`.
        unsafe { self.at_index(index_of::<C, T>().get()) }
    }

    /// The column of `T` without a way through the numbering; none also if the cell of `T` has
    /// no index yet.
    #[inline]
    pub(crate) fn of_known<T: Component<C>>(&self) -> Option<&ColumnOf<T>> {
        // SAFETY: the index comes from the cell of `T`.
        unsafe { self.at_index(T::cell().number().raw()) }
    }

    /// # Safety
    ///
    /// The index comes from a cell of `T`.
    #[inline]
    unsafe fn at_index<T: Component<C>>(&self, index: usize) -> Option<&ColumnOf<T>> {
        if index >= self.erased.columns.len() {
            return None; // said so, because `get` leaves a test of the address behind
        }
        let column = &self.erased.columns[index];
        debug_assert!(column.descriptor().type_id == TypeId::of::<T>());
        // SAFETY: the column at the index of `T` is one of `T` (see the invariant
        // above; the index comes from a cell that is invariant in `T`, so it is that of
        // no other type), and `ColumnOf<T>` is a transparent wrapper of `Column`.
        Some(unsafe { &*core::ptr::from_ref(column).cast::<ColumnOf<T>>() })
    }

    /// The column of `T` and the index it has, without a way through the numbering, if
    /// both are known by now.
    #[inline]
    pub(crate) fn known<T: Component<C>>(
        &mut self,
    ) -> Option<(RawComponentIndex, &mut ColumnOf<T>)> {
        let index = T::cell().number().raw();
        let column = self.erased.columns.get_mut(index)?;
        debug_assert!(column.descriptor().type_id == TypeId::of::<T>());
        // SAFETY: as in `at_index`, and `&mut self` excludes every other reference.
        let column = unsafe { &mut *core::ptr::from_mut(column).cast::<ColumnOf<T>>() };
        Some((RawComponentIndex::at(index), column))
    }

    /// The column of `T`.
    #[inline]
    pub(crate) fn of_mut<T: Component<C>>(&mut self) -> &mut ColumnOf<T> {
        self.with_index().1
    }

    /// The column of `T` and the index it has.
    #[inline]
    pub(crate) fn with_index<T: Component<C>>(&mut self) -> (RawComponentIndex, &mut ColumnOf<T>) {
        let index = index_of::<C, T>();
        let column = self.ensured(index);
        debug_assert!(column.descriptor().type_id == TypeId::of::<T>());
        // SAFETY: as in `at_index`, and `&mut self` excludes every other reference.
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

/// Drops the values of some rows; goes on with the rest when a `drop` panics.
struct Discard<'a> {
    columns: &'a mut [Column],
    /// The components that are left, the first of them from row `next` on.
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
