//! What a column must know of the type it holds, as functions on bytes: made from
//! the type itself, so that they can only be right.

#![expect(
    unsafe_code,
    reason = "handles values whose type is known at run time alone"
)]

mod any_value;
pub(crate) mod copy;
mod pool;

use alloc::boxed::Box;
use core::alloc::Layout;
use core::any::{Any, TypeId, type_name};
use core::fmt;
use core::hash::Hasher as _;

pub(crate) use self::any_value::{AnyValue, unboxed};
use self::copy::{CloneValues, cloner};
pub(crate) use self::pool::PoolTable;
use crate::words::checksum::ChecksumHasher;
use crate::words::component::{
    Cleanup, Component, ComponentIndex, ComponentInfo, ComponentNames, typed,
};
use crate::words::field_index::{has_primary, has_relation};

/// Clones a value of the type that it is made for.
type CloneValue = fn(&AnyValue) -> Option<Box<AnyValue>>;

/// One component type: names, layout, and what can be done with a value of it.
///
/// Made by [`of`](Self::of) alone, so all functions are those of the type that
/// `type_id` names.
pub(crate) struct ComponentDescriptor {
    pub(crate) type_id: TypeId,
    type_name: fn() -> &'static str,
    pub(crate) names: &'static ComponentNames,
    pub(crate) layout: Layout,
    pub(crate) cleanup: Option<Cleanup>,
    pub(crate) needs_drop: bool,
    /// Whether at most one entity of a context has it.
    pub(crate) unique: bool,
    /// Whether a value can be cloned.
    pub(crate) is_clone: bool,
    /// Whether a field has a primary index, so that a copy would have a key that is taken.
    pub(crate) keyed: bool,
    /// Whether a field leads to another entity.
    relation: bool,
    /// Drops the value in place. Safety: as of [`drop_value`].
    pub(crate) drop: unsafe fn(*mut u8),
    /// Moves the value out, into a box. Safety: as of [`take_value`].
    pub(crate) take: unsafe fn(*mut u8) -> Box<AnyValue>,
    /// Looks at the value. Safety: as of [`view_value`].
    pub(crate) view: unsafe fn(*const u8) -> *const AnyValue,
    /// The pool stack, if the component is `pooled`.
    pub(crate) pool: Option<&'static PoolTable>,
    /// How the index of an indexed field is made
    /// ([`FieldIndex::install`](crate::words::field_index::FieldIndex)).
    pub(crate) index_installer: fn(usize) -> Option<&'static AnyValue>,
    /// Prints a value, if the type has `Debug`.
    debug: Option<fn(&AnyValue, &mut fmt::Formatter<'_>) -> fmt::Result>,
    /// Clones a value, if the type has `Clone`.
    clone: Option<CloneValue>,
    /// Feeds a checksum, if values can.
    checksum: Option<fn(&AnyValue, &mut ChecksumHasher)>,
    /// Clones values of a block, if the type has `Clone`.
    pub(crate) clone_values: Option<CloneValues>,
    /// What can be done with the component by its index: a value that only a higher layer knows
    /// the type of.
    pub(crate) vtable: fn() -> &'static AnyValue,
}

impl PartialEq for ComponentDescriptor {
    fn eq(&self, other: &Self) -> bool {
        self.type_id == other.type_id
    }
}

impl ComponentDescriptor {
    /// The descriptor of component `T` of context `C`.
    pub(crate) const fn of<C: 'static, T: Component<C>>() -> &'static Self {
        &const {
            Self {
                type_id: TypeId::of::<T>(),
                type_name: type_name::<T>,
                names: T::NAMES,
                layout: Layout::new::<T>(),
                cleanup: T::CLEANUP,
                needs_drop: core::mem::needs_drop::<T>(),
                unique: T::UNIQUE,
                is_clone: T::CLONE.is_some(),
                keyed: has_primary(T::INDEXES),
                relation: has_relation(T::INDEXES),
                drop: drop_value::<T>,
                take: take_value::<T>,
                view: view_value::<T>,
                // What a type has not is chosen here, so that nothing of it is compiled.
                pool: if_any(T::POOLED, PoolTable::of::<T>()),
                index_installer: index_installer::<C, T>,
                debug: if_any(T::DEBUG.is_some(), debug_value::<C, T>),
                clone: if_any(T::CLONE.is_some(), clone_value::<C, T>),
                checksum: if_any(T::CHECKSUM.is_some(), feed_value::<C, T>),
                clone_values: cloner::<C, T>(),
                vtable: vtable::<C, T>,
            }
        }
    }

    /// An empty pool stack, if the component is `pooled`.
    pub(crate) fn new_pool(&self) -> Option<Box<AnyValue>> {
        self.pool.map(|pool| (pool.new)())
    }

    /// The full path of the type.
    pub(crate) fn type_name(&self) -> &'static str {
        (self.type_name)()
    }

    /// Prints a value of the component, or the full path of the type if it has no `Debug`.
    pub(crate) fn debug(&self, value: &AnyValue, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.debug {
            Some(debug) => debug(value, f),
            None => f.write_str(self.type_name()),
        }
    }

    /// A clone of a value of the component; `None` if the type has no `Clone`.
    pub(crate) fn clone_boxed(&self, value: &AnyValue) -> Option<Box<AnyValue>> {
        self.clone?(value)
    }

    /// Feeds a checksum with a value of the component; returns whether values can.
    pub(crate) fn feed_checksum(&self, value: &AnyValue, hasher: &mut ChecksumHasher) -> bool {
        self.checksum.map(|feed| feed(value, hasher)).is_some()
    }

    /// Whether two values of the component may differ: not if they have no bytes or their checksums
    /// are the same, and always if they feed no checksum. User code.
    pub(crate) fn may_differ(&self, one: &AnyValue, other: &AnyValue) -> bool {
        let sum_of = |value| {
            let mut hasher = ChecksumHasher::default();
            let is_fed = self.feed_checksum(value, &mut hasher);
            is_fed.then(|| hasher.finish())
        };
        self.layout.size() > 0 && {
            let sum = sum_of(one);
            sum.is_none() || sum != sum_of(other)
        }
    }

    /// What users can learn of it.
    pub(crate) fn info<C>(&self, index: usize) -> ComponentInfo<C> {
        ComponentInfo {
            index: typed::ComponentIndex::of(ComponentIndex::new(index)),
            names: self.names,
            type_name: self.type_name(),
            type_id: self.type_id,
            size: self.layout.size(),
            pooled: self.pool.is_some(),
            is_clone: self.is_clone,
            unique: self.unique,
            relation: self.relation,
            cleanup: self.cleanup,
        }
    }
}

/// What a type has, or nothing if it has not got it.
const fn if_any<F: Copy>(has: bool, it: F) -> Option<F> {
    if has { Some(it) } else { None }
}

/// # Safety
///
/// `value` points to an initialized `T` that nobody uses afterwards.
unsafe fn drop_value<T>(value: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe { value.cast::<T>().drop_in_place() }
}

/// # Safety
///
/// `value` points to an initialized `T` that nobody uses afterwards.
unsafe fn take_value<T: Any + Send + Sync>(value: *mut u8) -> Box<AnyValue> {
    // SAFETY: the caller's promise.
    Box::new(unsafe { value.cast::<T>().read() })
}

/// # Safety
///
/// `value` points to an initialized `T`.
unsafe fn view_value<T: Any + Send + Sync>(value: *const u8) -> *const AnyValue {
    value.cast::<T>()
}

fn index_installer<C, T: Component<C>>(field: usize) -> Option<&'static AnyValue> {
    Some(T::INDEXES.get(field)?.install)
}

fn vtable<C: 'static, T: Component<C>>() -> &'static AnyValue {
    T::cell().vtable()
}

fn debug_value<C, T: Component<C>>(value: &AnyValue, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match (T::DEBUG, value.downcast_ref::<T>()) {
        (Some(debug), Some(value)) => debug(value, f),
        _ => f.write_str(type_name::<T>()),
    }
}

fn clone_value<C, T: Component<C>>(value: &AnyValue) -> Option<Box<AnyValue>> {
    let (clone, value) = (T::CLONE?, value.downcast_ref::<T>()?);
    Some(Box::new(clone(value)))
}

fn feed_value<C, T: Component<C>>(value: &AnyValue, hasher: &mut ChecksumHasher) {
    if let (Some(feed), Some(value)) = (T::CHECKSUM, value.downcast_ref::<T>()) {
        feed(value, hasher);
    }
}
