//! What gathers the changes for a system that reacts to them.

use crate::systems::sendable::Sendable;

/// Gathers changes in a world `W` until they are drained. Dropping it ends that.
pub trait Source<W>: Sendable {
    /// What is asked about when it is drained.
    type Candidate<'a>;
    /// Takes over the changes gathered since the last time, as far as they still count and
    /// `accept` agrees; returns how many they are. Changes taken over before are forgotten.
    fn drain(&mut self, world: &mut W, accept: impl FnMut(Self::Candidate<'_>) -> bool) -> usize;

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
