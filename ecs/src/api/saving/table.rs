//! What is done with the values of one component when a context is saved or loaded, as functions that
//! know its type.

use alloc::vec::Vec;
use core::any::Any;

use crate::api::saving::flag;
use crate::state::{Core, HasCore, check_loaded};
use crate::storage::descriptor::AnyValue;
use crate::storage::slots::Row;
use crate::storage::value_list::ValueList;
use crate::words::component::{Component, ComponentNames};
use crate::words::entity_id::EntityId;
use crate::words::error::Error;
use crate::words::packed::{Message, Packer, Unpacker};
use crate::words::saving::Saving;
use crate::words::source::Source;

/// Hands a value to a format.
type Erase = fn(&dyn Any) -> Option<&dyn erased_serde::Serialize>;

/// Refuses values for entities.
type Check<C> = fn(&mut Core<C>, &[EntityId<C>], &ValueList) -> Result<(), Error>;

/// Appends the values of some rows to a column.
type Pack<C> = fn(&Core<C>, &[Row], &mut Packer) -> Result<(), Message>;

/// Reads a value of a version, and adds it to a list.
type Read = fn(&mut ValueList, u32, &mut dyn Source) -> Result<(), Message>;

/// Reads so many values of a version, and adds them to a list; or returns which is wrong.
type Unpack = fn(&mut ValueList, u32, &mut Unpacker<'_>, usize) -> Result<(), (usize, Message)>;

/// The functions of a component of context `C`.
pub(crate) struct SavingTable<C: 'static> {
    /// Whether it is left out of saves.
    pub(crate) is_transient: bool,
    /// Whether values can be written and read.
    pub(crate) is_possible: bool,
    pub(crate) version: u32,
    /// Whether there is one value, which is not written.
    pub(crate) is_flag: bool,
    pub(crate) aliases: &'static [&'static str],
    /// Refuses values if entities cannot have them all at once.
    pub(crate) check: Check<C>,
    pub(crate) erase: Erase,
    pub(crate) pack: Pack<C>,
    /// Appends a value of a template.
    pub(crate) pack_one: fn(&AnyValue, &mut Packer) -> Result<(), Message>,
    pub(crate) read: Read,
    pub(crate) unpack: Unpack,
}

impl<C: HasCore> SavingTable<C> {
    pub(crate) const fn of<T: Component<C>>() -> Self {
        Self {
            is_transient: saving::<C, T>().transient,
            is_possible: T::FLAG.is_some() || saving::<C, T>().codec.is_some(),
            version: saving::<C, T>().version,
            is_flag: T::FLAG.is_some(),
            aliases: saving::<C, T>().aliases,
            check: check_loaded::<C, T>,
            erase: erase::<C, T>,
            pack: pack::<C, T>,
            pack_one: pack_one::<C, T>,
            read: read::<C, T>,
            unpack: unpack::<C, T>,
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

/// Whether there are functions of the type that write and read values.
const fn has_codec<C, T: Component<C>>() -> bool {
    T::FLAG.is_none() && saving::<C, T>().codec.is_some()
}

fn erase<C: HasCore, T: Component<C>>(value: &dyn Any) -> Option<&dyn erased_serde::Serialize> {
    if const { T::FLAG.is_some() } {
        return Some(&flag::Written);
    }
    let codec = saving::<C, T>().codec.as_ref()?;
    value.downcast_ref().map(codec.erase)
}

/// How many values are handed to their type at once.
const SOME: usize = 256;

fn pack<C: HasCore, T: Component<C>>(
    core: &Core<C>,
    rows: &[Row],
    to: &mut Packer,
) -> Result<(), Message> {
    if const { !has_codec::<C, T>() } {
        return Ok(()); // a flag has nothing to be written
    }
    let (Some(codec), Some(column)) = (&saving::<C, T>().codec, core.columns.of::<T>()) else {
        return Ok(());
    };
    to.reserve(rows.len() * size_of::<T>()); // seldom more
    let mut values: Vec<&T> = Vec::with_capacity(SOME);
    for rows in rows.chunks(SOME) {
        values.clear();
        values.extend(rows.iter().filter_map(|&row| column.get(row)));
        (codec.pack)(&values, to)?;
    }
    Ok(())
}

fn pack_one<C: HasCore, T: Component<C>>(value: &AnyValue, to: &mut Packer) -> Result<(), Message> {
    if const { !has_codec::<C, T>() } {
        return Ok(());
    }
    match (&saving::<C, T>().codec, value.downcast_ref()) {
        (Some(codec), Some(value)) => (codec.pack)(&[value], to),
        _ => Ok(()),
    }
}

fn read<C: HasCore, T: Component<C>>(
    values: &mut ValueList,
    version: u32,
    from: &mut dyn Source,
) -> Result<(), Message> {
    if let Some(value) = T::FLAG {
        flag::read(from)?;
        values.push_value(value());
        return Ok(());
    }
    let Some(reader) = saving::<C, T>().reader(version) else {
        return Err(unknown_version(T::NAMES, saving::<C, T>().version, version));
    };
    values.push_value((reader.read)(from)?);
    Ok(())
}

fn unpack<C: HasCore, T: Component<C>>(
    list: &mut ValueList,
    version: u32,
    from: &mut Unpacker<'_>,
    count: usize,
) -> Result<(), (usize, Message)> {
    if let Some(value) = T::FLAG {
        for _ in 0..count {
            list.push_value(value());
        }
        return Ok(());
    }
    let Some(reader) = saving::<C, T>().reader(version) else {
        let unknown = unknown_version(T::NAMES, saving::<C, T>().version, version);
        return Err((0, unknown));
    };
    let mut values = Vec::new();
    match (reader.unpack)(from, count, &mut values) {
        Ok(()) => list.append(values),
        Err(error) => return Err((values.len(), error)),
    }
    Ok(())
}

fn unknown_version(names: &ComponentNames, present: u32, version: u32) -> Message {
    let component = names.component;
    Message::new(format_args!(
        "it was saved in version {version}, and is of version {present} now: write \
         `#[component(version = {present}, from({version} = ..))]` above `{component}`, with a type \
         that reads version {version}"
    ))
}
