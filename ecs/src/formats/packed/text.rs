//! Rejecting values that human-readable formats would change silently.
//!
//! JSON has no infinite numbers and no NaN, and writes `null`: a save with one could not be loaded, or
//! would be loaded as something else. It has no `Some` either, so `Some(None)` is read as `None`. A
//! serializer cannot be asked what it does with a value, and after writing it is too late.

use serde::Serialize;

use crate::formats::packed::PackerOf;
use crate::formats::packed::message::Message;

type Result = core::result::Result<(), Message>;

/// Rejects a value that human-readable formats would change silently.
pub(crate) fn check_text(value: &dyn erased_serde::Serialize) -> Result {
    value.serialize(&mut PackerOf::<true>::default())
}

impl<const TEXT: bool> PackerOf<TEXT> {
    /// Appends a number, unless human-readable formats lack it.
    #[inline]
    pub(super) fn float(&mut self, number: f64, bytes: &[u8]) -> Result {
        if TEXT && !number.is_finite() {
            return Err(Message::of_value(format_args!(
                "{number}, which text formats such as JSON lack: make it finite, or save in a binary format"
            )));
        }
        self.raw(bytes);
        Ok(())
    }

    /// Appends a value that human-readable formats write as nothing, unless it is inside `Some`.
    #[inline]
    pub(super) fn nothing(&mut self, bytes: &[u8]) -> Result {
        if TEXT && self.in_some {
            return Err(Message::of_value(
                "`Some` of a value that is written as nothing, which text formats such as JSON read \
                 back as `None`: save in a binary format",
            ));
        }
        self.raw(bytes);
        Ok(())
    }
}
