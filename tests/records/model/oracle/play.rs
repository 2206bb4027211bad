//! What each operation of a program means.

use super::super::op::{Op, Target, Values};
use super::{Gatherer, Id, Oracle, name};

impl Oracle {
    pub(super) fn target(&self, target: Target, it: Option<Id>) -> Option<Id> {
        match target {
            Target::It => it.or(self.known.last().copied()),
            Target::Nth(n) => self
                .known
                .get(usize::from(n) % self.known.len().max(1))
                .copied(),
        }
    }

    fn some(&self, numbers: &[u8]) -> Vec<Id> {
        let nth = |n: &u8| self.target(Target::Nth(*n), None);
        numbers.iter().filter_map(nth).collect()
    }

    pub(super) fn collector(&mut self, n: u8) -> Option<&mut Gatherer> {
        let at = usize::from(n) % self.collectors.len().max(1);
        self.collectors.get_mut(at)?.as_mut()
    }

    pub(super) fn answer(&mut self, answer: impl Into<String>) {
        let answer = answer.into();
        self.log.push(format!("= {answer}"));
    }

    pub(super) fn run(&mut self, op: &Op, it: Option<Id>) {
        if let Some(target) = op.target() {
            if let Some(id) = self.target(target, it) {
                self.run_on(op, id);
            }
            return;
        }
        match op {
            Op::Create => self.create_many(&[Values::new()]),
            Op::CreateWith(values) => self.create_many(std::slice::from_ref(values)),
            Op::CreateMany(bundles) => self.create_many(bundles),
            Op::AddMany(kind, value, some) => {
                let ids = self.some(some);
                let change = |oracle: &mut Self, id| oracle.add(id, *kind, *value);
                let answer = self.change_many(&ids, *kind, "add", change);
                self.answer(format!("{answer:?}"));
            }
            Op::RemoveMany(kind, some) => {
                let ids = self.some(some);
                let answer =
                    self.change_many(&ids, *kind, "remove", |oracle, id| oracle.remove(id, *kind));
                self.answer(format!("{answer:?}"));
            }
            Op::Defragment | Op::DefragmentFor(_) => self.moved = true,
            Op::ShrinkToFit | Op::ReserveEntities(_) | Op::Reserve(..) => {}
            Op::DestroyAll => self.destroy_all(),
            Op::Reset => {
                self.destroy_all();
                self.collectors
                    .iter_mut()
                    .flatten()
                    .for_each(|collector| collector.ids.clear());
                self.free.sort_by(|a, b| b.cmp(a));
            }
            Op::ForEach(..) if self.moved => {}
            Op::ForEach(n, op) => {
                let at = usize::from(*n) % self.groups.len().max(1);
                let members = self.groups.get(at).map(|(_, members)| members.clone());
                for id in members.unwrap_or_default() {
                    if self.entities.contains_key(&id) {
                        self.run(op, Some(id));
                    }
                }
            }
            _ => self.run_reaction(op),
        }
    }

    pub(super) fn run_on(&mut self, op: &Op, id: Id) {
        if !self.entities.contains_key(&id) && !matches!(op, Op::Destroy(_)) {
            return self.answer("dead");
        }
        let answer = match *op {
            Op::Insert(_, ref values) => self.insert(id, values),
            Op::AddAll(_, ref values) => self.add_all(id, values),
            Op::Add(_, kind, value) => self.add(id, kind, value),
            Op::Replace(_, kind, value) => self.replace(id, kind, value),
            Op::Update(_, kind, value) => self.update(id, kind, Some(value)),
            Op::Touch(_, kind) => self.update(id, kind, None),
            Op::Remove(_, kind) => self.remove(id, kind),
            Op::Destroy(_) => self.destroy(id),
            Op::RemoveAll(_) => return self.remove_all(id),
            Op::Take(_, kind) => {
                let taken = self.take(id, kind);
                return self.answer(format!("{taken:?}"));
            }
            Op::Untracked(_, kind, value) => {
                if let Some(place) = self.entities.get_mut(&id).unwrap().get_mut(&kind) {
                    *place = kind.stored(value);
                }
                return;
            }
            Op::UseAfterDestroy(_, kind, value) => {
                let answers = [
                    self.destroy(id),
                    self.add(id, kind, value),
                    self.replace(id, kind, value),
                    self.update(id, kind, Some(value)),
                    self.remove(id, kind),
                    self.destroy(id),
                ];
                return self.answer(format!("{answers:?}"));
            }
            _ => return,
        };
        self.answer(format!("{answer:?}"));
    }

    pub(super) fn run_reaction(&mut self, op: &Op) {
        match op {
            Op::MakeGroup(sets) => {
                let group = self.group(*sets);
                self.answer(format!("group {group}"));
            }
            Op::MakeCollector(parts) => {
                let parts = parts
                    .iter()
                    .map(|(sets, events)| (self.group(*sets), *events))
                    .collect();
                self.collectors.push(Some(Gatherer {
                    parts,
                    active: true,
                    ids: Vec::new(),
                }));
            }
            Op::Drain(n) => {
                let ids = self
                    .collector(*n)
                    .map(|collector| std::mem::take(&mut collector.ids));
                let names: Vec<_> = ids.unwrap_or_default().into_iter().map(name).collect();
                self.answer(names.join(" "));
            }
            Op::Clear(n) => _ = self.collector(*n).map(|collector| collector.ids.clear()),
            Op::Activate(n) => _ = self.collector(*n).map(|collector| collector.active = true),
            Op::Deactivate(n) => {
                if let Some(collector) = self.collector(*n) {
                    collector.active = false;
                    collector.ids.clear();
                }
            }
            Op::Release(n) => {
                let at = usize::from(*n) % self.collectors.len().max(1);
                _ = self.collectors.get_mut(at).map(Option::take);
            }
            _ => self.run_observing(op),
        }
    }

    pub(super) fn run_observing(&mut self, op: &Op) {
        match op {
            Op::Subscribe(listen, script) => self.subscribe(*listen, script),
            Op::Unsubscribe(n) => {
                let at = usize::from(*n) % self.observers.len().max(1);
                let was_live = self
                    .observers
                    .get_mut(at)
                    .map(|one| std::mem::take(&mut one.live));
                self.answer(format!("{was_live:?}"));
            }
            Op::ClearObservers => self.observers.iter_mut().for_each(|one| one.live = false),
            _ => unreachable!("run by `run`"),
        }
    }
}
