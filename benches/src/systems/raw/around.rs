//! The rows W14 to W20, with lists and a map.

use std::collections::HashMap;

use super::Movers;
use crate::around::{self, Family, Hit, PARENTS, Saving, key};
use crate::rows::Id;
use crate::types::*;
use crate::workload::{Tally, Workload};

pub(super) fn workload(row: Id, items: usize) -> Option<Box<dyn Workload>> {
    Some(match row {
        Id::W14 => reparent(items),
        Id::W15 => look_up(items),
        Id::W18 => messages(items),
        Id::W19 => copy_columns(items),
        Id::W20 | Id::W20l => save(row, items),
        _ => return None,
    })
}

/// The parent of each child, with the child's place in the list of that parent.
struct Lists {
    parent_of: Vec<(usize, usize)>,
    children_of: Vec<Vec<usize>>,
}

impl Lists {
    fn new(children: usize) -> Self {
        let mut lists = Self {
            parent_of: Vec::new(),
            children_of: vec![Vec::new(); PARENTS],
        };
        for child in 0..children {
            let (parent, place) = (child % PARENTS, child / PARENTS);
            lists.parent_of.push((parent, place));
            lists.children_of[parent].push(child);
        }
        lists
    }

    fn set_parent(&mut self, child: usize, parent: usize) {
        let (before, place) = self.parent_of[child];
        let list = &mut self.children_of[before];
        list.swap_remove(place);
        if let Some(&moved) = list.get(place) {
            self.parent_of[moved].1 = place;
        }
        let list = &mut self.children_of[parent];
        self.parent_of[child] = (parent, list.len());
        list.push(child);
    }
}

fn reparent(items: usize) -> Box<dyn Workload> {
    let family = Family {
        world: Lists::new(items),
        parents: (0..PARENTS).collect(),
        children: (0..items).collect(),
    };
    let set_parents = |lists: &mut Lists, pairs: &[(usize, usize)]| {
        for &(child, parent) in pairs {
            lists.set_parent(child, parent);
        }
    };
    around::reparent(family, set_parents, |lists, parent| {
        lists.children_of[parent].clone()
    })
}

fn look_up(items: usize) -> Box<dyn Workload> {
    let by_key: HashMap<u32, Position> = (0..items).map(|at| (key(at), position(at))).collect();
    around::look_up(by_key, items, |by_key, key| by_key.get(&key).copied())
}

fn messages(items: usize) -> Box<dyn Workload> {
    let send = |list: &mut Vec<Hit>, hit: Hit| std::hint::black_box(list).push(hit);
    around::messages(Vec::new(), items, send, |list| {
        list.drain(..).map(|hit| hit.damage).sum()
    })
}

fn copy_columns(items: usize) -> Box<dyn Workload> {
    let copy = |columns: &mut Columns| columns.clone();
    around::copy_world(Columns::new(items), copy, move |columns| {
        let mut tally = Tally::default();
        for (transform, position, rotation, velocity) in columns.rows() {
            tally.add_wide((&transform, &position, &rotation, &velocity));
        }
        assert_eq!(tally, Tally::of_wide(items));
    })
}

fn save(row: Id, items: usize) -> Box<dyn Workload> {
    let saving = Saving {
        save: |lists: &mut Movers| postcard::to_stdvec(lists).unwrap(),
        load: |bytes| postcard::from_bytes(bytes).unwrap(),
        all: |(positions, velocities)| {
            let both = positions.iter().zip(velocities);
            both.map(|(&position, &mut velocity)| (position, velocity))
                .collect()
        },
    };
    saving.workload(row, super::movers(items), items)
}
