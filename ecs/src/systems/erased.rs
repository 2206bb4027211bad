//! Systems with any outcome as one type, for the list that contains them.

use alloc::boxed::Box;
use alloc::string::String;
use core::marker::PhantomData;

use super::forward::forward_controls;
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
    forward_controls!(this => this.system, R);

    fn initialize(&mut self, world: &mut W) -> Result<(), AnyError> {
        self.system.initialize(world).into_result()
    }

    fn resume(&mut self, world: &mut W) -> Result<(), AnyError> {
        self.system.resume(world).into_result()
    }

    fn execute(&mut self, world: &mut W) -> Result<(), AnyError> {
        self.system.execute(world).into_result()
    }

    fn cleanup(&mut self, world: &mut W) -> Result<(), AnyError> {
        self.system.cleanup(world).into_result()
    }

    fn tear_down(&mut self, world: &mut W) -> Result<(), AnyError> {
        self.system.tear_down(world).into_result()
    }

    fn name(&self) -> String {
        self.system.name()
    }
}
