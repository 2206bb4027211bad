//! The rules of notification, slow and obvious: groups are recomputed from scratch
//! after each change, and what is told is the difference of two states.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use ecs::GroupEvent;

use super::op::{Events, Kind, Listen, Op, Sets, Target, Values};
use super::{BUDGET, Player};

/// Index and generation.
type Id = (u32, u32);
type Components = BTreeMap<Kind, u8>;
type Answer = Result<(), String>;

fn name((index, generation): Id) -> String {
    format!("{index}v{generation}")
}

impl Sets {
    fn matches(self, components: &Components) -> bool {
        let has = |kind: &Kind| components.contains_key(kind);
        let of = |set: u8| {
            Kind::ALL
                .into_iter()
                .filter(move |kind| set >> *kind as u8 & 1 != 0)
        };
        of(self.all).all(|kind| has(&kind))
            && (self.any == 0 || of(self.any).any(|kind| has(&kind)))
            && !of(self.none).any(|kind| has(&kind))
    }

    fn watches(self, kind: Kind) -> bool {
        (self.all | self.any) >> kind as u8 & 1 != 0
    }
}

impl Events {
    fn contains(self, event: GroupEvent) -> bool {
        match event {
            GroupEvent::Entered => {
                matches!(self, Self::Entered | Self::Added | Self::AddedOrRemoved)
            }
            GroupEvent::Left => matches!(self, Self::Left | Self::Removed | Self::AddedOrRemoved),
            GroupEvent::Updated => !matches!(self, Self::Entered | Self::Left),
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Subject {
    Group(usize, GroupEvent),
    Created,
    Dying,
    Destroyed,
    GroupCreated(Option<usize>),
}

struct Observer {
    subject: Subject,
    /// The number of the last change before it subscribed.
    since: u64,
    live: bool,
    script: Vec<Op>,
}

struct Gatherer {
    parts: Vec<(usize, Events)>,
    active: bool,
    ids: Vec<Id>,
}

#[derive(Clone, Copy)]
struct Notice {
    number: u64,
    subject: Subject,
    id: Option<Id>,
    via: Option<Kind>,
    previous: Option<u8>,
}

/// A context as it should be.
#[derive(Default)]
pub(super) struct Oracle {
    log: Vec<String>,
    entities: BTreeMap<Id, Components>,
    /// All entities there have been, as they became known to the program.
    known: Vec<Id>,
    /// The generation that the next entity in each slot has.
    generations: Vec<u32>,
    free: Vec<u32>,
    groups: Vec<(Sets, BTreeSet<Id>)>,
    collectors: Vec<Option<Gatherer>>,
    observers: Vec<Observer>,
    pooled: usize,
    changes: u64,
    queue: VecDeque<Notice>,
    delivering: bool,
    dying: Option<Id>,
    doomed: VecDeque<Id>,
    budget: usize,
}

impl Player for Oracle {
    fn play(&mut self, op: &Op) -> Vec<String> {
        self.budget = BUDGET;
        self.run(op, None);
        std::mem::take(&mut self.log)
    }

    fn state(&self) -> Vec<String> {
        let names = |ids: Vec<Id>| ids.into_iter().map(name).collect::<Vec<_>>().join(" ");
        let mut state = vec![format!(
            "{} alive, {} reusable, {} pooled",
            self.entities.len(),
            self.free.len(),
            self.pooled
        )];
        state.extend(
            self.entities
                .keys()
                .map(|id| format!("{}: {}", name(*id), self.present(*id))),
        );
        for (at, (_, members)) in self.groups.iter().enumerate() {
            state.push(format!(
                "group {at}: {}",
                names(members.iter().copied().collect())
            ));
        }
        for (at, collector) in self.collectors.iter().enumerate() {
            if let Some(Gatherer { active, ids, .. }) = collector {
                state.push(format!("collector {at} {active}: {}", names(ids.clone())));
            }
        }
        state
    }
}

impl Oracle {
    fn present(&self, id: Id) -> String {
        match self.entities.get(&id) {
            Some(components) => format!("{components:?}"),
            None => "dead".to_owned(),
        }
    }

    fn target(&self, target: Target, it: Option<Id>) -> Option<Id> {
        match target {
            Target::It => it.or(self.known.last().copied()),
            Target::Nth(n) => self
                .known
                .get(usize::from(n) % self.known.len().max(1))
                .copied(),
        }
    }

    fn collector(&mut self, n: u8) -> Option<&mut Gatherer> {
        let at = usize::from(n) % self.collectors.len().max(1);
        self.collectors.get_mut(at)?.as_mut()
    }

    fn answer(&mut self, answer: impl Into<String>) {
        let answer = answer.into();
        self.log.push(format!("= {answer}"));
    }

    // Entities.

    fn create(&mut self, values: &Values) -> Option<Id> {
        let index = self.free.pop().unwrap_or_else(|| {
            self.generations.push(1);
            self.generations.len() as u32 - 1
        });
        let id = (index, self.generations[index as usize]);
        let mut components = Components::new();
        for &(kind, value) in values {
            if components.contains_key(&kind) {
                // Refused: the slot has been used and is free again.
                self.pooled += usize::from(components.contains_key(&Kind::C));
                self.recycle(id);
                return None;
            }
            components.insert(kind, kind.stored(value));
        }
        self.entities.insert(id, components);
        let facts = self.regroup(id);
        self.gather(id, &facts);
        self.enqueue(Subject::Created, Some(id), None, None);
        self.enqueue_facts(id, &facts, None, None);
        self.deliver();
        Some(id)
    }

    fn create_many(&mut self, bundles: &[Values]) {
        let ids: Option<Vec<_>> = bundles.iter().map(|values| self.create(values)).collect();
        match ids {
            Some(ids) => self.known.extend(ids),
            None => self.answer("twice"),
        }
    }

    fn recycle(&mut self, (index, _): Id) {
        self.generations[index as usize] += 1;
        self.free.push(index);
    }

    fn destroy(&mut self, id: Id) -> Answer {
        self.living(id, "destroy", None)?;
        if self.dying == Some(id) || self.doomed.contains(&id) {
            return Err(refused(
                "destroy",
                None,
                id,
                "it is being destroyed already",
            ));
        }
        if self.dying.is_some() {
            self.doomed.push_back(id);
            return Ok(());
        }
        let outermost = !std::mem::replace(&mut self.delivering, true);
        let mut next = Some(id);
        while let Some(id) = next {
            self.dying = Some(id);
            let notice = self.notice(Subject::Dying, Some(id), None, None);
            self.tell(notice);
            self.dying = None;
            self.end(id);
            next = self.doomed.pop_front();
        }
        self.delivering = !outermost;
        self.deliver();
        Ok(())
    }

    fn end(&mut self, id: Id) {
        let mut components = self.entities.remove(&id).expect("nobody else ends it");
        let mut left = Vec::new();
        let before: Vec<_> = components
            .iter()
            .map(|(kind, value)| (*kind, *value))
            .collect();
        for (kind, value) in before {
            components.remove(&kind);
            let facts = self.leave(id, |sets| !sets.matches(&components));
            self.gather(id, &facts);
            left.push((facts, Some(kind), Some(value)));
            self.pooled += usize::from(kind == Kind::C);
        }
        let facts = self.leave(id, |_| true);
        self.gather(id, &facts);
        left.push((facts, None, None));
        self.recycle(id);
        for (facts, via, previous) in left {
            self.enqueue_facts(id, &facts, via, previous);
        }
        self.enqueue(Subject::Destroyed, Some(id), None, None);
        self.deliver();
    }

    /// Takes a dying entity out of the groups that `leaves` says.
    fn leave(&mut self, id: Id, leaves: impl Fn(Sets) -> bool) -> Vec<(usize, GroupEvent)> {
        let mut facts = Vec::new();
        for (at, (sets, members)) in self.groups.iter_mut().enumerate() {
            if leaves(*sets) && members.remove(&id) {
                facts.push((at, GroupEvent::Left));
            }
        }
        facts
    }

    fn destroy_all(&mut self) {
        for id in self.entities.keys().copied().collect::<Vec<_>>() {
            let _ = self.destroy(id);
        }
    }

    // Components.

    fn living(&self, id: Id, verb: &str, kind: Option<Kind>) -> Answer {
        let alive = self.entities.contains_key(&id);
        alive
            .then_some(())
            .ok_or_else(|| refused(verb, kind, id, "it is not alive"))
    }

    fn value(&self, id: Id, kind: Kind) -> Option<u8> {
        self.entities.get(&id)?.get(&kind).copied()
    }

    fn add(&mut self, id: Id, kind: Kind, value: u8) -> Answer {
        self.living(id, "add", Some(kind))?;
        if self.value(id, kind).is_some() {
            return Err(refused("add", Some(kind), id, "it already has one"));
        }
        self.entities
            .get_mut(&id)
            .unwrap()
            .insert(kind, kind.stored(value));
        self.changed(id, kind, None);
        Ok(())
    }

    fn replace(&mut self, id: Id, kind: Kind, value: u8) -> Answer {
        self.living(id, "replace", Some(kind))?;
        let Some(previous) = self.value(id, kind) else {
            return self.add(id, kind, value);
        };
        self.entities
            .get_mut(&id)
            .unwrap()
            .insert(kind, kind.stored(value));
        self.updated(id, kind, Some(previous));
        self.pooled += usize::from(kind == Kind::C);
        Ok(())
    }

    fn update(&mut self, id: Id, kind: Kind, value: Option<u8>) -> Answer {
        self.living(id, "update", Some(kind))?;
        let Some(previous) = self.value(id, kind) else {
            return Err(refused("update", Some(kind), id, "it has none"));
        };
        let value = value.map_or(previous, |value| kind.stored(value));
        self.entities.get_mut(&id).unwrap().insert(kind, value);
        self.updated(id, kind, kind.has_clone().then_some(previous));
        Ok(())
    }

    fn remove(&mut self, id: Id, kind: Kind) -> Answer {
        self.living(id, "remove", Some(kind))?;
        let value = self.entities.get_mut(&id).unwrap().remove(&kind);
        if value.is_none() {
            return Err(refused("remove", Some(kind), id, "it has none"));
        }
        self.changed(id, kind, value);
        self.pooled += usize::from(kind == Kind::C);
        Ok(())
    }

    fn take(&mut self, id: Id, kind: Kind) -> Option<u8> {
        let value = self.entities.get_mut(&id).unwrap().remove(&kind)?;
        self.changed(id, kind, Some(value).filter(|_| !self.delivering));
        Some(value)
    }

    fn remove_all(&mut self, id: Id) {
        let kinds: Vec<_> = self.entities[&id].keys().copied().collect();
        for kind in kinds {
            let _ = self.remove(id, kind);
        }
    }

    fn changed(&mut self, id: Id, via: Kind, previous: Option<u8>) {
        let facts = self.regroup(id);
        self.gather(id, &facts);
        self.enqueue_facts(id, &facts, Some(via), previous);
        self.deliver();
    }

    fn updated(&mut self, id: Id, via: Kind, previous: Option<u8>) {
        let concerned =
            |(sets, members): &&(Sets, BTreeSet<Id>)| sets.watches(via) && members.contains(&id);
        let facts: Vec<_> = (0..self.groups.len())
            .filter(|at| concerned(&&self.groups[*at]))
            .map(|at| (at, GroupEvent::Updated))
            .collect();
        self.gather(id, &facts);
        self.enqueue_facts(id, &facts, Some(via), previous);
        self.deliver();
    }

    // Groups, collectors, observers.

    /// Recomputes every group; gives those that the entity entered and left.
    fn regroup(&mut self, id: Id) -> Vec<(usize, GroupEvent)> {
        let mut facts = Vec::new();
        for (at, (sets, members)) in self.groups.iter_mut().enumerate() {
            let before = std::mem::replace(members, matching(&self.entities, *sets));
            match (before.contains(&id), members.contains(&id)) {
                (false, true) => facts.push((at, GroupEvent::Entered)),
                (true, false) => facts.push((at, GroupEvent::Left)),
                _ => {}
            }
        }
        facts
    }

    fn gather(&mut self, id: Id, facts: &[(usize, GroupEvent)]) {
        for collector in self.collectors.iter_mut().flatten() {
            let wanted = |(group, event): &(usize, GroupEvent)| {
                let mut parts = collector.parts.iter();
                parts.any(|(of, events)| of == group && events.contains(*event))
            };
            if collector.active && !collector.ids.contains(&id) && facts.iter().any(wanted) {
                collector.ids.push(id);
            }
        }
    }

    fn group(&mut self, sets: Sets) -> usize {
        if let Some(known) = self.groups.iter().position(|(known, _)| *known == sets) {
            return known;
        }
        self.groups.push((sets, matching(&self.entities, sets)));
        let at = self.groups.len() - 1;
        self.enqueue(Subject::GroupCreated(Some(at)), None, None, None);
        self.deliver();
        at
    }

    fn notice(
        &mut self,
        subject: Subject,
        id: Option<Id>,
        via: Option<Kind>,
        previous: Option<u8>,
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

    fn enqueue(
        &mut self,
        subject: Subject,
        id: Option<Id>,
        via: Option<Kind>,
        previous: Option<u8>,
    ) {
        let notice = self.notice(subject, id, via, previous);
        self.queue.push_back(notice);
    }

    fn enqueue_facts(
        &mut self,
        id: Id,
        facts: &[(usize, GroupEvent)],
        via: Option<Kind>,
        previous: Option<u8>,
    ) {
        for &(group, event) in facts {
            self.enqueue(Subject::Group(group, event), Some(id), via, previous);
        }
    }

    /// Tells all that is queued, first in, first out, unless that is under way.
    fn deliver(&mut self) {
        if self.delivering {
            return;
        }
        self.delivering = true;
        while let Some(notice) = self.queue.pop_front() {
            self.tell(notice);
        }
        self.delivering = false;
    }

    fn tell(&mut self, notice: Notice) {
        let listens = |observer: &Observer| match (observer.subject, notice.subject) {
            (Subject::GroupCreated(_), Subject::GroupCreated(_)) => true,
            (one, other) => one == other,
        };
        for at in 0..self.observers.len() {
            let observer = &self.observers[at];
            if observer.live && observer.since < notice.number && listens(observer) {
                let script = observer.script.clone();
                self.log.push(self.line(at, notice));
                for op in script {
                    if self.budget > 0 {
                        self.budget -= 1;
                        self.run(&op, notice.id);
                    }
                }
            }
        }
    }

    fn line(&self, observer: usize, notice: Notice) -> String {
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
                format!(
                    "#{observer} {id} {event:?} group {group} via {via:?} from {previous:?}; \
                     now {present}, inside {inside}"
                )
            }
            Subject::Created => format!("#{observer} {id} created; now {present}"),
            Subject::Dying => format!("#{observer} {id} will be destroyed; now {present}"),
            Subject::Destroyed => format!("#{observer} {id} destroyed; now {present}"),
            Subject::GroupCreated(group) => format!("#{observer} group {group:?} created"),
        }
    }

    fn subscribe(&mut self, listen: Listen, script: &[Op]) {
        let groups = self.groups.len();
        let group =
            |n: u8, event| (groups > 0).then(|| Subject::Group(usize::from(n) % groups, event));
        let subject = match listen {
            Listen::Entered(n) => group(n, GroupEvent::Entered),
            Listen::Left(n) => group(n, GroupEvent::Left),
            Listen::Updated(n) => group(n, GroupEvent::Updated),
            Listen::Created => Some(Subject::Created),
            Listen::Dying => Some(Subject::Dying),
            Listen::Destroyed => Some(Subject::Destroyed),
            Listen::GroupCreated => Some(Subject::GroupCreated(None)),
        };
        if let Some(subject) = subject {
            let (since, script) = (self.changes, script.to_vec());
            self.observers.push(Observer {
                subject,
                since,
                live: true,
                script,
            });
        }
    }

    fn run(&mut self, op: &Op, it: Option<Id>) {
        match op {
            Op::Create => self.create_many(&[Values::new()]),
            Op::CreateWith(values) => self.create_many(std::slice::from_ref(values)),
            Op::CreateMany(bundles) => self.create_many(bundles),
            Op::Add(target, ..)
            | Op::Replace(target, ..)
            | Op::Update(target, ..)
            | Op::Touch(target, ..)
            | Op::Untracked(target, ..)
            | Op::Remove(target, ..)
            | Op::Take(target, ..)
            | Op::RemoveAll(target)
            | Op::Destroy(target)
            | Op::UseAfterDestroy(target, ..) => {
                if let Some(id) = self.target(*target, it) {
                    self.run_on(op, id);
                }
            }
            Op::DestroyAll => self.destroy_all(),
            Op::Reset => {
                self.destroy_all();
                self.collectors
                    .iter_mut()
                    .flatten()
                    .for_each(|collector| collector.ids.clear());
                self.free.sort_by(|a, b| b.cmp(a));
            }
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

    fn run_on(&mut self, op: &Op, id: Id) {
        if !self.entities.contains_key(&id) && !matches!(op, Op::Destroy(_)) {
            return self.answer("dead");
        }
        let answer = match *op {
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

    fn run_reaction(&mut self, op: &Op) {
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

fn matching(entities: &BTreeMap<Id, Components>, sets: Sets) -> BTreeSet<Id> {
    let matches = entities
        .iter()
        .filter(|(_, components)| sets.matches(components));
    matches.map(|(id, _)| *id).collect()
}

/// The beginning of an error's text.
fn refused(verb: &str, kind: Option<Kind>, id: Id, because: &str) -> String {
    let preposition = match verb {
        "add" => "to",
        "remove" => "from",
        _ => "of",
    };
    let component = kind.map(|kind| format!("component `{kind:?}` {preposition} "));
    let (component, id) = (component.unwrap_or_default(), name(id));
    format!("cannot {verb} {component}entity {id} of context `Game`: {because}")
}
