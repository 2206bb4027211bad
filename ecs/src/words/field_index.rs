//! What a component says of its indexed fields, and of the field that leads to another entity.

use core::any::Any;
use core::marker::PhantomData;

/// What a field is indexed for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum IndexKind {
    /// Each key leads to any number of entities.
    Plain,
    /// A key is one entity's alone.
    Primary,
    /// The field is the target of a relation.
    Relation,
}

/// One indexed field of component `T`.
///
/// Made by [`field_index`](crate::__private::field_index) and
/// [`relation_index`](crate::__private::relation_index) alone.
#[doc(hidden)]
#[repr(transparent)]
pub struct FieldIndex<T> {
    pub(crate) field: IndexedField,
    component: PhantomData<fn(T) -> T>,
}

/// One indexed field of a component, whatever its type.
pub(crate) struct IndexedField {
    pub(crate) kind: IndexKind,
    /// What the layer that makes indexes does with the field; it alone knows the type of this.
    pub(crate) functions: &'static (dyn Any + Send + Sync),
}

impl<T> FieldIndex<T> {
    pub(crate) const fn new(field: IndexedField) -> Self {
        let component = PhantomData;
        Self { field, component }
    }
}

/// Whether one of the indexes is a primary one.
pub(crate) const fn has_primary<T>(indexes: &[FieldIndex<T>]) -> bool {
    has_kind(indexes, IndexKind::Primary)
}

/// Whether values are checked before they are stored: a key must be free, a target alive. So
/// they are never changed where they are.
pub(crate) const fn are_checked<T>(indexes: &[FieldIndex<T>]) -> bool {
    has_primary(indexes) || has_kind(indexes, IndexKind::Relation)
}

/// Whether one of the fields is the target of a relation.
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
