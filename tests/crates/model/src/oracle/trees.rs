//! Entities created together from templates that refer to each other.

use super::{Components, Id, Numbers, Oracle, bits};
use crate::op::{Kind, Node};

/// Whether the first entity refers to itself by way of others, through the acyclic relation alone.
fn is_ring(nodes: &[Node], ring: Option<(Kind, usize)>) -> bool {
    let Some((Kind::H, mut at)) = ring else {
        return false;
    };
    while at != 0 && nodes[at].kind == Kind::H {
        at = nodes[at].parent;
    }
    at == 0
}

impl Oracle {
    /// All are alive before the first is notified; the program gets to know the first one.
    pub(super) fn create_tree(&mut self, nodes: &[Node], ring: Option<(Kind, usize)>) {
        if is_ring(nodes, ring) {
            self.shrunk = true;
            return self.answer("a ring");
        }
        let made: Vec<Id> = nodes.iter().map(|_| self.next_id()).collect();
        for id in &made {
            self.entities.insert(*id, Components::new());
        }
        for (at, node) in nodes.iter().enumerate() {
            let target = match at {
                0 => ring,
                _ => Some((node.kind, node.parent)),
            };
            let target = target.map(|(kind, to)| (kind, bits(made[to])));
            let values = node.values.iter().map(|&(kind, v)| (kind, v.into()));
            let values: Numbers = values.chain(target).collect();
            let staged = self.stage(made[at], &values);
            staged.expect("nothing is unique, and no ring is acyclic");
        }
        self.arrive(&made);
        self.known.push(made[0]);
    }
}
