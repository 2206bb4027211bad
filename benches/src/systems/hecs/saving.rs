//! How `hecs` saves and loads the entities of W20: by columns, as it recommends for formats that are not
//! human-readable.

use hecs::serialize::column::{self, deserialize_column, try_serialize, try_serialize_id};
use hecs::{Archetype, ColumnBatchBuilder, ColumnBatchType, World};
use serde::de::SeqAccess;
use serde::ser::SerializeTuple;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::types::{Position, Velocity};

/// The name of a component in a file.
#[derive(Clone, Copy, Serialize, Deserialize)]
enum Name {
    Position,
    Velocity,
}

#[derive(Default)]
struct Columns {
    components: Vec<Name>,
}

impl column::SerializeContext for Columns {
    fn component_count(&self, archetype: &Archetype) -> usize {
        archetype.component_types().len()
    }

    fn serialize_component_ids<S: SerializeTuple>(
        &mut self,
        archetype: &Archetype,
        mut out: S,
    ) -> Result<S::Ok, S::Error> {
        try_serialize_id::<Position, _, _>(archetype, &Name::Position, &mut out)?;
        try_serialize_id::<Velocity, _, _>(archetype, &Name::Velocity, &mut out)?;
        out.end()
    }

    fn serialize_components<S: SerializeTuple>(
        &mut self,
        archetype: &Archetype,
        mut out: S,
    ) -> Result<S::Ok, S::Error> {
        try_serialize::<Position, _>(archetype, &mut out)?;
        try_serialize::<Velocity, _>(archetype, &mut out)?;
        out.end()
    }
}

impl column::DeserializeContext for Columns {
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
                Name::Position => deserialize_column::<Position, _>(count, &mut seq, batch),
                Name::Velocity => deserialize_column::<Velocity, _>(count, &mut seq, batch),
            }?;
        }
        Ok(())
    }
}

/// A world to save.
pub(super) struct Saved<'a>(pub(super) &'a World);

impl Serialize for Saved<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        column::serialize(self.0, &mut Columns::default(), serializer)
    }
}

/// Loads a world.
pub(super) fn load<'de, D: Deserializer<'de>>(deserializer: D) -> Result<World, D::Error> {
    column::deserialize(&mut Columns::default(), deserializer)
}
