//! Writing deltas by serde, as bytes in every format, and reading them.
//!
//! ```text
//! format, name of the context, feed, number, whether it is everything
//! ids        of all entities that have appeared, or in a column
//! appeared   a list
//! vanished   ids, a list of those that have ended
//! dead       ids
//! columns    count, for each: name of the component, who has it set, who lost it, version, values
//! orders     for each ordered relation of which a value is set, to the end: the number of its column,
//!            and for each set the source before it: index + 1, generation; or 0
//!
//! ids        count, whether all generations are 1, for each: the distance from the index before, the
//!            generation if they are not
//! list       0: none, 1: all, 2: a bit for each of the ids
//! ```
//!
//! What is read is believed to be no more than bytes: whether it is a delta that a feed could have
//! made is checked by the mirror.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error as _, SeqAccess, Visitor};
use serde::ser::{Error as _, Serialize, Serializer};

use crate::api::feed::column::DeltaColumn;
use crate::api::feed::delta::{Delta, FeedKey};
use crate::state::HasCore;
use crate::storage::descriptor::ComponentDescriptor;
use crate::storage::registry::numbering;
use crate::words::component::ComponentIndex;
use crate::words::entity_id::EntityId;
use crate::words::packed::{Message, Packer, Unpacker};
use crate::words::saving::ids::LoadScope;

/// The number of this encoding.
const FORMAT: u64 = 1;

const NONE: u8 = 0;
const ALL: u8 = 1;
const BITS: u8 = 2;

/// Writes the delta as bytes: in formats for people a list of numbers.
///
/// # Errors
///
/// An error names the first component whose type cannot be written: it must be `Serialize` and
/// `DeserializeOwned`, and not `transient`; and it cannot use serde's `tag`, `untagged` or `flatten`.
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
impl<C: HasCore> Serialize for Delta<C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let bytes = write(self).map_err(S::Error::custom)?;
        serializer.serialize_bytes(&bytes)
    }
}

/// Reads a delta of a feed of the same context type, in this program or another one.
///
/// Bytes that are broken are an error here or by [`Mirror::apply`](crate::Mirror::apply), and never a
/// panic. Ids inside components are read as they were written.
impl<'de, C: HasCore> Deserialize<'de> for Delta<C> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_bytes(WireBytes(PhantomData))
    }
}

struct WireBytes<C>(PhantomData<fn() -> C>);

impl<'de, C: HasCore> Visitor<'de> for WireBytes<C> {
    type Value = Delta<C>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a delta of context `{}`, as bytes", C::NAME)
    }

    fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<Delta<C>, E> {
        read(bytes).map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Delta<C>, A::Error> {
        let mut bytes = Vec::new();
        while let Some(byte) = seq.next_element()? {
            bytes.push(byte);
        }
        read(&bytes).map_err(A::Error::custom)
    }
}

fn write<C: HasCore>(delta: &Delta<C>) -> Result<Vec<u8>, String> {
    let mut to = Packer::default();
    to.number(FORMAT);
    to.sized(C::NAME.as_bytes());
    to.number(delta.feed.origin);
    to.number(delta.feed.serial);
    to.number(delta.number);
    to.raw(&[delta.everything.into()]);
    let ids = all_ids(delta);
    write_ids(&ids, &mut to);
    write_list(&ids, &delta.appeared, &mut to);
    let vanished: Vec<_> = delta.vanished().collect();
    let ended = delta.vanished.iter().filter(|(_, ended)| *ended);
    let ended: Vec<_> = ended.map(|&(id, _)| id).collect();
    write_ids(&vanished, &mut to);
    write_list(&vanished, &ended, &mut to);
    write_ids(&delta.dead, &mut to);
    to.number(delta.columns.len() as u64);
    for column in &delta.columns {
        let name = column.descriptor().names.component;
        to.sized(name_of(name, column).as_bytes());
        write_list(&ids, &column.set, &mut to);
        write_list(&ids, &column.removed, &mut to);
        let written = column.pack(&mut to);
        written.map_err(|error| format!("component `{name}` cannot be written: {error}"))?;
    }
    for (number, column) in delta.columns.iter().enumerate() {
        if !column.predecessors.is_empty() {
            to.number(number as u64);
            write_predecessors(&column.predecessors, &mut to);
        }
    }
    Ok(to.into_bytes())
}

/// What a component is called: by its full path if several have its name.
fn name_of<C: HasCore>(name: &'static str, column: &DeltaColumn<C>) -> &'static str {
    let numbering = numbering::<C>();
    let alike = numbering
        .descriptors()
        .into_iter()
        .filter(|it| it.names.component == name);
    match alike.count() {
        1 => name,
        _ => column.descriptor().type_name(),
    }
}

/// The ids of all that have appeared, or are in a column.
fn all_ids<C: HasCore>(delta: &Delta<C>) -> Vec<EntityId<C>> {
    let columns = delta.columns.iter();
    let ids = columns.flat_map(|column| column.set.iter().chain(&column.removed));
    let mut ids: Vec<_> = ids.chain(&delta.appeared).copied().collect();
    ids.sort(); // which finds the runs that there are
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

/// Writes which of the ids are in a list, both being in ascending order.
fn write_list<C>(ids: &[EntityId<C>], list: &[EntityId<C>], to: &mut Packer) {
    if list.is_empty() || list.len() == ids.len() {
        return to.raw(&[if list.is_empty() { NONE } else { ALL }]);
    }
    let mut bits = vec![0_u8; ids.len().div_ceil(8)];
    let mut list = list.iter().peekable();
    for (place, id) in ids.iter().enumerate() {
        if list.next_if_eq(&id).is_some() {
            bits[place / 8] |= 1 << (place % 8);
        }
    }
    to.raw(&[BITS]);
    to.raw(&bits);
}

fn write_predecessors<C>(predecessors: &[Option<EntityId<C>>], to: &mut Packer) {
    for predecessor in predecessors {
        match predecessor {
            Some(id) => {
                to.number(u64::from(id.index()) + 1);
                to.number(id.generation().into());
            }
            None => to.number(0),
        }
    }
}

fn read<C: HasCore>(bytes: &[u8]) -> Result<Delta<C>, String> {
    let broken = |error: Message| format!("the delta is broken: {error}");
    let from = &mut Unpacker::new(bytes);
    let format = from.number().map_err(broken)?;
    if format != FORMAT {
        return Err(format!(
            "the delta is of format {format}, and this program reads {FORMAT}"
        ));
    }
    let name = from.text().map_err(broken)?;
    if name != C::NAME {
        return Err(format!(
            "the delta is of context `{name}`, not of `{}`",
            C::NAME
        ));
    }
    let mut delta = read_head(from).map_err(broken)?;
    let ids = read_ids(from).map_err(broken)?;
    delta.appeared = read_list(&ids, from).map_err(broken)?;
    delta.vanished = read_vanished(from).map_err(broken)?;
    delta.dead = read_ids(from).map_err(broken)?;
    let _scope = LoadScope::plain(); // ids inside components are read as they are
    for _ in 0..from.count().map_err(broken)? {
        let column = read_column(&ids, from)?;
        let mut known = delta
            .columns
            .iter()
            .map(|known| known.descriptor().type_name());
        if known.any(|known| known == column.descriptor().type_name()) {
            let name = column.descriptor().names.component;
            return Err(format!(
                "the delta is broken: component `{name}` is there twice"
            ));
        }
        delta.columns.push(column);
    }
    while from.left() > 0 {
        read_order(&mut delta, from).map_err(broken)?;
    }
    Ok(delta)
}

fn read_head<C: HasCore>(from: &mut Unpacker<'_>) -> Result<Delta<C>, Message> {
    let feed = FeedKey {
        origin: from.number()?,
        serial: from.number()?,
    };
    Ok(Delta {
        feed,
        number: from.number()?,
        everything: *from.raw(1)? != [0],
        appeared: Vec::new(),
        vanished: Vec::new(),
        dead: Vec::new(),
        columns: Vec::new(),
    })
}

fn read_u32(from: &mut Unpacker<'_>) -> Result<u32, Message> {
    let number = u32::try_from(from.number()?);
    number.map_err(|_| Message::new("a number is too large"))
}

fn read_ids<C>(from: &mut Unpacker<'_>) -> Result<Vec<EntityId<C>>, Message> {
    let (count, mut before) = (from.count()?, 0_u32);
    let all_first = *from.raw(1)? != [0];
    let ids = (0..count).map(|_| {
        let index = before.checked_add(read_u32(from)?);
        before = index.ok_or_else(|| Message::new("an index is too large"))?;
        let generation = if all_first { 1 } else { read_u32(from)? };
        let id = EntityId::try_new(before, generation);
        id.ok_or_else(|| Message::new("a generation is none"))
    });
    ids.collect()
}

fn read_list<C>(ids: &[EntityId<C>], from: &mut Unpacker<'_>) -> Result<Vec<EntityId<C>>, Message> {
    match *from.raw(1)? {
        [NONE] => Ok(Vec::new()),
        [ALL] => Ok(ids.to_vec()),
        [BITS] => {
            let bits = from.raw(ids.len().div_ceil(8))?;
            let is_in = |place: usize| bits[place / 8] >> (place % 8) & 1 != 0;
            let listed = ids.iter().enumerate().filter(|(place, _)| is_in(*place));
            Ok(listed.map(|(_, id)| *id).collect())
        }
        _ => Err(Message::new("it does not say how entities are listed")),
    }
}

/// Reads who stands before each of the sources of a relation.
fn read_order<C: HasCore>(delta: &mut Delta<C>, from: &mut Unpacker<'_>) -> Result<(), Message> {
    let number = usize::try_from(from.number()?).ok();
    let column = number.and_then(|number| delta.columns.get_mut(number));
    let column = column.filter(|column| column.predecessors.is_empty());
    let column = column.ok_or_else(|| Message::new("an order is of no column"))?;
    let predecessors = column.set.iter().map(|_| {
        let Some(index) = read_u32(from)?.checked_sub(1) else {
            return Ok(None);
        };
        let id = EntityId::try_new(index, read_u32(from)?);
        id.map(Some)
            .ok_or_else(|| Message::new("a generation is none"))
    });
    column.predecessors = predecessors.collect::<Result<_, _>>()?;
    Ok(())
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
    ids: &[EntityId<C>],
    from: &mut Unpacker<'_>,
) -> Result<DeltaColumn<C>, String> {
    let broken = |error: Message| format!("the delta is broken: {error}");
    let name = from.text().map_err(broken)?;
    let (component, descriptor) = find::<C>(name).ok_or_else(|| {
        format!(
            "component `{name}` of the delta is none of context `{}`",
            C::NAME
        )
    })?;
    if !descriptor.is_clone {
        return Err(format!(
            "component `{name}` of the delta is not `Clone` here"
        ));
    }
    let mut column = DeltaColumn::new(component, descriptor);
    let set = read_list(ids, from).map_err(broken)?;
    let removed = read_list(ids, from).map_err(broken)?;
    let read = column.unpack(from, set, removed);
    read.map_err(|error| format!("component `{name}` cannot be read: {error}"))?;
    Ok(column)
}

/// The component with a name, or a full path.
fn find<C: HasCore>(name: &str) -> Option<(ComponentIndex, &'static ComponentDescriptor)> {
    let mut descriptors = numbering::<C>().descriptors().into_iter().enumerate();
    let found = descriptors.find(|(_, it)| it.names.component == name || it.type_name() == name);
    found.map(|(index, descriptor)| (ComponentIndex::new(index), descriptor))
}
