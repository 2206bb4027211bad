//! Saving and loading in `hecs`: by rows in human-readable formats, by columns in others, as it
//! recommends.

use hecs::serialize::{column, row};
use hecs::{Archetype, ColumnBatchBuilder, ColumnBatchType, EntityBuilder, EntityRef, World};
use serde::de::{MapAccess, SeqAccess};
use serde::ser::{SerializeMap, SerializeTuple};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Health, Position, Velocity, values};

/// The name of a component in a file.
#[derive(Clone, Copy, Serialize, Deserialize)]
enum Name {
    Position,
    Velocity,
    Health,
}

/// Creates a world with `entities` entities.
pub(crate) fn world(entities: u32) -> World {
    let mut world = World::new();
    world.spawn_batch((0..entities).map(values));
    world
}

struct ByRows;

impl row::SerializeContext for ByRows {
    fn serialize_entity<S: SerializeMap>(
        &mut self,
        entity: EntityRef<'_>,
        mut map: S,
    ) -> Result<S::Ok, S::Error> {
        row::try_serialize::<Position, _, _>(&entity, &Name::Position, &mut map)?;
        row::try_serialize::<Velocity, _, _>(&entity, &Name::Velocity, &mut map)?;
        row::try_serialize::<Health, _, _>(&entity, &Name::Health, &mut map)?;
        map.end()
    }
}

impl row::DeserializeContext for ByRows {
    fn deserialize_entity<'de, M: MapAccess<'de>>(
        &mut self,
        mut map: M,
        entity: &mut EntityBuilder,
    ) -> Result<(), M::Error> {
        while let Some(name) = map.next_key()? {
            match name {
                Name::Position => entity.add::<Position>(map.next_value()?),
                Name::Velocity => entity.add::<Velocity>(map.next_value()?),
                Name::Health => entity.add::<Health>(map.next_value()?),
            };
        }
        Ok(())
    }
}

#[derive(Default)]
struct ByColumns {
    components: Vec<Name>,
}

impl column::SerializeContext for ByColumns {
    fn component_count(&self, archetype: &Archetype) -> usize {
        archetype.component_types().len()
    }

    fn serialize_component_ids<S: SerializeTuple>(
        &mut self,
        archetype: &Archetype,
        mut out: S,
    ) -> Result<S::Ok, S::Error> {
        column::try_serialize_id::<Position, _, _>(archetype, &Name::Position, &mut out)?;
        column::try_serialize_id::<Velocity, _, _>(archetype, &Name::Velocity, &mut out)?;
        column::try_serialize_id::<Health, _, _>(archetype, &Name::Health, &mut out)?;
        out.end()
    }

    fn serialize_components<S: SerializeTuple>(
        &mut self,
        archetype: &Archetype,
        mut out: S,
    ) -> Result<S::Ok, S::Error> {
        column::try_serialize::<Position, _>(archetype, &mut out)?;
        column::try_serialize::<Velocity, _>(archetype, &mut out)?;
        column::try_serialize::<Health, _>(archetype, &mut out)?;
        out.end()
    }
}

impl column::DeserializeContext for ByColumns {
    fn deserialize_component_ids<'de, A: SeqAccess<'de>>(
        &mut self,
        mut seq: A,
    ) -> Result<ColumnBatchType, A::Error> {
        self.components.clear();
        let mut batch = ColumnBatchType::new();
        while let Some(name) = seq.next_element()? {
            match name {
                Name::Position => batch.add::<Position>(),
                Name::Velocity => batch.add::<Velocity>(),
                Name::Health => batch.add::<Health>(),
            };
            self.components.push(name);
        }
        Ok(batch)
    }

    fn deserialize_components<'de, A: SeqAccess<'de>>(
        &mut self,
        count: u32,
        mut seq: A,
        batch: &mut ColumnBatchBuilder,
    ) -> Result<(), A::Error> {
        for name in &self.components {
            match name {
                Name::Position => column::deserialize_column::<Position, _>(count, &mut seq, batch),
                Name::Velocity => column::deserialize_column::<Velocity, _>(count, &mut seq, batch),
                Name::Health => column::deserialize_column::<Health, _>(count, &mut seq, batch),
            }?;
        }
        Ok(())
    }
}

/// A world to save in any format.
pub(crate) struct Saved<'a>(pub(crate) &'a World);

impl Serialize for Saved<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match serializer.is_human_readable() {
            true => row::serialize(self.0, &mut ByRows, serializer),
            false => column::serialize(self.0, &mut ByColumns::default(), serializer),
        }
    }
}

/// Loads a world.
pub(crate) fn load<'de, D: Deserializer<'de>>(deserializer: D) -> Result<World, D::Error> {
    match deserializer.is_human_readable() {
        true => row::deserialize(&mut ByRows, deserializer),
        false => column::deserialize(&mut ByColumns::default(), deserializer),
    }
}
