//! What observers are told of an update of many entities: noted before the visit, with
//! copies of the values, and told when all is final.
//!
//! ```text
//! news      entities of one signature, side by side      told of each, in turn
//!           a b c                                        a: Position, Velocity
//!           parts: Position, Velocity                    b: Position, Velocity …
//! copies    one list for each component: a's, b's, c's value ([copies](super::copies))
//! ```

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::iter;
use core::ops::Range;

use super::copies::{Copies, Written};
use super::node_run::NodeRun;
use crate::reactions::queue::Step;
use crate::state::core::{Core, HasCore};
use crate::state::deliver::Delivery;
use crate::storage::slots::NodeIndex;
use crate::words::entity_id::EntityId;

/// What observers are to be told of entities of one node that stand side by side in the
/// report; nothing, if it has no parts.
struct News {
    node: NodeIndex,
    entities: Range<usize>,
    parts: Vec<Part>,
}

/// What they are to be told of one component.
struct Part {
    /// Where the effects stand in the list of all told effects.
    told: Range<usize>,
    /// Which of the written components it is.
    term: usize,
    /// The place of the copy of the first entity's value; the others follow.
    copies: usize,
}

/// All that observers are to be told: row by row, in the order of the query's terms.
pub(super) struct Report<C> {
    entities: Vec<EntityId<C>>,
    news: Vec<News>,
    /// Of each of the written components, once somebody is to be told of it.
    copies: Vec<Option<Box<dyn Copies<C>>>>,
    /// How many entities there may be.
    room: usize,
}

impl<C: HasCore> Report<C> {
    /// A report of up to `room` entities.
    pub(super) fn new(room: usize) -> Self {
        Self {
            entities: Vec::new(),
            news: Vec::new(),
            copies: Vec::new(),
            room,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entities.is_empty()
    }

    /// Notes what there is to be told of a run, and copies its values.
    pub(super) fn note(
        &mut self,
        core: &mut Core<C>,
        run: &NodeRun<'_, C>,
        written: &[Written<C>],
    ) {
        if self.news.last().is_none_or(|last| last.node != run.node) {
            self.begin(core, run.node, written);
        }
        let Some(last) = self.news.last_mut().filter(|last| !last.parts.is_empty()) else {
            return;
        };
        for part in &last.parts {
            if let Some(copies) = &mut self.copies[part.term] {
                copies.keep(core, run);
            }
        }
        self.entities.extend_from_slice(run.ids);
        last.entities.end = self.entities.len();
    }

    /// Begins the news of a node: works out what there is to be told.
    fn begin(&mut self, core: &mut Core<C>, node: NodeIndex, written: &[Written<C>]) {
        let mut parts = Vec::new();
        self.copies.resize_with(written.len(), || None);
        for (term, written) in written.iter().enumerate() {
            let effects = core.effects_of_update(node, written.component);
            let told = core.graph.effects().told(effects);
            if !told.is_empty() {
                self.entities.reserve(self.room - self.entities.len());
                let copies = self.room_for_copies(term, written);
                parts.push(Part { told, term, copies });
            }
        }
        let entities = self.entities.len()..self.entities.len();
        self.news.push(News {
            node,
            entities,
            parts,
        });
    }

    /// Makes room for copies of a component; gives the place of the next one.
    fn room_for_copies(&mut self, term: usize, written: &Written<C>) -> usize {
        let copies = &mut self.copies[term];
        if copies.is_none() {
            *copies = written.copies.map(|room_for| room_for(self.room));
        }
        copies.as_ref().map_or(0, |copies| copies.len())
    }

    /// The values that entities had in one component, where they are copied.
    fn copies(&self, part: &Part) -> Option<&dyn Copies<C>> {
        self.copies[part.term].as_deref()
    }

    /// How many changes there are to be told.
    fn changes(&self) -> u64 {
        let changes = |news: &News| news.entities.len() * news.parts.len();
        self.news.iter().map(changes).sum::<usize>() as u64
    }
}

/// Tells observers of many changes, all of them made: at once, or in their turn where a
/// delivery is under way.
#[inline(never)]
pub(super) fn tell_all<C: HasCore>(context: &mut C, report: &mut Report<C>) {
    let core = context.core_mut();
    if core.is_delivering() {
        core.queue_report(report);
    } else {
        deliver_all(context, report);
    }
}

/// Becomes the delivery: tells these changes one after the other, then all that they
/// lead to.
fn deliver_all<C: HasCore>(context: &mut C, report: &Report<C>) {
    let mut number = context.core_mut().next_changes(report.changes());
    let mut delivery = Delivery::start(context);
    for news in &report.news {
        let entities = &report.entities[news.entities.clone()];
        let mut done = 0;
        if let [part] = &news.parts[..] {
            done = report.notify_each(&mut delivery, part, entities);
            number += done as u64;
        }
        for (nth, &entity) in entities.iter().enumerate().skip(done) {
            for part in &news.parts {
                for place in part.told.clone() {
                    let effect = delivery.context().core().graph.effects().told_at(place);
                    let copies = report.copies(part);
                    let previous = copies.and_then(|copies| copies.get(part.copies + nth));
                    delivery.notify_group(entity, number, effect, previous);
                }
                number += 1;
            }
        }
    }
    delivery.run();
}

impl<C: HasCore> Report<C> {
    /// [`Delivery::notify_each`], with the copies there are.
    fn notify_each(
        &self,
        delivery: &mut Delivery<'_, C>,
        part: &Part,
        entities: &[EntityId<C>],
    ) -> usize {
        let told = part.told.clone();
        match self.copies(part) {
            Some(copies) => copies.notify_each(delivery, told, entities, part.copies),
            None => delivery.notify_each(told, entities, iter::repeat(None)),
        }
    }
}

impl<C: HasCore> Core<C> {
    /// Numbers for changes that have been made already, of which the first is given;
    /// observers that subscribe from now on hear of none.
    fn next_changes(&mut self, count: u64) -> u64 {
        let first = self.queue.changes + 1;
        self.queue.changes += count;
        first
    }

    /// Queues these changes. The copies of a component are in the order in which they are
    /// told, so each is the next one.
    fn queue_report(&mut self, report: &mut Report<C>) {
        let take_all = |copies: Option<Box<dyn Copies<C>>>| {
            let boxed = copies.map(|mut copies| copies.take_all());
            boxed.unwrap_or_default().into_iter()
        };
        let mut copies: Vec<_> = report.copies.drain(..).map(take_all).collect();
        for news in &report.news {
            for &entity in &report.entities[news.entities.clone()] {
                for part in &news.parts {
                    self.queue_change(entity, None, copies[part.term].next());
                    let table = self.graph.effects();
                    let told = part.told.clone().map(|place| table.told_at(place));
                    self.queue.steps.extend(told.map(Step::Group));
                }
            }
        }
    }
}
