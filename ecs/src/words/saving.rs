//! Saving components: whether a component is saved, how values are written and read, and its names
//! and versions.
//!
//! The derive detects whether a type can be saved in the same way as whether it is `Clone`:
//! `Probe::<T>::CODEC` is the inherent constant if the type is `Serialize` and `DeserializeOwned`,
//! and that of the trait [`NoCodec`] otherwise.

pub(crate) mod absent;
pub(crate) mod cells;
pub(crate) mod flag;
pub(crate) mod ids;

use alloc::vec::Vec;
use core::mem::MaybeUninit;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::formats::packed::{Message, Packer, Unpacker};
use crate::formats::source::{Source, at, read};
use crate::words::probe::Probe;
use crate::words::saving::cells::Cells;
use crate::words::saving::ids::LoadScope;

/// Erases a value for a format that is known only at run time.
pub(crate) type EraseValue<T> = for<'a> fn(&'a T) -> &'a dyn erased_serde::Serialize;

/// Reads a value from a format that is known only at run time. If it returns `Ok`, the value has
/// been written.
pub(crate) type ReadValue<T> = fn(&mut MaybeUninit<T>, &mut dyn Source) -> Result<(), Message>;

/// Appends values to a column.
pub(crate) type PackValues<T> = fn(&[&T], &mut Packer) -> Result<(), Message>;

/// Reads `count` values of a column. On error, the values before the invalid one are in the list.
pub(crate) type UnpackValues<T> = fn(&mut Unpacker<'_>, usize, &mut Vec<T>) -> Result<(), Message>;

/// Whether binary saves are written and read by functions that know the type. Otherwise they take the
/// dynamic calls of text formats: slower, but every component is compiled with these functions, also
/// in programs that never save, and without them twice as fast.
const DIRECT: bool = !cfg!(debug_assertions);

/// Functions that write and read values.
pub struct Codec<T: 'static> {
    pub(crate) erase: EraseValue<T>,
    pub(crate) pack: Option<PackValues<T>>,
    pub(crate) reader: Reader<T>,
}

/// Functions that read values.
pub(crate) struct Reader<T: 'static> {
    pub(crate) read: ReadValue<T>,
    pub(crate) unpack: Option<UnpackValues<T>>,
}

/// Functions that read values of an older version.
pub struct Older<T: 'static> {
    version: u32,
    reader: Reader<T>,
}

/// Everything about saving a component.
pub struct Saving<T: 'static> {
    /// Whether values are excluded from saves.
    pub(crate) transient: bool,
    /// `None` if the type lacks one of serde's traits.
    pub(crate) codec: Option<Codec<T>>,
    pub(crate) version: u32,
    /// Former names of the component.
    pub(crate) aliases: &'static [&'static str],
    pub(crate) older: &'static [Older<T>],
    /// The fields of the type as text; empty if they are not known.
    pub(crate) fields: &'static str,
    /// Fields that it had before, whose bytes mean the same.
    pub(crate) former_fields: &'static [&'static str],
    /// How deltas divide values, if they do.
    pub(crate) cells: Option<Cells<T>>,
}

impl<T> Saving<T> {
    /// For a component without information about saving.
    pub const UNKNOWN: Self = Self::new(None, 1, &[], &[]);

    /// For a component that is excluded from saves.
    pub const TRANSIENT: Self = Self {
        transient: true,
        ..Self::UNKNOWN
    };

    /// For a component that is saved if it has a codec.
    pub const fn new(
        codec: Option<Codec<T>>,
        version: u32,
        aliases: &'static [&'static str],
        older: &'static [Older<T>],
    ) -> Self {
        Self {
            transient: false,
            codec,
            version,
            aliases,
            older,
            fields: "",
            former_fields: &[],
            cells: None,
        }
    }

    /// With values that deltas divide.
    pub const fn with_cells(self, cells: Cells<T>) -> Self {
        assert!(
            self.codec.is_some(),
            "a component with `delta` is sent as bytes: derive `serde::Serialize` and `serde::Deserialize`"
        );
        Self {
            cells: Some(cells),
            ..self
        }
    }

    /// With the fields of the type as text, and those that it had before.
    pub const fn with_fields(
        self,
        fields: &'static str,
        former_fields: &'static [&'static str],
    ) -> Self {
        Self {
            fields,
            former_fields,
            ..self
        }
    }
}

impl<T> Older<T> {
    /// Reads values that were saved as `Old`.
    pub const fn of<Old: DeserializeOwned>(version: u32) -> Self
    where
        T: From<Old>,
    {
        let unpack: UnpackValues<T> =
            |from, count, values| unpack::<Old, T>(from, count, values, T::from);
        let reader = Reader {
            read: |to, from| {
                to.write(T::from(read::<Old>(from)?));
                Ok(())
            },
            unpack: if DIRECT { Some(unpack) } else { None },
        };
        Self { version, reader }
    }

    /// Returns the functions for a version, if they are in the list.
    pub(crate) fn find(all: &'static [Self], version: u32) -> Option<&'static Reader<T>> {
        let found = all.iter().find(|older| older.version == version);
        found.map(|older| &older.reader)
    }
}

impl<T: Serialize + DeserializeOwned + 'static> Probe<T> {
    /// How a value is saved.
    pub const CODEC: Option<Codec<T>> = Some(Codec {
        erase: |value| value,
        pack: if DIRECT { Some(pack::<T>) } else { None },
        reader: Reader {
            read: read_to,
            unpack: if DIRECT { Some(Self::UNPACK) } else { None },
        },
    });

    const UNPACK: UnpackValues<T> =
        |from, count, values| unpack::<T, T>(from, count, values, |value| value);
}

/// The fallback for types that lack one of serde's traits.
pub trait NoCodec<T: 'static> {
    /// Always `None`.
    const CODEC: Option<Codec<T>> = None;
}

impl<T: 'static> NoCodec<T> for Probe<T> {}

/// Reads a value. Short, since each component has one.
fn read_to<T: DeserializeOwned>(
    to: &mut MaybeUninit<T>,
    from: &mut dyn Source,
) -> Result<(), Message> {
    match T::deserialize(at(from)) {
        Ok(value) => to.write(value),
        Err(error) => return Err(error),
    };
    Ok(())
}

/// The initial capacity of a list in bytes: per byte left to read, and in addition.
pub(crate) const CAUTIOUS: [usize; 2] = [8, 1 << 16];

/// Appends values and reads them back, because some types can be written but not read. Reading one
/// is enough if all of them have the same shape.
fn pack<T: Serialize + DeserializeOwned>(values: &[&T], to: &mut Packer) -> Result<(), Message> {
    let (bytes, varies) = to.written(|to| {
        let mut each = values.iter();
        each.try_for_each(|value| value.serialize(&mut *to))
    })?;
    let count = values.len().min(if varies { usize::MAX } else { 1 });
    let _scope = LoadScope::plain(); // ids are not mapped
    let from = &mut Unpacker::new(bytes);
    for _ in 0..count {
        let read = T::deserialize(&mut *from);
        read.map_err(|error| Message::new(format_args!("it could not be read back: {error}")))?;
    }
    Ok(())
}

fn unpack<S: DeserializeOwned, T>(
    from: &mut Unpacker<'_>,
    count: usize,
    values: &mut Vec<T>,
    convert: fn(S) -> T,
) -> Result<(), Message> {
    let bytes = from.left().saturating_mul(CAUTIOUS[0]) + CAUTIOUS[1];
    values.reserve(count.min(bytes / size_of::<T>().max(1)));
    let mut local = from.clone(); // keeps it in registers
    for _ in 0..count {
        values.push(convert(S::deserialize(&mut local)?));
    }
    *from = local;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn initial_capacity_is_limited_by_the_bytes_left() {
        type Large = [u8; 1 << 12];
        let mut values = Vec::<Large>::new();
        let from = &mut Unpacker::new(&[1, 2]);
        let read = unpack::<u8, Large>(from, 1 << 30, &mut values, |byte| [byte; 1 << 12]);
        assert!(read.is_err());
        assert_eq!(values, [[1; 1 << 12], [2; 1 << 12]]);
        assert_eq!(values.capacity(), CAUTIOUS[1] >> 12);
    }
}
