//! Notifications of a change: groups, collectors, observers, first in, first out.

use ecs::{ChangeKind, GroupEvent};

use super::{Does, Id, Notice, Observer, Oracle, Reacting, Subject, matching, name};
use crate::op::{Kind, Listen, Op, Sets};

impl Oracle {
    /// Recomputes the membership of an entity in every group; returns those that it entered and
    /// left.
    pub(super) fn regroup(&mut self, id: Id) -> Vec<(usize, GroupEvent)> {
        let mut facts = Vec::new();
        let components = self.entities.get(&id);
        for (at, (sets, members)) in self.groups.iter_mut().enumerate() {
            match components.is_some_and(|components| sets.matches(components)) {
                true if members.insert(id) => facts.push((at, GroupEvent::Entered)),
                false if members.remove(&id) => facts.push((at, GroupEvent::Left)),
                _ => {}
            }
        }
        facts
    }

    pub(super) fn collect(&mut self, id: Id, facts: &[(usize, GroupEvent)]) {
        let waiting = self.systems.iter_mut().flatten();
        let waiting = waiting.flat_map(Reacting::gatherers);
        let events = self.sources.values_mut().map(|source| &mut source.happened);
        let all = self.collectors.iter_mut().flatten();
        for collector in all.chain(waiting).chain(events) {
            let wanted = |(group, event): &(usize, GroupEvent)| {
                let mut parts = collector.parts.iter();
                parts.any(|(of, events)| of == group && events.contains(*event))
            };
            if collector.active && facts.iter().any(wanted) && !collector.ids.contains(&id) {
                collector.ids.push(id);
            }
        }
    }

    pub(super) fn group(&mut self, sets: Sets) -> usize {
        if let Some(known) = self.groups.iter().position(|(known, _)| *known == sets) {
            return known;
        }
        self.groups.push((sets, matching(&self.entities, sets)));
        let at = self.groups.len() - 1;
        self.enqueue(Subject::GroupCreated(Some(at)), None, None, None);
        self.deliver();
        at
    }

    pub(super) fn notice(
        &mut self,
        subject: Subject,
        id: Option<Id>,
        via: Option<Kind>,
        previous: Option<u64>,
    ) -> Notice {
        self.changes += 1;
        Notice {
            number: self.changes,
            subject,
            id,
            via,
            previous,
        }
    }

    pub(super) fn enqueue(
        &mut self,
        subject: Subject,
        id: Option<Id>,
        via: Option<Kind>,
        previous: Option<u64>,
    ) {
        let notice = self.notice(subject, id, via, previous);
        self.queue.push_back(notice);
    }

    pub(super) fn enqueue_facts(
        &mut self,
        id: Id,
        facts: &[(usize, GroupEvent)],
        via: Option<Kind>,
        previous: Option<u64>,
    ) {
        for &(group, event) in facts {
            self.enqueue(Subject::Group(group, event), Some(id), via, previous);
        }
    }

    /// Notifies of an update of a component.
    pub(super) fn enqueue_update(
        &mut self,
        id: Id,
        facts: &[(usize, GroupEvent)],
        via: Kind,
        previous: Option<u64>,
    ) {
        self.enqueue_facts(id, facts, Some(via), previous);
        self.enqueue_change(id, ChangeKind::Replaced, Some(via), previous);
    }

    /// Delivers the queue, first in, first out, unless it is being delivered already.
    pub(super) fn deliver(&mut self) {
        if self.delivering {
            return;
        }
        self.delivering = true;
        self.tell_queued();
        self.delivering = false;
    }

    pub(super) fn tell_queued(&mut self) {
        while let Some(notice) = self.queue.pop_front() {
            self.tell(notice);
        }
    }

    pub(super) fn tell(&mut self, notice: Notice) {
        match notice.subject {
            Subject::Change(what) => self.tell_change(notice, what),
            Subject::GroupCreated(_) => self.tell_observers(notice, Subject::GroupCreated(None)),
            subject => self.tell_observers(notice, subject),
        }
    }

    /// Calls the observers of a subject that subscribed before the change.
    pub(super) fn tell_observers(&mut self, notice: Notice, subject: Subject) {
        for at in 0..self.observers.len() {
            let observer = &mut self.observers[at];
            if observer.live && observer.since < notice.number && observer.subject == subject {
                observer.is_running = true;
                match observer.does.clone() {
                    Does::Script(number, script) => self.react(number, &script, notice),
                    Does::Collect(list) => self.note_removed(list, notice),
                }
                self.observers[at].is_running = false;
            }
        }
    }

    fn react(&mut self, number: usize, script: &[Op], notice: Notice) {
        self.log.push(self.line(number, notice));
        self.run_script(script, notice.id);
    }

    /// Runs the program of an observer, up to the limit of operations.
    pub(super) fn run_script(&mut self, script: &[Op], it: Option<Id>) {
        for op in script {
            if self.budget > 0 {
                self.budget -= 1;
                self.run(op, it);
            }
        }
    }

    pub(super) fn line(&self, observer: usize, notice: Notice) -> String {
        let id = notice.id.map(name).unwrap_or_default();
        let present = notice.id.map(|id| self.present(id)).unwrap_or_default();
        match notice.subject {
            Subject::Group(group, event) => {
                let Notice {
                    via,
                    previous,
                    id: entity,
                    ..
                } = notice;
                let inside = self.groups[group].1.contains(&entity.expect("an entity"));
                let all = self.digest();
                format!(
                    "#{observer} {id} {event:?} group {group} via {via:?} from {previous:?}; \
                     now {present}, inside {inside}, all {all:?}"
                )
            }
            Subject::Created => format!("#{observer} {id} created; now {present}"),
            Subject::Dying => format!("#{observer} {id} will be destroyed; now {present}"),
            Subject::Destroyed => format!("#{observer} {id} destroyed; now {present}"),
            Subject::GroupCreated(group) => format!("#{observer} group {group:?} created"),
            Subject::Change(what) => self.line_of_change(observer, notice, what),
            Subject::Changes(_) => unreachable!("it is no notice"),
            Subject::Event(..) => unreachable!("notified by `tell_listeners`"),
            Subject::Message => {
                format!(
                    "#{observer} message {}",
                    notice.previous.unwrap_or_default()
                )
            }
        }
    }

    /// Removes the observers of a group.
    pub(super) fn clear_observers_of(&mut self, n: u8) {
        let Some(group) = usize::from(n).checked_rem(self.groups.len()) else {
            return;
        };
        for observer in &mut self.observers {
            if matches!(observer.subject, Subject::Group(of, _) if of == group) {
                observer.live &= matches!(observer.does, Does::Collect(_));
            }
        }
    }

    pub(super) fn subscribe(&mut self, listen: Listen, script: &[Op]) {
        let groups = self.groups.len();
        let group =
            |n: u8, event| (groups > 0).then(|| Subject::Group(usize::from(n) % groups, event));
        let subject = match listen {
            Listen::ToEntered(n) => group(n, GroupEvent::Entered),
            Listen::ToLeft(n) => group(n, GroupEvent::Left),
            Listen::ToUpdated(n) => group(n, GroupEvent::Updated),
            Listen::ToCreated => Some(Subject::Created),
            Listen::ToDying => Some(Subject::Dying),
            Listen::ToDestroyed => Some(Subject::Destroyed),
            Listen::ToMessage => Some(Subject::Message),
            Listen::ToGroupCreated => Some(Subject::GroupCreated(None)),
            _ => unreachable!("subscribed by `listen`"),
        };
        if let Some(subject) = subject {
            let number = self.subscriptions.len();
            self.subscriptions.push(self.observers.len());
            self.observe(subject, Does::Script(number, script.to_vec()));
        }
    }

    pub(super) fn observe(&mut self, subject: Subject, does: Does) {
        let since = self.changes;
        self.observers.push(Observer {
            subject,
            since,
            live: true,
            is_running: false,
            does,
        });
    }
}
