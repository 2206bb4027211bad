//! Indexed fields of a component, including the target field of a relation.

use core::any::Any;
use core::marker::PhantomData;

/// The kind of index on a field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum IndexKind {
    /// A key can belong to many entities.
    Plain,
    /// A key belongs to at most one entity.
    Primary,
    /// The field is the target of a relation.
    Relation,
}

/// An indexed field of component `T`.
///
/// Made only by [`field_index`](crate::__private::field_index) and
/// [`relation_index`](crate::__private::relation_index).
#[doc(hidden)]
#[repr(transparent)]
pub struct FieldIndex<T> {
    field: IndexedField,
    component: PhantomData<fn(T) -> T>,
}

/// An indexed field of a component of any type.
pub(crate) struct IndexedField {
    pub(crate) kind: IndexKind,
    /// Functions for the layer that creates indexes; only that layer knows the type.
    pub(crate) functions: &'static (dyn Any + Send + Sync),
}

impl<T> FieldIndex<T> {
    pub(crate) const fn new(field: IndexedField) -> Self {
        let component = PhantomData;
        Self { field, component }
    }
}

/// Returns whether one of the indexes is a primary index.
pub(crate) const fn has_primary<T>(indexes: &[FieldIndex<T>]) -> bool {
    has_kind(indexes, IndexKind::Primary)
}

/// Returns whether values are validated before they are stored: the key must be free, the target
/// alive. Such values are never changed in place.
pub(crate) const fn are_checked<T>(indexes: &[FieldIndex<T>]) -> bool {
    has_primary(indexes) || has_kind(indexes, IndexKind::Relation)
}

/// Returns whether one of the fields is the target of a relation.
pub(crate) const fn has_relation<T>(indexes: &[FieldIndex<T>]) -> bool {
    has_kind(indexes, IndexKind::Relation)
}

const fn has_kind<T>(indexes: &[FieldIndex<T>], kind: IndexKind) -> bool {
    let mut at = 0;
    while at < indexes.len() {
        if indexes[at].field.kind as u8 == kind as u8 {
            return true;
        }
        at += 1;
    }
    false
}
