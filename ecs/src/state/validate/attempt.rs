//! Attempts: bundles whose rejection is an error, and bundles for entities that live.
//!
//! The writer of a bundle admits one value after the other, and whoever puts them is not told of a
//! rejection. So the first one is kept until the writer has finished; for a new entity that is
//! not an attempt it is a panic at once.

use super::bundle_writer::{BundleWriter, Made};
use crate::state::core::{Attempt, Core};
use crate::words::entity_id::UntypedId;
use crate::words::error::Error;

impl<'a, C: 'static> BundleWriter<'a, C> {
    /// A writer that does not panic if a value is rejected. It stores the values in a row of their
    /// own, whether they are for a new entity or for one that lives; an error if there cannot be
    /// another one.
    pub(crate) fn attempt(core: &'a mut Core<C>, entity: Option<UntypedId>) -> Result<Self, Error> {
        core.slots.check_capacity(1)?;
        let rejected = None;
        core.attempt = Some(Attempt { entity, rejected });
        Ok(Self::start(core))
    }

    /// A writer for a new entity that has its slot already, but no component. If it is dropped it gives
    /// back the slot nevertheless.
    pub(crate) fn attempt_on(core: &'a mut Core<C>, id: UntypedId) -> Self {
        let (entity, rejected) = (None, None);
        core.attempt = Some(Attempt { entity, rejected });
        Self::start_on(core, id)
    }

    /// What has been stored, with what comes along, or why a value was rejected: then the row is
    /// free again.
    pub(crate) fn finish_attempt(mut self) -> Result<Made, Error> {
        let attempt = &mut self.core_mut().attempt;
        if let Some(error) = attempt.as_mut().and_then(|attempt| attempt.rejected.take()) {
            return Err(error); // dropped, the writer takes the values back
        }
        self.complete();
        self.core_mut().attempt = None;
        Ok(self.finish())
    }
}
