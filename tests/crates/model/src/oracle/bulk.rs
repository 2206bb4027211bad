//! Changes of many entities, and those that the context makes of the unique component.

use super::{Answer, Id, Numbers, Oracle, Subject, id_of, name, refused};
use crate::op::{Kind, Op};

impl Oracle {
    /// Runs what concerns many entities; returns whether it was that.
    pub(super) fn run_many(&mut self, op: &Op) -> bool {
        let answer = match op {
            Op::AddMany(kind, v, some)
            | Op::ReplaceMany(kind, v, some)
            | Op::UpdateMany(kind, v, some) => {
                let ids = self.some(some);
                let Some(value) = self.number(*kind, *v) else {
                    return true;
                };
                match op {
                    Op::AddMany(..) => self.add_many(&ids, *kind, value),
                    Op::ReplaceMany(..) => self.replace_many(&ids, *kind, value),
                    _ => self.update_many(&ids, *kind, value),
                }
            }
            Op::RemoveMany(kind, some) => {
                let ids = self.some(some);
                self.remove_many(&ids, *kind)
            }
            Op::DestroyMany(some) => {
                let ids = self.some(some);
                self.destroy_many(&ids)
            }
            _ => return self.run_on_all(op),
        };
        self.answer(format!("{answer:?}"));
        true
    }

    fn run_on_all(&mut self, op: &Op) -> bool {
        match *op {
            Op::WriteAll(..) if self.moved => {}
            Op::WriteAll(kind, v) => self.write_all(kind, v.into()),
            Op::RemoveFromGroup(n, _) | Op::DestroyGroup(n) => {
                if self.moved || self.groups.is_empty() {
                    return true;
                }
                let at = usize::from(n) % self.groups.len();
                let members: Vec<_> = self.groups[at].1.iter().copied().collect();
                match *op {
                    Op::RemoveFromGroup(_, kind) => self.remove_from(&members, kind),
                    _ if self.destroy_many(&members).is_err() => self.answer("refused"),
                    _ => {}
                }
            }
            Op::SetUnique(_) | Op::ReplaceUnique(_) | Op::RemoveUnique | Op::DestroyUnique => {
                self.run_unique(op);
            }
            _ => return false,
        }
        true
    }

    /// All are checked first.
    fn add_many(&mut self, ids: &[Id], kind: Kind, value: u64) -> Answer {
        if let (Kind::E, Some(&first)) = (kind, ids.first()) {
            self.check_toggle(&[first], kind, "add")?;
            self.check_value(first, kind, value, "add")?;
            self.check_toggle(&ids[..ids.len().min(2)], kind, "add")?;
            self.check_values(ids, kind, value, "add")?;
        }
        self.check_toggle(ids, kind, "add")?;
        self.check_values(ids, kind, value, "add")?;
        ids.iter().try_for_each(|id| self.add(*id, kind, value))
    }

    fn remove_many(&mut self, ids: &[Id], kind: Kind) -> Answer {
        self.check_toggle(ids, kind, "remove")?;
        ids.iter().try_for_each(|id| self.remove(*id, kind))
    }

    fn replace_many(&mut self, ids: &[Id], kind: Kind, value: u64) -> Answer {
        for &id in ids {
            self.living(id, "replace", Some(kind))?;
        }
        self.check_values(ids, kind, value, "replace")?;
        ids.iter().try_for_each(|id| self.replace(*id, kind, value))
    }

    fn update_many(&mut self, ids: &[Id], kind: Kind, value: u64) -> Answer {
        for &id in ids {
            self.living(id, "update", Some(kind))?;
            if self.value(id, kind).is_none() {
                return Err(refused("update", Some(kind), id, "it has none"));
            }
        }
        let is_checked = kind == Kind::G || kind.is_relation();
        if !is_checked {
            return ids
                .iter()
                .try_for_each(|id| self.update(*id, kind, Some(value)));
        }
        self.check_values(ids, kind, value, "update")?;
        let replace = |id: &Id| self.replace(*id, kind, value);
        ids.iter()
            .try_for_each(replace)
            .map_err(|text| text.replacen("replace", "update", 1))
    }

    fn check_toggle(&self, ids: &[Id], kind: Kind, verb: &str) -> Answer {
        for (at, &id) in ids.iter().enumerate() {
            self.living(id, verb, Some(kind))?;
            let (has, twice) = (self.value(id, kind).is_some(), ids[..at].contains(&id));
            if has != (verb == "remove") || twice {
                let because = ["it has none", "it already has one"][usize::from(verb == "add")];
                return Err(refused(verb, Some(kind), id, because));
            }
        }
        Ok(())
    }

    /// Checks the value that all these are about to get.
    fn check_values(&self, ids: &[Id], kind: Kind, value: u64, verb: &str) -> Answer {
        if kind == Kind::E || kind == Kind::G {
            let first = ids.first();
            let among = ids.iter().find(|id| Some(*id) != first);
            if let (Some(&second), Some(&first)) = (among, first) {
                let because = match kind {
                    Kind::E => format!("it is unique, and entity {} has it", name(first)),
                    _ => format!(
                        "entity {} has the `value` Val({value}) already, and a primary index allows one",
                        name(first)
                    ),
                };
                self.check_value(first, kind, value, verb)?;
                let verb = if kind == Kind::E { "add" } else { verb };
                return Err(refused(verb, Some(kind), second, &because));
            }
        }
        ids.iter()
            .try_for_each(|id| self.check_value(*id, kind, value, verb))
    }

    pub(super) fn destroy_many(&mut self, ids: &[Id]) -> Answer {
        for (at, &id) in ids.iter().enumerate() {
            self.living(id, "destroy", None)?;
            if ids[..at].contains(&id) {
                return Err(refused("destroy", None, id, "it is not alive"));
            }
        }
        self.destroy_listed(ids)
    }

    fn remove_from(&mut self, members: &[Id], kind: Kind) {
        let has = |id: &&Id| self.value(**id, kind).is_some();
        let having: Vec<_> = members.iter().filter(has).copied().collect();
        for id in having {
            let _ = self.remove(id, kind);
        }
    }

    /// All values are final before anybody is told.
    fn write_all(&mut self, kind: Kind, value: u64) {
        if !matches!(kind, Kind::A | Kind::B | Kind::C | Kind::L) {
            return;
        }
        let ids: Vec<_> = self.entities.keys().copied().collect();
        let mut told = Vec::new();
        for id in ids {
            if self.value(id, kind).is_some() {
                let previous = self.put(id, kind, Some(value)).filter(|_| kind.has_clone());
                let facts = self.update_facts(id, kind);
                self.gather(id, &facts);
                told.push((id, facts, previous));
            }
        }
        for (id, facts, previous) in told {
            self.enqueue_facts(id, &facts, Some(kind), previous);
        }
        self.deliver();
    }

    fn run_unique(&mut self, op: &Op) {
        let mut all = self.entities.iter();
        let owner = all
            .find(|(_, has)| has.contains_key(&Kind::E))
            .map(|(id, _)| *id);
        match (op, owner) {
            (Op::SetUnique(_), Some(owner)) => {
                let owner = name(owner);
                self.answer(format!(
                    "cannot add component `E` to a new entity of context `Game`: it is unique, and \
                     entity {owner} has it"
                ));
            }
            (Op::ReplaceUnique(v), Some(owner)) => {
                let _ = self.replace(owner, Kind::E, (*v).into());
                if !self.known.contains(&owner) {
                    self.known.push(owner);
                }
            }
            (Op::SetUnique(v) | Op::ReplaceUnique(v), None) => {
                self.create_many(&[vec![(Kind::E, (*v).into())]]);
            }
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

    /// Exchanges a component of two entities: both have it when the first is told of.
    pub(super) fn swap(&mut self, a: Id, b: Id, kind: Kind) -> Answer {
        self.check_exchange(a, b, kind)?;
        for id in [a, b] {
            self.living(id, "update", Some(kind))?;
            if self.value(id, kind).is_none() {
                return Err(refused("update", Some(kind), id, "it has none"));
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
            self.gather(*id, facts);
        }
        for ((id, facts), previous) in facts.into_iter().zip(values) {
            self.enqueue_facts(
                id,
                &facts,
                Some(kind),
                previous.filter(|_| kind.has_clone()),
            );
        }
        self.deliver();
        Ok(())
    }

    /// Nobody may lead to itself by an exchange, or in a circle.
    fn check_exchange(&self, a: Id, b: Id, kind: Kind) -> Answer {
        let (Some(of_a), Some(of_b)) = (self.value(a, kind), self.value(b, kind)) else {
            return Ok(());
        };
        if !kind.is_relation() {
            return Ok(());
        }
        for (id, value) in [(a, of_b), (b, of_a)] {
            if id_of(value) == id {
                let because = "an entity cannot be its own target";
                return Err(refused("update", Some(kind), id, because));
            }
        }
        Ok(())
    }

    /// A copy of an entity with what can be there twice.
    pub(super) fn copy(&mut self, id: Id) -> Answer {
        let kept = self.entities[&id].iter();
        let kept = kept.filter(|(kind, _)| !matches!(kind, Kind::B | Kind::E | Kind::G));
        let values: Numbers = kept.map(|(kind, value)| (*kind, *value)).collect();
        let copy = self.create(&values)?;
        self.known.push(copy);
        Ok(())
    }

    /// Sends a message to all inboxes, and then to those who observe.
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
        Op::RemoveUnique => "remove",
        _ => "destroy the entity of",
    };
    format!("cannot {what} unique component `E` of context `Game`: no entity has it")
}
