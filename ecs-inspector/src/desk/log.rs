//! The log of changes, written by observers of the requested components while a client watches it.
//!
//! Observers write to a page with room for a limited number of changes per frame. The end of the frame
//! moves them to the log, which keeps the latest ones. The page has a second half for changes that a
//! client is waiting for: edits, and changes of an entity whose log is watched.

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ecs::stats::{Cause, caused_by, running_system};
use ecs::{
    Change, ComponentIndex, Context, Entity, EntityId, GroupEvent, Matcher, SharedContext,
    VisitContexts,
};

use super::contexts::{Action, Contexts, EachAction, Kept};
use super::list::label;
use super::show::{self, Limit};
use crate::desk::{Json, to_json};
use crate::protocol::answers::{self, Logged, Shown, Woken};
use crate::protocol::failure::{Code, Failure};
use crate::protocol::name_list::{NameList, is_same};
use crate::protocol::params::ReadLog;

/// How many changes of one frame are kept; twice as many of those that a client waits for.
const MOST_OF_FRAME: usize = 500;
/// How many changes are kept.
const MOST: usize = 4096;
/// How many changes are searched for the one that triggered a system.
const MOST_SEARCHED: usize = 128;
/// The maximum number of changes in an answer.
const MOST_ANSWERED: usize = 500;

/// The changes of a frame.
#[derive(Default)]
struct Page {
    entries: Vec<Logged>,
    lost: u64,
    /// The present source of changes, if it is not a system.
    by: Option<&'static str>,
    /// The index and the generation of each entity whose log is watched.
    watched: Vec<(u32, u32)>,
}

impl Page {
    fn has_place_for(&self, entity: (u32, u32)) -> bool {
        let is_waited_for = self.by.is_some() || self.watched.contains(&entity);
        let most = if is_waited_for {
            2 * MOST_OF_FRAME
        } else {
            MOST_OF_FRAME
        };
        self.entries.len() < most
    }
}

/// The page that observers write to.
#[derive(Clone, Default)]
struct SharedPage(Arc<Mutex<Page>>);

impl SharedPage {
    fn lock(&self) -> MutexGuard<'_, Page> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a change if there is room for it; `values` is called only then.
    fn write<C: Context + SharedContext>(
        &self,
        context: &C,
        entity: EntityId<C>,
        kind: &'static str,
        component: Option<&'static str>,
        values: impl FnOnce() -> [Option<Shown>; 2],
    ) {
        let by = match self.begin((entity.index(), entity.generation())) {
            Some(by) => by,
            None => return,
        };
        // Runs user code, so the page is not locked.
        let ([old, new], label) = (values(), label(context, entity));
        let by_system = by.is_some() && by.as_deref() == running_system().as_deref();
        let cause = caused_by().filter(|_| by_system);
        let entry = Logged {
            seq: 0,
            frame: 0,
            context: C::NAME,
            entity: entity.to_string(),
            label,
            kind,
            component: component.map(str::to_owned),
            old,
            new,
            by,
            woken_by: cause.map(|cause| woken(context, &cause)),
        };
        self.lock().entries.push(entry);
    }

    /// Returns the source of a change; `None` if the page is full.
    fn begin(&self, entity: (u32, u32)) -> Option<Option<String>> {
        let mut page = self.lock();
        if !page.has_place_for(entity) {
            page.lost += 1;
            return None;
        }
        Some(page.by.map(str::to_owned).or_else(running_system))
    }
}

/// The observed components.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Observed {
    #[default]
    Nothing,
    /// Components of these names, in all contexts.
    These(BTreeSet<String>),
    All,
}

impl Observed {
    /// Adds the components of a request.
    fn and(self, read: &ReadLog) -> Self {
        let names = || read.components.0.iter().cloned();
        match self {
            _ if read.components.0.is_empty() => Self::All,
            Self::All => Self::All,
            Self::Nothing => Self::These(names().collect()),
            Self::These(known) => Self::These(known.into_iter().chain(names()).collect()),
        }
    }

    fn has(&self, name: &str) -> bool {
        match self {
            Self::Nothing => false,
            Self::These(names) => names.iter().any(|known| is_same(known, name)),
            Self::All => true,
        }
    }
}

/// The log and its observers.
#[derive(Default)]
pub(crate) struct LogDesk {
    /// Whether the log is kept even if no client watches it.
    pub(crate) is_on: bool,
    page: SharedPage,
    observed: Observed,
    entries: VecDeque<Logged>,
    last: u64,
    lost: u64,
}

impl LogDesk {
    /// Whether there are observers.
    pub(crate) fn is_at_work(&self) -> bool {
        self.is_on || self.observed != Observed::Nothing
    }

    /// Subscribes observers to exactly the components that clients watch, also in contexts that have
    /// replaced others.
    pub(crate) fn observe<'a, W: VisitContexts>(
        &mut self,
        contexts: &mut Contexts,
        world: &mut W,
        watches: impl Iterator<Item = &'a ReadLog> + Clone,
    ) {
        let entities = watches.clone().filter_map(|read| read.entity.as_deref());
        self.page.lock().watched = entities.filter_map(numbers_of).collect();
        let unwatched = match self.is_on {
            true => Observed::All,
            false => Observed::Nothing,
        };
        let observed = watches.fold(unwatched, Observed::and);
        let changed = self.observed != observed;
        self.observed = observed;
        if changed || self.observed != Observed::Nothing {
            let observe = Observe {
                page: &self.page,
                observed: &self.observed,
                changed,
            };
            contexts.with_each(world, observe);
        }
    }

    /// Moves the changes of this frame to the log.
    pub(crate) fn finish_frame(&mut self, frame: u64) {
        let mut page = self.page.lock();
        self.lost += std::mem::take(&mut page.lost);
        for mut entry in page.entries.drain(..) {
            self.last += 1;
            if let Some(woken) = &mut entry.woken_by {
                find_cause(&self.entries, woken);
            }
            self.entries.push_back(Logged {
                seq: self.last,
                frame,
                ..entry
            });
        }
        drop(page);
        let beyond = self.entries.len().saturating_sub(MOST);
        self.entries.drain(..beyond);
    }

    /// Sets the source of the following changes, instead of a system.
    pub(crate) fn set_actor(&self, by: Option<&'static str>) {
        self.page.lock().by = by;
    }

    /// Answers `log`; also returns whether there are new changes, and the last sequence number.
    pub(crate) fn answer(&self, read: &ReadLog) -> Result<(Json, bool, u64), Failure> {
        let context = read.context.as_deref();
        let (names, entity) = (&read.components.0, read.entity.as_deref());
        let is_asked = |entry: &&Logged| {
            entry.seq > read.since
                && context.is_none_or(|name| name == entry.context)
                && entity.is_none_or(|id| id == entry.entity)
                && (names.is_empty()
                    || entry
                        .component
                        .as_ref()
                        .is_some_and(|it| names.iter().any(|name| is_same(it, name))))
        };
        let asked = self.entries.iter().filter(is_asked);
        let entries: Vec<_> = asked.take(read.count.min(MOST_ANSWERED)).collect();
        let is_full = entries.len() == read.count.min(MOST_ANSWERED);
        let up_to = entries
            .last()
            .filter(|_| is_full)
            .map_or(self.last, |entry| entry.seq);
        let log = answers::Log {
            last: up_to,
            lost: self.lost,
            entries,
        };
        Ok((to_json(&log)?, !log.entries.is_empty(), up_to))
    }
}

/// Checks that the context of a request exists, and that it, or any, has the requested components.
pub(crate) fn check<W: VisitContexts>(
    read: &ReadLog,
    contexts: &mut Contexts,
    world: &mut W,
) -> Result<(), Failure> {
    let names = &read.components;
    if let Some(context) = &read.context {
        return contexts.with_one(world, Some(context), Find(names))?;
    }
    let unknown = names.0.iter().map(String::as_str).collect();
    match contexts.with_each(world, Unknown(unknown)).0.first() {
        None => Ok(()),
        Some(name) => {
            let message = format!("no context has a component `{name}`");
            Err(Code::UnknownComponent.because(message))
        }
    }
}

/// Finds the components of these names.
struct Find<'a>(&'a NameList);

impl Action for Find<'_> {
    type Output = Result<(), Failure>;

    fn run<C: Context + SharedContext>(self, _: &mut C, kept: &mut Kept<C>) -> Self::Output {
        kept.names.find_all(self.0).map(drop)
    }
}

/// The names of components that no context has.
struct Unknown<'a>(Vec<&'a str>);

impl EachAction for Unknown<'_> {
    fn run<C: Context + SharedContext>(&mut self, _: &mut C, kept: &mut Kept<C>) {
        self.0.retain(|name| kept.names.find(name).is_err());
    }
}

/// Describes what triggered a system, without the change itself.
fn woken<C: Context + SharedContext>(context: &C, cause: &Cause) -> Woken {
    let is_here = cause.context() == C::NAME;
    let infos = context.components().iter().filter(|_| is_here);
    let waits_for = infos.filter(|info| cause.waits_for(info.index()));
    let raw = cause.entity();
    let bits = u64::from(raw.generation()) << 32 | u64::from(raw.index());
    let entity = EntityId::from_bits(bits).filter(|_| is_here);
    Woken {
        run: cause.run(),
        context: cause.context(),
        entity: cause.entity().to_string(),
        label: entity.and_then(|entity| label(context, entity)),
        count: cause.count(),
        kind: None,
        component: None,
        waits_for: waits_for.map(|info| info.name()).collect(),
    }
}

/// Adds the change that triggered a system, if it is among the latest.
fn find_cause(entries: &VecDeque<Logged>, woken: &mut Woken) {
    let is_reaction = |entry: &&Logged| {
        let run = entry.woken_by.as_ref().map(|other| other.run);
        run == Some(woken.run)
    };
    let before = entries.iter().rev().take(MOST_SEARCHED);
    let mut before = before.skip_while(is_reaction);
    let cause = before.find(|entry| {
        let component = entry.component.as_deref();
        let is_waited_for = component.is_some_and(|it| woken.waits_for.contains(&it));
        is_waited_for && entry.context == woken.context && entry.entity == woken.entity
    });
    if let Some(cause) = cause {
        woken.kind = Some(cause.kind);
        woken.component.clone_from(&cause.component);
    }
}

/// Parses the index and the generation of an id, `12v3`.
fn numbers_of(id: &str) -> Option<(u32, u32)> {
    let (index, generation) = id.split_once('v')?;
    Some((index.parse().ok()?, generation.parse().ok()?))
}

/// Subscribes and unsubscribes observers to match the observed components.
struct Observe<'a> {
    page: &'a SharedPage,
    observed: &'a Observed,
    changed: bool,
}

impl EachAction for Observe<'_> {
    fn run<C: Context + SharedContext>(&mut self, context: &mut C, kept: &mut Kept<C>) {
        if self.changed {
            for subscription in kept.observed.drain(..) {
                context.unsubscribe(subscription);
            }
        }
        if !kept.observed.is_empty() || *self.observed == Observed::Nothing {
            return;
        }
        self.observe_entities(context, kept);
        let components: Vec<_> = context
            .components()
            .iter()
            .map(|info| info.index())
            .collect();
        for component in components {
            let name = kept.names.of(component);
            if self.observed.has(name) {
                self.observe(context, kept, component, name);
            }
        }
    }
}

impl Observe<'_> {
    fn observe_entities<C: Context + SharedContext>(&self, context: &mut C, kept: &mut Kept<C>) {
        let (created, destroyed) = (self.page.clone(), self.page.clone());
        let nothing = || [None, None];
        kept.observed.extend([
            context
                .observers()
                .on_created(move |game, id| created.write(&*game, id, "created", None, nothing)),
            context.observers().on_destroyed(move |game, id| {
                destroyed.write(&*game, id, "destroyed", None, nothing)
            }),
        ]);
    }

    fn observe<C: Context + SharedContext>(
        &self,
        context: &mut C,
        kept: &mut Kept<C>,
        component: ComponentIndex<C>,
        name: &'static str,
    ) {
        let owners = Matcher::default().all_of_indices([component]);
        let group = context.group(owners.with_disabled());
        let observer = || {
            let page = self.page.clone();
            move |context: &mut C, change: &Change<'_, C>| {
                write(&page, &*context, change, component, name);
            }
        };
        kept.observed.extend([
            group.on_entered(context, observer()),
            group.on_left(context, observer()),
            group.on_updated(context, observer()),
        ]);
    }
}

/// Writes a change of a component.
fn write<C: Context + SharedContext>(
    page: &SharedPage,
    context: &C,
    change: &Change<'_, C>,
    component: ComponentIndex<C>,
    name: &'static str,
) {
    let kind = match change.event() {
        GroupEvent::Entered => "added",
        GroupEvent::Left => "removed",
        GroupEvent::Updated => "replaced",
    };
    let id = change.entity();
    page.write(context, id, kind, Some(name), || {
        let old = change.previous_any();
        let old = old.and_then(|value| show::value(context, component, value, Limit::SHORT));
        let present = Entity::find(context, id).filter(|_| kind != "removed");
        let new = present.and_then(|entity| {
            let value = entity.dynamic().get(component)?;
            show::value(context, component, value, Limit::SHORT)
        });
        [old, new]
    });
}
