//! What a column needs to know about its type, as functions on bytes. They are made from the type
//! itself, so they always match it.

#![expect(
    unsafe_code,
    reason = "handles values whose type is known only at run time"
)]

pub(crate) mod copy;
#[cfg(feature = "serde")]
pub(crate) mod saving;
pub(crate) mod term;

use alloc::boxed::Box;
use core::alloc::Layout;
use core::any::{Any, TypeId, type_name};
use core::fmt;
use core::mem::{ManuallyDrop, transmute};
use core::ptr::NonNull;
use core::slice;

use self::copy::{CloneValues, cloner};
#[cfg(feature = "serde")]
use self::saving::SavingTable;
use crate::words::checksum::ChecksumHasher;
use crate::words::component::{
    Cleanup, Component, ComponentInfo, ComponentNames, FieldHint, IndexCell, NumberCell,
    RawComponentIndex, RequiredVisitor, can_be_required, default_of, typed,
};
pub(crate) use crate::words::demands::AnyValue;
use crate::words::demands::as_any_value;
use crate::words::field_index::{IndexedField, are_checked, has_primary, has_relation};
use crate::words::map_ids::IdMap;
#[cfg(feature = "serde")]
use crate::words::saving::cells::{Cell, CellWriter};
use crate::words::term::AnyTerm;

/// Calls the function with each component that another one requires, in declaration order.
pub(crate) type VisitRequired = fn(&mut dyn FnMut(RequiredPart));

/// A component that another one requires.
pub(crate) struct RequiredPart {
    pub(crate) descriptor: &'static ComponentDescriptor,
    /// The function that makes a value, and the one that calls it; `None` if it must be there already.
    value: Option<(*const (), CallValue)>,
}

type CallValue = unsafe fn(*const (), &mut dyn FnMut(NonNull<u8>));

impl RequiredPart {
    /// Whether it must be there already.
    pub(crate) fn is_given(&self) -> bool {
        self.value.is_none()
    }

    /// Makes a value of the descriptor's type, if it need not be there already, and passes it as bytes. The receiver owns
    /// it.
    pub(crate) fn hand_over(&self, put: &mut dyn FnMut(NonNull<u8>)) {
        if let Some((value, call)) = self.value {
            // SAFETY: `value` fits `call`, as both were set together by `visit_required`.
            unsafe { call(value, put) }
        }
    }
}

const fn requirements<C: 'static, T: Component<C>>() -> Option<VisitRequired> {
    match T::REQUIRES {
        true => Some(visit_required::<C, T>),
        false => None,
    }
}

fn visit_required<C: 'static, T: Component<C>>(each: &mut dyn FnMut(RequiredPart)) {
    T::visit_required(&mut Parts(each));
}

/// Passes on required components without their type.
struct Parts<'a>(&'a mut dyn FnMut(RequiredPart));

impl<C: 'static> RequiredVisitor<C> for Parts<'_> {
    fn require<T: Component<C>>(&mut self, value: fn() -> T) {
        const {
            assert!(
                can_be_required::<C, T>(),
                "a required component is not unique, has no primary index and is no relation"
            );
        }
        (self.0)(RequiredPart {
            descriptor: const { ComponentDescriptor::of::<C, T>() },
            value: Some((value as *const (), make_value::<T>)),
        });
    }

    fn expect<T: Component<C>>(&mut self) {
        (self.0)(RequiredPart {
            descriptor: const { ComponentDescriptor::of::<C, T>() },
            value: None,
        });
    }
}

/// # Safety
///
/// The pointer must be a function that returns a `T`.
unsafe fn make_value<T>(value: *const (), put: &mut dyn FnMut(NonNull<u8>)) {
    // SAFETY: guaranteed by the caller.
    let value = unsafe { transmute::<*const (), fn() -> T>(value) };
    put(NonNull::from(&mut ManuallyDrop::new(value())).cast());
}

/// Prints a value. Safety: the pointer must point to a value of the component, as for the types below.
type Debug = unsafe fn(*const u8, &mut fmt::Formatter<'_>) -> fmt::Result;

/// Feeds a value to a checksum.
type FeedChecksum = unsafe fn(*const u8, &mut ChecksumHasher);

/// Whether two values are identical.
type CompareFn = unsafe fn(*const u8, *const u8) -> bool;

/// Drops a value in place.
type DropValue = unsafe fn(*mut u8);

/// Maps the ids inside a value.
type MapIdsFn = unsafe fn(*mut u8, &IdMap<'_>);

/// A component type: names, layout, and functions on its values.
/// Made only by [`of`](Self::of), so all functions are those of the type named by `type_id`.
pub(crate) struct ComponentDescriptor {
    pub(crate) type_id: fn() -> TypeId,
    type_name: fn() -> &'static str,
    pub(crate) names: &'static ComponentNames,
    /// Sorts signatures, in the same way in every program.
    pub(crate) order_key: u64,
    pub(crate) layout: Layout,
    cleanup: Option<Cleanup>,
    pub(crate) needs_drop: bool,
    /// Returns the cell of its index.
    pub(crate) cell: fn() -> &'static NumberCell,
    /// Whether at most one entity of a context can have it.
    pub(crate) unique: bool,
    /// Whether its values are states.
    state: bool,
    /// Whether entities with the component are disabled.
    pub(crate) disables: bool,
    /// Whether a value can be cloned.
    pub(crate) is_clone: bool,
    /// Whether a field has a primary index, so that a copy would have a taken key.
    pub(crate) keyed: bool,
    /// Whether a field refers to another entity.
    pub(crate) relation: bool,
    /// Returns the component of the entries whose relation to their owner it is, if it is one.
    entry_of: Option<fn() -> TypeId>,
    /// The term of which it is the flag, if it is one.
    pub(crate) term: Option<&'static dyn AnyTerm>,
    /// Whether values are validated before they are stored: see [`are_checked`].
    pub(crate) checked: bool,
    /// How tools show fields.
    hints: &'static [FieldHint],
    /// The indexed fields.
    pub(crate) indexes: &'static [IndexedField],
    /// Visits the components that it requires, if any.
    pub(crate) required: Option<VisitRequired>,
    /// Maps the ids inside values, if there can be any.
    map_ids: Option<MapIdsFn>,
    /// Drops a value in place, if it needs that. Safety: the pointer must point to a value of the
    /// component that is not used afterwards.
    drop: Option<DropValue>,
    /// Views a value with its type. Safety: as for [`view_value`].
    view: unsafe fn(*mut u8) -> *mut AnyValue,
    /// The maximum number of removed values in the pool; 0 if there is none.
    pub(crate) pool_limit: usize,
    /// Makes a default value, if the type has one.
    default: Option<fn() -> Box<AnyValue>>,
    /// Whether tools omit the component.
    hidden: bool,
    /// Prints a value, if the type is `Debug`.
    debug: Option<Debug>,
    /// Prints the label of the entity, if this is the label component.
    label: Option<Debug>,
    /// Feeds a value to a checksum, if the type can.
    /// Or the field that has none.
    checksum: Result<FeedChecksum, &'static str>,
    /// Whether checksums do not cover it, because saves do not.
    pub(crate) is_transient: bool,
    /// Compares two values in full, if that is possible.
    identical: Option<CompareFn>,
    /// Clones values of a block, if the type is `Clone`.
    pub(crate) clone_values: Option<CloneValues>,
    /// How values are saved and loaded.
    #[cfg(feature = "serde")]
    pub(crate) saving: SavingTable,
}

impl PartialEq for ComponentDescriptor {
    fn eq(&self, other: &Self) -> bool {
        let is_same_term = match (self.term, other.term) {
            (Some(term), Some(other)) => term.is_same(other),
            (term, other) => term.is_none() && other.is_none(),
        };
        is_same_term && (self.type_id)() == (other.type_id)()
    }
}

type Erased = (
    fn() -> &'static NumberCell,
    Option<Debug>,
    Option<Debug>,
    Result<FeedChecksum, &'static str>,
    Option<CompareFn>,
    Option<MapIdsFn>,
    Option<DropValue>,
);

type Print<T> = Option<fn(&T, &mut fmt::Formatter<'_>) -> fmt::Result>;

/// The functions of a component, on bytes.
const fn erased<C: 'static, T: Component<C>>() -> Erased {
    let drop = match core::mem::needs_drop::<T>() {
        true => Some(core::ptr::drop_in_place::<T> as unsafe fn(*mut T)),
        false => None,
    };
    // SAFETY: each function takes a reference or pointer to a `T`, which is passed in the same way
    // as a pointer to bytes. An `IndexCell` is a transparent wrapper of a `NumberCell`.
    unsafe {
        (
            transmute::<fn() -> &'static IndexCell<C, T>, fn() -> &'static NumberCell>(T::cell),
            transmute::<Print<T>, Option<Debug>>(T::DEBUG),
            transmute::<Print<T>, Option<Debug>>(T::LABEL),
            match T::CHECKSUM {
                Ok(feed) => Ok(transmute::<fn(&T, &mut ChecksumHasher), FeedChecksum>(feed)),
                Err(field) => Err(field),
            },
            transmute::<Option<fn(&T, &T) -> bool>, Option<CompareFn>>(T::IDENTICAL),
            transmute::<Option<fn(&mut T, &IdMap<'_>)>, Option<MapIdsFn>>(T::MAP_IDS),
            transmute::<Option<unsafe fn(*mut T)>, Option<DropValue>>(drop),
        )
    }
}

impl ComponentDescriptor {
    /// Returns the descriptor of component `T` of context `C`, without the functions that the type lacks.
    pub(crate) const fn of<C: 'static, T: Component<C>>() -> &'static Self {
        &const { Self::new::<C, T>() }
    }

    const fn new<C: 'static, T: Component<C>>() -> Self {
        let (cell, debug, label, checksum, identical, map_ids, drop) = erased::<C, T>();
        Self {
            type_id: TypeId::of::<T>,
            type_name: type_name::<T>,
            names: T::NAMES,
            order_key: ChecksumHasher::of_name(T::NAMES.component),
            layout: Layout::new::<T>(),
            cleanup: T::CLEANUP,
            needs_drop: core::mem::needs_drop::<T>(),
            cell,
            unique: T::UNIQUE,
            state: T::STATE,
            hints: T::HINTS,
            disables: T::DISABLES,
            is_clone: T::CLONE.is_some(),
            keyed: has_primary(T::INDEXES),
            relation: has_relation(T::INDEXES),
            entry_of: T::ENTRY_OF,
            term: None,
            checked: are_checked(T::INDEXES),
            indexes: fields::<C, T>(),
            required: requirements::<C, T>(),
            map_ids,
            drop,
            view: view_value::<T>,
            pool_limit: if T::POOLED { T::POOL_LIMIT } else { 0 },
            default: default_of::<C, T>(),
            hidden: T::HIDDEN,
            debug,
            label,
            checksum,
            is_transient: T::TRANSIENT,
            identical,
            clone_values: cloner::<C, T>(),
            #[cfg(feature = "serde")]
            saving: SavingTable::of::<C, T>(),
        }
    }

    pub(crate) fn is_of(&self, value: &dyn Any) -> bool {
        value.type_id() == (self.type_id)()
    }

    /// Returns whether `T` is the type of the component.
    #[inline]
    pub(crate) fn is_for<T: 'static>(&self) -> bool {
        (self.type_id)() == TypeId::of::<T>()
    }

    /// Returns whether values are stored without being compared with those of other entities, and
    /// no index depends on them.
    pub(crate) fn is_plain(&self) -> bool {
        !self.unique && self.indexes.is_empty()
    }

    /// Returns whether a value is compared with those of other entities before it is stored.
    pub(crate) fn is_compared(&self) -> bool {
        self.unique || self.checked
    }

    /// Returns whether removed values are kept in a pool for reuse.
    pub(crate) fn pools(&self) -> bool {
        self.pool_limit > 0
    }

    pub(crate) fn create_default(&self) -> Option<Box<AnyValue>> {
        self.default.map(|default| default())
    }

    /// Views a value with its type.
    ///
    /// # Safety
    ///
    /// The pointer must point to an initialized value of the component, or to memory for one if the
    /// result is not read.
    #[inline]
    pub(crate) unsafe fn view(&self, value: NonNull<u8>) -> NonNull<AnyValue> {
        // SAFETY: guaranteed by the caller; the result has the same address.
        unsafe { NonNull::new_unchecked((self.view)(value.as_ptr())) }
    }

    /// Drops a value in place.
    ///
    /// # Safety
    ///
    /// The pointer must point to an initialized value of the component that is not used afterwards.
    #[inline]
    pub(crate) unsafe fn drop_at(&self, value: NonNull<u8>) {
        if let Some(drop) = self.drop {
            // SAFETY: guaranteed by the caller.
            unsafe { drop(value.as_ptr()) }
        }
    }

    /// Returns whether a value may contain ids.
    pub(crate) fn has_ids(&self) -> bool {
        self.map_ids.is_some()
    }

    /// Maps the ids inside a value.
    ///
    /// # Panics
    ///
    /// Panics if the value is of another component.
    pub(crate) fn map_ids(&self, value: &mut AnyValue, map: &IdMap<'_>) {
        assert!(self.is_of(value), "the value is one of the component");
        if let Some(map_ids) = self.map_ids {
            // SAFETY: the value is of this component, as just checked.
            unsafe { map_ids(core::ptr::from_mut(value).cast(), map) }
        }
    }

    pub(crate) fn type_name(&self) -> &'static str {
        (self.type_name)()
    }

    /// Prints a value of the component, or the full path of the type if it is not `Debug`.
    pub(crate) fn debug(&self, value: &dyn Any, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.debug {
            // SAFETY: the value is of this component.
            Some(debug) if self.is_of(value) => unsafe {
                debug(core::ptr::from_ref(value).cast(), f)
            },
            _ => f.write_str(self.type_name()),
        }
    }

    /// Replaces a list by the cells of a value; returns whether deltas divide it and its fields can be written.
    #[cfg(feature = "serde")]
    pub(crate) fn divide(&self, value: &dyn Any, to: &mut Vec<Cell>) -> bool {
        let Some(table) = self.saving.cells.as_ref().filter(|_| self.is_of(value)) else {
            return false;
        };
        let mut cells = CellWriter::over(core::mem::take(to));
        // SAFETY: the value is of this component.
        unsafe { (table.write)(core::ptr::from_ref(value).cast(), &mut cells) };
        let is_written;
        (*to, is_written) = cells.finish();
        is_written
    }

    /// Returns the component of the entries whose relation to their owner it is, if it is one.
    pub(crate) fn entry_of(&self) -> Option<TypeId> {
        self.entry_of.map(|of| of())
    }

    pub(crate) fn is_label(&self) -> bool {
        self.label.is_some()
    }

    /// Prints the label of an entity with this value.
    pub(crate) fn label(&self, value: &dyn Any, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.label.filter(|_| self.is_of(value)) {
            // SAFETY: the value is of this component.
            Some(label) => unsafe { label(core::ptr::from_ref(value).cast(), f) },
            None => Ok(()),
        }
    }

    /// Returns the first field without a checksum if the component has none, as "" if it is not
    /// known.
    pub(crate) fn lacks_checksum(&self) -> Option<&'static str> {
        self.checksum.err()
    }

    /// Feeds a value of the component to a checksum. Returns whether the component has one.
    pub(crate) fn feed_checksum(&self, value: &dyn Any, hasher: &mut ChecksumHasher) -> bool {
        let Some(feed) = self.checksum.ok().filter(|_| self.is_of(value)) else {
            return false;
        };
        // SAFETY: the value is of this component.
        unsafe { feed(core::ptr::from_ref(value).cast(), hasher) };
        true
    }

    /// Returns whether two values of the component may differ: `false` if they have no bytes or are
    /// [identical](crate::words::identical), `true` if the library cannot compare them in full. Runs no user code.
    pub(crate) fn may_differ(&self, one: &AnyValue, other: &AnyValue) -> bool {
        let is_of_both = self.is_of(one) && self.is_of(other);
        let Some(identical) = self.identical.filter(|_| is_of_both) else {
            return self.layout.size() > 0;
        };
        let [one, other] = [one, other].map(|value| core::ptr::from_ref(value).cast());
        // SAFETY: the values are of this component.
        !unsafe { identical(one, other) }
    }

    /// Returns the public description.
    pub(crate) fn info<C>(&self, index: usize) -> ComponentInfo<C> {
        ComponentInfo {
            index: typed::ComponentIndex::of(RawComponentIndex::new(index)),
            names: self.names,
            type_name: self.type_name(),
            type_id: (self.type_id)(),
            size: self.layout.size(),
            pooled: self.pools(),
            is_clone: self.is_clone,
            unique: self.unique,
            state: self.state,
            relation: self.relation,
            term: self.term.is_some(),
            label: self.is_label(),
            hints: self.hints,
            hidden: self.hidden,
            disables: self.disables,
            cleanup: self.cleanup,
        }
    }
}

#[cfg(feature = "serde")]
impl ComponentDescriptor {
    /// Returns a value of the component in serializable form, if it has one.
    pub(crate) fn serialize<'v>(
        &self,
        value: &'v dyn Any,
    ) -> Option<&'v (dyn erased_serde::Serialize + 'v)> {
        if self.saving.is_flag {
            return Some(&crate::words::saving::flag::WrittenFlag);
        }
        let erase = self.saving.erase.filter(|_| self.is_of(value))?;
        // SAFETY: the value is of this component, and the result points to it.
        Some(unsafe { erase(core::ptr::from_ref(value).cast()).as_ref() })
    }
}

/// # Safety
///
/// `value` points to an initialized `T`.
unsafe fn view_value<T: Any>(value: *mut u8) -> *mut AnyValue {
    as_any_value(value.cast::<T>())
}

/// Returns the indexed fields, without the type of the component.
const fn fields<C, T: Component<C>>() -> &'static [IndexedField] {
    let fields = T::INDEXES;
    // SAFETY: a `FieldIndex` is a transparent wrapper of an `IndexedField`.
    unsafe { slice::from_raw_parts(fields.as_ptr().cast(), fields.len()) }
}
