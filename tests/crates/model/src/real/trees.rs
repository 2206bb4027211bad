//! Entities created together from templates that refer to each other.

use ecs::Template;
use ecs::prelude::*;
use serde_json::{Value, json};

use super::Shared;
use super::names::unless;
use crate::game::{Game, H, I, K, Numbered, with_type};
use crate::op::{Kind, Node, Op, Values};

/// The components of a node in a file, without relations.
fn written(values: &Values) -> serde_json::Map<String, Value> {
    let value = |kind: Kind, v: u8| {
        with_type!(kind, T in A C F L M N O P => {
            serde_json::to_value(T::new(v.into())).expect("all can be saved")
        }, else json!({})) // the flag
    };
    let values = values.iter();
    let values = values.map(|&(kind, v)| (format!("{kind:?}"), value(kind, v)));
    values.collect()
}

/// A template in a file. A ring is a relation of the first entity to another one.
fn file(nodes: &[Node], ring: Option<(Kind, usize)>) -> String {
    let mut file = serde_json::Map::new();
    for (at, node) in nodes.iter().enumerate() {
        let mut components = written(&node.values);
        let target = match at {
            0 => ring,
            _ => Some((node.kind, node.parent)),
        };
        if let Some((kind, target)) = target {
            components.insert(format!("{kind:?}"), json!(format!("{target}v1")));
        }
        file.insert(format!("{at}v1"), Value::Object(components));
    }
    Value::Object(file).to_string()
}

/// Numbers the components of a template, if that happens on first use: a file can only name components
/// that have a number.
fn number_all(nodes: &[Node], ring: Option<(Kind, usize)>) {
    let kinds = nodes.iter().flat_map(Node::kinds);
    for kind in kinds.chain(ring.map(|(kind, _)| kind)) {
        with_type!(kind, T => drop(Game::all_of::<T>()));
    }
}

/// Builds the template in code, for nodes that all refer to the first one.
fn built(nodes: &[Node]) -> Template<Game> {
    let plain = |node: &Node| {
        let values = node.values.iter();
        values.fold(Template::new(), |template, &(kind, v)| {
            with_type!(kind, T in A C D F L M N O P => template.with(T::new(v.into())), else template)
        })
    };
    let below = nodes.iter().skip(1);
    below.fold(plain(&nodes[0]), |template, node| match node.kind {
        Kind::H => template.with_child(H, plain(node)),
        Kind::I => template.with_child(I, plain(node)),
        _ => template.with_child(K, plain(node)),
    })
}

/// A template that was written as bytes.
fn packed(template: &Template<Game>) -> Template<Game> {
    let bytes = postcard::to_stdvec(template).expect("all can be saved");
    postcard::from_bytes(&bytes).expect("it was saved")
}

pub(super) fn create_tree(game: &mut Game, shared: &Shared, op: &Op) {
    let Op::CreateTree(nodes, ring) = op else {
        unreachable!("run by `run`");
    };
    let is_flat = ring.is_none() && nodes.iter().all(|node| node.parent == 0);
    let mut template = match is_flat && shared.is_second_turn() {
        true => built(nodes),
        false => {
            number_all(nodes, *ring);
            serde_json::from_str(&file(nodes, *ring)).expect("it can be read")
        }
    };
    if shared.is_second_turn() {
        template = packed(&template);
    }
    match unless(shared, "acyclic", || template.create_many(game, 1)) {
        Ok(ids) => shared.hand().known.extend(ids),
        Err(_) => {
            shared.hand().shrunk = true;
            shared.answer("a ring");
        }
    }
}
