//! The rules of notification, slow and obvious: groups are recomputed from scratch
//! after each change, and notifications are the difference of two states.

mod adopt;
mod bulk;
mod bundles;
mod check;
mod copying;
mod create;
mod each_change;
mod ending;
mod entity;
mod follow;
mod listening;
mod notify;
mod play;
mod query;
mod required;
mod saved;
mod states;
mod systems;
mod trees;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use ecs::__private::limits::{LAST_GENERATION, ROWS};
use ecs::{ChangeKind, GroupEvent};

use self::listening::{Event, Source};
use self::states::Seen;
use self::systems::{Reacting, Reacts};
use crate::op::{Events, Kind, Op, Sets};
use crate::play::{BUDGET, FEW, Player, count, order, sum};

/// Index and generation.
type Id = (u32, u32);
type Components = BTreeMap<Kind, u64>;
/// The values of a bundle.
type Numbers = Vec<(Kind, u64)>;
type Answer = Result<(), String>;

fn name((index, generation): Id) -> String {
    format!("{index}v{generation}")
}

/// The number of an entity.
fn bits((index, generation): Id) -> u64 {
    u64::from(generation) << 32 | u64::from(index)
}

/// The entity with a name.
fn id_named(name: &str) -> Id {
    let (index, generation) = name.split_once('v').expect("index and generation");
    let number = |text: &str| text.parse().expect("a number");
    (number(index), number(generation))
}

/// The entity with a number.
fn id_of(bits: u64) -> Id {
    (bits as u32, (bits >> 32) as u32)
}

impl Sets {
    fn matches(self, components: &Components) -> bool {
        let has = |kind: &Kind| components.contains_key(kind);
        Kind::of_set(self.all).all(|kind| has(&kind))
            && (self.any == 0 || Kind::of_set(self.any).any(|kind| has(&kind)))
            && !Kind::of_set(self.none).any(|kind| has(&kind))
    }

    fn watches(self, kind: Kind) -> bool {
        (self.all | self.any) >> kind as u16 & 1 != 0
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
    Message,
    /// A change, as it is notified.
    Change(ChangeKind),
    /// The changes of every entity, or of one, as they are observed.
    Changes(Option<Id>),
    /// An event of any entity, or of one.
    Event(Event, Option<Id>),
}

struct Observer {
    subject: Subject,
    /// The number of the last change before it subscribed.
    since: u64,
    live: bool,
    /// Whether it is being called.
    is_running: bool,
    does: Does,
}

/// The action of an observer.
#[derive(Clone)]
enum Does {
    /// It logs its notifications, and runs a program.
    Script(usize, Vec<Op>),
    /// It collects removed values, as the list with this number.
    Collect(usize),
}

struct Gatherer {
    parts: Vec<(usize, Events)>,
    active: bool,
    ids: Vec<Id>,
}

/// Collected removed values.
#[derive(Default)]
struct Lost {
    active: bool,
    values: Vec<(Id, u64)>,
}

#[derive(Clone, Copy)]
struct Notice {
    number: u64,
    subject: Subject,
    id: Option<Id>,
    via: Option<Kind>,
    /// The previous value, or the message.
    previous: Option<u64>,
}

/// The expected state of a context.
#[derive(Default)]
pub struct Oracle {
    log: Vec<String>,
    entities: BTreeMap<Id, Components>,
    /// All entities so far, in the order in which the program received them.
    known: Vec<Id>,
    /// The generation of the next entity in each slot.
    generations: Vec<u32>,
    free: Vec<u32>,
    /// Whether entities were moved, so that their order in groups is undefined.
    moved: bool,
    /// Whether blocks were freed.
    shrunk: bool,
    /// Whether cleanup is running, during which no entity is moved.
    cleaning: bool,
    groups: Vec<(Sets, BTreeSet<Id>)>,
    collectors: Vec<Option<Gatherer>>,
    observers: Vec<Observer>,
    /// The observers that programs have handles of, by their position in the list of all.
    subscriptions: Vec<usize>,
    /// The observers that end with a guard.
    guards: Vec<Option<usize>>,
    /// The listeners to events among them.
    listeners: Vec<usize>,
    /// The events that have listeners.
    sources: BTreeMap<Event, Source>,
    delivering_events: bool,
    events_off: bool,
    /// The number of listeners to events so far.
    listened: usize,
    /// Destroyed entities that had their own listeners, and the number of the last change before.
    ended: Vec<(Id, u64)>,
    systems: Vec<Option<Reacting>>,
    /// What systems have seen of states.
    entered: Vec<Seen>,
    templates: Vec<Numbers>,
    inboxes: Vec<Option<Vec<u8>>>,
    removed: Vec<Option<Lost>>,
    followed: bool,
    /// The orders in which the library has visited moved entities.
    orders: VecDeque<Vec<Id>>,
    /// The sources of each target, by relation.
    links: BTreeMap<(Kind, Id), Vec<Id>>,
    pooled: usize,
    /// The number of blocks of rows up to the last one that had a `C`; the pool holds at most as
    /// many values as these blocks have rows.
    blocks: usize,
    /// The number of blocks that there may be: more were reserved than were used, or it is unknown.
    reserved: usize,
    /// Whether a value found no room in the pool in this step. The library pools previous values when
    /// all observers have seen them.
    is_crowded: bool,
    changes: u64,
    queue: VecDeque<Notice>,
    delivering: bool,
    dying: Option<Id>,
    doomed: VecDeque<Id>,
    budget: usize,
}

impl Oracle {
    /// Creates a new context, with the groups of the indexes of fields.
    #[must_use]
    pub fn new() -> Self {
        let mut oracle = Self::default();
        for kind in [
            Kind::F,
            Kind::G,
            Kind::H,
            Kind::I,
            Kind::J,
            Kind::K,
            Kind::M,
        ] {
            oracle.group(Sets::of(kind));
        }
        oracle
    }
}

impl Player for Oracle {
    fn play(&mut self, op: &Op) -> Vec<String> {
        self.budget = BUDGET;
        self.is_crowded = false;
        self.run(op, None);
        std::mem::take(&mut self.log)
    }

    fn state(&self) -> Vec<String> {
        let names = |ids: Vec<Id>| ids.into_iter().map(name).collect::<Vec<_>>().join(" ");
        let pooled = (!self.has_open_pools()).then_some(self.pooled);
        let mut state = vec![count(self.entities.len(), self.free.len(), pooled)];
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
            Some(components) => {
                let relations = [Kind::H, Kind::I, Kind::J, Kind::K];
                let links = relations.map(|kind| {
                    let sources = self.sources(kind, id).iter();
                    sources.map(|id| name(*id)).collect::<Vec<_>>().join(" ")
                });
                format!("{components:?} {links:?}")
            }
            None => "dead".to_owned(),
        }
    }

    /// Sorts entities in the order of iteration, which is that of the library once they were moved.
    fn in_order(&mut self, ids: Vec<Id>) -> Vec<Id> {
        if !self.moved {
            return ids;
        }
        let mut sorted = self.orders.pop_front().unwrap_or_default();
        let visited = sorted.clone();
        sorted.sort_unstable();
        let ids = if sorted == ids { visited } else { ids };
        let names: Vec<_> = ids.iter().map(|id| name(*id)).collect();
        self.log.push(order(&names.join(" ")));
        ids
    }

    /// Records the orders in which the library visited entities in a step.
    pub(crate) fn learn_orders(&mut self, notified: &[String]) {
        let begin = order("");
        let orders = notified.iter().filter_map(|line| line.strip_prefix(&begin));
        let ids = |names: &str| names.split_whitespace().map(id_named).collect();
        self.orders = orders.map(ids).collect();
    }

    /// A checksum of all entities, if they are few.
    fn digest(&self) -> Option<u64> {
        let sum_of = |(id, has): (&Id, &Components)| {
            let sums = has
                .iter()
                .map(|(kind, value)| sum(bits(*id), *kind, *value));
            sums.fold(0, u64::wrapping_add)
        };
        let sums = self.entities.iter().map(sum_of);
        (self.entities.len() < FEW).then(|| sums.fold(0, u64::wrapping_add))
    }

    fn recycle(&mut self, (index, _): Id) {
        self.generations[index as usize] += 1;
        if self.generations[index as usize] <= LAST_GENERATION {
            self.free.push(index); // otherwise the slot is retired
        }
    }

    /// Sets or removes a component of an entity; returns the previous value.
    fn put(&mut self, id: Id, kind: Kind, value: Option<u64>) -> Option<u64> {
        let components = self.entities.get_mut(&id).expect("a living entity");
        let before = match value {
            Some(value) => components.insert(kind, kind.stored(value)),
            None => components.remove(&kind),
        };
        if kind == Kind::C && value.is_some() {
            self.place(id.0);
        }
        if kind.is_relation() && before != value {
            before
                .into_iter()
                .for_each(|target| self.unlink(kind, id, target));
            value
                .into_iter()
                .for_each(|target| self.link(kind, id, target));
        }
        before
    }

    /// Grows the blocks to have a place for the `C` of a slot.
    fn place(&mut self, slot: u32) {
        let blocks = slot as usize / ROWS + 1;
        self.shrunk |= self.is_crowded && blocks > self.blocks;
        self.blocks = self.blocks.max(blocks);
    }

    /// Pools a value, if it is a `C` and there is room. If that depends on what was reserved, or on
    /// when the value is pooled, the size of the pool is undefined from now on.
    fn pool(&mut self, is_c: bool) {
        let has_room = self.pooled < self.blocks * ROWS;
        let may_have_room = self.pooled < self.reserved * ROWS;
        self.pooled += usize::from(is_c && has_room);
        self.is_crowded |= is_c && !has_room;
        self.shrunk |= is_c && !has_room && may_have_room;
    }

    /// Takes into account that the columns of new entities may have room for this many.
    fn reserve(&mut self, entities: usize) {
        let blocks = (self.generations.len() + entities) / ROWS + 2;
        self.reserved = self.reserved.max(blocks);
    }

    /// Whether the number of pooled values is undefined: at most the number of rows.
    pub(crate) fn has_open_pools(&self) -> bool {
        self.moved || self.shrunk
    }

    // Components.

    fn alive(&self, id: Id, verb: &str, kind: Option<Kind>) -> Answer {
        let alive = self.entities.contains_key(&id);
        alive
            .then_some(())
            .ok_or_else(|| rejected(verb, kind, id, "it is not alive"))
    }

    fn value(&self, id: Id, kind: Kind) -> Option<u64> {
        self.entities.get(&id)?.get(&kind).copied()
    }

    fn add(&mut self, id: Id, kind: Kind, value: u64) -> Answer {
        self.alive(id, "add", Some(kind))?;
        if self.value(id, kind).is_some() {
            return Err(rejected("add", Some(kind), id, "it already has one"));
        }
        self.check_value(id, kind, value, "add")?;
        self.put_new(id, kind, value);
        Ok(())
    }

    fn replace(&mut self, id: Id, kind: Kind, value: u64) -> Answer {
        self.alive(id, "replace", Some(kind))?;
        if self.value(id, kind).is_none() {
            self.check_value(id, kind, value, "replace")?;
            self.put_new(id, kind, value);
            return Ok(());
        }
        self.check_value(id, kind, value, "replace")?;
        let previous = self.put(id, kind, Some(value));
        self.updated(id, kind, previous);
        self.pool(kind == Kind::C);
        Ok(())
    }

    fn update(&mut self, id: Id, kind: Kind, value: Option<u64>) -> Answer {
        self.alive(id, "update", Some(kind))?;
        let Some(previous) = self.value(id, kind) else {
            return Err(rejected("update", Some(kind), id, "it has none"));
        };
        let value = value.unwrap_or(previous);
        self.check_value(id, kind, value, "update")?;
        self.put(id, kind, Some(value));
        self.updated(id, kind, kind.has_clone().then_some(previous));
        Ok(())
    }

    fn remove(&mut self, id: Id, kind: Kind) -> Answer {
        self.alive(id, "remove", Some(kind))?;
        let value = self.put(id, kind, None);
        if value.is_none() {
            return Err(rejected("remove", Some(kind), id, "it has none"));
        }
        self.changed(id, kind, value);
        self.pool(kind == Kind::C);
        Ok(())
    }

    fn take(&mut self, id: Id, kind: Kind) -> Option<u64> {
        let value = self.put(id, kind, None)?;
        self.changed(id, kind, Some(value).filter(|_| !self.delivering));
        Some(value)
    }

    fn remove_all(&mut self, id: Id) {
        let kinds: Vec<_> = self.entities[&id].keys().copied().collect();
        for kind in kinds {
            let _ = self.remove(id, kind);
        }
    }

    fn changed(&mut self, id: Id, via: Kind, previous: Option<u64>) {
        let facts = self.regroup(id);
        self.collect(id, &facts);
        self.enqueue_facts(id, &facts, Some(via), previous);
        let what = match self.value(id, via) {
            Some(_) => ChangeKind::Added,
            None => ChangeKind::Removed,
        };
        self.enqueue_change(id, what, Some(via), previous);
        self.deliver();
    }

    fn updated(&mut self, id: Id, via: Kind, previous: Option<u64>) {
        let facts = self.update_facts(id, via);
        self.collect(id, &facts);
        self.enqueue_update(id, &facts, via, previous);
        self.deliver();
    }

    /// The groups that are notified of an update of a component.
    fn update_facts(&self, id: Id, via: Kind) -> Vec<(usize, GroupEvent)> {
        let concerned =
            |(sets, members): &&(Sets, BTreeSet<Id>)| sets.watches(via) && members.contains(&id);
        let groups = (0..self.groups.len()).filter(|at| concerned(&&self.groups[*at]));
        groups.map(|at| (at, GroupEvent::Updated)).collect()
    }
}

fn matching(entities: &BTreeMap<Id, Components>, sets: Sets) -> BTreeSet<Id> {
    let matches = entities
        .iter()
        .filter(|(_, components)| sets.matches(components));
    matches.map(|(id, _)| *id).collect()
}

/// The start of an error message.
fn rejected(verb: &str, kind: Option<Kind>, id: Id, because: &str) -> String {
    let preposition = match verb {
        "add" => "to",
        "remove" => "from",
        _ => "of",
    };
    let component = kind.map(|kind| format!("component `{kind:?}` {preposition} "));
    let (component, id) = (component.unwrap_or_default(), name(id));
    format!("cannot {verb} {component}entity {id} of context `Game`: {because}")
}
