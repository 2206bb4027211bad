//! What a component says of its indexed fields, in terms that need nothing of what
//! an index is made of: functions that the derive takes from the floors above.

use alloc::boxed::Box;
use core::any::Any;

use crate::words::entity_id::RawEntityId;
use crate::words::error::DuplicateKey;

/// One indexed field of component `T`.
///
/// Made by [`field_index`](crate::__private::field_index) alone.
#[doc(hidden)]
pub struct FieldIndex<T> {
    pub(crate) primary: bool,
    /// Gives a core (which it is handed as a value of any type) the index.
    pub(crate) install: fn(&mut dyn Any),
    pub(crate) taken: TakenFn<T>,
}

/// Looks in a core for another entity that has a key of one of these values; also
/// among the values themselves.
pub(crate) type TakenFn<T> = fn(&dyn Any, &[(RawEntityId, &T)]) -> Option<Box<Taken>>;

/// A key of a primary index that two entities would share.
#[derive(Debug)]
pub(crate) struct Taken {
    /// The entity that cannot have it.
    pub(crate) entity: RawEntityId,
    /// The one that has it.
    pub(crate) owner: RawEntityId,
    pub(crate) key: DuplicateKey,
}

/// Whether one of the indexes is a primary one.
pub(crate) const fn has_primary<T>(indexes: &[FieldIndex<T>]) -> bool {
    let mut at = 0;
    while at < indexes.len() {
        if indexes[at].primary {
            return true;
        }
        at += 1;
    }
    false
}
