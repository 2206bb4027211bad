//! The rules of notification, slow and obvious: groups are recomputed from scratch
//! after each change, and what is told is the difference of two states.

mod bundles;
mod notify;
mod play;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use ecs::GroupEvent;

use super::op::{Events, Kind, Op, Sets, Values};
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
    /// Whether entities have been moved, so that their order in groups is open.
    moved: bool,
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
                // Refused: nobody has seen the entity, so its id is free again.
                self.pooled += usize::from(components.contains_key(&Kind::C));
                self.free.push(index);
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

    /// Changes many entities one by one, if all are fit for it.
    fn change_many(
        &mut self,
        ids: &[Id],
        kind: Kind,
        verb: &str,
        change: impl Fn(&mut Self, Id) -> Answer,
    ) -> Answer {
        for (at, &id) in ids.iter().enumerate() {
            self.living(id, verb, Some(kind))?;
            let (has, twice) = (self.value(id, kind).is_some(), ids[..at].contains(&id));
            if has != (verb == "remove") || twice {
                let because = ["it has none", "it already has one"][usize::from(verb == "add")];
                return Err(refused(verb, Some(kind), id, because));
            }
        }
        ids.iter().try_for_each(|id| change(self, *id))
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
