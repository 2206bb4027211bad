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
    /// How values are written and read.
    pub(crate) values: SavedValues<C>,
}

/// The functions that write and read values.
pub(crate) struct SavedValues<C: 'static> {
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
            values: SavedValues::of::<T>(),
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

impl<C: HasCore> SavedValues<C> {
    /// Of a type that is none to be saved. There is no code for each of them.
    const NONE: Self = Self {
        erase: |_| None,
        pack: |_, _, _| Ok(()),
        pack_one: |_, _| Ok(()),
        read: |_, _, _| Err(not_read()),
        unpack: |_, _, _, _| Err((0, not_read())),
    };

    const fn of<T: Component<C>>() -> Self {
        if T::FLAG.is_some() {
            return Self {
                erase: erase_flag,
                read: read_flag::<C, T>,
                unpack: unpack_flags::<C, T>,
                ..Self::NONE // nothing is written
            };
        }
        if saving::<C, T>().codec.is_none() {
            return Self::NONE;
        }
        Self {
            erase: erase::<C, T>,
            pack: pack::<C, T>,
            pack_one: pack_one::<C, T>,
            read: read::<C, T>,
            unpack: unpack::<C, T>,
        }
    }
}

fn erase<C: HasCore, T: Component<C>>(value: &dyn Any) -> Option<&dyn erased_serde::Serialize> {
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

fn erase_flag(_: &dyn Any) -> Option<&dyn erased_serde::Serialize> {
    Some(&flag::Written)
}

fn read_flag<C: HasCore, T: Component<C>>(
    values: &mut ValueList,
    _: u32,
    from: &mut dyn Source,
) -> Result<(), Message> {
    flag::read(from)?;
    if let Some(value) = T::FLAG {
        values.push_value(value());
    }
    Ok(())
}

fn unpack_flags<C: HasCore, T: Component<C>>(
    list: &mut ValueList,
    _: u32,
    _: &mut Unpacker<'_>,
    count: usize,
) -> Result<(), (usize, Message)> {
    let Some(value) = T::FLAG else { return Ok(()) };
    for _ in 0..count {
        list.push_value(value());
    }
    Ok(())
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
