//! The children of a parent, and a slice of ids.

use ecs::{Component, Context as _, EntityId};

use crate::workload::{Workload, steady};

/// The context of parents and children.
#[ecs::context]
pub(super) struct Tree;

/// Leads from a child to its parent.
#[derive(Clone, Debug, Component)]
#[component(context = Tree)]
pub(super) struct ChildOf {
    #[component(relation(reverse = children))]
    parent: EntityId<Tree>,
}

type Id = EntityId<Tree>;

/// A tree, the parent in it, its children, and what they have been added up to.
struct Family {
    tree: Tree,
    parent: Id,
    children: Vec<Id>,
    sum: u64,
}

impl Family {
    fn new(children: usize) -> Self {
        let mut tree = Tree::new();
        let parent = tree.create_entity().id();
        let children = tree.create_many((0..children).map(|_| ChildOf { parent }));
        Self {
            tree,
            parent,
            children,
            sum: 0,
        }
    }

    fn check(&mut self, runs: u64) {
        assert_eq!(self.sum, runs * sum(&self.children));
    }
}

fn sum(ids: &[Id]) -> u64 {
    ids.iter().map(|id| u64::from(id.index())).sum()
}

pub(super) fn of_a_relation(items: usize) -> Box<dyn Workload> {
    let run = |it: &mut Family| it.sum += sum(it.tree.entity(it.parent).children());
    steady(Family::new(items), run, Family::check)
}

pub(super) fn in_a_slice(items: usize) -> Box<dyn Workload> {
    let run = |it: &mut Family| it.sum += sum(&it.children);
    steady(Family::new(items), run, Family::check)
}
