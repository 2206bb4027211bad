//! What is done with the values of one component when a context is saved or loaded, as functions that
//! know its type.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::api::saving::flag;
use crate::state::{Core, HasCore, LoadedValues};
use crate::storage::descriptor::AnyValue;
use crate::storage::slots::Row;
use crate::words::component::Component;
use crate::words::packed::{Message, Packer, Unpacker};
use crate::words::saving::Saving;
use crate::words::source::Source;

/// Hands a value to a format.
type Erase = fn(&AnyValue) -> Option<&dyn erased_serde::Serialize>;

/// Appends the values of some rows to a column.
type Pack<C> = fn(&Core<C>, &[Row], &mut Packer) -> Result<(), Message>;

/// Reads a value of a version, and adds it to a list.
type Read = fn(&mut AnyValue, u32, &mut dyn Source) -> Result<(), Message>;

/// Reads so many values of a version, and adds them to a list; or returns which is wrong.
type Unpack = fn(&mut AnyValue, u32, &mut Unpacker<'_>, usize) -> Result<(), (usize, Message)>;

/// The functions of a component of context `C`.
pub(crate) struct SavingTable<C: 'static> {
    /// Whether it is left out of saves.
    pub(crate) is_transient: bool,
    /// Whether values can be written and read.
    pub(crate) is_possible: bool,
    pub(crate) version: u32,
    pub(crate) aliases: &'static [&'static str],
    /// Lists of its values, which loading is done with.
    pub(crate) values: LoadedValues<C>,
    pub(crate) erase: Erase,
    pub(crate) pack: Pack<C>,
    /// Appends a value of a template.
    pub(crate) pack_one: fn(&AnyValue, &mut Packer) -> Result<(), Message>,
    pub(crate) read: Read,
    pub(crate) unpack: Unpack,
    /// Takes the last value of a list out.
    pub(crate) pop: fn(&mut AnyValue) -> Option<Box<AnyValue>>,
}

impl<C: HasCore> SavingTable<C> {
    pub(crate) const fn of<T: Component<C>>() -> Self {
        Self {
            is_transient: saving::<C, T>().transient,
            is_possible: T::FLAG.is_some() || saving::<C, T>().codec.is_some(),
            version: saving::<C, T>().version,
            aliases: saving::<C, T>().aliases,
            values: LoadedValues::of::<T>(),
            erase: erase::<C, T>,
            pack: pack::<C, T>,
            pack_one: pack_one::<C, T>,
            read: read::<C, T>,
            unpack: unpack::<C, T>,
            pop: |list| {
                Some(alloc::boxed::Box::new(
                    list.downcast_mut::<Vec<T>>()?.pop()?,
                ))
            },
        }
    }

    /// Whether values are written to saves.
    pub(crate) fn is_saved(&self) -> bool {
        !self.is_transient && self.is_possible
    }
}

const fn saving<C, T: Component<C>>() -> &'static Saving<T> {
    const { &T::SAVING }
}

fn erase<C: HasCore, T: Component<C>>(value: &AnyValue) -> Option<&dyn erased_serde::Serialize> {
    if T::FLAG.is_some() {
        return Some(&flag::Written);
    }
    let codec = saving::<C, T>().codec.as_ref()?;
    value.downcast_ref().map(codec.erase)
}

fn pack<C: HasCore, T: Component<C>>(
    core: &Core<C>,
    rows: &[Row],
    to: &mut Packer,
) -> Result<(), Message> {
    let (None, Some(codec), Some(column)) =
        (T::FLAG, &saving::<C, T>().codec, core.columns.of::<T>())
    else {
        return Ok(()); // a flag has nothing to be written
    };
    let values: Vec<&T> = rows.iter().filter_map(|&row| column.get(row)).collect();
    (codec.pack)(&values, to)
}

fn pack_one<C: HasCore, T: Component<C>>(value: &AnyValue, to: &mut Packer) -> Result<(), Message> {
    let (None, Some(codec), Some(value)) = (T::FLAG, &saving::<C, T>().codec, value.downcast_ref())
    else {
        return Ok(());
    };
    (codec.pack)(&[value], to)
}

fn read<C: HasCore, T: Component<C>>(
    values: &mut AnyValue,
    version: u32,
    from: &mut dyn Source,
) -> Result<(), Message> {
    let Some(values) = values.downcast_mut::<Vec<T>>() else {
        return Ok(());
    };
    let value = match T::FLAG {
        Some(value) => flag::read(from).map(|()| value()),
        None => match saving::<C, T>().reader(version) {
            Some(reader) => (reader.read)(from),
            None => return Err(unknown_version::<C, T>(version)),
        },
    };
    values.push(value?);
    Ok(())
}

fn unpack<C: HasCore, T: Component<C>>(
    values: &mut AnyValue,
    version: u32,
    from: &mut Unpacker<'_>,
    count: usize,
) -> Result<(), (usize, Message)> {
    let Some(values) = values.downcast_mut::<Vec<T>>() else {
        return Ok(());
    };
    if let Some(value) = T::FLAG {
        values.extend((0..count).map(|_| value()));
        return Ok(());
    }
    let Some(reader) = saving::<C, T>().reader(version) else {
        return Err((0, unknown_version::<C, T>(version)));
    };
    let read = (reader.unpack)(from, count, values);
    read.map_err(|error| (values.len(), error))
}

fn unknown_version<C: HasCore, T: Component<C>>(version: u32) -> Message {
    let (component, present) = (T::NAMES.component, saving::<C, T>().version);
    Message::new(format_args!(
        "it was saved in version {version}, and is of version {present} now: write \
         `#[component(version = {present}, from({version} = ..))]` above `{component}`, with a type \
         that reads version {version}"
    ))
}
