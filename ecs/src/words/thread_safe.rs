//! What everything in a context is, so that the context itself can go to another thread.

/// A type whose values can be sent to other threads and shared with them: `Send`, `Sync` and
/// `'static`. Every such type has this trait by itself.
///
/// Components are of such types, and so are observers and listeners, because a context and what is
/// in it can go to another thread, and several threads can read it at once. What cannot is kept
/// outside of the context, in a field of the world with `#[contexts(skip)]`.
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
    message = "`{Self}` holds what other threads may not have, and cannot be part of a context",
    label = "cannot be sent to or shared with another thread",
    note = "write `Arc` in place of `Rc`, and `Mutex` or an atomic in place of `RefCell` or `Cell`; or keep such a value outside of the context, in a field of the world with `#[contexts(skip)]` above it"
)]
pub trait ThreadSafe: Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<T: Send + Sync + 'static> ThreadSafe for T {}
