//! Systems with any outcome as one type, for the list that contains them.

use alloc::boxed::Box;
use core::marker::PhantomData;

use super::forward::{forward_inner, forward_system};
use super::outcome::{AnyError, Outcome};
use super::system::{BoxedSystem, System, Systems};

/// Converts the outcome of a system to that of all systems in a list.
struct EraseOutcome<S, R> {
    system: S,
    outcome: PhantomData<fn() -> R>,
}

/// Boxes a system.
pub(super) fn erase<W, R: Outcome>(system: impl System<W, R> + 'static) -> BoxedSystem<W> {
    Box::new(EraseOutcome {
        system,
        outcome: PhantomData,
    })
}

impl<W, R: Outcome, S: System<W, R>> System<W, Result<(), AnyError>> for EraseOutcome<S, R> {
    forward_system!(
        this => this.system, world => world,
        System<W, R>, Outcome::into_result => Result<(), AnyError>
    );
    forward_inner!(this => this.system, R);
}
