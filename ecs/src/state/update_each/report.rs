//! What observers are told of an update of many entities: noted before the visit, with
//! copies of the values, and told when all is final.
//!
//! ```text
//! news      entities of one signature, side by side      told of each, in turn
//!           a b c                                        a: Position, Velocity
//!           parts: Position, Velocity                    b: Position, Velocity …
//! copies    one list for each component: a's, b's, c's value
//! ```

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;
use core::ops::Range;

use super::{Run, Written};
use crate::change::Step;
use crate::component::Component;
use crate::entity_id::EntityId;
use crate::kind::AnyValue;
use crate::state::deliver::Delivery;
use crate::state::{Core, HasCore};

/// Makes room for the values of one component.
pub(super) type NewCopies<C> = fn() -> Box<dyn Copies<C>>;

/// Room for values of `T`.
pub(super) fn copies_of<C: 'static, T: Component<C>>() -> Box<dyn Copies<C>> {
    Box::new(Vec::<Option<T>>::new())
}

/// The values of one component before the change, in the order in which they are told.
pub(super) trait Copies<C> {
    /// How many there are.
    fn len(&self) -> usize;

    /// Copies the values of living entities.
    fn keep(&mut self, core: &Core<C>, ids: &[EntityId<C>]);

    /// The copy at a place.
    fn get(&self, place: usize) -> Option<&dyn Any>;

    /// Moves the copy at a place out.
    fn take(&mut self, place: usize) -> Option<Box<AnyValue>>;
}

impl<C: 'static, T: Component<C>> Copies<C> for Vec<Option<T>> {
    fn len(&self) -> usize {
        self.len()
    }

    fn keep(&mut self, core: &Core<C>, ids: &[EntityId<C>]) {
        let column = core.columns.of::<T>();
        self.extend(ids.iter().map(|&id| {
            let value = column.and_then(|column| column.get(core.slots.row_of(id)));
            T::CLONE.zip(value).map(|(clone, value)| clone(value))
        }));
    }

    fn get(&self, place: usize) -> Option<&dyn Any> {
        self[place].as_ref().map(|value| value as &dyn Any)
    }

    fn take(&mut self, place: usize) -> Option<Box<AnyValue>> {
        self[place]
            .take()
            .map(|value| Box::new(value) as Box<AnyValue>)
    }
}

/// What observers are to be told of entities that stand side by side in the report.
struct News {
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
    copies: Vec<Option<Box<dyn Copies<C>>>>,
}

impl<C: 'static> Report<C> {
    pub(super) fn new() -> Self {
        Self {
            entities: Vec::new(),
            news: Vec::new(),
            copies: Vec::new(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.news.is_empty()
    }

    /// Makes room for copies of the components written.
    pub(super) fn prepare(&mut self, written: &[Written<C>]) {
        let room = |written: &Written<C>| written.copies.map(|room| room());
        self.copies = written.iter().map(room).collect();
    }

    /// Notes what there is to be told of a run, and copies its values.
    pub(super) fn note(&mut self, core: &mut Core<C>, run: &Run<'_, C>, written: &[Written<C>]) {
        let mut parts = Vec::new();
        for (term, written) in written.iter().enumerate() {
            let effects = core.effects_of_update(run.node, written.component);
            let told = core.graph.effects().told(effects);
            if !told.is_empty() {
                let copies = self.keep(core, run.ids, term);
                parts.push(Part { told, term, copies });
            }
        }
        if !parts.is_empty() {
            let start = self.entities.len();
            self.entities.extend(run.ids);
            let entities = start..self.entities.len();
            self.news.push(News { entities, parts });
        }
    }

    /// Copies the values of a run; gives the place of the first copy.
    fn keep(&mut self, core: &Core<C>, ids: &[EntityId<C>], term: usize) -> usize {
        let Some(copies) = &mut self.copies[term] else {
            return 0;
        };
        let place = copies.len();
        copies.keep(core, ids);
        place
    }

    /// The value of the nth entity before the change.
    fn previous(&self, part: &Part, nth: usize) -> Option<&dyn Any> {
        self.copies[part.term].as_deref()?.get(part.copies + nth)
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
        let mut told = 0;
        if let [part] = &news.parts[..] {
            let previous = |nth| report.previous(part, nth);
            told = delivery.tell_each(part.told.clone(), entities, previous);
            number += told as u64;
        }
        for (nth, &entity) in entities.iter().enumerate().skip(told) {
            for part in &news.parts {
                for place in part.told.clone() {
                    if delivery.is_over() {
                        return;
                    }
                    let effect = delivery.context().core().graph.effects().told_at(place);
                    let previous = report.previous(part, nth);
                    delivery.tell_group(entity, number, effect, previous);
                }
                number += 1;
            }
        }
    }
    delivery.run();
}

impl<C: 'static> Core<C> {
    /// Numbers for changes that have been made already, of which the first is given;
    /// observers that subscribe from now on hear of none.
    fn next_changes(&mut self, count: u64) -> u64 {
        let first = self.queue.changes + 1;
        self.queue.changes += count;
        first
    }

    fn queue_report(&mut self, report: &mut Report<C>) {
        let (entities, all_copies) = (&report.entities, &mut report.copies);
        for news in &report.news {
            for (nth, &entity) in entities[news.entities.clone()].iter().enumerate() {
                for part in &news.parts {
                    let copies = all_copies[part.term].as_deref_mut();
                    let previous = copies.and_then(|copies| copies.take(part.copies + nth));
                    self.queue_change(entity, None, previous);
                    let table = self.graph.effects();
                    let told = part.told.clone().map(|place| table.told_at(place));
                    self.queue.steps.extend(told.map(Step::Group));
                }
            }
        }
    }
}
