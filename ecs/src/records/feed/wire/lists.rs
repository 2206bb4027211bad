//! Ids, and lists of some of them, in deltas.
//!
//! ```text
//! ids   for each: the distance from the index before, the generation unless all are 1
//! list  the positions of some of the ids, like owners in a save (`save/places.rs`)
//! ```

use alloc::vec::Vec;

use crate::formats::packed::{Message, Packer, Unpacker};
use crate::records::feed::delta::Delta;
use crate::records::save::places::{ALL, read_places, write_places};
use crate::state::HasCore;
use crate::words::entity_id::EntityId;

/// The ids that have appeared or are in a column of a delta, ascending.
pub(super) fn all_ids<C: HasCore>(delta: &Delta<C>) -> Vec<EntityId<C>> {
    let columns = delta.columns.iter();
    let lists = columns.flat_map(|column| [&column.set.owners, &column.removed]);
    let lists = lists.chain([&delta.appeared]);
    let mut ids = Vec::with_capacity(lists.clone().map(Vec::len).sum());
    lists.for_each(|list| ids.extend_from_slice(list));
    ids.sort(); // finds presorted runs
    ids.dedup();
    ids
}

/// Writes the number of ids, whether all are the first of their slots, and the ids, ascending.
pub(super) fn write_ids<C>(ids: &[EntityId<C>], to: &mut Packer) {
    to.number((ids.len() as u64) << 1 | u64::from(are_first(ids)));
    write_each(ids, to);
}

/// Reads what [`write_ids`] writes.
pub(super) fn read_ids<C>(from: &mut Unpacker<'_>) -> Result<Vec<EntityId<C>>, Message> {
    let head = from.number()?;
    read_each((head >> 1, head & 1 != 0), from)
}

/// Whether all ids have generation 1.
pub(super) fn are_first<C>(ids: &[EntityId<C>]) -> bool {
    ids.iter().all(|id| id.generation() == 1)
}

/// Writes ids, ascending.
pub(super) fn write_each<C>(ids: &[EntityId<C>], to: &mut Packer) {
    let (are_first, mut before) = (are_first(ids), 0);
    for id in ids {
        to.number((id.index() - before).into());
        before = id.index();
        if !are_first {
            to.number(id.generation().into());
        }
    }
}

/// Reads so many ids; `are_first` if all have generation 1.
pub(super) fn read_each<C>(
    (count, are_first): (u64, bool),
    from: &mut Unpacker<'_>,
) -> Result<Vec<EntityId<C>>, Message> {
    if count > from.left() as u64 {
        return Err(Message::new("the data ends too early")); // each takes at least one byte
    }
    let mut before = 0_u32;
    let ids = (0..count).map(|_| {
        let index = before.checked_add(from.index()?);
        before = index.ok_or_else(|| Message::new("an index is too large"))?;
        let generation = if are_first { 1 } else { from.index()? };
        let id = EntityId::try_new(before, generation);
        id.ok_or_else(|| Message::new("a generation is invalid"))
    });
    ids.collect()
}

/// Writes which of the ids are in a list; both are ascending.
pub(super) fn write_list<C>(ids: &[EntityId<C>], list: &[EntityId<C>], to: &mut Packer) {
    if list.len() == ids.len() {
        return to.raw(&[ALL]);
    }
    let (mut places, mut rest) = (Vec::with_capacity(list.len()), (0..).zip(ids));
    let found = list.iter().filter_map(|id| rest.find(|(_, it)| *it == id));
    places.extend(found.map(|(place, _)| place));
    write_places(&places, ids.len(), to);
}

/// Reads which of the ids are in a list.
pub(super) fn read_list<C>(
    ids: &[EntityId<C>],
    from: &mut Unpacker<'_>,
) -> Result<Vec<EntityId<C>>, Message> {
    Ok(read_places(ids.len(), from)?.of(ids).into_owned())
}

/// Writes the entities that vanished, and which of them were destroyed.
pub(super) fn write_vanished<C>(vanished: &[(EntityId<C>, bool)], to: &mut Packer) {
    let ids: Vec<_> = vanished.iter().map(|&(id, _)| id).collect();
    let ended = vanished.iter().filter(|(_, ended)| *ended);
    let ended: Vec<_> = ended.map(|&(id, _)| id).collect();
    write_ids(&ids, to);
    write_list(&ids, &ended, to);
}

/// Reads what [`write_vanished`] writes.
pub(super) fn read_vanished<C>(
    from: &mut Unpacker<'_>,
) -> Result<Vec<(EntityId<C>, bool)>, Message> {
    let ids = read_ids(from)?;
    let ended = read_list(&ids, from)?;
    let vanished = ids.into_iter();
    Ok(vanished
        .map(|id| (id, ended.binary_search(&id).is_ok()))
        .collect())
}
