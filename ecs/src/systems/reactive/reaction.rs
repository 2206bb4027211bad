//! The one form of all systems that react to changes.
//!
//! At execute the source is drained first, so that what the system changes itself reaches it at
//! its next execute. What was drained is in a buffer that is empty between two calls, also if the
//! system failed; after a panic in the system the next drain empties it.

use alloc::string::String;

use crate::systems::forward::forward_phases;
use crate::systems::outcome::Outcome;
use crate::systems::stats::Reactions;
use crate::systems::system::{Sendable, System};
use crate::words::actor::{Wake, Waking};

/// Logic that is handed what a source has gathered.
pub(super) trait React<W, S: ChangeSource<W>, R: Outcome>: Sendable {
    /// Called for each candidate while the source is drained: whether it is to be handed over.
    fn accept(&mut self, candidate: S::Candidate<'_>) -> bool {
        let _ = candidate;
        true
    }

    /// Called with the drained source if anything was accepted.
    fn react(&mut self, world: &mut W, source: &S) -> R;

    fn name(&self) -> String;

    fn initialize(&mut self, world: &mut W) -> R {
        let _ = world;
        R::done()
    }

    fn cleanup(&mut self, world: &mut W) -> R {
        let _ = world;
        R::done()
    }

    fn tear_down(&mut self, world: &mut W) -> R {
        let _ = world;
        R::done()
    }
}

/// A system that reacts to the changes of a source.
pub(super) struct Reaction<L, S> {
    pub(super) logic: L,
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
    forward_phases!(this => this.logic, React<W, S, R>, R);

    fn execute(&mut self, world: &mut W) -> R {
        let Self { logic, source, .. } = self;
        let changes = source.drain(world, |candidate| logic.accept(candidate));
        self.reactions.note(changes);
        if changes == 0 {
            return R::done();
        }
        #[cfg(feature = "tracing")]
        tracing::debug!(
            target: "ecs::systems",
            changes,
            woken_by = source.wake().map(|wake| tracing::field::display(wake.entity())),
            "reacts"
        );
        let outcome = {
            let _waking = Waking::start(|| source.wake());
            logic.react(world, source)
        };
        source.forget();
        outcome
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

    fn release(&mut self, world: &mut W) {
        self.source.control(world, Control::Release);
    }

    fn reactions(&self) -> Option<Reactions> {
        Some(self.reactions)
    }
}

/// Gathers changes in a world `W` until they are drained. Dropping it ends that.
pub trait ChangeSource<W>: Sendable {
    /// What is asked about when it is drained.
    type Candidate<'a>;
    /// Takes over the changes gathered since the last time, as far as they still count and
    /// `accept` agrees; returns how many they are. Changes taken over before are forgotten.
    fn drain(&mut self, world: &mut W, accept: impl FnMut(Self::Candidate<'_>) -> bool) -> usize;

    /// What has woken the system, if that is an entity; called after `drain`.
    fn wake(&self) -> Option<Wake> {
        None
    }

    /// Forgets the changes taken over; the memory for them is kept.
    fn forget(&mut self);

    /// Changes whether it gathers. After a release it never does again.
    fn control(&mut self, world: &mut W, control: Control);
}

/// What is asked of a source.
#[derive(Clone, Copy)]
pub enum Control {
    /// To gather again.
    Activate,
    /// To forget what it has gathered, and to gather nothing.
    Deactivate,
    /// To forget what it has gathered.
    Clear,
    /// To end.
    Release,
}
