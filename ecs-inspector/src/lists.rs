//! The lists of systems of a program: one, or several that run separately.

use ecs::Systems;
use ecs::stats::SystemInfo;

/// One or several lists of systems, for [`Inspector::update`](crate::Inspector::update): a list, an
/// array, slice or `Vec` of lists, or a user's type that contains lists.
///
/// # Examples
///
/// ```
/// use ecs::prelude::*;
/// use ecs_inspector::{Inspector, SystemLists};
/// # #[ecs::context] pub struct Game;
///
/// /// The systems of fixed steps, and those of each frame.
/// struct Stages { steps: Systems<Game>, frame: Systems<Game> }
///
/// impl SystemLists<Game> for Stages {
///     fn for_each(&mut self, call: &mut dyn FnMut(&mut Systems<Game>)) {
///         call(&mut self.steps);
///         call(&mut self.frame);
///     }
/// }
///
/// let (mut game, mut inspector) = (Game::new(), Inspector::off());
/// let mut stages = Stages { steps: Systems::with_name("Steps"), frame: Systems::with_name("Frame") };
/// inspector.update(&mut game, &mut stages);
/// inspector.update(&mut game, &mut [&mut stages.steps, &mut stages.frame]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of systems of the world `{W}`",
    label = "neither a list of systems nor several of them",
    note = "pass `&mut systems`, or `&mut [&mut first, &mut second]`"
)]
pub trait SystemLists<W> {
    /// Calls `call` with each list, in order of execution.
    fn for_each(&mut self, call: &mut dyn FnMut(&mut Systems<W>));
}

impl<W> SystemLists<W> for Systems<W> {
    fn for_each(&mut self, call: &mut dyn FnMut(&mut Systems<W>)) {
        call(self);
    }
}

impl<W, S: SystemLists<W> + ?Sized> SystemLists<W> for &mut S {
    fn for_each(&mut self, call: &mut dyn FnMut(&mut Systems<W>)) {
        (**self).for_each(call);
    }
}

impl<W, S: SystemLists<W>> SystemLists<W> for [S] {
    fn for_each(&mut self, call: &mut dyn FnMut(&mut Systems<W>)) {
        self.iter_mut().for_each(|lists| lists.for_each(call));
    }
}

impl<W, S: SystemLists<W>, const N: usize> SystemLists<W> for [S; N] {
    fn for_each(&mut self, call: &mut dyn FnMut(&mut Systems<W>)) {
        self.as_mut_slice().for_each(call);
    }
}

impl<W, S: SystemLists<W>> SystemLists<W> for Vec<S> {
    fn for_each(&mut self, call: &mut dyn FnMut(&mut Systems<W>)) {
        self.as_mut_slice().for_each(call);
    }
}

impl<W> dyn SystemLists<W> + '_ {
    /// Whether any list runs.
    pub(crate) fn is_any_running(&mut self) -> bool {
        let mut running = false;
        self.for_each(&mut |list| running |= !list.is_suspended());
        running
    }

    /// Whether any list is measured.
    pub(crate) fn is_any_measured(&mut self) -> bool {
        let mut measured = false;
        self.for_each(&mut |list| measured |= list.is_measured());
        measured
    }

    pub(crate) fn set_suspended(&mut self, suspended: bool) {
        self.for_each(&mut |list| list.set_suspended(suspended));
    }

    pub(crate) fn measure(&mut self, measured: bool) {
        self.for_each(&mut |list| list.measure(measured));
    }

    /// Calls `call` with the name of each list and its systems.
    pub(crate) fn for_each_infos(&mut self, call: &mut dyn FnMut(&str, &[SystemInfo<'_>])) {
        self.for_each(&mut |list| call(&ecs::System::name(list), &list.infos()));
    }
}
