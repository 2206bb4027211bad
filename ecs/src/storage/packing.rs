//! Writing the values of a component to a column.

#![expect(unsafe_code, reason = "values are found by pointers")]

use core::ptr::NonNull;

use crate::formats::packed::{Message, Packer, Unpacker};
use crate::formats::source::packed;
use crate::storage::descriptor::ComponentDescriptor;
use crate::storage::moved::Buffer;
use crate::words::saving::ids::LoadScope;

impl ComponentDescriptor {
    /// Appends values of the component to a column.
    ///
    /// # Safety
    ///
    /// The pointers must point to values of the component.
    pub(crate) unsafe fn pack(
        &'static self,
        values: &[NonNull<u8>],
        to: &mut Packer,
    ) -> Result<(), Message> {
        match (self.saving.pack, self.saving.erase) {
            // SAFETY: guaranteed by the caller.
            (Some(pack), _) => unsafe { pack(values, to) },
            (None, Some(erase)) => {
                let values = values.iter().map(|value| {
                    // SAFETY: guaranteed by the caller.
                    unsafe { erase(value.as_ptr()).as_ref() }
                });
                self.pack_each(values, to)
            }
            (None, None) => Ok(()),
        }
    }

    /// Appends values and reads them back, as `words::saving::pack` does for a type.
    fn pack_each<'v>(
        &'static self,
        values: impl ExactSizeIterator<Item = &'v dyn erased_serde::Serialize>,
        to: &mut Packer,
    ) -> Result<(), Message> {
        let count = values.len();
        let (bytes, varies) = to.written(|to| {
            let mut values = values;
            values.try_for_each(|value| erased_serde::serialize(value, &mut *to))
        })?;
        let count = count.min(if varies { usize::MAX } else { 1 });
        let _scope = LoadScope::plain(); // ids are not mapped
        let mut from = Unpacker::new(bytes);
        let mut buffer = Buffer::new(self);
        for _ in 0..count {
            let read = buffer.read(self.saving.version, &mut packed(&mut from));
            read.map_err(|error| Message::new(format_args!("it could not be read back: {error}")))?;
        }
        Ok(())
    }
}
