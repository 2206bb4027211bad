//! Creating entities.

use ecs::ChangeKind;

use super::{Answer, Id, Numbers, Oracle, Subject};
use crate::op::{MANY, Op, Shape, Way};

impl Oracle {
    /// Runs an operation that creates entities; returns `false` for other operations.
    pub(super) fn run_creating(&mut self, op: &Op) -> bool {
        match op {
            Op::Create => self.create_many(&[Numbers::new()]),
            Op::CreateWith(values) => self.create_many(&[self.bundle(values)]),
            Op::CreateMany(bundles) => {
                let bundles: Vec<_> = bundles.iter().map(|values| self.bundle(values)).collect();
                self.create_together(&bundles);
            }
            Op::CreateRun(shape, way, count, v) => {
                let bundles = run_of(*shape, *count, *v);
                match way {
                    Way::OneByOne => self.create_many(&bundles),
                    _ => self.create_together(&bundles),
                }
                match way {
                    Way::Bundles(u8::MAX) => self.reserve(MANY),
                    Way::Bundles(promised) if promised > count => self.reserve((*promised).into()),
                    _ => {}
                }
            }
            Op::CreateTree(nodes, ring) => self.create_tree(nodes, *ring),
            Op::FromTemplate(n, count) => self.create_from_template(*n, *count),
            _ => return false,
        }
        true
    }

    pub(super) fn create(&mut self, values: &Numbers) -> Result<Id, String> {
        let id = self.stage_new(values)?;
        self.arrive(&[id]);
        Ok(id)
    }

    /// A new entity, not notified yet.
    fn stage_new(&mut self, values: &Numbers) -> Result<Id, String> {
        let id = self.next_id();
        let staged = self.stage(id, values);
        if staged.is_err() {
            self.give_back(id); // the entity was never visible
        }
        staged.map(|()| id)
    }

    /// The id of the next entity.
    pub(super) fn next_id(&mut self) -> Id {
        let index = self.free.pop().unwrap_or_else(|| {
            self.generations.push(1);
            self.generations.len() as u32 - 1
        });
        (index, self.generations[index as usize])
    }

    /// Stores the values of a new entity.
    pub(super) fn stage(&mut self, id: Id, values: &Numbers) -> Answer {
        self.check_bundle(id, None, values)?;
        self.entities.entry(id).or_default();
        for (kind, value) in self.completed(None, values) {
            self.put(id, kind, Some(value));
        }
        Ok(())
    }

    /// Removes the last created entity and the slot created for it.
    pub(super) fn give_back(&mut self, (index, generation): Id) {
        match generation == 1 && index as usize + 1 == self.generations.len() {
            true => _ = self.generations.pop(),
            false => self.free.push(index),
        }
    }

    /// All of them are alive before the first is notified.
    pub(super) fn arrive(&mut self, made: &[Id]) {
        let mut arrived = Vec::new();
        for &id in made {
            let facts = self.regroup(id);
            self.collect(id, &facts);
            let kinds: Vec<_> = self.entities[&id].keys().copied().collect();
            arrived.push((id, facts, kinds));
        }
        for (id, facts, kinds) in arrived {
            self.enqueue(Subject::Created, Some(id), None, None);
            self.enqueue_facts(id, &facts, None, None);
            for kind in kinds {
                self.enqueue_change(id, ChangeKind::Added, Some(kind), None);
            }
            self.enqueue_change(id, ChangeKind::Created, None, None);
        }
        self.deliver();
    }

    /// Creates several entities, one after the other.
    pub(super) fn create_many(&mut self, bundles: &[Numbers]) {
        let ids = bundles.iter().map(|values| self.create(values)).collect();
        self.know(ids);
    }

    /// Creates several entities before the first is notified.
    fn create_together(&mut self, bundles: &[Numbers]) {
        let is_outermost = !self.delivering;
        let ids = self.together(|of| {
            let ids = bundles.iter().map(|values| of.create(values)).collect();
            if is_outermost && ids == Err("twice".to_owned()) {
                of.queue.clear(); // lost in the panic
            }
            ids
        });
        self.know(ids);
    }

    fn know(&mut self, ids: Result<Vec<Id>, String>) {
        match ids {
            Ok(ids) => self.known.extend(ids),
            Err(rejected) => self.answer(rejected),
        }
    }
}

/// The bundles of entities with numbered values.
fn run_of(shape: Shape, count: u8, v: u8) -> Vec<Numbers> {
    let bundle = |nth| {
        let kinds = shape.kinds().iter();
        let values = kinds.map(|kind| (*kind, kind.nth_value(v, nth).into()));
        values.collect()
    };
    (0..count.into()).map(bundle).collect()
}
