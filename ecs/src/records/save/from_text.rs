//! Reading human-readable formats, written by [`to_text`](super::to_text) or by hand, and not
//! trusted.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Visitor};

use super::entered::EnteredReader;
use super::names::Named;
use super::part::{Name, Part};
use crate::formats::source::Format;
use crate::records::bytes::{check_context, check_format};
use crate::state::HasCore;
use crate::storage::slots::saved::{SavedSlot, SavedSlots};
use crate::storage::value_list::ValueList;
use crate::words::entity_id::{EntityId, RawEntityId};

/// The fields of a save.
pub(super) const FIELDS: &[&str] = &[
    "format", "context", "free", "retired", "skips", "rows", "progress", "absent", "entities",
    "order", "entered",
];

/// Reads a save.
pub(super) struct Text<'b, C: 'static>(pub(super) &'b mut Part<C>);

/// The parts of a save other than entities.
#[derive(Default)]
struct SavedRest {
    free: Vec<RawEntityId>,
    retired: Vec<u32>,
    skips: Vec<(u32, u32)>,
    rows: Option<Vec<u32>>,
    progress: Vec<u64>,
}

impl<'de, C: HasCore> Visitor<'de> for Text<'_, C> {
    type Value = SavedSlots;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a save of context `{}`", C::NAME)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<SavedSlots, A::Error> {
        let part = self.0;
        let mut seen = Vec::new();
        let mut rest = SavedRest::default();
        while let Some(field) = map.next_key_seed(Field)? {
            if seen.contains(&field) {
                return Err(A::Error::duplicate_field(field));
            }
            seen.push(field);
            match field {
                "format" => check_format("save", map.next_value()?).map_err(Error::custom)?,
                "context" => {
                    let name: String = map.next_value()?;
                    check_context::<C>("save", &name).map_err(Error::custom)?;
                }
                "free" => rest.free = map.next_value()?,
                "retired" => rest.retired = map.next_value()?,
                "skips" => rest.skips = map.next_value()?,
                "rows" => rest.rows = Some(map.next_value()?),
                "progress" => rest.progress = map.next_value()?,
                "absent" => {
                    let ids: Vec<RawEntityId> = map.next_value()?;
                    if seen.contains(&"entities") {
                        return Err(A::Error::custom("`absent` comes after `entities`"));
                    }
                    part.add_absent(&ids).map_err(Error::custom)?;
                }
                "entities" => map.next_value_seed(EntitiesReader(&mut *part))?,
                "order" => {
                    let order = map.next_value().map_err(|error| {
                        A::Error::custom(format!("the order of sources cannot be read: {error}"))
                    });
                    add_orders(part, order?);
                }
                _ => map.next_value_seed(EnteredReader(&mut *part))?,
            }
        }
        let needed = ["format", "context", "entities"];
        if let Some(missing) = needed.into_iter().find(|field| !seen.contains(field)) {
            return Err(A::Error::missing_field(missing));
        }
        if part.scope.maps() {
            return Ok(SavedSlots::default()); // the entities get new slots
        }
        Ok(SavedSlots {
            slots: rest.slots(&part.entities).map_err(Error::custom)?,
            free: rest.free.iter().map(|id| id.index()).collect(),
            rows: rest.rows,
            progress: rest.progress,
            skips: rest.skips,
        })
    }
}

/// The sources in order, by relation and target.
type ReadOrders<C> = BTreeMap<String, BTreeMap<EntityId<C>, Vec<EntityId<C>>>>;

fn add_orders<C: HasCore>(part: &mut Part<C>, orders: ReadOrders<C>) {
    for (relation, of_targets) in orders {
        for (target, sources) in of_targets {
            part.add_order(&relation, target, sources);
        }
    }
}

impl SavedRest {
    /// The state of each slot; an error if there is a gap.
    fn slots(&self, entities: &[RawEntityId]) -> Result<Vec<SavedSlot>, String> {
        let alive = entities
            .iter()
            .map(|id| (id.index(), SavedSlot::Alive(id.generation())));
        let free = self.free.iter();
        let free = free.map(|id| (id.index(), SavedSlot::Free(id.generation())));
        let retired = self
            .retired
            .iter()
            .map(|&index| (index, SavedSlot::Retired));
        let count = entities.len() + self.free.len() + self.retired.len();
        let mut slots = Vec::new();
        slots.resize(count, None);
        for (index, state) in alive.chain(free).chain(retired) {
            match slots.get_mut(index as usize) {
                Some(slot @ None) => *slot = Some(state),
                Some(Some(_)) => return Err(format!("slot {index} appears twice")),
                None => return Err(gap(index, count)),
            }
        }
        Ok(slots.into_iter().flatten().collect()) // each is `Some`
    }
}

/// The error for a slot whose index is too large.
fn gap(index: u32, count: usize) -> String {
    format!(
        "slot {index} is named, but the save has only {count}: all slots before it are entities, or \
         listed in `free`, with the id that comes next, or in `retired`; to add entities by hand, \
         give them the indices that follow, or `merge` the save, which gives them new ids"
    )
}

/// The name of a field of a save.
struct Field;

impl<'de> DeserializeSeed<'de> for Field {
    type Value = &'static str;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<&'static str, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Field {
    type Value = &'static str;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a part of a save")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<&'static str, E> {
        let field = FIELDS.iter().find(|field| **field == name);
        field.copied().ok_or_else(|| E::unknown_field(name, FIELDS))
    }
}

/// Reads the entities by id.
struct EntitiesReader<'b, C: 'static>(&'b mut Part<C>);

impl<'de, C: HasCore> DeserializeSeed<'de> for EntitiesReader<'_, C> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, C: HasCore> Visitor<'de> for EntitiesReader<'_, C> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("entities by id")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let part = self.0;
        while let Some(id) = map.next_key::<RawEntityId>()? {
            let place = part.add_entity(id).map_err(Error::custom)?;
            let entity = (place, id);
            map.next_value_seed(ComponentsReader(&mut *part, entity))?;
        }
        Ok(())
    }
}

/// Reads the components of an entity by name.
pub(crate) struct ComponentsReader<'b, C: 'static>(
    pub(crate) &'b mut Part<C>,
    pub(crate) (u32, RawEntityId),
);

impl<'de, C: HasCore> DeserializeSeed<'de> for ComponentsReader<'_, C> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, C: HasCore> Visitor<'de> for ComponentsReader<'_, C> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the components of an entity by name")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        match map.next_key_seed(Name(&mut *self.0))? {
            Some(first) => self.read(first, map),
            None => Ok(()),
        }
    }
}

impl<C: HasCore> ComponentsReader<'_, C> {
    /// Reads components, of which the name of the first one has been read.
    pub(crate) fn read<'de, A: MapAccess<'de>>(
        self,
        first: Option<(Named, u32)>,
        mut map: A,
    ) -> Result<(), A::Error> {
        let Self(part, entity) = self;
        let mut next = Some(first);
        while let Some(found) = next {
            match found {
                Some(found) => map.next_value_seed(ValueReader {
                    part: &mut *part,
                    entity,
                    found,
                })?,
                None => part.read_unknown(entity.1, &mut map)?,
            }
            next = map.next_key_seed(Name(&mut *part))?;
        }
        Ok(())
    }
}

/// Reads the value of a component.
struct ValueReader<'b, C: 'static> {
    part: &'b mut Part<C>,
    entity: (u32, RawEntityId),
    found: (Named, u32),
}

impl<'de, C: HasCore> DeserializeSeed<'de> for ValueReader<'_, C> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let (named, version) = self.found;
        let read = |values: &mut ValueList| values.read(version, &mut Format::new(deserializer));
        let read = self.part.read(self.entity, &named, read);
        read.map_err(|error| match named.saving().version {
            present if version < present => D::Error::custom(format!(
                "{error}; it was read as version {version}, and the name of the present one is `{}@{present}`",
                named.name()
            )),
            _ => D::Error::custom(error),
        })
    }
}
