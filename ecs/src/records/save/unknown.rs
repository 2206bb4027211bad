//! Components of a save that the program does not have: what [`Loader::keep_unknown`](super::Loader::keep_unknown)
//! keeps in the context, and saves write again.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use super::layout::{SaveLayout, SourcesOf};
use super::places::{OwnerPlaces, write_owners};
use crate::formats::packed::{Message, Packer};
use crate::formats::source::Tree;
use crate::state::HasCore;
use crate::words::entity_id::{EntityId, RawEntityId, UntypedId};
use crate::world::{Unknown, UnknownColumn};

impl Unknown {
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
        self.columns.push(UnknownColumn {
            name: name.to_string(),
            owners,
            bytes: bytes.to_vec(),
        });
    }
}

impl<'a, C: HasCore> SaveLayout<'a, C> {
    fn unknown(&self) -> Option<&'a Unknown> {
        self.core.world.unknown.as_deref()
    }

    /// Returns an error if unknown components of saved entities were read from a format of the other kind, or
    /// as a column of which a part would be written.
    pub(super) fn check_unknown(&self, is_text: bool) -> Result<(), String> {
        let Some(unknown) = self.unknown() else {
            return Ok(());
        };
        let mut columns = unknown.columns.iter().filter_map(|column| {
            let mut owners = column.owners.iter().flatten();
            owners.find(|&&id| self.saves_raw(id))?;
            let name = column.name.split_once('\0');
            Some(name.map_or(&*column.name, |(name, _)| name))
        });
        let values = unknown.values.iter().filter(|&(&id, _)| self.saves_raw(id));
        let mut values = values
            .flat_map(|(_, values)| values)
            .map(|(name, _)| &**name);
        let (name, why) = match (columns.next(), values.next()) {
            (Some(name), _) if is_text => (
                name,
                "a binary format, and can be written in such a format only",
            ),
            (_, Some(name)) if !is_text => (
                name,
                "a text format, and can be written in such a format only",
            ),
            (Some(name), _) if self.part.is_some() => (
                name,
                "a binary format, where its values are not divided, so no part can have them",
            ),
            _ => return Ok(()),
        };
        Err(format!(
            "the unknown component `{name}` was read from {why}; `Loader::skip_unknown` loads a save without it"
        ))
    }

    fn saves_raw(&self, id: RawEntityId) -> bool {
        let id = EntityId::try_new(id.index(), id.generation());
        id.is_some_and(|id: UntypedId| self.saves_entity(id))
    }

    /// The unknown components of an entity in a text format.
    pub(super) fn unknown_values(&self, id: UntypedId) -> &'a [(String, Tree)] {
        let values = self
            .unknown()
            .and_then(|unknown| unknown.values.get(&id.raw()));
        values.map_or(&[], Vec::as_slice)
    }

    /// The unknown columns of which one of the saved entities has a value, with the positions of the owners
    /// among these entities.
    pub(super) fn unknown_columns(&self) -> Vec<(&'a UnknownColumn, Vec<Option<u32>>)> {
        let Some(unknown) = self.unknown() else {
            return Vec::new();
        };
        let entities: Vec<_> = self.entities().map(|(id, _)| id.raw()).collect();
        let columns = unknown.columns.iter().map(|column| {
            let place = |id: &Option<RawEntityId>| {
                let at = entities.binary_search(id.as_ref()?).ok()?;
                u32::try_from(at).ok()
            };
            (column, column.owners.iter().map(place).collect())
        });
        let is_owned = |(_, places): &(_, Vec<Option<u32>>)| places.iter().any(Option::is_some);
        columns.filter(is_owned).collect()
    }

    /// The orders of unknown relations, with the targets and sources that are saved.
    pub(super) fn unknown_orders(&self) -> impl Iterator<Item = (String, Vec<SourcesOf<'a>>)> {
        let orders = self
            .unknown()
            .into_iter()
            .flat_map(|unknown| &unknown.orders);
        orders.map(|(relation, of_targets)| {
            let targets = of_targets
                .iter()
                .filter(|(target, _)| self.saves_entity(*target));
            let of_targets = targets.map(|(target, sources)| {
                let sources = sources.iter().copied().filter(|&id| self.saves_entity(id));
                (*target, Cow::Owned(sources.collect()))
            });
            (relation.clone(), of_targets.collect())
        })
    }

    /// What systems have seen of unknown states, unless a part is saved.
    pub(super) fn unknown_states(&self) -> Option<&'a Unknown> {
        self.unknown().filter(|_| self.part.is_none())
    }
}

/// Writes a column in a save of `entities` entities, with the positions of its owners.
pub(super) fn write_unknown(
    (column, places): (&UnknownColumn, &[Option<u32>]),
    entities: usize,
    to: &mut Packer,
) -> Result<(), Message> {
    to.sized(column.name.as_bytes());
    write_owners(places, entities, to);
    to.part(|to| {
        to.raw(&column.bytes);
        Ok(())
    })
}
