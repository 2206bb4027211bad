//! Writing templates.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use serde::ser::{Error as _, Serialize, SerializeMap as _, Serializer};

use super::ORDER;
use super::inside::{check_inside, local, saved_components};
use crate::api::template::map_values;
use crate::api::template::tree::mapped_order;
use crate::api::template::{Template, TemplateNode};
use crate::formats::packed::{Message, Packer};
use crate::records::save::names::Names;
use crate::records::save::to_text::write_components;
use crate::state::{HasCore, SourceOrder};
use crate::words::entity_id::UntypedId;
use crate::words::map_ids::place_of_placeholder;

/// Writes the components that are not `transient`, by name: `{"Health":9,"Name":"orc"}`; in binary
/// formats, as bytes. A tree is written as its entities by id, starting with 0v1, with their names
/// appended: `{"0v1 tank":{"Health":9},"1v1 turret":{"ChildOf":{"parent":"0v1"},"Health":3}}`.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// # use std::collections::BTreeMap;
/// let file = r#"{ "orc": { "Health": 9 }, "chief": { "Health": 20 } }"#;
/// let prefabs: BTreeMap<String, Template<Game>> = serde_json::from_str(file).unwrap();
/// let mut game = Game::new();
/// assert_eq!(prefabs["chief"].create(&mut game).health().0, 20);
/// assert_eq!(serde_json::to_string(&prefabs["orc"]).unwrap(), r#"{"Health":9}"#);
/// ```
///
/// # Errors
///
/// Returns the errors of [`Save`](crate::Save). Also returns an error if a component of a tree
/// refers to an entity outside of it, because the id would mean another entity where the file is
/// read. One entity without a name is written with the ids in its values, since it may be inside of a component
/// of a save, where they are right: for a file of its own, leave such components
/// [out](crate::CloneOptions::without).
impl<C: HasCore> Serialize for Template<C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let names = &Names::<C>::new();
        let tree = (!self.is_one_unnamed()).then(|| WrittenTree::new(self, names));
        let tree = tree.transpose().map_err(S::Error::custom)?;
        if !serializer.is_human_readable() {
            let mut to = Packer::default();
            let packed = match tree {
                Some(tree) => tree.pack(&mut to),
                None => pack(&self.root, names, &mut to),
            };
            packed.map_err(S::Error::custom)?;
            return serializer.serialize_bytes(&to.into_bytes());
        }
        match tree {
            Some(tree) => tree.write(serializer),
            None => WrittenNode(&self.root, names).serialize(serializer),
        }
    }
}

/// The components of an entity, by name.
struct WrittenNode<'a, C: 'static>(&'a TemplateNode, &'a Names<C>);

impl<C: HasCore> Serialize for WrittenNode<'_, C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(node, names) = self;
        let saved = saved_components(node, names).map_err(S::Error::custom)?;
        let components = saved.into_iter().map(|(named, chunk)| {
            let name = names.name_of(named.index);
            (name, named, chunk.values.get(0))
        });
        write_components((components, &[]), "a template", serializer)
    }
}

/// Appends the components of an entity.
fn pack<C: HasCore>(node: &TemplateNode, names: &Names<C>, to: &mut Packer) -> Result<(), String> {
    let saved = saved_components(node, names)?;
    to.number(saved.len() as u64);
    for (named, chunk) in saved {
        to.sized(names.name_of(named.index).as_bytes());
        let packed = to.part(|to| chunk.values.pack(to));
        packed
            .map_err(|error| format!("component `{}` cannot be written: {error}", named.name()))?;
    }
    Ok(())
}

/// The entities of a tree, with their ids in the file.
struct WrittenTree<'a, C: 'static> {
    nodes: Vec<TemplateNode>,
    orders: Vec<SourceOrder>,
    names: &'a Names<C>,
}

impl<'a, C: HasCore> WrittenTree<'a, C> {
    fn new(template: &Template<C>, names: &'a Names<C>) -> Result<Self, String> {
        let mut nodes: Vec<_> = template.nodes().cloned().collect();
        let count = nodes.len();
        let map = |id: UntypedId| place_of_placeholder(id, count).map_or(id, local);
        for node in &mut nodes {
            // Checked before the ids are mapped: an outside id may equal one in the file.
            check_inside::<C>(node, names, count)?;
            map_values::<C>(&mut node.components, &map);
        }
        let orders = template.orders.iter();
        Ok(Self {
            nodes,
            orders: orders.map(|order| mapped_order(order, &map)).collect(),
            names,
        })
    }

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let orders = usize::from(!self.orders.is_empty());
        let mut map = serializer.serialize_map(Some(self.nodes.len() + orders))?;
        for (place, node) in self.nodes.iter().enumerate() {
            let key = match &node.name {
                Some(name) => format!("{} {name}", local(place)),
                None => local(place).to_string(),
            };
            map.serialize_entry(&key, &WrittenNode(node, self.names))?;
        }
        if !self.orders.is_empty() {
            map.serialize_entry(ORDER, &self.written_orders())?;
        }
        map.end()
    }

    fn pack(&self, to: &mut Packer) -> Result<(), String> {
        to.number(0);
        to.number(self.nodes.len() as u64);
        for node in &self.nodes {
            let name = node.name.serialize(&mut *to);
            name.map_err(|error: Message| error.to_string())?;
            pack(node, self.names, to)?;
        }
        let orders = self.written_orders().serialize(to);
        orders.map_err(|error| error.to_string())
    }

    /// The relation, the target and the sources of each order.
    fn written_orders(&self) -> Vec<(String, UntypedId, &[UntypedId])> {
        let orders = self.orders.iter();
        let orders = orders.map(|order| {
            let relation = self.names.name_of(order.component);
            (relation, order.target, &*order.sources)
        });
        orders.collect()
    }
}
