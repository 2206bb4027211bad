//! Iterating the children of a parent, compared with a slice of ids; moving children to another parent.

use ecs::{Component, Context as _, EntityId};

use crate::workload::{Workload, steady};

/// The context of parents and children.
#[ecs::context]
pub(super) struct Tree;

/// The parent of a child.
#[derive(Clone, Debug, Component)]
#[component(context = Tree)]
pub(super) struct ChildOf {
    #[component(relation(reverse = children))]
    parent: EntityId<Tree>,
}

type Id = EntityId<Tree>;

/// A tree, the parent in it, its children, and their sum.
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

/// Two parents, and children that move from one to the other and back.
struct Movers {
    tree: Tree,
    parents: [Id; 2],
    children: Vec<Id>,
    /// The same by hand: the parent of each child, and the children of each parent.
    parent_of: Vec<usize>,
    lists: [Vec<usize>; 2],
}

impl Movers {
    fn new(children: usize) -> Self {
        let mut tree = Tree::new();
        let parents = [(); 2].map(|()| tree.create_entity().id());
        let [parent, _] = parents;
        Self {
            children: tree.create_many((0..children).map(|_| ChildOf { parent })),
            tree,
            parents,
            parent_of: vec![0; children],
            lists: [(0..children).collect(), Vec::new()],
        }
    }
}

pub(super) fn moved(items: usize) -> Box<dyn Workload> {
    let run = |it: &mut Movers| {
        for parent in [it.parents[1], it.parents[0]] {
            for &child in &it.children {
                it.tree.entity_mut(child).replace_child_of(parent);
            }
        }
    };
    steady(Movers::new(items / 2), run, |it, _| {
        let [first, second] = it.parents.map(|id| it.tree.entity(id).children().len());
        assert_eq!((first, second), (it.children.len(), 0));
    })
}

pub(super) fn moved_in_lists(items: usize) -> Box<dyn Workload> {
    let run = |it: &mut Movers| {
        for parent in [1, 0] {
            for child in 0..it.parent_of.len() {
                let before = std::mem::replace(&mut it.parent_of[child], parent);
                let list = &mut it.lists[before];
                if let Some(at) = list.iter().position(|&other| other == child) {
                    list.swap_remove(at);
                }
                it.lists[parent].push(child);
            }
        }
    };
    steady(Movers::new(items / 2), run, |it, _| {
        assert_eq!(it.lists.each_ref().map(Vec::len), [it.children.len(), 0]);
    })
}
