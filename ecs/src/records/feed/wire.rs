//! Serializing deltas with serde, as bytes in every format.
//!
//! A delta that is everything has the names of its components. One that has only changes has their
//! places in that list, and is read by a mirror (`wire/changes.rs`).
//!
//! ```text
//! format 4, name of the context, feed, number
//! ids        of all entities that have appeared, or are in a column
//! appeared   a list
//! dead       ids
//! columns    count, for each: name of the component and, behind zeros, its fields and steps; its version;
//!            the list of set; values, and for an ordered relation the predecessor of each entity in
//!            `set`; the cells of the values, if deltas divide them
//! ```
//!
//! Reading does not trust the bytes, but does not check whether a feed could have made the delta;
//! the mirror does.

mod cells;
mod changes;
mod lists;

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::de::{Deserialize, Deserializer};
use serde::ser::{Error as _, Serialize, Serializer};

#[cfg(feature = "__checks")]
pub(crate) use self::changes::forge;
pub(crate) use self::changes::{Known, read as read_changes};
use self::lists::{all_ids, read_ids, read_list, write_ids, write_list};
use super::column::DeltaColumn;
use super::delta::{Delta, FeedKey};
use super::packed::{self, Packed};
use crate::formats::packed::{Message, Packer, Unpacker};
use crate::records::bytes::{check_context, check_fields, join_fields, read_bytes};
use crate::records::save::names::{Named, Names};
use crate::state::HasCore;
use crate::storage::descriptor::saving::SavingTable;
use crate::words::entity_id::EntityId;
use crate::words::saving::ids::LoadScope;

/// The format of a delta that is everything, its first byte.
const EVERYTHING: u8 = 4;

/// Writes the delta as bytes; in human-readable formats, as a list of numbers.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let (mut server, mut client) = (Game::new(), Game::new());
/// let (feed, mut mirror) = (server.feed::<Health>(), ecs::Mirror::new());
/// server.create_with(Health(3));
/// let bytes = postcard::to_stdvec(&feed.take(&mut server)).unwrap();
/// let delta = postcard::from_bytes(&bytes).unwrap();
/// mirror.apply(&mut client, &delta).unwrap();
/// assert_eq!(client.len(), 1);
/// ```
///
/// # Errors
///
/// Returns an error with the name of the first component whose type cannot be written: it must be
/// `Serialize` and `DeserializeOwned`, must not be `transient`, and must not use serde's `tag`,
/// `untagged` or `flatten`.
impl<C: HasCore> Serialize for Delta<C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let bytes = write(self).map_err(S::Error::custom)?;
        serializer.serialize_bytes(&bytes)
    }
}

/// Reads a delta of a feed of the same context type, from this program or another one.
///
/// Malformed bytes cause an error, here or in [`Mirror::apply`](crate::Mirror::apply), and never a
/// panic. Ids inside components are read as written.
impl<'de, C: HasCore> Deserialize<'de> for Delta<C> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_bytes(["delta", C::NAME], deserializer, read)
    }
}

fn write<C: HasCore>(delta: &Delta<C>) -> Result<Vec<u8>, String> {
    match &delta.packed {
        Some(packed) => Ok(packed.to_bytes()),
        None if delta.everything => write_everything(delta),
        None => changes::write(delta).map(|packed| packed.to_bytes()),
    }
}

fn write_everything<C: HasCore>(delta: &Delta<C>) -> Result<Vec<u8>, String> {
    let mut to = Packer::default();
    to.raw(&[EVERYTHING]);
    to.sized(C::NAME.as_bytes());
    to.number(delta.feed.origin);
    to.number(delta.feed.serial);
    to.number(delta.number);
    let ids = all_ids(delta);
    write_ids(&ids, &mut to);
    write_list(&ids, &delta.appeared, &mut to);
    write_ids(&delta.dead, &mut to);
    let names = Names::<C>::new();
    to.number(delta.columns.len() as u64);
    for column in &delta.columns {
        let saving = &column.descriptor().saving;
        let name = names.plain_name_of(column.component()).into();
        let name = match &saving.cells {
            Some(cells) => format!("{name}\0{}\0{}", saving.fields, cells.text),
            None => join_fields(name, saving.fields),
        };
        to.sized(name.as_bytes());
        to.number(saving.version.into());
        write_list(&ids, &column.set.owners, &mut to);
        column.pack(true, &mut to)?;
        if saving.cells.is_some() {
            cells::write_images(column, &mut to)?;
        }
    }
    Ok(to.into_bytes())
}

fn read<C: HasCore>(from: &mut Unpacker<'_>) -> Result<Delta<C>, String> {
    let head = from.raw(1)?[0];
    match head {
        EVERYTHING => read_everything(from),
        head if Packed::is_format(head) => {
            let mut delta = Delta::empty(FeedKey::default(), 0);
            delta.packed = Some(Packed::from_bytes(head, from)?);
            Ok(delta)
        }
        head => Err(other_format(head)),
    }
}

fn other_format(head: u8) -> String {
    let format = if head & 7 == 3 { 3 } else { head }; // the rest of that format had a number
    let age = if format < EVERYTHING {
        "an older"
    } else {
        "a newer"
    };
    format!(
        "the delta has format {format}, and this program reads formats {EVERYTHING} and {}: it was written \
         with {age} version of `ecs`; build both programs with the same version",
        packed::FORMAT
    )
}

fn read_everything<C: HasCore>(from: &mut Unpacker<'_>) -> Result<Delta<C>, String> {
    check_context::<C>("delta", from.text()?)?;
    let _scope = LoadScope::plain(); // ids are not mapped
    let (origin, serial) = (from.number()?, from.number()?);
    let mut delta = Delta::empty(FeedKey { origin, serial }, from.number()?);
    delta.everything = true;
    let ids = read_ids(from)?;
    delta.appeared = read_list(&ids, from)?;
    delta.dead = read_ids(from)?;
    let names = Names::new();
    for _ in 0..from.count()? {
        let column = read_column(&names, &ids, from)?;
        let mut known = delta.columns.iter();
        if known.any(|known| known.component() == column.component()) {
            let name = column.descriptor().names.component;
            return Err(Message::new(format_args!("component `{name}` appears twice")).into());
        }
        delta.columns.push(column);
    }
    Ok(delta)
}

fn read_column<C: HasCore>(
    names: &Names<C>,
    ids: &[EntityId<C>],
    from: &mut Unpacker<'_>,
) -> Result<DeltaColumn<C>, String> {
    let name = from.text()?;
    let mut parts = name.splitn(3, '\0');
    let mut part = || parts.next().unwrap_or_default();
    let (name, fields, steps) = (part(), part(), part());
    let version = from.index()?;
    let (Named { index, descriptor }, _) = names.look_for(name).ok_or_else(|| {
        format!(
            "component `{name}` of the delta is not a component of context `{}`",
            C::NAME
        )
    })?;
    if !descriptor.is_clone {
        return Err(format!(
            "component `{name}` of the delta is not `Clone` here"
        ));
    }
    check_fields(("sent", name), &descriptor.saving, version, fields)?;
    check_steps(name, &descriptor.saving, steps)?;
    let mut column = DeltaColumn::new(index, descriptor);
    column.version = version;
    column.set.owners = read_list(ids, from)?;
    column.unpack(version, true, from)?;
    if let Some(table) = &descriptor.saving.cells {
        let read = cells::read_images(&mut column, table, from);
        read.map_err(|error| format!("component `{name}` cannot be read: {error}"))?;
    }
    Ok(column)
}

/// Rejects values of which later deltas are divided in another way.
fn check_steps(name: &str, saving: &SavingTable, sent: &str) -> Result<(), String> {
    let own = saving.cells.as_ref().map_or("", |cells| cells.text);
    match own == sent {
        true => Ok(()),
        false => Err(format!(
            "component `{name}` is sent with {} and has {} here: write the same `delta` attributes in both programs",
            steps_of(sent),
            steps_of(own),
        )),
    }
}

fn steps_of(text: &str) -> String {
    match text {
        "" => "no `delta`".into(),
        text => format!("`delta` and the steps `{text}`"),
    }
}
