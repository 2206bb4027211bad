//! Serializing deltas with serde, as bytes in every format.
//!
//! ```text
//! format, name of the context, feed, number, whether it is everything
//! ids        of all entities that have appeared, or are in a column
//! appeared   a list
//! vanished   ids, a list of those that were destroyed
//! dead       ids
//! columns    count, for each: name of the component, lists of set and removed, version, values, and
//!            for an ordered relation the predecessor of each entity in `set`
//!
//! ids        count, whether all generations are 1, for each: the distance from the index before,
//!            the generation unless all are 1
//! list       the positions of some of the ids, like owners in a save (`save/places.rs`)
//! ```
//!
//! Reading does not trust the bytes, but does not check whether a feed could have made the delta;
//! the mirror does.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::de::{Deserialize, Deserializer};
use serde::ser::{Error as _, Serialize, Serializer};

use super::column::DeltaColumn;
use super::delta::{Delta, FeedKey};
use crate::formats::packed::{Message, Packer, Unpacker};
use crate::records::bytes::{FORMAT, check_context, check_format, read_bytes};
use crate::records::save::names::{Named, Names};
use crate::records::save::places::{ALL, read_places, write_places};
use crate::state::HasCore;
use crate::words::entity_id::EntityId;
use crate::words::saving::ids::LoadScope;

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
    let mut to = Packer::default();
    to.number(FORMAT);
    to.sized(C::NAME.as_bytes());
    let key = (delta.feed.origin, delta.feed.serial);
    (key, delta.number, delta.everything).serialize(&mut to)?;
    let ids = all_ids(delta);
    write_ids(&ids, &mut to);
    write_list(&ids, &delta.appeared, &mut to);
    let vanished: Vec<_> = delta.vanished().collect();
    let ended = delta.vanished.iter().filter(|(_, ended)| *ended);
    let ended: Vec<_> = ended.map(|&(id, _)| id).collect();
    write_ids(&vanished, &mut to);
    write_list(&vanished, &ended, &mut to);
    delta.dead.serialize(&mut to)?;
    let names = Names::<C>::new();
    to.number(delta.columns.len() as u64);
    for column in &delta.columns {
        let name = column.descriptor().names.component;
        to.sized(names.plain_name_of(column.component()).as_bytes());
        write_list(&ids, &column.set.owners, &mut to);
        write_list(&ids, &column.removed, &mut to);
        let written = column.pack(&mut to);
        written.map_err(|error| format!("component `{name}` cannot be written: {error}"))?;
    }
    Ok(to.into_bytes())
}

/// The ids that have appeared or are in a column.
fn all_ids<C: HasCore>(delta: &Delta<C>) -> Vec<EntityId<C>> {
    let columns = delta.columns.iter();
    let ids = columns.flat_map(|column| column.set.owners.iter().chain(&column.removed));
    let mut ids: Vec<_> = ids.chain(&delta.appeared).copied().collect();
    ids.sort(); // finds presorted runs
    ids.dedup();
    ids
}

fn write_ids<C>(ids: &[EntityId<C>], to: &mut Packer) {
    let all_first = ids.iter().all(|id| id.generation() == 1);
    to.number(ids.len() as u64);
    to.raw(&[all_first.into()]);
    let mut before = 0;
    for id in ids {
        to.number((id.index() - before).into());
        before = id.index();
        if !all_first {
            to.number(id.generation().into());
        }
    }
}

/// Writes which of the ids are in a list; both are ascending.
fn write_list<C>(ids: &[EntityId<C>], list: &[EntityId<C>], to: &mut Packer) {
    if list.len() == ids.len() {
        return to.raw(&[ALL]);
    }
    let (mut places, mut rest) = (Vec::with_capacity(list.len()), (0..).zip(ids));
    let found = list.iter().filter_map(|id| rest.find(|(_, it)| *it == id));
    places.extend(found.map(|(place, _)| place));
    write_places(&places, ids.len(), to);
}

fn read<C: HasCore>(from: &mut Unpacker<'_>) -> Result<Delta<C>, String> {
    check_format("delta", from.number()?)?;
    check_context::<C>("delta", from.text()?)?;
    let _scope = LoadScope::plain(); // ids are not mapped
    let ((origin, serial), number, everything) = Deserialize::deserialize(&mut *from)?;
    let ids = read_ids(from)?;
    let mut delta = Delta {
        feed: FeedKey { origin, serial },
        number,
        everything,
        appeared: read_list(&ids, from)?,
        vanished: read_vanished(from)?,
        dead: Vec::deserialize(&mut *from)?,
        columns: Vec::new(),
    };
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

fn read_ids<C>(from: &mut Unpacker<'_>) -> Result<Vec<EntityId<C>>, Message> {
    let (count, mut before) = (from.count()?, 0_u32);
    let all_first = *from.raw(1)? != [0];
    let ids = (0..count).map(|_| {
        let index = before.checked_add(from.index()?);
        before = index.ok_or_else(|| Message::new("an index is too large"))?;
        let generation = if all_first { 1 } else { from.index()? };
        let id = EntityId::try_new(before, generation);
        id.ok_or_else(|| Message::new("a generation is invalid"))
    });
    ids.collect()
}

fn read_list<C>(ids: &[EntityId<C>], from: &mut Unpacker<'_>) -> Result<Vec<EntityId<C>>, Message> {
    Ok(read_places(ids.len(), from)?.of(ids).into_owned())
}

fn read_vanished<C>(from: &mut Unpacker<'_>) -> Result<Vec<(EntityId<C>, bool)>, Message> {
    let ids = read_ids(from)?;
    let ended = read_list(&ids, from)?;
    let vanished = ids.into_iter();
    Ok(vanished
        .map(|id| (id, ended.binary_search(&id).is_ok()))
        .collect())
}

fn read_column<C: HasCore>(
    names: &Names<C>,
    ids: &[EntityId<C>],
    from: &mut Unpacker<'_>,
) -> Result<DeltaColumn<C>, String> {
    let name = from.text()?;
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
    let mut column = DeltaColumn::new(index, descriptor);
    column.set.owners = read_list(ids, from)?;
    column.removed = read_list(ids, from)?;
    let read = column.unpack(from);
    read.map_err(|error| format!("component `{name}` cannot be read: {error}"))?;
    Ok(column)
}
