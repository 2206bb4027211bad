//! Queries that write: all values are final before the first notification.

use super::{Id, Oracle, rejected};
use crate::game::LASTS;
use crate::op::{Kind, Op, Target, Write};

/// The entities that a query writes to, in order, with their new values.
type Written = Vec<(Id, Vec<(Kind, u64)>)>;

/// The number of a timer after a tick.
fn ticked(timer: u64, passed: u64) -> u64 {
    let (repeats, paused, elapsed) = (timer % 2 == 1, timer / 2 % 2 == 1, timer / 4 % (LASTS + 1));
    let now = elapsed + if paused { 0 } else { passed };
    let (times, elapsed) = match repeats {
        true => (now / LASTS, now % LASTS),
        false => (u64::from(elapsed < LASTS && now >= LASTS), now.min(LASTS)),
    };
    timer % 4 + 4 * (elapsed + (LASTS + 1) * times)
}

impl Oracle {
    /// Runs a query; returns `false` for other operations.
    pub(super) fn run_query(&mut self, op: &Op) -> bool {
        match *op {
            Op::Write(Write::Untracked(kind), v) => self.write_untracked(kind, v),
            Op::Write(what, v) => {
                let written = self.written(what, v);
                self.report(written);
            }
            Op::DrainRows(n, other) => self.drain_rows(n, other),
            _ => return false,
        }
        true
    }

    /// The entities with all these components, in the order of iteration.
    pub(super) fn visited(&mut self, kinds: &[Kind]) -> Vec<Id> {
        let has_all = |id: &Id| kinds.iter().all(|kind| self.value(*id, *kind).is_some());
        let having = self.entities.keys().copied().filter(has_all).collect();
        self.in_order(having)
    }

    fn written(&mut self, what: Write, v: u8) -> Written {
        let in_turn = |kind: Kind, ids: Vec<Id>| {
            let value = |nth| kind.nth_value(v, nth).into();
            let ids = ids.into_iter().enumerate();
            ids.map(|(nth, id)| (id, vec![(kind, value(nth))]))
                .collect()
        };
        match what {
            Write::Each(kind)
            | Write::Slices(kind)
            | Write::Members(kind, _)
            | Write::Changed(kind)
                if !Write::KINDS.contains(&kind) =>
            {
                Written::new()
            }
            Write::Each(kind) | Write::Slices(kind) => in_turn(kind, self.visited(&[kind])),
            Write::Members(kind, n) => in_turn(kind, self.visited_members(kind, n)),
            Write::Both => self.written_both(v),
            Write::Untracked(_) => unreachable!("run by `run_query`"),
            Write::Changed(kind) => {
                let mut ids = self.visited(&[kind]);
                ids.retain(|id| self.value(*id, kind) != Some(v.into()));
                let all = ids.into_iter();
                all.map(|id| (id, vec![(kind, v.into())])).collect()
            }
            Write::Tick => {
                let all = self.visited(&[Kind::P]).into_iter();
                let ticked = |id: Id| ticked(self.value(id, Kind::P).unwrap_or_default(), v.into());
                all.map(|id| (id, vec![(Kind::P, ticked(id))])).collect()
            }
            Write::Parallel => {
                let all = self.visited(&[Kind::N]).into_iter();
                let value = |id: Id| v.wrapping_add(id.0 as u8) % 16;
                all.map(|id| (id, vec![(Kind::N, value(id).into())]))
                    .collect()
            }
        }
    }

    /// Writes without a notification.
    fn write_untracked(&mut self, kind: Kind, v: u8) {
        if !Write::KINDS.contains(&kind) || !kind.has_untracked() || self.followed {
            return;
        }
        for (nth, id) in self.visited(&[kind]).into_iter().enumerate() {
            self.put(id, kind, Some(kind.nth_value(v, nth).into()));
        }
    }

    fn visited_members(&mut self, kind: Kind, n: u8) -> Vec<Id> {
        let at = usize::from(n) % self.groups.len();
        let has = |id: &Id| self.value(*id, kind).is_some();
        let members = self.groups[at].1.iter().copied().filter(has).collect();
        self.in_order(members)
    }

    fn written_both(&mut self, v: u8) -> Written {
        let visited = self.visited(&[Kind::A, Kind::D]).into_iter();
        let both = visited.enumerate().map(|(nth, id)| {
            let value = u64::from(Kind::A.nth_value(v, nth));
            let has_l = self.value(id, Kind::L).is_some();
            let l = has_l.then_some((Kind::L, value));
            (id, [(Kind::A, value)].into_iter().chain(l).collect())
        });
        both.collect()
    }

    /// Writes all values, marks the collectors, then notifies observers of each.
    pub(super) fn report(&mut self, written: Written) {
        let mut notified = Vec::new();
        for (id, values) in written {
            for (kind, value) in values {
                let previous = self.put(id, kind, Some(value));
                let facts = self.update_facts(id, kind);
                self.collect(id, &facts);
                notified.push((id, facts, kind, previous.filter(|_| kind.has_clone())));
            }
        }
        for (id, facts, kind, previous) in notified {
            self.enqueue_update(id, &facts, kind, previous);
        }
        self.deliver();
    }

    /// Writes the value of one entity, or of two, both of which must match.
    pub(super) fn write_to(&mut self, id: Id, other: Option<u8>, kind: Kind, v: u8) {
        let Some(value) = self.number(kind, v) else {
            return;
        };
        if !Write::KINDS.contains(&kind) {
            return;
        }
        let has = |oracle: &Self, id| oracle.value(id, kind).is_some();
        let other = other.and_then(|other| self.target(Target::Nth(other), None));
        let (ids, answer) = match other {
            None if has(self, id) => (vec![id], "Some(())".to_owned()),
            None => (Vec::new(), "None".to_owned()),
            Some(other) => {
                let mut alive = vec![id, other];
                alive.retain(|id| self.entities.contains_key(id));
                alive.sort_unstable();
                alive.dedup();
                let ids = self.in_order(alive);
                match self.check_two(id, other, |id| has(self, id)) {
                    Ok(()) => (ids, "Ok(())".to_owned()),
                    rejected => (Vec::new(), format!("{rejected:?}")),
                }
            }
        };
        self.report(
            ids.into_iter()
                .map(|id| (id, vec![(kind, value)]))
                .collect(),
        );
        self.answer(answer);
    }

    fn check_two(&self, id: Id, other: Id, is_visited: impl Fn(Id) -> bool) -> Result<(), String> {
        if !is_visited(id) {
            return Err(self.access_rejected(id));
        }
        if id == other {
            let because = "it is given twice, and would be borrowed exclusively twice";
            return Err(rejected("access", None, id, because));
        }
        is_visited(other)
            .then_some(())
            .ok_or_else(|| self.access_rejected(other))
    }

    /// Visits the entities with `A` that two collectors hold, and clears both.
    fn drain_rows(&mut self, n: u8, other: u8) {
        let place = |n: u8| usize::from(n) % self.collectors.len().max(1);
        let places = [n, other].map(place);
        let both = places.map(|at| self.collectors.get(at).is_some_and(Option::is_some));
        let mut held = Vec::new();
        if both == [true, true] {
            let [one, two] = places.map(|at| {
                let collector = self.collectors[at].as_mut().expect("it is there");
                std::mem::take(&mut collector.ids)
            });
            held = one.into_iter().filter(|id| two.contains(id)).collect();
        }
        held.retain(|id| self.value(*id, Kind::A).is_some());
        held.sort_unstable();
        let visited = self.in_order(held);
        self.answer_with_a(&visited);
    }
}
