//! Bulk changes, and changes of the unique component through the context.

use super::{Answer, Id, Oracle, Subject, id_of, name, rejected};
use crate::op::{Kind, Op, Sets};

impl Oracle {
    /// Runs a bulk operation; returns `false` for other operations.
    pub(super) fn run_many(&mut self, op: &Op) -> bool {
        match op {
            Op::AddMany(kind, v, pick) => {
                let ids = self.picked(pick, |has| !has.contains_key(kind));
                self.write_many(op, (*kind, *v), &ids);
            }
            Op::ReplaceMany(kind, v, pick) => {
                let ids = self.picked(pick, |_| true);
                self.write_many(op, (*kind, *v), &ids);
            }
            Op::UpdateMany(kind, v, pick) => {
                let ids = self.picked(pick, |has| has.contains_key(kind));
                self.write_many(op, (*kind, *v), &ids);
            }
            Op::RemoveMany(kind, pick) => {
                let ids = self.picked(pick, |has| has.contains_key(kind));
                let answer = self.remove_many(&ids, *kind);
                self.answer(format!("{answer:?}"));
            }
            Op::DestroyMany(pick) => {
                let ids = self.picked(pick, |_| true);
                let answer = self.destroy_many(&ids);
                self.answer(format!("{answer:?}"));
            }
            _ => return self.run_on_all(op),
        }
        true
    }

    /// Writes a component of several entities in turn.
    fn write_many(&mut self, op: &Op, (kind, v): (Kind, u8), ids: &[Id]) {
        let values = (0..ids.len()).map(|nth| self.number(kind, kind.nth_value(v, nth)));
        let Some(values) = values.collect::<Option<Vec<u64>>>() else {
            return;
        };
        let pairs: Vec<_> = ids.iter().copied().zip(values).collect();
        let answer = match op {
            Op::AddMany(..) => self.add_many(ids, kind, &pairs),
            Op::ReplaceMany(..) => self.replace_many(ids, kind, &pairs),
            _ => self.update_many(ids, kind, &pairs),
        };
        self.answer(format!("{answer:?}"));
    }

    fn run_on_all(&mut self, op: &Op) -> bool {
        match *op {
            Op::RemoveFromGroup(n, _) | Op::DestroyGroup(n) => {
                let at = usize::from(n) % self.groups.len();
                let members = self.groups[at].1.iter().copied().collect();
                let members = self.in_order(members);
                let answer = match *op {
                    Op::RemoveFromGroup(_, kind) => self.remove_from(&members, kind),
                    _ => match self.destroy_many(&members) {
                        Ok(()) => format!("{} destroyed", members.len()),
                        Err(text) => text,
                    },
                };
                self.answer(answer);
            }
            Op::CleanUp => self.clean_up(),
            Op::Expire(kind, v, destroys) => self.expire(kind, v.into(), destroys),
            Op::SetUnique(_)
            | Op::ReplaceUnique(_)
            | Op::UpdateUnique(_)
            | Op::RemoveUnique
            | Op::DestroyUnique => self.run_unique(op),
            Op::SetState(v) => self.set_state(v),
            _ => return false,
        }
        true
    }

    /// Adds a component to several entities; validates all first.
    fn add_many(&mut self, ids: &[Id], kind: Kind, pairs: &[(Id, u64)]) -> Answer {
        if let (Kind::E, Some(&(first, value))) = (kind, pairs.first()) {
            self.check_toggle(&[first], kind, "add")?;
            self.check_value(first, kind, value, "add")?;
            self.check_toggle(&ids[..ids.len().min(2)], kind, "add")?;
            self.check_values(kind, pairs, "add")?;
        }
        self.check_toggle(ids, kind, "add")?;
        self.check_values(kind, pairs, "add")?;
        self.together(|of| {
            let mut pairs = pairs.iter();
            pairs.try_for_each(|(id, value)| of.add(*id, kind, *value))
        })
    }

    fn remove_many(&mut self, ids: &[Id], kind: Kind) -> Answer {
        self.check_toggle(ids, kind, "remove")?;
        self.together(|of| ids.iter().try_for_each(|id| of.remove(*id, kind)))
    }

    fn replace_many(&mut self, ids: &[Id], kind: Kind, pairs: &[(Id, u64)]) -> Answer {
        for &id in ids {
            self.alive(id, "replace", Some(kind))?;
        }
        self.check_values(kind, pairs, "replace")?;
        self.together(|of| {
            let mut pairs = pairs.iter();
            pairs.try_for_each(|(id, value)| of.replace(*id, kind, *value))
        })
    }

    fn update_many(&mut self, ids: &[Id], kind: Kind, pairs: &[(Id, u64)]) -> Answer {
        for &id in ids {
            self.alive(id, "update", Some(kind))?;
            if self.value(id, kind).is_none() {
                return Err(rejected("update", Some(kind), id, "it has none"));
            }
        }
        let is_checked = kind == Kind::G || kind.is_relation();
        if is_checked {
            self.check_values(kind, pairs, "update")?;
            let replaced = self.replace_many(ids, kind, pairs);
            return replaced.map_err(|text| text.replacen("replace", "update", 1));
        }
        let mut written: Vec<(Id, Vec<(Kind, u64)>)> = Vec::new();
        for &(id, value) in pairs {
            match written.iter_mut().find(|(before, _)| *before == id) {
                Some((_, values)) => values[0].1 = value,
                None => written.push((id, vec![(kind, value)])),
            }
        }
        self.report(written);
        Ok(())
    }

    /// Makes changes, and delivers their notifications after all of them.
    pub(super) fn together<R>(&mut self, change: impl FnOnce(&mut Self) -> R) -> R {
        let before = std::mem::replace(&mut self.delivering, true);
        let changed = change(self);
        self.delivering = before;
        self.deliver();
        changed
    }

    fn check_toggle(&self, ids: &[Id], kind: Kind, verb: &str) -> Answer {
        for (at, &id) in ids.iter().enumerate() {
            self.alive(id, verb, Some(kind))?;
            let (has, twice) = (self.value(id, kind).is_some(), ids[..at].contains(&id));
            if has != (verb == "remove") || twice {
                let because = ["it has none", "it already has one"][usize::from(verb == "add")];
                return Err(rejected(verb, Some(kind), id, because));
            }
        }
        Ok(())
    }

    /// Validates the new values of entities in turn.
    fn check_values(&mut self, kind: Kind, pairs: &[(Id, u64)], verb: &str) -> Answer {
        if kind == Kind::E {
            return self.check_one_owner(pairs);
        }
        if kind != Kind::G && !kind.is_relation() {
            return Ok(());
        }
        let before = self.entities.clone();
        let mut checked = Ok(());
        for &(id, value) in pairs {
            checked = checked.and_then(|()| self.check_value(id, kind, value, verb));
            if let Some(has) = self.entities.get_mut(&id) {
                has.insert(kind, value);
            }
        }
        self.entities = before;
        checked
    }

    fn check_one_owner(&self, pairs: &[(Id, u64)]) -> Answer {
        let Some(&(first, value)) = pairs.first() else {
            return Ok(());
        };
        self.check_value(first, Kind::E, value, "add")?;
        match pairs.iter().find(|(id, _)| *id != first) {
            Some((second, _)) => {
                let because = format!("it is unique, and entity {} has it", name(first));
                Err(rejected("add", Some(Kind::E), *second, &because))
            }
            None => Ok(()),
        }
    }

    pub(super) fn destroy_many(&mut self, ids: &[Id]) -> Answer {
        for (at, &id) in ids.iter().enumerate() {
            self.alive(id, "destroy", None)?;
            if ids[..at].contains(&id) {
                return Err(rejected("destroy", None, id, "it is not alive"));
            }
        }
        self.destroy_together(ids)
    }

    fn remove_from(&mut self, members: &[Id], kind: Kind) -> String {
        let has = |id: &&Id| self.value(**id, kind).is_some();
        let having: Vec<_> = members.iter().filter(has).copied().collect();
        let removed = self.together(|of| {
            let each = having.into_iter();
            each.filter(|&id| of.remove(id, kind).is_ok()).count()
        });
        format!("{removed} removed")
    }

    /// Ends components whose number is too small, or their entities.
    fn expire(&mut self, kind: Kind, least: u64, destroys: bool) {
        if !matches!(kind, Kind::A | Kind::C | Kind::L | Kind::N) {
            return;
        }
        let mut over = self.visited(&[kind]);
        over.retain(|id| self.value(*id, kind).is_some_and(|value| value < least));
        let ended = match destroys {
            true => self.destroy_together(&over),
            false => {
                self.remove_from(&over, kind);
                Ok(())
            }
        };
        self.answer(format!("{ended:?}"));
    }

    /// Cleans up one component after the other: for each, all entities that have it at that time.
    fn clean_up(&mut self) {
        if self.moved {
            return;
        }
        let before = std::mem::replace(&mut self.cleaning, true);
        let [l, n] = [Kind::L, Kind::N].map(|kind| self.group(Sets::of(kind)));
        let members = |of: &Self, at: usize| of.groups[at].1.iter().copied().collect::<Vec<Id>>();
        self.remove_from(&members(self, l), Kind::L);
        let cleaned = self.destroy_together(&members(self, n));
        self.cleaning = before;
        self.answer(format!("{cleaned:?}"));
    }

    fn owner(&self) -> Option<Id> {
        let mut all = self.entities.iter();
        let owner = all.find(|(_, has)| has.contains_key(&Kind::E));
        owner.map(|(id, _)| *id)
    }

    /// Records that the program received the entity with the unique component.
    pub(super) fn know_owner(&mut self) {
        if let Some(owner) = self.owner().filter(|owner| !self.known.contains(owner)) {
            self.known.push(owner);
        }
    }

    pub(super) fn run_unique(&mut self, op: &Op) {
        match (op, self.owner()) {
            (Op::SetUnique(_), Some(owner)) => {
                let owner = name(owner);
                self.answer(format!(
                    "cannot add component `E` to a new entity of context `Game`: it is unique, and \
                     entity {owner} has it"
                ));
            }
            (Op::ReplaceUnique(v) | Op::UpdateUnique(v), Some(owner)) => {
                let value = (*v).into();
                let _ = match op {
                    Op::ReplaceUnique(_) => self.replace(owner, Kind::E, value),
                    _ => self.update(owner, Kind::E, Some(value)),
                };
                if !self.known.contains(&owner) {
                    self.known.push(owner);
                }
            }
            (Op::SetUnique(v) | Op::ReplaceUnique(v), None) => {
                self.create_many(&[vec![(Kind::E, (*v).into())]]);
            }
            (Op::UpdateUnique(_), None) => self.answer(not_set(op)),
            (_, None) => self.answer(format!("{:?}", Err::<(), _>(not_set(op)))),
            (Op::RemoveUnique, Some(owner)) if self.entities[&owner].len() > 1 => {
                let answer = self.remove(owner, Kind::E);
                self.answer(format!("{answer:?}"));
            }
            (_, Some(owner)) => {
                let answer = self.destroy(owner);
                self.answer(format!("{answer:?}"));
            }
        }
    }

    /// Swaps a component of two entities: both have their new value when the first is notified.
    pub(super) fn swap(&mut self, a: Id, b: Id, kind: Kind) -> Answer {
        self.check_swap(a, b, kind)?;
        for id in [a, b] {
            self.alive(id, "swap", Some(kind))?;
            if self.value(id, kind).is_none() {
                return Err(rejected("swap", Some(kind), id, "it has none"));
            }
        }
        if a == b {
            return Ok(());
        }
        let values = [a, b].map(|id| self.value(id, kind));
        let [of_a, of_b] = values;
        self.put(a, kind, of_b);
        self.put(b, kind, of_a);
        let facts = [a, b].map(|id| (id, self.update_facts(id, kind)));
        for (id, facts) in &facts {
            self.collect(*id, facts);
        }
        for ((id, facts), previous) in facts.into_iter().zip(values) {
            let previous = previous.filter(|_| kind.has_clone());
            self.enqueue_update(id, &facts, kind, previous);
        }
        self.deliver();
        Ok(())
    }

    /// A swap must not make an entity its own target, or close a cycle.
    fn check_swap(&self, a: Id, b: Id, kind: Kind) -> Answer {
        let (Some(of_a), Some(of_b)) = (self.value(a, kind), self.value(b, kind)) else {
            return Ok(());
        };
        if !kind.is_relation() {
            return Ok(());
        }
        for (id, value) in [(a, of_b), (b, of_a)] {
            if id_of(value) == id {
                let because = "an entity cannot be its own target";
                return Err(rejected("swap", Some(kind), id, because));
            }
        }
        Ok(())
    }

    /// Sends a message to all inboxes, then to all observers.
    pub(super) fn send(&mut self, message: u8) {
        self.inboxes
            .iter_mut()
            .flatten()
            .for_each(|inbox| inbox.push(message));
        self.enqueue(Subject::Message, None, None, Some(message.into()));
        self.deliver();
    }
}

fn not_set(op: &Op) -> String {
    let what = match op {
        Op::UpdateUnique(_) => "update",
        Op::RemoveUnique => "remove",
        _ => "destroy the entity of",
    };
    format!("cannot {what} unique component `E` of context `Game`: no entity has it")
}
