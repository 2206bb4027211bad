//! What every system is, so that a list of systems can go to another thread.

/// A type whose values can be sent to other threads: [`Send`]. Every such type has this trait by
/// itself.
///
/// Systems are of such types, so that a list of [`Systems`](crate::Systems) can be made in one thread
/// and run in another. Nobody calls a system from two threads at once, so a `Cell` or a `RefCell` is
/// no hindrance, and an `Rc` is. What belongs to one thread, as a window does, is kept in the world
/// that the systems are handed, which need not be `Send`: in a field with `#[contexts(skip)]`.
///
/// # Examples
///
/// ```
/// use std::cell::Cell;
///
/// fn can_be_in_a_system<T: ecs::Sendable>(_: T) {}
///
/// can_be_in_a_system(Cell::new(0)); // as `Rc<Cell<_>>` could not
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` holds what cannot go to another thread, and cannot be in a list of systems",
    label = "cannot be sent to another thread",
    note = "write `Arc` in place of `Rc`, and `Mutex` in place of a `RefCell` that is shared; or keep such a value in a field of the world, with `#[contexts(skip)]` above it"
)]
pub trait Sendable: Send {}

#[diagnostic::do_not_recommend]
impl<T: Send + ?Sized> Sendable for T {}
