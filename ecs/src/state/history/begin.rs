//! How a history begins and ends.

use alloc::boxed::Box;

use crate::reactions::handle::Watched;
use crate::reactions::history::{Forgotten, Recording};
use crate::state::core::{Core, HasCore, Registries};
use crate::state::index::drop_all_spent;
use crate::words::component::ComponentIndex;
use crate::words::history_error::HistoryError;
use crate::words::signature::ComponentSet;

/// Records all changes from now on but those of some components.
pub(crate) fn begin<C: HasCore>(
    context: &mut C,
    left_out: ComponentSet,
) -> Result<Watched, HistoryError> {
    let (core, name) = (context.core_mut(), C::NAME);
    if core.is_dispatching() {
        return Err(HistoryError::Busy { context: name });
    }
    if core.has_history() {
        return Err(HistoryError::AlreadyRecording { context: name });
    }
    let components = core.columns.not_clone(&left_out);
    if !components.is_empty() {
        return Err(HistoryError::NotClone {
            context: name,
            components,
        });
    }
    end(context);
    let core: &mut Registries = context.core_mut();
    core.graph.set_recorded(Some(left_out.clone()), false);
    core.indexes.set_recorded(Some(&left_out), &core.groups);
    let (recording, watched) = Recording::new(left_out);
    core.history = Some(Box::new(recording));
    Ok(watched)
}

/// Ends the history, if there is one.
pub(crate) fn end<C: HasCore>(context: &mut C) {
    let core: &mut Registries = context.core_mut();
    let ended = core.history.take();
    if ended.is_some() {
        let dispatching = core.is_dispatching();
        core.graph.set_recorded(None, dispatching);
        core.indexes.set_recorded(None, &core.groups);
        let values = core.columns.end_past();
        drop((ended, values)); // user code
        drop_all_spent(context);
    }
}

impl Registries {
    /// Whether there is a history, whose handle is still there.
    pub(crate) fn has_history(&self) -> bool {
        let history = self.history.as_deref();
        history.is_some_and(|recording| !recording.is_dropped())
    }

    /// Whether a history follows a component, whose handle is still there.
    #[inline]
    pub(crate) fn is_recorded(&self, component: ComponentIndex) -> bool {
        let history = self.history.as_deref();
        history.is_some_and(|recording| recording.records(component))
    }

    /// Forgets all that is recorded: it goes on from here. What is forgotten is dropped behind the
    /// change that is under way, with what has been cut off.
    pub(crate) fn forget_history(&mut self) {
        let Some(recording) = self.history.as_deref_mut() else {
            return;
        };
        if recording.is_dropped() {
            return self.end_dropped_history();
        }
        let moments = recording.restart();
        let left_out = Some(&recording.left_out);
        self.indexes.set_recorded(left_out, &self.groups);
        self.leave_in_history(moments);
    }

    /// Ends the history of a handle that has been dropped, in the middle of a change: nothing is kept
    /// for it from then on. What is left of it is dropped when something else is made that has a handle.
    pub(super) fn end_dropped_history(&mut self) {
        if let Some(moments) = self.history.as_deref_mut().and_then(Recording::end) {
            self.indexes.set_recorded(None, &self.groups);
            self.leave_in_history(moments);
        }
    }

    /// Leaves what is forgotten to be dropped, with all values of before.
    fn leave_in_history(&mut self, moments: Forgotten) {
        let values = self.columns.end_past();
        if let Some(recording) = self.history.as_deref_mut() {
            recording.spent.push(Box::new(moments));
            recording.spent.push(Box::new(values));
        }
    }
}

/// Refuses to move entities while a history follows.
#[track_caller]
pub(crate) fn check_movable<C: HasCore>(core: &Core<C>) {
    assert!(
        !core.has_history(),
        "the entities of context `{}` cannot be moved while a history follows: a rewind could not \
         restore the order in which they are walked; defragment before `record`, or release the \
         history first",
        C::NAME
    );
}
