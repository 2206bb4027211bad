//! Bounds that attributes of a component put on its type, as traits, so that a violation is one
//! error with the remedy.

use core::fmt;

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
    note = "an update changes a copy first, so that nothing has changed if the new target is rejected",
    note = "write `Clone` into the `derive` of `{Self}`"
)]
pub trait HasRelation {}

#[diagnostic::do_not_recommend]
impl<T: Clone> HasRelation for T {}

/// Fails to compile if the component cannot have a primary index.
pub const fn has_primary_index<T: HasPrimaryIndex>() {}

/// Fails to compile if the component cannot be a relation.
pub const fn is_relation<T: HasRelation>() {}

/// A type whose values can be sent to and shared with other threads: `Send`, `Sync` and `'static`.
/// Implemented for every such type.
///
/// Components, observers and listeners must be thread-safe, because a context can move to another
/// thread, and several threads can read it at once. Keep other values outside the context, in a
/// field of the world with `#[contexts(skip)]`.
///
/// # Examples
///
/// ```
/// use std::sync::{Arc, Mutex};
///
/// fn can_be_in_a_context<T: ecs::ThreadSafe>(_: T) {}
///
/// can_be_in_a_context(Arc::new(Mutex::new(0))); // as `Rc<RefCell<_>>` could not
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not `Send + Sync`, and cannot be part of a context",
    label = "cannot be sent to or shared with another thread",
    note = "write `Arc` in place of `Rc`, and `Mutex` or an atomic in place of `RefCell` or `Cell`; or keep such a value outside of the context, in a field of the world with `#[contexts(skip)]` above it"
)]
pub trait ThreadSafe: Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<T: Send + Sync + 'static> ThreadSafe for T {}

/// Lists the components that are not `Clone` and how to exclude them with the builder of `what`.
pub(super) fn not_clone(
    f: &mut fmt::Formatter<'_>,
    components: &[&'static str],
    what: &str,
) -> fmt::Result {
    let (noun, verb, them) = match components.len() > 1 {
        true => ("components", "are", "them"),
        false => ("component", "is", "it"),
    };
    write!(f, "{noun} ")?;
    for (place, component) in components.iter().enumerate() {
        let comma = if place > 0 { ", " } else { "" };
        write!(f, "{comma}`{component}`")?;
    }
    let first = components.first().unwrap_or(&"_");
    write!(
        f,
        " {verb} not `Clone`; derive `Clone` for {them}, or leave {them} out: \
         `{what}::builder().without::<{first}>()`"
    )
}
