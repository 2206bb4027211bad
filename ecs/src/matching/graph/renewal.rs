//! The nodes of a graph as a list, to give another graph the same node numbers: the order in which
//! entities are moved together depends on them.

use alloc::vec::Vec;

use super::signatures::Graph;
use crate::matching::group::Groups;
use crate::storage::slots::{EMPTY_NODE, NodeIndex};
use crate::words::signature::RawComponentSet;

#[derive(Clone)]
pub(crate) struct Signatures {
    /// By number; `None` for a free number.
    nodes: Vec<Option<RawComponentSet>>,
    /// The number of nodes above which unused ones are freed.
    limit: usize,
}

impl Signatures {
    /// The components of a node in use.
    pub(crate) fn components(&self, node: NodeIndex) -> &RawComponentSet {
        let components = self.nodes[node.0 as usize].as_ref();
        components.expect("a node with entities is not free")
    }
}

impl Graph {
    pub(crate) fn signatures(&self) -> Signatures {
        let nodes = self.nodes.by_number();
        Signatures {
            nodes: nodes.map(|components| components.cloned()).collect(),
            limit: self.limit,
        }
    }

    /// Replaces the nodes by these, with the same numbers. If any differs, all effects are
    /// forgotten.
    ///
    /// The caller must move all entities to these nodes before anything else.
    pub(crate) fn renew(&mut self, signatures: &Signatures, groups: &Groups, dispatching: bool) {
        let wanted = signatures.nodes.iter().map(Option::as_ref);
        if !self.nodes.by_number().eq(wanted) {
            let is_kept = |node: usize| node == EMPTY_NODE.0 as usize;
            let kept: Vec<_> = (0..self.bound()).map(is_kept).collect();
            self.retain(&kept, dispatching);
            for components in signatures.nodes.iter().skip(1) {
                match components {
                    Some(components) => _ = self.node(components.clone(), groups),
                    None => self.nodes.skip_number(),
                }
            }
            self.nodes.free_skipped();
        }
        self.limit = signatures.limit;
    }
}

#[cfg(test)]
mod tests {
    use super::super::steps::tests::index;
    use super::*;

    /// Even later nodes: the order in which entities are moved together depends on their numbers.
    #[test]
    fn a_renewed_graph_numbers_nodes_like_the_original() {
        let (groups, others) = (Groups::new(), Groups::new());
        let (mut graph, mut renewed) = (Graph::new(&groups), Graph::new(&others));
        let set = |component| [index(component)].into_iter().collect::<RawComponentSet>();
        for component in 1..=4 {
            graph.node(set(component), &groups);
        }
        graph.retain(&[true, false, true, false, true], false);
        renewed.renew(&graph.signatures(), &others, false);
        for component in 5..=7 {
            let node = graph.node(set(component), &groups);
            assert_eq!(renewed.node(set(component), &others), node);
        }
    }
}
