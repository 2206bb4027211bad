//! Runs each operation of a program.

use super::{Components, Gatherer, Id, Numbers, Oracle, Reacting, bits, name};
use crate::op::{Kind, Op, Pick, Target, Values};

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

    /// Converts a value to a number: that of an entity, for a relation.
    pub(super) fn number(&self, kind: Kind, value: u8) -> Option<u64> {
        match kind.is_relation() {
            true => self.target(Target::Nth(value), None).map(bits),
            false => Some(value.into()),
        }
    }

    pub(super) fn bundle(&self, values: &Values) -> Numbers {
        let numbers = values.iter();
        let numbers = numbers.filter_map(|&(kind, value)| Some((kind, self.number(kind, value)?)));
        numbers.collect()
    }

    /// The entities that an operation concerns; for a run those for which `fits` is true.
    pub(super) fn picked(&self, pick: &Pick, fits: impl Fn(&Components) -> bool) -> Vec<Id> {
        match *pick {
            Pick::These(ref numbers) => {
                let nth = |n: &u8| self.target(Target::Nth(*n), None);
                numbers.iter().filter_map(nth).collect()
            }
            Pick::Run(at, step, len, backward) => {
                let fit = self.entities.iter().filter(|(_, has)| fits(has));
                Pick::of_run(fit.map(|(id, _)| *id).collect(), at, step, len, backward)
            }
        }
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
            Op::Defragment | Op::DefragmentFor(_) => self.moved |= !self.cleaning,
            Op::ShrinkToFit => self.shrunk = true,
            Op::ClearPools | Op::ClearPool(Kind::C) => (self.shrunk, self.pooled) = (true, 0),
            Op::ReserveEntities(_) | Op::Reserve(..) | Op::ClearPool(_) => {}
            Op::DestroyAll => self.destroy_all(),
            Op::Reset => self.reset(),
            Op::ForEach(n, script) => self.for_each(*n, script),
            Op::Each(pick, script) => {
                for id in self.picked(pick, |_| true) {
                    script.iter().for_each(|op| self.run(op, Some(id)));
                }
            }
            _ => self.run_else(op, it),
        }
    }

    fn run_else(&mut self, op: &Op, it: Option<Id>) {
        let has_run = self.run_creating(op)
            || self.run_many(op)
            || self.run_query(op)
            || self.run_systems(op)
            || self.run_following(op)
            || self.run_guards(op)
            || self.run_saved(op);
        if !has_run {
            self.run_reaction(op, it);
        }
    }

    fn reset(&mut self) {
        self.destroy_all();
        self.empty_collected();
        self.forget_events();
        self.entered.clear();
        self.free.sort_by(|a, b| b.cmp(a));
    }

    /// Empties collectors, inboxes and lists of removed values.
    pub(super) fn empty_collected(&mut self) {
        self.inboxes.iter_mut().flatten().for_each(Vec::clear);
        let lost = self.removed.iter_mut().flatten();
        lost.for_each(|lost| lost.values.clear());
        let waiting = self.systems.iter_mut().flatten();
        let waiting = waiting.flat_map(Reacting::gatherers);
        let collectors = self.collectors.iter_mut().flatten().chain(waiting);
        collectors.for_each(|collector| collector.ids.clear());
    }

    /// Visits the members at the start of the loop, if still alive.
    fn for_each(&mut self, n: u8, script: &[Op]) {
        let Some(at) = usize::from(n).checked_rem(self.groups.len()) else {
            return;
        };
        let members = self.groups[at].1.iter().copied().collect();
        for id in self.in_order(members) {
            if self.entities.contains_key(&id) {
                script.iter().for_each(|op| self.run(op, Some(id)));
            }
        }
    }

    pub(super) fn run_reaction(&mut self, op: &Op, it: Option<Id>) {
        match op {
            Op::MakeGroup(sets) => {
                let group = self.group(*sets);
                self.answer(format!("group {group}"));
            }
            Op::MakeCollector(parts) => {
                let collector = self.gatherer(parts);
                self.collectors.push(Some(collector));
            }
            Op::MakeCollectors(count, parts) => {
                for _ in 0..*count {
                    let collector = self.gatherer(parts);
                    self.collectors.push(Some(collector));
                }
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
            _ => self.run_observing(op, it),
        }
    }

    pub(super) fn run_observing(&mut self, op: &Op, it: Option<Id>) {
        match op {
            Op::Subscribe(to, script) if to.is_to_event() => self.listen(*to, script, it),
            Op::Subscribe(to, script) if to.is_to_each_change() => {
                self.observe_changes(*to, script, it);
            }
            Op::Subscribe(listen, script) => self.subscribe(*listen, script),
            Op::Unsubscribe(n) => {
                let at = usize::from(*n) % self.subscriptions.len().max(1);
                let at = self.subscriptions.get(at).copied();
                let was_live = at.map(|at| std::mem::take(&mut self.observers[at].live));
                self.close_idle();
                self.answer(format!("{was_live:?}"));
            }
            Op::Deliver(_) | Op::Replay(_) | Op::SwitchEvents(_) => self.run_events(op),
            Op::ClearObservers => self.clear_observers(),
            Op::ClearGroupObservers(n) => self.clear_observers_of(*n),
            _ => unreachable!("run by `run`"),
        }
    }
}
