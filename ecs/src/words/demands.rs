//! What the attributes of a component demand of its type, as traits whose absence is one error that
//! says what to write.

/// A component with a `primary_index`.
#[diagnostic::on_unimplemented(
    message = "a component with a `primary_index` must be `Clone`, which `{Self}` is not",
    label = "an index of a type that is not `Clone`",
    note = "an update changes a copy first, so that nothing has changed if another entity has the new key",
    note = "write `Clone` into the `derive` of `{Self}`"
)]
pub trait HasPrimaryIndex {}

#[diagnostic::do_not_recommend]
impl<T: Clone> HasPrimaryIndex for T {}

/// A component with a `relation`.
#[diagnostic::on_unimplemented(
    message = "a component with a `relation` must be `Clone`, which `{Self}` is not",
    label = "a relation of a type that is not `Clone`",
    note = "an update changes a copy first, so that nothing has changed if the new target is refused",
    note = "write `Clone` into the `derive` of `{Self}`"
)]
pub trait HasRelation {}

#[diagnostic::do_not_recommend]
impl<T: Clone> HasRelation for T {}

/// Compiles for a component that can have a primary index.
pub const fn has_primary_index<T: HasPrimaryIndex>() {}

/// Compiles for a component that can be a relation.
pub const fn is_relation<T: HasRelation>() {}
