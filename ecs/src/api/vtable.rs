//! What can be done with a component that is known by its index alone: the typed methods as
//! functions of one signature, a table of them for each component.
//!
//! ```text
//! index ─► columns[index].descriptor ─► the cell of T in C ─► Vtable<C> { add::<C, T>, replace::<C, T>, … }
//! ```
//!
//! The table is made together with the cell, from the types that the cell is typed by,
//! so an index cannot lead to the table of another component or context. The functions call
//! the typed methods: there is one implementation, and its rules hold for all.

use alloc::boxed::Box;
use core::any::{Any, TypeId, type_name};
use core::fmt;

use crate::api::bundle::BundleWriter;
use crate::api::entity::EntityMut;
use crate::api::feed::values::FedValues;
#[cfg(feature = "serde")]
use crate::api::saving::table::SavingTable;
use crate::state::{Core, HasCore};
use crate::storage::descriptor::{AnyValue, ComponentDescriptor, unboxed};
use crate::storage::registry::numbering;
use crate::storage::slots::Row;
use crate::words::component::{Component, ComponentIndex, ComponentNames, IndexCell};
use crate::words::entity_id::EntityId;
use crate::words::error::{Error, Operation};
use crate::words::map_ids::IdMap;

/// The methods of one component of context `C`.
pub(crate) struct Vtable<C: 'static> {
    /// Whether others may come along with the component.
    pub(crate) requires: bool,
    pub(crate) add: fn(&mut EntityMut<'_, C>, Box<AnyValue>) -> Result<(), Error>,
    pub(crate) replace: fn(&mut EntityMut<'_, C>, Box<AnyValue>) -> Result<(), Error>,
    /// Gives a new entity a clone of a value.
    pub(crate) put: fn(&mut BundleWriter<'_, C>, &AnyValue),
    /// Gives a new entity a clone of the value in another row; the ids inside of it become others, if
    /// a map says so.
    pub(crate) copy: fn(&mut BundleWriter<'_, C>, Row, Option<&IdMap<'_>>),
    /// Prints a value, if the type has `Debug`.
    pub(crate) debug: Option<fn(&dyn Any, &mut fmt::Formatter<'_>) -> fmt::Result>,
    /// How values are saved and loaded.
    #[cfg(feature = "serde")]
    pub(crate) saving: SavingTable<C>,
    /// What a delta does with values.
    pub(crate) fed: FedValues<C>,
}

impl<C: HasCore> Vtable<C> {
    const fn new<T: Component<C>>() -> Self {
        Self {
            requires: T::REQUIRES,
            add: add::<C, T>,
            replace: replace::<C, T>,
            put: put::<C, T>,
            copy: copy::<C, T>,
            debug: match T::DEBUG {
                Some(_) => Some(debug::<C, T>),
                None => None,
            },
            #[cfg(feature = "serde")]
            saving: SavingTable::of::<T>(),
            fed: FedValues::of::<T>(),
        }
    }

    /// The table of a component of this context.
    pub(crate) fn of(descriptor: &ComponentDescriptor) -> &'static Self {
        let vtable = (descriptor.vtable)().downcast_ref();
        vtable.expect("the numbering of a context has components of that context alone")
    }
}

impl<C: HasCore, T: Component<C>> IndexCell<C, T> {
    /// An empty cell.
    #[expect(
        clippy::new_without_default,
        reason = "made in statics by the derive alone"
    )]
    pub const fn new() -> Self {
        Self::with_vtable(const { &Vtable::<C>::new::<T>() })
    }
}

/// The component with an index, also one that was numbered late and never used here.
pub(crate) fn descriptor_at<C: 'static>(
    core: &Core<C>,
    component: ComponentIndex,
) -> &'static ComponentDescriptor {
    match core.columns.at(component) {
        Some(column) => column.descriptor(),
        None => {
            let descriptor = numbering::<C>().get(component);
            descriptor.expect("an index is made for a component of the context")
        }
    }
}

fn add<C: HasCore, T: Component<C>>(
    entity: &mut EntityMut<'_, C>,
    value: Box<AnyValue>,
) -> Result<(), Error> {
    let value = typed::<C, T>(entity.id(), Operation::Add, value)?;
    entity.try_add(value).map(drop)
}

fn replace<C: HasCore, T: Component<C>>(
    entity: &mut EntityMut<'_, C>,
    value: Box<AnyValue>,
) -> Result<(), Error> {
    let value = typed::<C, T>(entity.id(), Operation::Replace, value)?;
    entity.try_replace(value).map(drop)
}

fn put<C: HasCore, T: Component<C>>(writer: &mut BundleWriter<'_, C>, value: &AnyValue) {
    if let (Some(clone), Some(value)) = (T::CLONE, value.downcast_ref::<T>()) {
        writer.put_outlined(clone(value));
    }
}

fn copy<C: HasCore, T: Component<C>>(
    writer: &mut BundleWriter<'_, C>,
    from: Row,
    map: Option<&IdMap<'_>>,
) {
    writer.copy::<T>(from, map);
}

fn debug<C: HasCore, T: Component<C>>(value: &dyn Any, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match (T::DEBUG, value.downcast_ref::<T>()) {
        (Some(debug), Some(value)) => debug(value, f),
        _ => f.write_str(type_name::<T>()),
    }
}

/// The value as a `T`, or the error that says what it is instead.
fn typed<C: HasCore, T: Component<C>>(
    id: EntityId<C>,
    operation: Operation,
    value: Box<AnyValue>,
) -> Result<T, Error> {
    match unboxed(value) {
        Ok(value) => Ok(value),
        Err(other) => {
            let given = names_of::<C>((*other).type_id());
            Err(Error::wrong_type(id.raw(), T::NAMES, given, operation))
        }
    }
}

/// The names of the component that a type is, if it is one of this context.
fn names_of<C: 'static>(type_id: TypeId) -> Option<&'static ComponentNames> {
    Some(numbering::<C>().of_type(type_id)?.names)
}
