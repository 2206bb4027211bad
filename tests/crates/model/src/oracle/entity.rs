//! Changes of one entity.

use super::{Id, Oracle, rejected};
use crate::op::{Kind, Op, Target, Untyped};

impl Oracle {
    pub(super) fn run_on(&mut self, op: &Op, id: Id) {
        match *op {
            Op::Destroy(_) => {
                let answer = self.destroy(id);
                return self.answer(format!("{answer:?}"));
            }
            Op::WriteTo(_, other, kind, v) => return self.write_to(id, other, kind, v),
            _ if !self.entities.contains_key(&id) => return self.answer("dead"),
            _ => {}
        }
        let answer = match *op {
            Op::Copy(..) | Op::CopyTo(..) | Op::MakeTemplate(..) | Op::ApplyTemplate(..) => {
                self.run_copying(op, id)
            }
            Op::RemoveAll(_) => {
                self.remove_all(id);
                None
            }
            Op::Untracked(_, kind, value) => {
                if kind.has_untracked() && !self.followed && self.value(id, kind).is_some() {
                    self.put(id, kind, Some(value.into()));
                }
                None
            }
            Op::UseAfterDestroy(_, kind, v) => {
                let value = self.number(kind, v);
                value.map(|value| self.use_after_destroy(id, kind, value))
            }
            _ => self.change(op, id),
        };
        if let Some(answer) = answer {
            self.answer(answer);
        }
    }

    /// Changes an entity by one call; returns its result.
    fn change(&mut self, op: &Op, id: Id) -> Option<String> {
        let answer = match *op {
            Op::Insert(_, ref values) => self.insert(id, &self.bundle(values)),
            Op::AddAll(_, ref values) => self.add_all(id, &self.bundle(values)),
            Op::Touch(_, kind) => self.update(id, kind, None),
            Op::Remove(_, kind) => self.remove(id, kind),
            Op::Swap(_, kind, other) => {
                let other = self.target(Target::Nth(other), None)?;
                self.swap(id, other, kind)
            }
            Op::Take(_, kind) => return Some(self.take_notified(id, kind)),
            Op::FillNew(_, v) | Op::FillAny(_, v) => {
                self.shrunk = true;
                if matches!(op, Op::FillAny(..)) || self.value(id, Kind::C).is_none() {
                    let _ = self.replace(id, Kind::C, v.into());
                }
                return None;
            }
            Op::Add(_, kind, v)
            | Op::Replace(_, kind, v)
            | Op::Update(_, kind, v)
            | Op::UpdateHalfway(_, kind, v)
            | Op::UpdateWith(_, kind, v)
            | Op::Untyped(_, _, kind, v) => {
                let value = self.number(kind, v)?;
                return self.change_value(op, id, kind, value);
            }
            _ => unreachable!("run by `run_on`"),
        };
        Some(format!("{answer:?}"))
    }

    fn change_value(&mut self, op: &Op, id: Id, kind: Kind, value: u64) -> Option<String> {
        let answer = match *op {
            Op::Add(..) | Op::Untyped(_, Untyped::Add, ..) => self.add(id, kind, value),
            Op::Replace(..) | Op::Untyped(_, Untyped::Replace, ..) => self.replace(id, kind, value),
            Op::Untyped(_, Untyped::Remove, ..) => self.remove(id, kind),
            Op::Untyped(..) => return Some(self.take_notified(id, kind)),
            Op::UpdateHalfway(..) => return Some(self.update_halfway(id, kind, value)),
            Op::UpdateWith(..) if !kind.has_clone() => return None,
            _ => self.update(id, kind, Some(value)),
        };
        Some(format!("{answer:?}"))
    }

    /// What the closure has written stays and is collected, except in a clone; observers are not
    /// notified.
    fn update_halfway(&mut self, id: Id, kind: Kind, value: u64) -> String {
        let answer: Result<Result<(), String>, String> = match self.value(id, kind) {
            None => Ok(Err(rejected("update", Some(kind), id, "it has none"))),
            Some(_) if kind == Kind::G || kind.is_relation() => Err("half-way".to_owned()),
            Some(_) => {
                self.put(id, kind, Some(value));
                let facts = self.update_facts(id, kind);
                self.collect(id, &facts);
                Err("half-way".to_owned())
            }
        };
        format!("{answer:?}")
    }

    fn take_notified(&mut self, id: Id, kind: Kind) -> String {
        let taken = self.take(id, kind);
        format!("{:?}", Ok::<_, String>(taken))
    }

    fn use_after_destroy(&mut self, id: Id, kind: Kind, value: u64) -> String {
        let answers = [
            self.destroy(id),
            self.add(id, kind, value),
            self.replace(id, kind, value),
            self.update(id, kind, Some(value)),
            self.remove(id, kind),
            self.destroy(id),
        ];
        format!("{answers:?}")
    }

    /// The error for an entity that a query cannot visit.
    pub(super) fn access_rejected(&self, id: Id) -> String {
        let because = match self.entities.contains_key(&id) {
            true => "the query does not visit it",
            false => "it is not alive",
        };
        rejected("access", None, id, because)
    }
}
