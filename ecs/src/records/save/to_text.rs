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

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::ser::{Error as _, Serialize, SerializeMap, SerializeStruct, Serializer};

use super::entered::{WrittenState, entered};
use super::layout::{SaveLayout, SourcesOf};
use crate::formats::packed::text::check_text;
use crate::records::bytes::FORMAT;
use crate::state::HasCore;
use crate::storage::slots::Slot;
use crate::storage::slots::saved::SavedSlot;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::{RawEntityId, UntypedId};
use crate::words::saving::absent::FoundAbsent;

/// Writes a layout. For a part, `absent` has the ids of entities outside of it; its name sorts
/// before `entities`, for programs that sort fields.
pub(super) fn write<C: HasCore, S: Serializer>(
    layout: &SaveLayout<'_, C>,
    absent: Option<&[FoundAbsent]>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let optional = Optional::of(layout);
    let mut save =
        serializer.serialize_struct("Save", 3 + optional.len() + usize::from(absent.is_some()))?;
    save.serialize_field("format", &FORMAT)?;
    save.serialize_field("context", C::NAME)?;
    write_some(&mut save, "free", &optional.free)?;
    write_some(&mut save, "retired", &optional.retired)?;
    write_some(&mut save, "skips", &optional.skips)?;
    write_some(&mut save, "rows", &optional.rows)?;
    write_some(&mut save, "progress", &optional.progress)?;
    match absent {
        Some(absent) => {
            let ids: Vec<_> = absent.iter().map(|(id, _)| id).collect();
            save.serialize_field("absent", &ids)?;
        }
        None => save.skip_field("absent")?,
    }
    save.serialize_field("entities", &EntitiesWriter::new(layout))?;
    let orders = OrdersWriter {
        layout,
        orders: &optional.orders,
    };
    match optional.orders.is_empty() {
        true => save.skip_field("order")?,
        false => save.serialize_field("order", &orders)?,
    }
    write_some(&mut save, "entered", &optional.entered)?;
    save.end()
}

/// Writes a list unless it is empty.
fn write_some<S: SerializeStruct, T: Serialize>(
    save: &mut S,
    name: &'static str,
    list: &[T],
) -> Result<(), S::Error> {
    match list.is_empty() {
        true => save.skip_field(name),
        false => save.serialize_field(name, list),
    }
}

/// Fields that most saves lack.
#[derive(Default)]
struct Optional<'a> {
    free: Vec<RawEntityId>,
    retired: Vec<u32>,
    skips: Vec<(u32, u32)>,
    rows: Vec<u32>,
    progress: Vec<u64>,
    orders: Vec<(RawComponentIndex, Vec<SourcesOf<'a>>)>,
    entered: Vec<WrittenState<'a>>,
}

impl<'a> Optional<'a> {
    fn of<C: HasCore>(layout: &SaveLayout<'a, C>) -> Self {
        let orders = layout.source_orders();
        if layout.part.is_some() {
            return Self {
                orders,
                ..Self::default()
            };
        }
        let slots = layout.core.world.slots();
        let states = (0_u32..).zip(slots.saved());
        let retired = states.filter(|(_, slot)| matches!(slot, SavedSlot::Retired));
        Self {
            free: slots.recycled().collect(),
            retired: retired.map(|(index, _)| index).collect(),
            skips: slots.saved_skips(),
            rows: slots.saved_rows().into_iter().flatten().collect(),
            progress: slots.saved_progress(),
            orders,
            entered: entered(layout),
        }
    }

    /// The number of fields to write.
    fn len(&self) -> usize {
        let there = [
            self.free.is_empty(),
            self.retired.is_empty(),
            self.skips.is_empty(),
            self.rows.is_empty(),
            self.progress.is_empty(),
            self.orders.is_empty(),
            self.entered.is_empty(),
        ];
        there.into_iter().filter(|empty| !empty).count()
    }
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
        let (all, id) = (self.all, self.id);
        let layout = all.layout;
        let components = layout.components(self.slot);
        let mut map = serializer.serialize_map(Some(components.len()))?;
        for &component in components {
            let named = layout.names.at(component);
            let value = layout.core.world.value_in(self.slot.row, component);
            if let Some(value) = value.and_then(|value| named.descriptor.serialize(value)) {
                let name = &all.names[component.get()];
                let of_what = || format!("component `{}` of entity {id}", named.name());
                write_value(&mut map, (name, value), of_what)?;
            }
        }
        map.end()
    }
}

/// Writes a component with its name in the file. An error says of what entity it is.
pub(crate) fn write_value<M: SerializeMap>(
    map: &mut M,
    (name, value): (&str, &dyn erased_serde::Serialize),
    of_what: impl Fn() -> String,
) -> Result<(), M::Error> {
    let rejected = |error: &dyn fmt::Display| {
        M::Error::custom(format_args!("{} cannot be written: {error}", of_what()))
    };
    check_text(value).map_err(|error| rejected(&error))?;
    let written = map.serialize_entry(name, value);
    written.map_err(|error| rejected(&error))
}

/// The sources of targets, by relation, where they are not in ascending order.
struct OrdersWriter<'a, C: 'static> {
    layout: &'a SaveLayout<'a, C>,
    orders: &'a [(RawComponentIndex, Vec<SourcesOf<'a>>)],
}

impl<C: HasCore> Serialize for OrdersWriter<'_, C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let each = self.orders.iter();
        let each = each.map(|(relation, targets)| {
            (self.layout.names.name_of(*relation), TargetsWriter(targets))
        });
        serializer.collect_map(each)
    }
}

struct TargetsWriter<'a>(&'a [SourcesOf<'a>]);

impl Serialize for TargetsWriter<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let each = self.0.iter();
        serializer.collect_map(each.map(|(target, sources)| (target, &**sources)))
    }
}
