//! Saved templates of trees.
//!
//! ```text
//! { "0v1 tank": { "Health": 9 }, "1v1 turret": { "ChildOf": { "parent": "0v1" }, "Health": 3 },
//!   "order": [["Follows", "0v1", ["2v1", "1v1"]]] }                                  optional
//!
//! as bytes: 0, the number of components; count, for each entity: its name or none,
//! components; orders: count, for each: relation, target, sources
//! ```
//!
//! In the file the entities have the ids `0v1`, `1v1` and so on, and the values refer to these.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use hashbrown::HashMap;
use serde::de::{Deserialize as _, DeserializeSeed, Deserializer, Error as _, MapAccess};
use serde::ser::{Error as _, Serialize, SerializeMap as _, Serializer};

use super::parts::{TemplateParts, pack_parts, parts, write_parts};
use crate::api::template::tree::{map_all, mapped_order};
use crate::api::template::{Template, TemplateNode};
use crate::formats::packed::{Message, Packer, Unpacker};
use crate::records::save::names::Names;
use crate::state::{HasCore, SourceOrder};
use crate::storage::chunk::Chunk;
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::map_ids::place_of_placeholder;
use crate::words::saving::absent::PartScope;
use crate::words::saving::ids::{LoadScope, parse};

/// The key of the orders in which entities refer to others.
const ORDER: &str = "order";

/// The id and the name of an entity of a tree in a file.
pub(super) fn node_key(key: &str) -> Option<(usize, Option<&str>)> {
    let (id, name) = match key.split_once(' ') {
        Some((id, name)) => (id, Some(name)),
        None => (key, None),
    };
    let id = parse(id).filter(|id| id.generation() == 1)?;
    Some((id.index() as usize, name))
}

fn local(place: usize) -> UntypedId {
    let id = UntypedId::try_new(place as u32, 1); // a template has fewer entities than there are ids
    id.expect("a generation is not 0")
}

/// The entities of a tree, with their ids in the file.
struct WrittenTree {
    nodes: Vec<TemplateNode>,
    orders: Vec<SourceOrder>,
}

impl WrittenTree {
    fn new<C: HasCore>(template: &Template<C>, names: &Names<C>) -> Result<Self, String> {
        let root = TemplateNode {
            name: template.name.clone(),
            components: template.components.clone(),
        };
        let mut nodes = [root].into_iter().chain(template.below.iter().cloned());
        let mut nodes: Vec<_> = nodes.by_ref().collect();
        let count = nodes.len();
        let map = |id: UntypedId| place_of_placeholder(id, count).map_or(id, local);
        for node in &mut nodes {
            // Checked before the ids are mapped: an outside id may equal one in the file.
            check_inside::<C>(&node.components, names, count)?;
            map_all::<C>(&mut node.components, &map);
        }
        let orders = template.orders.iter();
        let orders = orders.map(|order| mapped_order(order, &map)).collect();
        Ok(Self { nodes, orders })
    }
}

/// The ids inside values, without duplicates, with the component that contains them.
fn ids_inside<C: HasCore>(
    components: &[Chunk],
    names: &Names<C>,
) -> Result<Vec<(Option<UntypedId>, &'static str)>, String> {
    let scope = PartScope::begin::<C>(Vec::new());
    let mut nowhere = Packer::default();
    for (named, chunk) in parts(components, names)? {
        scope.writing(Some((local(0), named.name())));
        let value = chunk.values.get(0);
        if let Some(value) = value.and_then(|value| named.descriptor.serialize(value)) {
            _ = erased_serde::serialize(value, &mut nowhere); // a real error is reported later
            nowhere.clear();
        }
    }
    let found = scope.absent().into_iter();
    let found = found.map(|(id, (_, component))| {
        let id = UntypedId::try_new(id.index(), id.generation());
        (id, component)
    });
    Ok(found.collect())
}

/// Rejects values that refer to entities outside of the tree.
fn check_inside<C: HasCore>(
    components: &[Chunk],
    names: &Names<C>,
    entities: usize,
) -> Result<(), String> {
    for (id, component) in ids_inside(components, names)? {
        if let Some(id) = id.filter(|&id| place_of_placeholder(id, entities).is_none()) {
            return Err(format!(
                "cannot save a template of context `{}`: component `{component}` refers to entity {id}, which is \
                 not part of the template; leave the component out by `without_at`",
                C::NAME
            ));
        }
    }
    Ok(())
}

/// Rejects values whose ids cannot be replaced by those of the created entities.
fn check_mapped<C: HasCore>(
    components: &[Chunk],
    names: &Names<C>,
    entities: usize,
) -> Result<(), String> {
    let mut mapped = components.to_vec();
    let map = |id: UntypedId| place_of_placeholder(id, entities).map_or(id, local);
    map_all::<C>(&mut mapped, &map);
    for (id, component) in ids_inside(&mapped, names)? {
        if id.is_some_and(|id| place_of_placeholder(id, entities).is_some()) {
            return Err(format!(
                "component `{component}` of a template of context `{}` has ids in a field whose type does not \
                 implement `MapIds`, so they cannot become those of the entities that are created: derive it",
                C::NAME
            ));
        }
    }
    Ok(())
}

/// Writes a tree.
pub(super) fn write<C: HasCore, S: Serializer>(
    template: &Template<C>,
    names: &Names<C>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let tree = WrittenTree::new(template, names).map_err(S::Error::custom)?;
    if !serializer.is_human_readable() {
        let bytes = pack(&tree, names).map_err(S::Error::custom)?;
        return serializer.serialize_bytes(&bytes);
    }
    let orders = usize::from(!tree.orders.is_empty());
    let mut map = serializer.serialize_map(Some(tree.nodes.len() + orders))?;
    for (place, node) in tree.nodes.iter().enumerate() {
        let key = match &node.name {
            Some(name) => format!("{} {name}", local(place)),
            None => local(place).to_string(),
        };
        let components = &node.components;
        map.serialize_entry(&key, &NodeWriter { components, names })?;
    }
    if !tree.orders.is_empty() {
        map.serialize_entry(
            ORDER,
            &TreeOrdersWriter {
                orders: &tree.orders,
                names,
            },
        )?;
    }
    map.end()
}

/// The components of an entity, by name.
struct NodeWriter<'a, C: 'static> {
    components: &'a [Chunk],
    names: &'a Names<C>,
}

impl<C: HasCore> Serialize for NodeWriter<'_, C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let parts = parts(self.components, self.names).map_err(S::Error::custom)?;
        write_parts(&parts, self.names, serializer)
    }
}

struct TreeOrdersWriter<'a, C: 'static> {
    orders: &'a [SourceOrder],
    names: &'a Names<C>,
}

impl<C: HasCore> Serialize for TreeOrdersWriter<'_, C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.orders.iter().map(|order| {
            (
                self.names.name_of(order.component),
                order.target,
                &order.sources,
            )
        }))
    }
}

fn pack<C: HasCore>(tree: &WrittenTree, names: &Names<C>) -> Result<Vec<u8>, String> {
    let mut to = Packer::default();
    to.number(0);
    to.number(tree.nodes.len() as u64);
    for node in &tree.nodes {
        node.name
            .serialize(&mut to)
            .map_err(|error| error.to_string())?;
        pack_parts(names, &parts(&node.components, names)?, &mut to)?;
    }
    let orders = TreeOrdersWriter {
        orders: &tree.orders,
        names,
    };
    orders
        .serialize(&mut to)
        .map_err(|error| error.to_string())?;
    Ok(to.into_bytes())
}

/// An order in a file: the relation, the target, the sources.
type ReadOrder<C> = (String, EntityId<C>, Vec<EntityId<C>>);

/// A tree that is being read.
struct TemplateTreeReader<C: 'static> {
    nodes: HashMap<usize, TemplateNode>,
    orders: Vec<ReadOrder<C>>,
    /// Replaces ids by placeholders while it exists.
    scope: LoadScope,
}

impl<C: HasCore> TemplateTreeReader<C> {
    fn new() -> Self {
        Self {
            nodes: HashMap::new(),
            orders: Vec::new(),
            scope: LoadScope::of_template::<C>(),
        }
    }

    fn add(&mut self, place: usize, node: TemplateNode) -> Result<(), String> {
        match self.nodes.insert(place, node) {
            None => Ok(()),
            Some(_) => Err(format!(
                "entity {} of a template appears twice",
                local(place)
            )),
        }
    }

    fn finish(mut self) -> Result<Template<C>, String> {
        let count = self.nodes.len();
        let nodes = (0..count).map(|place| {
            let node = self.nodes.remove(&place);
            node.ok_or_else(|| {
                format!(
                    "a template has {count} entities, and {} is not one of them: their ids are 0v1, 1v1 and so on",
                    local(place)
                )
            })
        });
        let nodes: Vec<_> = nodes.collect::<Result<_, _>>()?;
        let named = self.scope.entities_of_template();
        if named > count {
            return Err(format!(
                "id {} is of no entity of the template",
                local(named - 1)
            ));
        }
        let mut names = Names::<C>::new();
        for node in &nodes {
            check_mapped(&node.components, &names, count)?;
        }
        let mut nodes = nodes.into_iter();
        let root = nodes.next().ok_or("a template has an entity")?;
        let orders = self
            .orders
            .into_iter()
            .filter_map(|(relation, target, sources)| {
                let (named, _) = names.find(&relation)?;
                Some(SourceOrder {
                    component: named.index,
                    target: target.untyped(),
                    sources: EntityId::untyped_list(sources),
                })
            });
        Ok(Template {
            name: root.name,
            below: nodes.collect(),
            orders: orders.collect(),
            ..Template::of_components(root.components)
        })
    }
}

/// Reads a tree whose first key has been read.
pub(super) fn read<'de, C: HasCore, A: MapAccess<'de>>(
    first: String,
    mut map: A,
) -> Result<Template<C>, A::Error> {
    let mut tree = TemplateTreeReader::<C>::new();
    let mut next = Some(first);
    while let Some(key) = next {
        if key == ORDER {
            tree.orders = map.next_value()?;
        } else {
            let unknown =
                || A::Error::custom(format_args!("`{key}` is no id of an entity, such as `1v1`"));
            let (place, name) = node_key(&key).ok_or_else(unknown)?;
            let components = map.next_value_seed(NodeReader(TemplateParts::<C>::new()))?;
            let name = name.map(String::from);
            tree.add(place, TemplateNode { name, components })
                .map_err(A::Error::custom)?;
        }
        next = map.next_key()?;
    }
    tree.finish().map_err(A::Error::custom)
}

/// Reads the components of an entity by name.
struct NodeReader<C: 'static>(TemplateParts<C>);

impl<'de, C: HasCore> DeserializeSeed<'de> for NodeReader<C> {
    type Value = Vec<Chunk>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<Chunk>, D::Error> {
        deserializer.deserialize_map(self.0)
    }
}

/// Reads a tree after the 0 that marks it as one.
pub(super) fn unpack<C: HasCore>(from: &mut Unpacker<'_>) -> Result<Template<C>, String> {
    let mut tree = TemplateTreeReader::<C>::new();
    for place in 0..from.count()? {
        let name = Option::<String>::deserialize(&mut *from)
            .map_err(|error: Message| error.to_string())?;
        let mut parts = TemplateParts::<C>::new();
        parts.unpack(from)?;
        let components = parts.finish()?;
        tree.add(place, TemplateNode { name, components })?;
    }
    tree.orders = Vec::deserialize(from).map_err(|error: Message| error.to_string())?;
    tree.finish()
}
