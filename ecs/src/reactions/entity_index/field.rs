//! Which fields of a component are indexed, as the derive says it.

use core::fmt;
use core::hash::Hash;

/// What a field must be to be a key.
#[doc(hidden)]
pub trait IndexKey: Hash + Eq + Clone + Send + Sync + 'static {}

impl<K: Hash + Eq + Clone + Send + Sync + 'static> IndexKey for K {}

/// Prints a key.
pub(crate) type DebugKey<K> = Option<fn(&K, &mut fmt::Formatter<'_>) -> fmt::Result>;

/// The `FIELD`-th indexed field of a component. Implemented by the derive.
#[doc(hidden)]
pub trait Indexed<const FIELD: usize>: 'static {
    /// The field's type, or that of its elements.
    type Key: IndexKey;
    /// Whether a key is one entity's alone.
    const PRIMARY: bool;
    /// What the field is called.
    const NAME: &'static str;
    /// What the method that looks entities up is called.
    const LOOKUP: &'static str;
    /// How a key is printed, if it has `Debug`.
    const DEBUG: DebugKey<Self::Key>;

    /// Hands over every key of a value.
    fn keys(&self, each: &mut dyn FnMut(&Self::Key));
}

/// What `index(each)` can stand on: all that can be iterated over by reference.
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
    /// Hands over every element.
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
