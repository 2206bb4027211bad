//! The indexed fields of components, as declared by the derive.

use core::fmt;
use core::hash::Hash;

use super::kept::Index;

/// Requirements for a field to be a key.
#[doc(hidden)]
pub trait IndexKey: Hash + Eq + Clone + Send + Sync + 'static {}

impl<K: Hash + Eq + Clone + Send + Sync + 'static> IndexKey for K {}

/// Formats a key.
pub(crate) type DebugKey<K> = Option<fn(&K, &mut fmt::Formatter<'_>) -> fmt::Result>;

/// The `FIELD`-th indexed field of a component. Implemented by the derive.
#[doc(hidden)]
pub trait Indexed<const FIELD: usize>: 'static {
    /// The type of the field or of its elements.
    type Key: IndexKey;
    /// Whether each key belongs to at most one entity.
    const PRIMARY: bool;
    /// The name of the field.
    const NAME: &'static str;
    /// The name of the lookup method.
    const LOOKUP: &'static str;
    /// Formats a key, if it is `Debug`.
    const DEBUG: DebugKey<Self::Key>;

    /// Passes each key of a value to `each`.
    fn keys(&self, each: &mut dyn FnMut(&Self::Key));
}

/// The `FIELD`-th index of a component, if it is a structure. Implemented by the derive.
#[doc(hidden)]
pub trait Structured<C, const FIELD: usize>: 'static {
    /// The structure.
    type Structure: Index<C>;

    /// Returns a structure without entities.
    fn structure() -> Self::Structure;

    /// Returns the structure of contexts that do not know the component yet.
    fn empty() -> &'static Self::Structure;

    /// Returns the key of a value.
    fn key(&self) -> <Self::Structure as Index<C>>::Key;
}

/// Fields that support `index(each)`: all that can be iterated over by reference.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no elements that could be keys",
    label = "not a `Vec`, an array, an `Option`, a set or the like",
    note = "write `index` or `primary_index` without `each` if the field is the key"
)]
pub trait HasElements {
    /// The type of the elements.
    type Element: 'static;
}

#[diagnostic::do_not_recommend]
impl<T: ?Sized + 'static, K: 'static> HasElements for T
where
    &'static T: IntoIterator<Item = &'static K>,
{
    type Element = K;
}

/// Something with elements of type `K`.
#[doc(hidden)]
pub trait Elements<K> {
    /// Passes each element to `each`.
    fn each(&self, each: &mut dyn FnMut(&K));
}

impl<T: ?Sized, K: 'static> Elements<K> for T
where
    for<'a> &'a T: IntoIterator<Item = &'a K>,
{
    fn each(&self, each: &mut dyn FnMut(&K)) {
        self.into_iter().for_each(each);
    }
}
