//! Functions that write and read the values of a component, without its type.

use alloc::vec::Vec;
use core::mem::{ManuallyDrop, transmute};
use core::ptr::NonNull;

use crate::formats::packed::{Message, Packer, Unpacker};
use crate::formats::source::Source;
use crate::words::component::{Component, ComponentNames};
use crate::words::saving::cells::{CellWriter, FieldCells};
use crate::words::saving::{self, Older, Saving, flag};

/// Returns a value in serializable form. Safety: the pointer must point to a value of the
/// component.
type Erase = unsafe fn(*const u8) -> NonNull<dyn erased_serde::Serialize>;

/// Appends values to a column. Safety: the pointers must point to values of the component.
type Pack = unsafe fn(&[NonNull<u8>], &mut Packer) -> Result<(), Message>;

/// Reads a value into memory. Safety: the memory must be uninitialized and fit a value of the
/// component. If it returns `Ok`, the value has been written.
type Read = unsafe fn(NonNull<u8>, &mut dyn Source) -> Result<(), Message>;

/// Returns the function that reads values of an older version, if it is supported.
type FindOlder = fn(u32) -> Option<Read>;

/// Reads `count` values of a version and passes on the memory of the list. An error includes the
/// position of the invalid value.
type Unpack = fn(u32, &mut Unpacker<'_>, usize, Take<'_>) -> Result<(), (usize, Message)>;

/// Takes ownership of a list's memory: pointer, length and capacity.
pub(crate) type Take<'a> = &'a mut dyn FnMut(NonNull<u8>, usize, usize);

/// Divides a value into cells. Safety: the pointer must point to a value of the component.
type WriteCells = unsafe fn(*const u8, &mut CellWriter);

/// How deltas divide the values of a component.
pub(crate) struct CellTable {
    pub(crate) layout: &'static [FieldCells],
    /// The fields with their steps, for messages.
    pub(crate) text: &'static str,
    pub(super) write: WriteCells,
}

/// How a component is saved, and functions that write and read its values.
pub(crate) struct SavingTable {
    /// Whether the component is excluded from saves.
    pub(crate) is_transient: bool,
    /// Whether values can be written and read.
    pub(crate) is_possible: bool,
    pub(crate) version: u32,
    pub(crate) aliases: &'static [&'static str],
    /// The fields of the type as text, as in binary saves; empty if they are not known.
    pub(crate) fields: &'static str,
    former_fields: &'static [&'static str],
    /// `None` if deltas have whole values.
    pub(crate) cells: Option<CellTable>,
    /// Whether the component has only one value, which is not written.
    pub(crate) is_flag: bool,
    pub(crate) erase: Option<Erase>,
    /// `None` if columns are written value by value.
    pub(crate) pack: Option<Pack>,
    read: Read,
    older: Option<FindOlder>,
    /// `None` if columns are read value by value.
    pub(crate) unpack: Option<Unpack>,
}

impl SavingTable {
    pub(super) const fn of<C, T: Component<C>>() -> Self {
        let of_type = const { &T::SAVING };
        let (is_flag, codec) = (T::FLAG.is_some(), &of_type.codec);
        let (erase, pack) = match codec {
            Some(codec) if !is_flag => (Some(codec.erase), codec.pack),
            _ => (None, None),
        };
        let (read, unpack): (Read, Option<Unpack>) = match (is_flag, codec) {
            (true, _) => (read_flag::<C, T>, Some(unpack_flags::<C, T>)),
            (false, Some(codec)) => (
                erase_read(codec.reader.read),
                match codec.reader.unpack {
                    Some(_) => Some(unpack::<C, T>),
                    None => None,
                },
            ),
            (false, None) => (read_none, None),
        };
        // Compiled for components that have older versions.
        let older: Option<FindOlder> = match of_type.older.is_empty() {
            true => None,
            false => Some(older::<C, T>),
        };
        Self {
            is_transient: of_type.transient,
            is_possible: is_flag || codec.is_some(),
            version: of_type.version,
            aliases: of_type.aliases,
            fields: of_type.fields,
            former_fields: of_type.former_fields,
            cells: match &of_type.cells {
                Some(cells) => Some(CellTable {
                    layout: cells.layout,
                    text: cells.text,
                    // SAFETY: a reference to a `T` is passed in the same way as a pointer to bytes.
                    write: unsafe { transmute::<fn(&T, &mut CellWriter), WriteCells>(cells.write) },
                }),
                None => None,
            },
            is_flag,
            // SAFETY: each takes references to a `T`, or a slice of them, which are passed in the
            // same way as pointers to bytes, or a slice of them.
            erase: unsafe { transmute::<Option<saving::EraseValue<T>>, Option<Erase>>(erase) },
            // SAFETY: as above.
            pack: unsafe { transmute::<Option<saving::PackValues<T>>, Option<Pack>>(pack) },
            read,
            older,
            unpack,
        }
    }

    /// Returns whether values that were saved with these fields have the bytes of this version.
    pub(crate) fn has_fields(&self, saved: &str) -> bool {
        let is_unknown = saved.is_empty() || self.fields.is_empty();
        let added = self.fields.strip_prefix(saved);
        let has_more_variants =
            added.is_some_and(|added| added.is_empty() || added.starts_with(" | "));
        is_unknown || has_more_variants || self.former_fields.contains(&saved)
    }

    /// Returns the function that reads values of a version. Flags and what cannot be read have one
    /// for all versions.
    pub(crate) fn reader(&self, names: &ComponentNames, version: u32) -> Result<Read, Message> {
        if version == self.version || self.erase.is_none() {
            return Ok(self.read);
        }
        let older = self.older.and_then(|older| older(version));
        older.ok_or_else(|| unknown_version(names, self.version, version))
    }

    /// Returns whether values are written to saves.
    pub(crate) fn is_saved(&self) -> bool {
        !self.is_transient && self.is_possible
    }
}

/// Erases the type of the value.
const fn erase_read<T>(read: saving::ReadValue<T>) -> Read {
    // SAFETY: a reference to memory for a `T` is passed in the same way as a pointer to bytes.
    unsafe { transmute::<saving::ReadValue<T>, Read>(read) }
}

fn older<C, T: Component<C>>(version: u32) -> Option<Read> {
    let reader = Older::find(const { T::SAVING }.older, version)?;
    Some(erase_read(reader.read))
}

fn unpack<C, T: Component<C>>(
    version: u32,
    from: &mut Unpacker<'_>,
    count: usize,
    take: Take<'_>,
) -> Result<(), (usize, Message)> {
    let saving: &Saving<T> = const { &T::SAVING };
    let reader = match &saving.codec {
        Some(codec) if version == saving.version => Some(&codec.reader),
        _ => Older::find(saving.older, version),
    };
    let Some(unpack) = reader.and_then(|reader| reader.unpack) else {
        return Err((0, unknown_version(T::NAMES, saving.version, version)));
    };
    let mut values = Vec::new();
    match unpack(from, count, &mut values) {
        Ok(()) => hand_over(values, take),
        Err(error) => return Err((values.len(), error)),
    }
    Ok(())
}

fn hand_over<T>(values: Vec<T>, take: Take<'_>) {
    let mut values = ManuallyDrop::new(values);
    let first = NonNull::from(values.as_mut_slice()).cast();
    take(first, values.len(), values.capacity());
}

/// # Safety
///
/// The memory must be uninitialized and fit a `T`.
unsafe fn read_flag<C, T: Component<C>>(
    to: NonNull<u8>,
    from: &mut dyn Source,
) -> Result<(), Message> {
    flag::read(from)?;
    match T::FLAG {
        // SAFETY: guaranteed by the caller.
        Some(value) => unsafe { to.cast::<T>().write(value()) },
        None => return Err(not_read()),
    }
    Ok(())
}

fn unpack_flags<C, T: Component<C>>(
    _: u32,
    _: &mut Unpacker<'_>,
    count: usize,
    take: Take<'_>,
) -> Result<(), (usize, Message)> {
    let Some(value) = T::FLAG else { return Ok(()) };
    hand_over((0..count).map(|_| value()).collect(), take);
    Ok(())
}

/// # Safety
///
/// None: it is always safe to call.
unsafe fn read_none(_: NonNull<u8>, _: &mut dyn Source) -> Result<(), Message> {
    Err(not_read())
}

fn not_read() -> Message {
    Message::new("its type is not both `Serialize` and `DeserializeOwned`, or it is `transient`")
}

fn unknown_version(names: &ComponentNames, present: u32, version: u32) -> Message {
    let component = names.component;
    if version > present {
        return Message::new(format_args!(
            "it was saved in version {version}, by a newer program, and is of version {present} \
             here: load it with a program that knows version {version}"
        ));
    }
    Message::new(format_args!(
        "it was saved in version {version}, and is of version {present} now: write \
         `#[component(version = {present}, from({version} = ..))]` above `{component}`, with a type \
         that reads version {version}"
    ))
}
