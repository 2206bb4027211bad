//! What each operation of a program means.

use super::{Gatherer, Id, Numbers, Oracle, bits, name};
use crate::op::{Kind, Op, Target, Values};

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

    /// The number that a value stands for: that of an entity, for a relation.
    pub(super) fn number(&self, kind: Kind, value: u8) -> Option<u64> {
        match kind.is_relation() {
            true => self.target(Target::Nth(value), None).map(bits),
            false => Some(value.into()),
        }
    }

    fn bundle(&self, values: &Values) -> Numbers {
        let numbers = values.iter();
        let numbers = numbers.filter_map(|&(kind, value)| Some((kind, self.number(kind, value)?)));
        numbers.collect()
    }

    pub(super) fn some(&self, numbers: &[u8]) -> Vec<Id> {
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
            Op::Panicking(_, script) => script.iter().for_each(|op| self.run(op, it)),
            Op::Create => self.create_many(&[Numbers::new()]),
            Op::CreateWith(values) => self.create_many(&[self.bundle(values)]),
            Op::CreateMany(bundles) => {
                let bundles: Vec<_> = bundles.iter().map(|values| self.bundle(values)).collect();
                self.create_many(&bundles);
            }
            Op::CreateColumns(count, v) => {
                let v = u64::from(*v);
                let row = vec![(Kind::A, v), (Kind::L, v)];
                self.create_many(&vec![row; usize::from(*count)]);
            }
            Op::Defragment | Op::DefragmentFor(_) => self.moved = true,
            Op::ShrinkToFit => self.shrunk = true,
            Op::ReserveEntities(_) | Op::Reserve(..) => {}
            Op::DestroyAll => self.destroy_all(),
            Op::Reset => {
                self.destroy_all();
                self.inboxes.iter_mut().flatten().for_each(Vec::clear);
                self.removed.iter_mut().flatten().for_each(Vec::clear);
                self.collectors
                    .iter_mut()
                    .flatten()
                    .for_each(|collector| collector.ids.clear());
                self.free.sort_by(|a, b| b.cmp(a));
            }
            Op::ForEach(..) if self.moved => {}
            Op::ForEach(n, script) => {
                let at = usize::from(*n) % self.groups.len().max(1);
                let members = self.groups.get(at).map(|(_, members)| members.clone());
                for id in members.unwrap_or_default() {
                    if self.entities.contains_key(&id) {
                        script.iter().for_each(|op| self.run(op, Some(id)));
                    }
                }
            }
            _ => self.run_else(op),
        }
    }

    fn run_else(&mut self, op: &Op) {
        if !self.run_many(op) && !self.run_following(op) {
            self.run_reaction(op);
        }
    }

    pub(super) fn run_on(&mut self, op: &Op, id: Id) {
        if !self.entities.contains_key(&id) && !matches!(op, Op::Destroy(_)) {
            return self.answer("dead");
        }
        let answer = match *op {
            Op::Insert(_, ref values) => self.insert(id, &self.bundle(values)),
            Op::AddAll(_, ref values) => self.add_all(id, &self.bundle(values)),
            Op::Add(_, kind, v)
            | Op::Replace(_, kind, v)
            | Op::Update(_, kind, v)
            | Op::UseAfterDestroy(_, kind, v) => {
                let Some(value) = self.number(kind, v) else {
                    return;
                };
                match *op {
                    Op::Add(..) => self.add(id, kind, value),
                    Op::Replace(..) => self.replace(id, kind, value),
                    Op::Update(..) => self.update(id, kind, Some(value)),
                    _ => return self.use_after_destroy(id, kind, value),
                }
            }
            Op::Swap(_, kind, other) => {
                let Some(other) = self.target(Target::Nth(other), None) else {
                    return;
                };
                self.swap(id, other, kind)
            }
            Op::Copy(_) => self.copy(id),
            Op::Touch(_, kind) => self.update(id, kind, None),
            Op::Remove(_, kind) => self.remove(id, kind),
            Op::Destroy(_) => self.destroy(id),
            Op::RemoveAll(_) => return self.remove_all(id),
            Op::Take(_, kind) => {
                let taken = self.take(id, kind);
                return self.answer(format!("{:?}", Ok::<_, String>(taken)));
            }
            Op::Untracked(_, kind, value) => {
                if kind.has_untracked() && !self.followed && self.value(id, kind).is_some() {
                    self.put(id, kind, Some(value.into()));
                }
                return;
            }
            _ => return,
        };
        self.answer(format!("{answer:?}"));
    }

    fn use_after_destroy(&mut self, id: Id, kind: Kind, value: u64) {
        let answers = [
            self.destroy(id),
            self.add(id, kind, value),
            self.replace(id, kind, value),
            self.update(id, kind, Some(value)),
            self.remove(id, kind),
            self.destroy(id),
        ];
        self.answer(format!("{answers:?}"));
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
                let at = usize::from(*n) % self.subscriptions.len().max(1);
                let at = self.subscriptions.get(at).copied();
                let was_live = at.map(|at| std::mem::take(&mut self.observers[at].live));
                self.answer(format!("{was_live:?}"));
            }
            Op::ClearObservers => self.clear_observers(),
            _ => unreachable!("run by `run`"),
        }
    }
}
