//! Copies of entities, and templates.

use std::collections::BTreeMap;

use super::{Answer, Components, Id, Numbers, Oracle, bits, id_of, rejected};
use crate::op::{Conflict, Copying, Kind, Op, Target};

/// The error of options for descendants that are used to copy a single entity.
fn trees_are_cloned(id: Id) -> String {
    let because = "a tree is copied to new entities alone, along a relation that is neither unique nor has \
                   a primary index";
    rejected("copy", None, id, because)
}

impl Oracle {
    /// Runs an operation that copies a living entity; returns its result.
    pub(super) fn run_copying(&mut self, op: &Op, id: Id) -> Option<String> {
        let answer = match *op {
            Op::Copy(_, copying) if copying.is_of_trees() => self.copy_tree(id, copying),
            Op::Copy(_, copying) => {
                let created = self.create(&self.chosen(id, copying));
                created.map(|copy| self.known.push(copy))
            }
            Op::CopyTo(_, to, copying, conflict) => {
                let to = self.target(Target::Nth(to), None)?;
                match copying.is_of_trees() {
                    true => Err(trees_are_cloned(id)),
                    false => self.put_copies(to, self.chosen(id, copying), conflict),
                }
            }
            Op::MakeTemplate(_, copying) if copying.is_of_trees() => return None, // of one entity alone
            Op::MakeTemplate(_, copying) => {
                self.templates.push(self.chosen(id, copying));
                Ok(())
            }
            Op::ApplyTemplate(_, n, conflict) => {
                let values = self.template(n)?;
                self.put_copies(id, values, conflict)
            }
            _ => unreachable!("run by `run_on`"),
        };
        Some(format!("{answer:?}"))
    }

    fn template(&self, n: u8) -> Option<Numbers> {
        let place = usize::from(n).checked_rem(self.templates.len())?;
        Some(self.templates[place].clone())
    }

    /// Creates entities from a template, each as its own change.
    pub(super) fn create_from_template(&mut self, n: u8, count: u8) {
        let Some(values) = self.template(n) else {
            return;
        };
        for _ in 0..count {
            self.create_many(std::slice::from_ref(&values));
        }
    }

    /// The components of an entity to copy.
    fn chosen(&self, id: Id, copying: Copying) -> Numbers {
        let chooses = |kind: Kind| match copying {
            Copying::Few => matches!(kind, Kind::A | Kind::C | Kind::H),
            Copying::Branch => kind == Kind::A,
            Copying::All | Copying::Tree => !matches!(kind, Kind::B | Kind::E | Kind::G),
        };
        let components = self.entities[&id].iter();
        let chosen = components.filter(|(kind, _)| chooses(**kind));
        chosen.map(|(kind, value)| (*kind, *value)).collect()
    }

    /// Adds copies to an entity, as one change.
    fn put_copies(&mut self, to: Id, mut values: Numbers, conflict: Conflict) -> Answer {
        let Some(has) = self.entities.get(&to) else {
            return Err(rejected("copy", None, to, "it is not alive"));
        };
        let there = values.iter().find(|(kind, _)| has.contains_key(kind));
        match (conflict, there) {
            (Conflict::Reject, Some((kind, _))) => {
                return Err(rejected("add", Some(*kind), to, "it already has one"));
            }
            (Conflict::Keep, _) => values.retain(|(kind, _)| !has.contains_key(kind)),
            _ => {}
        }
        self.insert(to, &values)
    }

    /// Copies an entity with all its sources by `H`. Relations among the originals become relations
    /// among the copies.
    fn copy_tree(&mut self, top: Id, copying: Copying) -> Answer {
        let mut tree = Vec::new();
        self.list_tree(top, &mut tree);
        if let Some(rejected) = self.only_once(&tree, copying) {
            return Err(rejected);
        }
        let made: Vec<Id> = tree.iter().map(|_| self.next_id()).collect();
        let copies: BTreeMap<Id, Id> = tree.iter().copied().zip(made.iter().copied()).collect();
        for &id in &made {
            self.entities.insert(id, Components::new());
        }
        for id in tree {
            let mut values = self.chosen(id, copying);
            if id != top && !values.iter().any(|(kind, _)| *kind == Kind::H) {
                values.push((Kind::H, self.entities[&id][&Kind::H]));
            }
            let relations = values.iter_mut().filter(|(kind, _)| kind.is_relation());
            for (_, target) in relations {
                *target = copies.get(&id_of(*target)).map_or(*target, |id| bits(*id));
            }
            if let Err(text) = self.stage(copies[&id], &values) {
                self.take_back(made);
                return Err(text);
            }
        }
        self.arrive(&made);
        self.known.push(copies[&top]);
        Ok(())
    }

    /// Why a tree with a unique component or key cannot be copied.
    fn only_once(&self, tree: &[Id], copying: Copying) -> Option<String> {
        let because =
            "it is unique or has a primary index, so the copy of the tree cannot have it again";
        tree.iter()
            .filter(|_| matches!(copying, Copying::Tree))
            .find_map(|id| {
                let mut kinds = self.entities[id].keys();
                let kind = kinds.find(|kind| matches!(kind, Kind::E | Kind::G))?;
                Some(rejected("copy", Some(*kind), *id, because))
            })
    }

    fn list_tree(&self, id: Id, tree: &mut Vec<Id>) {
        tree.push(id);
        for source in self.sources(Kind::H, id) {
            self.list_tree(*source, tree);
        }
    }

    /// Removes created entities without a trace.
    fn take_back(&mut self, made: Vec<Id>) {
        for id in made.into_iter().rev() {
            let kinds: Vec<_> = self.entities[&id].keys().copied().collect();
            for kind in kinds {
                self.put(id, kind, None);
                self.pool(kind == Kind::C);
            }
            self.entities.remove(&id);
            self.give_back(id);
        }
    }
}
