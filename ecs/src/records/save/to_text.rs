//! Writing human-readable formats: entities by id, components by name.
//!
//! ```text
//! { "format": 1, "context": "Game",
//!   "free": ["3v2"], "retired": [4], "skips": [[0, 3]],                              unless empty
//!   "rows": [1, 0, 2, 3, 4], "progress": [..],                                       unless empty
//!   "absent": ["7v1"],                                           for a part, instead of these
//!   "entities": { "0v1": { "Position": { "x": 1.0 }, "Frozen": {} } },
//!   "order": { "ChildOf": { "0v1": ["2v1", "1v1"] } },
//!   "entered": [["Mode", "enter", "Playing"]] }
//! ```

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::ser::{Error as _, Serialize, SerializeMap, SerializeStruct, Serializer};

use super::entered::entered;
use super::layout::SaveLayout;
use super::names::Named;
use crate::formats::packed::text::check_text;
use crate::formats::source::Tree;
use crate::records::bytes::FORMAT;
use crate::state::HasCore;
use crate::storage::descriptor::AnyValue;
use crate::storage::slots::saved::SavedSlot;
use crate::storage::slots::{Slot, Slots};
use crate::words::entity_id::UntypedId;
use crate::words::saving::absent::FoundAbsent;

/// Writes a layout. For a part, `absent` has the ids of entities outside of it; its name sorts
/// before `entities`, for programs that sort fields.
pub(super) fn write<C: HasCore, S: Serializer>(
    layout: &SaveLayout<'_, C>,
    absent: Option<&[FoundAbsent]>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let before = match absent {
        Some(absent) => {
            let ids: Vec<_> = absent.iter().map(|&(id, _)| id).collect();
            field("absent", true, ids).into_iter().collect()
        }
        None => about_slots(layout.core.world.slots()),
    };
    let orders = layout.source_orders().into_iter();
    let orders: Vec<_> = orders
        .map(|(relation, targets)| (relation, Entries(targets)))
        .collect();
    let orders = field("order", !orders.is_empty(), Entries(orders));
    let after: Vec<_> = orders
        .into_iter()
        .chain(list("entered", entered(layout)))
        .collect();
    let fields = 3 + before.len() + after.len();
    let mut save = serializer.serialize_struct("Save", fields)?;
    save.serialize_field("format", &FORMAT)?;
    save.serialize_field("context", C::NAME)?;
    for (name, value) in &before {
        save.serialize_field(name, value)?;
    }
    save.serialize_field("entities", &EntitiesWriter::new(layout))?;
    for (name, value) in &after {
        save.serialize_field(name, value)?;
    }
    save.end()
}

/// A field that most saves lack.
type OptionalField<'a> = (&'static str, Box<dyn erased_serde::Serialize + 'a>);

fn field<'a>(
    name: &'static str,
    is_there: bool,
    value: impl Serialize + 'a,
) -> Option<OptionalField<'a>> {
    is_there.then(|| (name, Box::new(value) as _))
}

/// A list, unless it is empty.
fn list<'a, T: Serialize + 'a>(name: &'static str, list: Vec<T>) -> Option<OptionalField<'a>> {
    field(name, !list.is_empty(), list)
}

/// The lists about slots.
fn about_slots<'a>(slots: &Slots) -> Vec<OptionalField<'a>> {
    let states = (0_u32..).zip(slots.saved());
    let retired = states.filter(|(_, slot)| matches!(slot, SavedSlot::Retired));
    let rows = slots.saved_rows().into_iter().flatten();
    let lists = [
        list("free", slots.recycled().collect()),
        list("retired", retired.map(|(index, _)| index).collect()),
        list("skips", slots.saved_skips()),
        list("rows", rows.collect()),
        list("progress", slots.saved_progress()),
    ];
    lists.into_iter().flatten().collect()
}

/// All saved entities, by id.
struct EntitiesWriter<'a, C: 'static> {
    layout: &'a SaveLayout<'a, C>,
    /// The names of the components in the file, by index.
    names: Vec<String>,
}

impl<'a, C: HasCore> EntitiesWriter<'a, C> {
    fn new(layout: &'a SaveLayout<'a, C>) -> Self {
        let mut names = Vec::new();
        for named in layout.all_components() {
            names.resize(named.index.get() + 1, String::new());
            names[named.index.get()] = layout.names.name_of(named.index);
        }
        Self { layout, names }
    }
}

impl<C: HasCore> Serialize for EntitiesWriter<'_, C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.layout.len()))?;
        for (id, slot) in self.layout.entities() {
            let components = ComponentsWriter {
                all: self,
                id,
                slot,
            };
            map.serialize_entry(&id, &components)?;
        }
        map.end()
    }
}

/// The components of an entity, by name.
struct ComponentsWriter<'a, C: 'static> {
    all: &'a EntitiesWriter<'a, C>,
    id: UntypedId,
    slot: Slot,
}

impl<C: HasCore> Serialize for ComponentsWriter<'_, C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (all, layout) = (self.all, self.all.layout);
        let components = layout.components(self.slot).iter().map(|&component| {
            let name = &*all.names[component.get()];
            let value = layout.core.world.value_in(self.slot.row, component);
            (name, layout.names.at(component), value)
        });
        let unknown = layout.unknown_values(self.id);
        let entity = format_args!("entity {}", self.id);
        write_components((components, unknown), entity, serializer)
    }
}

/// Writes the components of an entity by name. An error says of which entity a component is.
pub(crate) fn write_components<'a, S: Serializer>(
    (components, unknown): (
        impl ExactSizeIterator<Item = (impl AsRef<str>, &'a Named, Option<&'a AnyValue>)>,
        &[(String, Tree)],
    ),
    entity: impl fmt::Display,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(components.len() + unknown.len()))?;
    for (name, named, value) in components {
        let rejected = |error: &dyn fmt::Display| {
            let component = named.name();
            let text =
                format_args!("component `{component}` of {entity} cannot be written: {error}");
            S::Error::custom(text)
        };
        if let Some(value) = value.and_then(|value| named.descriptor.serialize(value)) {
            check_text(value).map_err(|error| rejected(&error))?;
            let written = map.serialize_entry(name.as_ref(), value);
            written.map_err(|error| rejected(&error))?;
        }
    }
    for (name, value) in unknown {
        map.serialize_entry(name, value)?;
    }
    map.end()
}

/// A map in this order.
struct Entries<K, V>(Vec<(K, V)>);

impl<K: Serialize, V: Serialize> Serialize for Entries<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}
