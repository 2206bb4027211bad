//! Components of a save that the program does not have, kept by a [`Loader`](super::Loader) to be
//! written again.
//!
//! Ids inside of their values cannot be found. So they are kept by a load, which keeps ids, and not by a
//! merge, and not written in parts. A column of a binary format cannot be divided into values. So it is
//! kept and written whole, with a mark at each value whose entity does not exist any more.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use super::places::{OwnerPlaces, write_owners};
use crate::formats::packed::{Message, Packer};
use crate::formats::source::Tree;
use crate::words::entity_id::{RawEntityId, UntypedId};

/// The unknown components of a save.
pub(super) struct Unknown {
    /// The values of binary formats.
    columns: Vec<Column>,
    /// The values of text formats, by entity and name.
    values: BTreeMap<RawEntityId, Vec<(String, Tree)>>,
    /// The orders of sources, by relation and target.
    pub(super) orders: BTreeMap<String, Vec<(UntypedId, Vec<UntypedId>)>>,
    /// What systems have seen of states, in binary formats.
    pub(super) entered: Vec<Vec<u8>>,
}

/// A component in a binary format.
struct Column {
    /// With the fields, as in the file.
    name: String,
    /// For each value, unless the entity did not exist any more when it was written.
    owners: Vec<Option<RawEntityId>>,
    bytes: Vec<u8>,
}

impl Unknown {
    pub(super) const fn new() -> Self {
        Self {
            columns: Vec::new(),
            values: BTreeMap::new(),
            orders: BTreeMap::new(),
            entered: Vec::new(),
        }
    }

    /// Adds a value of a text format.
    pub(super) fn add_value(&mut self, id: RawEntityId, name: &str, value: Tree) {
        let values = self.values.entry(id).or_default();
        values.push((name.to_string(), value));
    }

    /// Adds a column of a binary format.
    pub(super) fn add_column(
        &mut self,
        name: &str,
        (owners, alive): (&OwnerPlaces, Option<&[bool]>),
        (entities, bytes): (&[RawEntityId], &[u8]),
    ) {
        let owners = owners.of(entities);
        let mut ids = owners.iter().copied();
        let owners = match alive {
            None => ids.map(Some).collect(),
            Some(alive) => { alive.iter() }
                .map(|alive| if *alive { ids.next() } else { None })
                .collect(),
        };
        self.columns.push(Column {
            name: name.to_string(),
            owners,
            bytes: bytes.to_vec(),
        });
    }

    /// The components of an entity in a text format.
    pub(super) fn values(&self, id: UntypedId) -> &[(String, Tree)] {
        self.values.get(&id.raw()).map_or(&[], Vec::as_slice)
    }

    /// The columns of a binary format of which one of these entities, which are ascending, has a value.
    pub(super) fn columns(&self, entities: &[RawEntityId]) -> Vec<UnknownColumn<'_>> {
        let columns = self.columns.iter().map(|column| {
            let owners = column.owners.iter();
            let place = |id: &Option<RawEntityId>| {
                let at = entities.binary_search(id.as_ref()?).ok()?;
                u32::try_from(at).ok()
            };
            UnknownColumn(column, owners.map(place).collect())
        });
        let is_owned = |column: &UnknownColumn<'_>| column.1.iter().any(Option::is_some);
        columns.filter(is_owned).collect()
    }

    /// Returns an error if values were read from a format of the other kind.
    pub(super) fn check_kind(&self, is_text: bool) -> Result<(), String> {
        let mut columns = self.columns.iter().map(|column| {
            let name = column.name.split_once('\0');
            name.map_or(&*column.name, |(name, _)| name)
        });
        let mut values = self.values.values().flatten().map(|(name, _)| &**name);
        let (other, kind) = match is_text {
            true => (columns.next(), "a binary"),
            false => (values.next(), "a text"),
        };
        other.map_or(Ok(()), |name| {
            Err(format!(
                "the unknown component `{name}` was read from {kind} format, and can be written in such a \
                 format only"
            ))
        })
    }
}

/// A column to be written, with the positions of the owners that exist.
pub(super) struct UnknownColumn<'a>(&'a Column, Vec<Option<u32>>);

impl UnknownColumn<'_> {
    /// Writes the column in a save of `entities` entities.
    pub(super) fn write(&self, entities: usize, to: &mut Packer) -> Result<(), Message> {
        let Self(column, places) = self;
        to.sized(column.name.as_bytes());
        write_owners(places, entities, to);
        to.part(|to| {
            to.raw(&column.bytes);
            Ok(())
        })
    }
}
