//! Attempts: bundles whose rejection is an error, and bundles for living entities.
//!
//! A bundle writer validates one value after the other, and its caller does not see rejections. So
//! the first one is kept until the writer finishes; for a new entity without an attempt, it is a
//! panic.

use super::bundle_writer::{BundleWriter, Made};
use crate::state::core::Core;
use crate::words::entity_id::UntypedId;
use crate::words::error::Error;
use crate::world::Attempt;

impl<'a, C: 'static> BundleWriter<'a, C> {
    /// Creates a writer that does not panic if a value is rejected. It stores the values in a spare
    /// row, for a new or a living entity; an error if there are no slots left.
    pub(crate) fn attempt(core: &'a mut Core<C>, entity: Option<UntypedId>) -> Result<Self, Error> {
        core.world.slots.check_capacity(1)?;
        let mut writer = Self::start(core);
        let spare = entity.is_some().then(|| writer.id());
        writer.core_mut().world.attempt = Some(Attempt {
            entity,
            is_together: false,
            spare,
            rejected: None,
        });
        Ok(writer)
    }

    /// Creates a writer for a new entity that already has a slot but no components. If the writer
    /// is dropped, the slot is freed nevertheless.
    pub(crate) fn attempt_on(core: &'a mut Core<C>, id: UntypedId) -> Self {
        core.world.attempt = Some(Attempt {
            entity: None,
            is_together: true,
            spare: None,
            rejected: None,
        });
        Self::start_on(core, id)
    }

    /// Finishes with the required components. If a value was rejected, returns the error and frees
    /// the row.
    pub(crate) fn finish_attempt(mut self) -> Result<Made, Error> {
        self.check()?; // dropping the writer discards the values
        self.complete();
        self.check()?;
        self.core_mut().world.attempt = None;
        Ok(self.finish())
    }

    /// Returns why a value was rejected, if one was.
    fn check(&mut self) -> Result<(), Error> {
        let attempt = self.core_mut().world.attempt.as_mut();
        attempt
            .and_then(|attempt| attempt.rejected.take())
            .map_or(Ok(()), Err)
    }
}
