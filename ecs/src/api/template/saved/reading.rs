//! Reading templates, as parts of a context whose entities are not created yet. What is read is not
//! trusted.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};

use super::ORDER;
use super::inside::{check_mapped, local};
use crate::api::template::{Template, TemplateNode};
use crate::formats::packed::{Message, Unpacker};
use crate::records::bytes::{read_bytes, read_values};
use crate::records::save::from_text::ComponentsReader;
use crate::records::save::names::Names;
use crate::records::save::part::Part;
use crate::state::HasCore;
use crate::storage::chunk::Chunk;
use crate::words::entity_id::{EntityId, RawEntityId};
use crate::words::saving::ids::parse;

/// Reads components by name, or the entities of a tree by id. All components must be `Clone`, and
/// exist in the program.
impl<'de, C: HasCore> Deserialize<'de> for Template<C> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match deserializer.is_human_readable() {
            true => deserializer.deserialize_map(TemplateReader(PhantomData)),
            false => read_bytes(["template", C::NAME], deserializer, unpack),
        }
    }
}

struct TemplateReader<C>(PhantomData<fn() -> C>);

impl<'de, C: HasCore> Visitor<'de> for TemplateReader<C> {
    type Value = Template<C>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "components of context `{}` by name, or entities by id",
            C::NAME
        )
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Template<C>, A::Error> {
        let Some(first) = map.next_key::<String>()? else {
            return Ok(Template::new());
        };
        let is_tree = node_key(&first).is_some();
        let mut read = ReadTemplate::new(!is_tree);
        if is_tree {
            read.read(first, map)?;
        } else {
            let entity = read.add(local(0).raw(), None).map_err(A::Error::custom)?;
            let part = &mut read.part;
            let first = part.find(&first);
            ComponentsReader(part, entity).read(first, map)?;
        }
        read.finish().map_err(A::Error::custom)
    }
}

/// The id and the name of an entity of a tree in a file.
fn node_key(key: &str) -> Option<(RawEntityId, Option<&str>)> {
    let (id, name) = match key.split_once(' ') {
        Some((id, name)) => (id, Some(name)),
        None => (key, None),
    };
    Some((parse(id).filter(|id| id.generation() == 1)?, name))
}

/// The order of sources in a file: the relation, the target, the sources.
type ReadOrder<C> = (String, EntityId<C>, Vec<EntityId<C>>);

/// A template being read.
struct ReadTemplate<C: 'static> {
    part: Part<C>,
    /// The entities by position, with their names.
    names: Vec<(u32, Option<String>)>,
}

impl<C: HasCore> ReadTemplate<C> {
    fn new(is_one: bool) -> Self {
        Self {
            part: Part::of_template(is_one),
            names: Vec::new(),
        }
    }

    /// Adds an entity; returns its position and its id.
    fn add(&mut self, id: RawEntityId, name: Option<String>) -> Result<(u32, RawEntityId), String> {
        let place = self.part.add_entity(id)?;
        self.names.push((place, name));
        Ok((place, id))
    }

    fn add_orders(&mut self, orders: Vec<ReadOrder<C>>) {
        for (relation, target, sources) in orders {
            self.part.add_order(&relation, target, sources);
        }
    }

    /// Reads a tree whose first key has been read.
    fn read<'de, A: MapAccess<'de>>(&mut self, first: String, mut map: A) -> Result<(), A::Error> {
        let mut next = Some(first);
        while let Some(key) = next {
            if key == ORDER {
                self.add_orders(map.next_value()?);
            } else {
                let unknown = || format!("`{key}` is not an entity id, such as `1v1`");
                let (id, name) = node_key(&key)
                    .ok_or_else(unknown)
                    .map_err(A::Error::custom)?;
                let entity = self.add(id, name.map(String::from));
                let entity = entity.map_err(A::Error::custom)?;
                let part = &mut self.part;
                map.next_value_seed(ComponentsReader(part, entity))?;
            }
            next = map.next_key()?;
        }
        Ok(())
    }

    /// Reads `count` components of an entity.
    fn unpack(
        &mut self,
        entity: (u32, RawEntityId),
        count: usize,
        from: &mut Unpacker<'_>,
    ) -> Result<(), String> {
        for _ in 0..count {
            let (name, value) = (from.text()?, from.part()?);
            if let Some((named, version)) = self.part.find(name) {
                self.part.read(entity, &named, |values| {
                    let read = read_values(values, (version, 1), value);
                    read.map_err(|(_, error)| error)
                })?;
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Template<C>, String> {
        self.part.reject_unknown("")?;
        self.part.scope.complete()?;
        self.names.sort_unstable();
        let places = (0..).zip(&self.names);
        if let Some((gap, _)) = { places }.find(|&(nth, &(place, _))| nth != place) {
            return Err(format!(
                "a template has {} entities, and {} is not one of them: their ids are 0v1, 1v1 and so on",
                self.names.len(),
                local(gap as usize)
            ));
        }
        let mut nodes = self.take_nodes()?;
        if nodes.is_empty() {
            return Err("a template has an entity".into());
        }
        let names = Names::<C>::new();
        for node in nodes.iter().filter(|_| self.part.scope.maps()) {
            check_mapped(node, &names, nodes.len())?;
        }
        Ok(Template {
            root: nodes.remove(0),
            below: nodes,
            orders: self.part.orders,
            ..Template::new()
        })
    }

    /// The entities with their components, which must be `Clone`.
    fn take_nodes(&mut self) -> Result<Vec<TemplateNode>, String> {
        let names = self.names.drain(..);
        let nodes = names.map(|(_, name)| TemplateNode {
            name,
            components: Vec::new(),
        });
        let mut nodes: Vec<_> = nodes.collect();
        for mut column in self.part.take_columns() {
            let (component, descriptor) = (column.component, column.descriptor());
            if !descriptor.is_clone {
                return Err(format!(
                    "component `{0}` cannot be part of a template, which gives clones of its values: add \
                     `#[derive(Clone)]` to `{0}`",
                    descriptor.names.component
                ));
            }
            for nth in 0..column.values.len() {
                let mut chunk = Chunk::new(component, descriptor);
                chunk.values = column.values.take_first(1);
                if let Some(place) = column.owners.get(nth) {
                    nodes[place].components.push(chunk);
                }
            }
        }
        Ok(nodes)
    }
}

/// Reads a template from bytes.
fn unpack<C: HasCore>(from: &mut Unpacker<'_>) -> Result<Template<C>, String> {
    let components = from.count()?;
    let is_one = components > 0 || from.left() == 0;
    let mut read = ReadTemplate::<C>::new(is_one);
    if is_one {
        let entity = read.add(local(0).raw(), None)?;
        read.unpack(entity, components, from)?;
        return read.finish();
    }
    for place in 0..from.count()? {
        let name = Option::<String>::deserialize(&mut *from);
        let name = name.map_err(|error: Message| error.to_string())?;
        let entity = read.add(local(place).raw(), name)?;
        let components = from.count()?;
        read.unpack(entity, components, from)?;
    }
    let orders = Vec::deserialize(from);
    read.add_orders(orders.map_err(|error: Message| error.to_string())?);
    read.finish()
}
