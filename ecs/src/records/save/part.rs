//! What is read from a save, a part of one, or a template: entities, a list of values per component,
//! orders of sources. Nothing has changed yet; invalid input is rejected here.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};

use super::names::{Named, Names};
use super::places::OwnerPlaces;
use crate::formats::packed::Message;
use crate::formats::source::{Kept, Tree};
use crate::reactions::entered::Seen;
use crate::records::bytes::read_values;
use crate::state::core::HasCore;
use crate::state::relation::SourceOrder;
use crate::storage::chunk::Chunk;
use crate::storage::value_list::ValueList;
use crate::words::entity_id::{EntityId, RawEntityId, UntypedId};
use crate::words::saving::ids::LoadScope;
use crate::world::Unknown;

/// The entities of a save or a template being read, with their components.
pub(crate) struct Part<C: 'static> {
    names: Names<C>,
    /// By component.
    columns: Vec<Option<Chunk<OwnerPlaces>>>,
    pub(crate) orders: Vec<SourceOrder>,
    /// What systems have seen of states.
    pub(super) entered: Vec<Seen>,
    /// Unknown component names in the file, in order of occurrence.
    pub(super) unknown: Vec<String>,
    /// The position of the latest one of them.
    latest_unknown: usize,
    /// Unknown components, if they are kept.
    pub(super) kept: Option<Unknown>,
    /// Relations to dead targets, if these are removed.
    pub(super) dangling: Option<Vec<Dangling>>,
    /// The entities in the order of the file.
    pub(crate) entities: Vec<RawEntityId>,
    /// Their positions among the new entities, if ids are mapped.
    places: Vec<u32>,
    /// How ids are read: unchanged or mapped.
    pub(crate) scope: LoadScope,
    maps: bool,
    /// Maps ids of entities outside of a part.
    map_absent: Option<MapAbsent<C>>,
    /// The mapped ids of entities outside of a part.
    pub(super) absent: Vec<EntityId<C>>,
}

/// A relation whose target is dead.
pub(super) struct Dangling {
    pub(super) source: UntypedId,
    pub(super) relation: &'static str,
    /// Whether the source is destroyed with its target.
    pub(super) destroys: bool,
}

/// Maps the id of an entity outside of a part.
pub(super) type MapAbsent<C> = Arc<dyn Fn(EntityId<C>) -> Option<EntityId<C>> + Send + Sync>;

impl<C: HasCore> Part<C> {
    pub(super) fn new(scope: LoadScope, map_absent: Option<MapAbsent<C>>) -> Self {
        Self {
            names: Names::new(),
            columns: Vec::new(),
            orders: Vec::new(),
            entered: Vec::new(),
            unknown: Vec::new(),
            latest_unknown: 0,
            kept: None,
            dangling: None,
            entities: Vec::new(),
            places: Vec::new(),
            maps: scope.maps(),
            scope,
            map_absent,
            absent: Vec::new(),
        }
    }

    /// A template being read, whose entities have their positions as ids, unless there is only one.
    pub(crate) fn of_template(is_one: bool) -> Self {
        let scope = match is_one {
            true => LoadScope::outer(),
            false => LoadScope::of_template::<C>(),
        };
        Self::new(scope, None)
    }

    /// Reserves capacity for more entities.
    pub(super) fn reserve(&mut self, entities: usize) {
        self.entities.reserve(entities);
        if self.maps {
            self.places.reserve(entities);
        }
    }

    /// Adds an entity; returns its position.
    #[inline]
    pub(crate) fn add_entity(&mut self, id: RawEntityId) -> Result<u32, String> {
        let place = match self.maps {
            true => self.map(id)?,
            false => self.entities.len() as u32, // there are fewer than 2³² ids
        };
        self.entities.push(id);
        Ok(place)
    }

    /// Marks the save as a part, and maps the ids of entities outside of it.
    pub(super) fn add_absent(&mut self, absent: &[RawEntityId]) -> Result<(), String> {
        if !self.maps {
            return Err(format!(
                "a part of a context cannot be loaded on its own: `merge` it into a `{0}`, or into \
                 `{0}::default()`",
                C::NAME
            ));
        }
        for &old in absent {
            let id = EntityId::try_new(old.index(), old.generation());
            let new = match (&self.map_absent, id) {
                (Some(map), Some(id)) => map(id),
                _ => return Err(unmapped(absent)),
            };
            let new = new.ok_or_else(|| {
                format!(
                    "the part refers to entity {old}, which it does not have, and `Loader::map_absent` \
                     returned `None`"
                )
            })?;
            self.scope.add_absent(old, new.raw());
            self.absent.push(new);
        }
        Ok(())
    }

    /// The position of an entity among the new ones.
    #[inline(never)]
    fn map(&mut self, id: RawEntityId) -> Result<u32, String> {
        let place = self.scope.add(id)?.unwrap_or(self.entities.len());
        let place = u32::try_from(place).map_err(|_| "there are too many entities")?;
        self.places.push(place);
        Ok(place)
    }

    /// The order in which the entities arrive: by id in the save. The order of the file may have
    /// been changed by a program that sorts it, and the order in which ids occur depends on values.
    pub(super) fn arrival(&self) -> Arrival {
        let is_ascending = self.entities.is_sorted();
        if is_ascending && (!self.maps || self.places.is_sorted()) {
            return Arrival::ByPlace;
        }
        let place = |at| {
            if self.maps {
                self.places[at]
            } else {
                at as u32
            }
        };
        let entities = self.entities.iter().enumerate();
        let mut entities: Vec<_> = entities.map(|(at, &id)| (id, place(at))).collect();
        entities.sort_unstable();
        Arrival::Listed(entities.into_iter().map(|(_, place)| place).collect())
    }

    /// The entities in the order of the file, if their ids are mapped; `new` has all new entities.
    pub(super) fn mapped(&self, new: &[EntityId<C>]) -> Vec<EntityId<C>> {
        let places = self.places.iter();
        places.map(|&place| new[place as usize]).collect()
    }

    /// Finds the component with this name in the file, and its version; records an unknown name.
    pub(crate) fn find(&mut self, name: &str) -> Option<(Named, u32)> {
        let found = self.names.find(name);
        if found.is_none() {
            let at = self.unknown.iter().position(|known| known == name);
            self.latest_unknown = at.unwrap_or_else(|| {
                self.unknown.push(name.to_string());
                self.unknown.len() - 1
            });
        }
        found
    }

    /// Reads a value of the unknown component that was found last.
    pub(super) fn read_unknown<'de, A: MapAccess<'de>>(
        &mut self,
        id: RawEntityId,
        map: &mut A,
    ) -> Result<(), A::Error> {
        let name = &self.unknown[self.latest_unknown];
        match &mut self.kept {
            Some(kept) => {
                let value = map.next_value::<Kept>().map_err(|error| {
                    A::Error::custom(format!(
                        "the unknown component `{name}` of entity {id} cannot be kept: {error}"
                    ))
                })?;
                kept.add_value(id, name, value.0);
            }
            None => _ = map.next_value::<IgnoredAny>()?,
        }
        Ok(())
    }

    /// Keeps what a system has seen of an unknown state, unless it is skipped.
    pub(super) fn keep_entered(&mut self, state: &[u8]) {
        if let Some(kept) = &mut self.kept {
            kept.entered.push(state.to_vec());
        }
    }

    /// Keeps what a system has seen of the unknown state that was found last, unless it is skipped.
    pub(super) fn keep_seen(&mut self, what: &'static str, state: Tree) {
        if let Some(kept) = &mut self.kept {
            let name = self.unknown[self.latest_unknown].clone();
            kept.seen.push((name, what, state));
        }
    }

    /// Keeps the bytes of an unknown component, unless it is skipped.
    pub(super) fn keep_column(
        &mut self,
        name: &str,
        owners: (&OwnerPlaces, Option<&[bool]>),
        bytes: &[u8],
    ) {
        if let Some(kept) = &mut self.kept {
            kept.add_column(name, owners, (&self.entities, bytes));
        }
    }

    pub(super) fn column(&mut self, named: &Named) -> &mut Chunk<OwnerPlaces> {
        let at = named.index.get();
        if at >= self.columns.len() {
            self.columns.resize_with(at + 1, || None);
        }
        let column = || Chunk::new(named.index, named.descriptor);
        self.columns[at].get_or_insert_with(column)
    }

    /// Reads a component of an entity by `read`, which appends its value.
    pub(crate) fn read(
        &mut self,
        (place, id): (u32, RawEntityId),
        named: &Named,
        read: impl FnOnce(&mut ValueList) -> Result<(), Message>,
    ) -> Result<(), String> {
        self.scope.reading(id, named.name());
        let (name, is_one) = (named.name(), self.scope.is_outer());
        let of_what = || match is_one {
            true => format!("component `{name}`"),
            false => format!("component `{name}` of entity {id}"),
        };
        let column = self.column(named);
        let OwnerPlaces::Listed(places) = &mut column.owners else {
            return Ok(()); // in binary formats only
        };
        if places.last() == Some(&place) {
            return Err(format!("{} appears twice", of_what()));
        }
        let read = read(&mut column.values);
        read.map_err(|error| format!("{} cannot be read: {error}", of_what()))?;
        places.push(place);
        Ok(())
    }

    /// Reads a component of several entities from bytes.
    pub(super) fn unpack(
        &mut self,
        (named, version): (Named, u32),
        (owners, alive): (OwnerPlaces, Option<&[bool]>),
        bytes: &[u8],
    ) -> Result<(), String> {
        let (name, count) = (named.name(), owners.count(self.entities.len()));
        let count = alive.map_or(count, <[_]>::len);
        let is_there = self.columns.get(named.index.get());
        if is_there.is_some_and(Option::is_some) {
            return Err(format!("component `{name}` appears twice"));
        }
        let column = self.column(&named);
        column.owners = owners;
        let read = read_values(&mut column.values, (version, count), bytes);
        let Err((at, error)) = read else {
            if let Some(alive) = alive {
                column.values.retain(alive);
            }
            return Ok(());
        };
        let place = column.owners.get(at).filter(|_| alive.is_none());
        let id = place.and_then(|place| self.entities.get(place)); // entities are read before
        Err(match id {
            Some(id) => format!("component `{name}` of entity {id} cannot be read: {error}"),
            None => format!("component `{name}` cannot be read: {error}"),
        })
    }

    /// Records the order of a target's sources.
    pub(crate) fn add_order(
        &mut self,
        relation: &str,
        target: EntityId<C>,
        sources: Vec<EntityId<C>>,
    ) {
        if let Some((named, _)) = self.find(relation) {
            let component = named.index;
            self.orders.push(SourceOrder {
                component,
                target: target.untyped(),
                sources: EntityId::untyped_list(sources),
            });
        } else if let Some(kept) = &mut self.kept {
            let sources = EntityId::untyped_list(sources);
            let order = kept.orders.entry(relation.to_string()).or_default();
            order.push((target.untyped(), sources));
        }
    }

    /// Takes the values of each component in the save.
    pub(crate) fn take_columns(&mut self) -> Vec<Chunk<OwnerPlaces>> {
        let columns = core::mem::take(&mut self.columns).into_iter().flatten();
        let entities = self.entities.len();
        let has_owners = |column: &Chunk<OwnerPlaces>| column.owners.count(entities) > 0;
        let mut columns: Vec<_> = columns.filter(has_owners).collect();
        for column in &mut columns {
            column.owners.simplify(entities);
        }
        columns
    }

    /// Rejects unknown components; `how` says how to exclude them.
    pub(crate) fn reject_unknown(&self, how: &str) -> Result<(), String> {
        if self.unknown.is_empty() {
            return Ok(());
        }
        let names: Vec<_> = { self.unknown.iter() }
            .map(|name| format!("`{name}`"))
            .collect();
        Err(format!(
            "context `{}` has no component that could be loaded as {}: write \
             `#[component(alias = \"..\")]` above a component that had another name, derive serde's \
             traits for one that lacks them, or leave these out{how}",
            C::NAME,
            names.join(", ")
        ))
    }
}

/// The order in which entities arrive, which is also the order of links of relations and of the
/// entities of a key.
pub(super) enum Arrival {
    /// By position.
    ByPlace,
    /// In the order of these positions.
    Listed(Vec<u32>),
}

impl Arrival {
    pub(super) fn place(&self, nth: usize) -> usize {
        match self {
            Self::ByPlace => nth,
            Self::Listed(places) => places[nth] as usize,
        }
    }
}

/// Reads the name of a component.
pub(super) struct Name<'b, C: 'static>(pub(super) &'b mut Part<C>);

impl<'de, C: HasCore> DeserializeSeed<'de> for Name<'_, C> {
    type Value = Option<(Named, u32)>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<C: HasCore> Visitor<'_> for Name<'_, C> {
    type Value = Option<(Named, u32)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a component")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        Ok(self.0.find(name))
    }
}

#[cold]
fn unmapped(absent: &[RawEntityId]) -> String {
    let some: Vec<_> = absent.iter().take(8).map(ToString::to_string).collect();
    let dots = if absent.len() > 8 { ", .." } else { "" };
    format!(
        "the part refers to entities that it does not have ({}{dots}): say by `Loader::map_absent` which \
         entities these ids mean here",
        some.join(", ")
    )
}
