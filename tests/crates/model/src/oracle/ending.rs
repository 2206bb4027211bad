//! Destroying entities, and the sources that are destroyed with their target.

use std::collections::BTreeSet;
use std::mem;

use ecs::{ChangeKind, GroupEvent};

use super::{Answer, Id, Oracle, Subject, name, rejected};
use crate::op::{Kind, Sets};

type Facts = Vec<(usize, GroupEvent)>;

impl Oracle {
    pub(super) fn destroy(&mut self, id: Id) -> Answer {
        self.alive(id, "destroy", None)?;
        self.destroy_together(&[id])
    }

    /// Destroys entities, notifying observers first, or leaves them to the destroy that is running.
    pub(super) fn destroy_together(&mut self, ids: &[Id]) -> Answer {
        let is_ending =
            |oracle: &Self, id: Id| oracle.dying == Some(id) || oracle.doomed.contains(&id);
        if let [id] = *ids
            && is_ending(self, id)
        {
            let because = "it is being destroyed already";
            return Err(rejected("destroy", None, id, because));
        }
        if self.dying.is_some() {
            for &id in ids {
                if !is_ending(self, id) {
                    self.doomed.push_back(id);
                }
            }
            return Ok(());
        }
        let outermost = !mem::replace(&mut self.delivering, true);
        let answer = self.notify_and_destroy(ids);
        while let Some(id) = self.doomed.pop_front() {
            if self.entities.contains_key(&id) {
                let _ = self.notify_and_destroy(&[id]);
            }
        }
        self.delivering = !outermost;
        self.deliver();
        answer
    }

    /// Notifies observers before the destroy, which may change the set of destroyed entities.
    fn notify_and_destroy(&mut self, ids: &[Id]) -> Answer {
        let mut plan = self.plan(ids)?;
        let mut announced = BTreeSet::new();
        while let Some(id) = plan.iter().copied().find(|id| !announced.contains(id)) {
            announced.insert(id);
            self.dying = Some(id);
            let notice = self.notice(Subject::Dying, Some(id), None, None);
            self.tell(notice);
            self.dying = None;
            plan = self.plan(ids)?;
        }
        self.destroy_planned(&plan);
        Ok(())
    }

    /// All entities destroyed with these, each target before its sources.
    fn plan(&self, ids: &[Id]) -> Result<Vec<Id>, String> {
        let (mut plan, mut seen) = (Vec::new(), BTreeSet::new());
        for &id in ids.iter().rev() {
            self.walk(id, &mut plan, &mut seen);
        }
        plan.reverse();
        for &id in &plan {
            let mut sources = self.sources(Kind::K, id).iter();
            if let Some(source) = sources.find(|source| !seen.contains(source)) {
                let because = format!(
                    "entity {} refers to it by component `K`, which rejects that its target is \
                     destroyed",
                    name(*source)
                );
                return Err(rejected("destroy", None, id, &because));
            }
        }
        Ok(plan)
    }

    /// Lists an entity after all its sources.
    fn walk(&self, id: Id, plan: &mut Vec<Id>, seen: &mut BTreeSet<Id>) {
        if !seen.insert(id) {
            return;
        }
        for &source in self.sources(Kind::H, id).iter().rev() {
            self.walk(source, plan, seen);
        }
        plan.push(id);
    }

    fn destroy_planned(&mut self, plan: &[Id]) {
        let stripped: Vec<Id> = plan
            .iter()
            .flat_map(|id| self.sources(Kind::I, *id))
            .copied()
            .collect();
        for &id in plan {
            self.links.retain(|(_, target), _| *target != id);
        }
        let ended: Vec<_> = plan.iter().map(|&id| (id, self.end(id))).collect();
        let mut lost = Vec::new();
        for id in stripped.into_iter().filter(|id| !plan.contains(id)) {
            let value = self.put(id, Kind::I, None);
            let facts = self.regroup(id);
            self.collect(id, &facts);
            lost.push((id, facts, value));
        }
        for (id, left) in ended {
            for (facts, via, previous) in left {
                self.enqueue_facts(id, &facts, via, previous);
                let what = match via {
                    Some(_) => ChangeKind::Removed,
                    None => ChangeKind::Destroyed,
                };
                self.enqueue_change(id, what, via, previous);
            }
            self.enqueue(Subject::Destroyed, Some(id), None, None);
        }
        for (id, facts, value) in lost {
            self.enqueue_facts(id, &facts, Some(Kind::I), value);
            self.enqueue_change(id, ChangeKind::Removed, Some(Kind::I), value);
        }
        self.deliver();
    }

    /// Removes an entity, component by component; returns the notifications of each.
    fn end(&mut self, id: Id) -> Vec<(Facts, Option<Kind>, Option<u64>)> {
        let mut left = Vec::new();
        let kinds: Vec<_> = self.entities[&id].keys().copied().collect();
        for kind in kinds {
            let value = self.put(id, kind, None);
            let components = self.entities[&id].clone();
            let facts = self.leave(id, |sets| !sets.matches(&components));
            self.collect(id, &facts);
            left.push((facts, Some(kind), value));
            self.pool(kind == Kind::C);
        }
        let facts = self.leave(id, |_| true);
        self.collect(id, &facts);
        left.push((facts, None, None));
        self.entities.remove(&id);
        self.note_end(id);
        self.recycle(id);
        left
    }

    /// Removes a dying entity from the groups for which `leaves` returns `true`.
    fn leave(&mut self, id: Id, leaves: impl Fn(Sets) -> bool) -> Facts {
        let mut facts = Vec::new();
        for (at, (sets, members)) in self.groups.iter_mut().enumerate() {
            if leaves(*sets) && members.remove(&id) {
                facts.push((at, GroupEvent::Left));
            }
        }
        facts
    }

    pub(super) fn destroy_all(&mut self) {
        let all: Vec<_> = self.entities.keys().copied().collect();
        let _ = self.destroy_together(&all);
    }
}
