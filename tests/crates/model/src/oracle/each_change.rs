//! Observers of each change, of all entities or of one, and guards that end observers.

use ecs::ChangeKind;

use super::{Does, Id, Notice, Oracle, Subject, name};
use crate::op::{Kind, Listen, Op};

impl Oracle {
    /// Adds an observer of each change, unless its entity is dead.
    pub(super) fn observe_changes(&mut self, listen: Listen, script: &[Op], it: Option<Id>) {
        let entity = match listen {
            Listen::ToOwnChanges(on) => {
                let id = self.target(on, it);
                let id = id.filter(|id| self.entities.contains_key(id));
                if id.is_none() {
                    return self.answer("dead");
                }
                id
            }
            _ => None,
        };
        let number = self.subscriptions.len();
        self.subscriptions.push(self.observers.len());
        let does = Does::Script(number, script.to_vec());
        self.observe(Subject::Changes(entity), does);
    }

    /// Notifies the observers of each change: of every entity, then of this one. Those of the entity
    /// end with it.
    pub(super) fn enqueue_change(
        &mut self,
        id: Id,
        what: ChangeKind,
        via: Option<Kind>,
        previous: Option<u64>,
    ) {
        self.enqueue(Subject::Change(what), Some(id), via, previous);
    }

    /// Tells the observers of a change.
    pub(super) fn tell_change(&mut self, notice: Notice, what: ChangeKind) {
        self.tell_observers(notice, Subject::Changes(None));
        self.tell_observers(notice, Subject::Changes(notice.id));
        if what == ChangeKind::Destroyed {
            for observer in &mut self.observers {
                observer.live &= observer.subject != Subject::Changes(notice.id);
            }
        }
    }

    pub(super) fn line_of_change(
        &self,
        observer: usize,
        notice: Notice,
        what: ChangeKind,
    ) -> String {
        let id = notice.id.expect("a change is of an entity");
        let (id, via, previous, now) = (name(id), notice.via, notice.previous, self.present(id));
        format!("#{observer} {id} {what:?} {via:?} from {previous:?}; now {now}")
    }

    /// Runs an operation on guards; returns `false` for other operations.
    pub(super) fn run_guards(&mut self, op: &Op) -> bool {
        match *op {
            Op::Guard(n) => {
                let at = usize::from(n).checked_rem(self.subscriptions.len());
                let at = at.map(|at| self.subscriptions[at]);
                let can_end =
                    |at: &usize| self.observers[*at].live && !self.observers[*at].is_running;
                let guarded = at.filter(can_end);
                self.guards.extend(guarded.map(Some));
                self.answer(format!("{:?}", at.map(|_| guarded.is_some())));
            }
            Op::DropGuard(n) => {
                let at = usize::from(n).checked_rem(self.guards.len());
                if let Some(observer) = at.and_then(|at| self.guards[at].take()) {
                    self.observers[observer].live = false;
                    self.close_idle();
                }
            }
            _ => return false,
        }
        true
    }
}
