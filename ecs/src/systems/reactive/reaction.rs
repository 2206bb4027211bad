//! The common implementation of all reactive systems.
//!
//! Execute drains the source first, so that the system's own changes arrive at its next execute. A system
//! that handles changes one by one and fails leaves those behind in the source, for its next execute.
//! After a panic, the next drain drops the buffer of drained changes.

use alloc::string::String;

use crate::reactions::actor::{Cause, Causing};
use crate::systems::outcome::Outcome;
use crate::systems::phase::Phase;
use crate::systems::stats::Reactions;
use crate::systems::system::{Sendable, System};

/// Logic that receives what a source has collected.
pub(super) trait React<W, S: ChangeSource<W>, R: Outcome>: Sendable {
    /// Called for each candidate while the source is drained. Returns whether to keep it.
    fn accept(&mut self, candidate: S::Candidate<'_>) -> bool {
        let _ = candidate;
        true
    }

    /// Called with the drained source if at least one candidate was kept.
    fn react(&mut self, world: &mut W, source: &mut S) -> R;

    fn name(&self) -> String;

    /// Runs a phase other than execute.
    fn run(&mut self, phase: Phase, world: &mut W) -> R {
        let _ = (phase, world);
        R::done()
    }
}

/// A system that reacts to the changes of a source.
pub(super) struct Reaction<L, S> {
    logic: L,
    source: S,
    reactions: Reactions,
}

impl<L, S> Reaction<L, S> {
    pub(super) fn new(logic: L, source: S) -> Self {
        Self {
            logic,
            source,
            reactions: Reactions::default(),
        }
    }
}

impl<W, L, S, R> System<W, R> for Reaction<L, S>
where
    L: React<W, S, R>,
    S: ChangeSource<W>,
    R: Outcome,
{
    fn initialize(&mut self, world: &mut W) -> R {
        self.logic.run(Phase::Initialize, world)
    }

    fn resume(&mut self, world: &mut W) -> R {
        self.logic.run(Phase::Resume, world)
    }

    fn cleanup(&mut self, world: &mut W) -> R {
        self.logic.run(Phase::Cleanup, world)
    }

    fn tear_down(&mut self, world: &mut W) -> R {
        self.logic.run(Phase::TearDown, world)
    }

    fn name(&self) -> String {
        self.logic.name()
    }

    fn execute(&mut self, world: &mut W) -> R {
        let Self { logic, source, .. } = self;
        let changes = source.drain(world, |candidate| logic.accept(candidate));
        self.reactions.record(changes);
        if changes == 0 {
            return R::done();
        }
        #[cfg(feature = "tracing")]
        tracing::debug!(
            target: "ecs::systems",
            changes,
            caused_by = source.cause().map(|cause| tracing::field::display(cause.entity())),
            "reacts"
        );
        let outcome = {
            let _causing = Causing::start(|| source.cause());
            logic.react(world, source)
        };
        source.discard();
        outcome
    }

    fn attach(&mut self, world: &mut W) {
        self.source.control(world, Control::Attach);
    }

    fn activate(&mut self, world: &mut W) {
        self.source.control(world, Control::Activate);
    }

    fn deactivate(&mut self, world: &mut W) {
        self.source.control(world, Control::Deactivate);
    }

    fn clear(&mut self, world: &mut W) {
        self.source.control(world, Control::Clear);
    }

    fn discard(&mut self, world: &mut W) {
        self.source.control(world, Control::Discard);
    }

    fn release(&mut self, world: &mut W) {
        self.source.control(world, Control::Release);
    }

    fn reactions(&self) -> Option<Reactions> {
        Some(self.reactions)
    }
}

/// Collects changes in a world `W` until they are drained. Dropping it stops that.
pub trait ChangeSource<W>: Sendable {
    /// What `drain` passes to `accept`.
    type Candidate<'a>;

    /// Takes the changes that were left, and those collected since the last call, if they still hold and
    /// `accept` returns `true`. Returns their number.
    fn drain(&mut self, world: &mut W, accept: impl FnMut(Self::Candidate<'_>) -> bool) -> usize;

    /// Returns which entity caused the system to run, if it was an entity. Called after `drain`.
    fn cause(&self) -> Option<Cause> {
        None
    }

    /// Drops the changes taken, but keeps their memory.
    fn discard(&mut self);

    /// Changes whether it collects. A release is permanent.
    fn control(&mut self, world: &mut W, control: Control);
}

/// A command to a source.
#[derive(Clone, Copy)]
pub enum Control {
    /// The list executes for the first time: take over what systems that are gone have seen, in order.
    Attach,
    /// Collect again.
    Activate,
    /// Discard what was collected, and stop collecting.
    Deactivate,
    /// Discard what was collected.
    Clear,
    /// The system is skipped: discard what was collected; a state is still compared at the next execute.
    Discard,
    /// Stop collecting permanently, and free memory.
    Release,
}
