//! Reporting that a query has changed the values of many entities in place.
//!
//! ```text
//! begin    the rows are known; what observers will be told is noted, with copies of
//!          the values, by runs of entities of one signature
//! (visit)  the query hands out the values and says how far it has come
//! finish   collectors follow, by words ([gather]); then observers are told, one by one
//! ```
//!
//! All values are final before anybody is told. Where the visit panics, the changes are
//! reported as far as it has come, to all but the observers: those are code of users,
//! which does not run while a panic is on its way.

mod gather;

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;
use core::ops::Range;

use super::deliver::Delivery;
use super::index::settle;
use super::{Core, HasCore};
use crate::change::Step;
use crate::component::{Component, ComponentIndex};
use crate::effects::EffectsIndex;
use crate::entity_id::EntityId;
use crate::kind::AnyValue;
use crate::registry::index_of;
use crate::row_words::RowWord;
use crate::signature::Bits;
use crate::slots::{NodeIndex, Row, Slots};

/// A component that a query writes to.
#[doc(hidden)]
pub struct Written<C> {
    component: ComponentIndex,
    /// Room for the values before the change; none where `T` has no `Clone`.
    copies: Option<NewCopies<C>>,
}

type NewCopies<C> = fn() -> Box<dyn Copies<C>>;

impl<C: 'static> Written<C> {
    /// The component `T`.
    pub(crate) fn of<T: Component<C>>() -> Self {
        let room: NewCopies<C> = || Box::new(Vec::<Option<T>>::new());
        Self {
            component: index_of::<C, T>(),
            copies: T::CLONE.map(|_| room),
        }
    }
}

/// The values of one component before the change, in the order in which they are told.
trait Copies<C> {
    /// Copies the value in a row; gives the place of the copy.
    fn keep(&mut self, core: &Core<C>, row: Row) -> usize;

    /// The copy at a place.
    fn get(&self, place: usize) -> Option<&dyn Any>;

    /// Moves the copy at a place out.
    fn take(&mut self, place: usize) -> Option<Box<AnyValue>>;
}

impl<C: 'static, T: Component<C>> Copies<C> for Vec<Option<T>> {
    fn keep(&mut self, core: &Core<C>, row: Row) -> usize {
        let value = core.columns.of::<T>().and_then(|column| column.get(row));
        self.push(T::CLONE.zip(value).map(|(clone, value)| clone(value)));
        self.len() - 1
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

/// What observers are to be told of one component of one entity.
struct News<C> {
    entity: EntityId<C>,
    /// Where the effects stand in the list of all told effects.
    told: Range<usize>,
    /// Which of the written components it is about, and where the copy of its value is.
    term: usize,
    copy: usize,
}

/// All that observers are to be told: row by row, in the order of the query's terms.
struct Report<C> {
    news: Vec<News<C>>,
    copies: Vec<Option<Box<dyn Copies<C>>>>,
}

/// An update of many entities under way.
pub(crate) struct UpdateEach<'a, C: HasCore> {
    context: &'a mut C,
    rows: Vec<RowWord>,
    written: Vec<Written<C>>,
    /// The rows before this one have been visited.
    reached: usize,
    report: Report<C>,
}

impl<'a, C: HasCore> UpdateEach<'a, C> {
    /// Gets ready for the visit of these rows: copies the values that observers will be
    /// lent.
    pub(crate) fn begin(context: &'a mut C, rows: Vec<RowWord>, written: Vec<Written<C>>) -> Self {
        let core = context.core_mut();
        let report = core.plan(&rows, &written);
        if !core.indexes.is_empty() {
            core.prepare_updates(&rows, &written); // the visit may panic
        }
        Self {
            context,
            rows,
            written,
            reached: 0,
            report,
        }
    }

    /// The context, to visit the rows, and where to note how far the visit has come: the
    /// number of the row under way, plus one.
    pub(crate) fn parts(&mut self) -> (&mut C, &mut usize) {
        (self.context, &mut self.reached)
    }

    /// Reports the changes, all rows having been visited.
    pub(crate) fn finish(mut self) {
        let rows = core::mem::take(&mut self.rows);
        let core = self.context.core_mut();
        core.gather_updates(&rows, &self.written);
        if !core.indexes.is_empty() {
            settle_updates(self.context, &rows, &self.written);
        }
        if !self.report.news.is_empty() {
            tell_all(self.context, &mut self.report);
        }
    }
}

impl<C: HasCore> Drop for UpdateEach<'_, C> {
    fn drop(&mut self) {
        forget_from(&mut self.rows, self.reached);
        self.context
            .core_mut()
            .gather_updates(&self.rows, &self.written);
    }
}

/// Forgets all rows from `end` on.
fn forget_from(rows: &mut Vec<RowWord>, end: usize) {
    rows.retain_mut(|(at, bits)| {
        let below = end.saturating_sub(*at * 64);
        if below < 64 {
            *bits &= (1 << below) - 1;
        }
        *bits != 0
    });
}

/// Neighbouring entities of one node.
struct Run<'a, C> {
    node: NodeIndex,
    ids: &'a [EntityId<C>],
}

impl<C: 'static> Core<C> {
    /// Notes what observers will be told of the update of these rows.
    fn plan(&mut self, rows: &[RowWord], written: &[Written<C>]) -> Report<C> {
        let mut report = Report {
            news: Vec::new(),
            copies: Vec::new(),
        };
        if self.observers.any_of_groups() {
            let room = |written: &Written<C>| written.copies.map(|room| room());
            report.copies = written.iter().map(room).collect();
            self.for_each_run(rows, |core, run| report.note(core, &run, written));
        }
        report
    }

    /// Puts the entities of these rows in doubt in the indexes that follow their update.
    fn prepare_updates(&mut self, rows: &[RowWord], written: &[Written<C>]) {
        self.for_each_indexed(rows, written, |core, id, effects| {
            core.prepare_indexes(id, effects);
        });
    }

    /// Calls `each` for every update of these rows that entity indexes follow.
    fn for_each_indexed(
        &mut self,
        rows: &[RowWord],
        written: &[Written<C>],
        mut each: impl FnMut(&mut Self, EntityId<C>, EffectsIndex),
    ) {
        self.for_each_run(rows, |core, run| {
            for written in written {
                let effects = core.effects_of_update(run.node, written.component);
                if !core.graph.effects().get(effects).indexed.is_empty() {
                    run.ids.iter().for_each(|&id| each(core, id, effects));
                }
            }
        });
    }

    /// What updating a component does to the entities of a node, if they have it.
    fn effects_of_update(&mut self, node: NodeIndex, component: ComponentIndex) -> EffectsIndex {
        if !self.graph.components(node).contains(component) {
            return EffectsIndex::NONE;
        }
        self.graph.update(node, component, &self.groups)
    }

    /// Calls `each` with the entities of these rows, run by run of one word and one node.
    fn for_each_run(&mut self, rows: &[RowWord], mut each: impl FnMut(&mut Self, Run<'_, C>)) {
        let mut ids = Vec::with_capacity(64);
        for &(at, bits) in rows {
            let mut left = bits;
            while left != 0 {
                let Some(node) = take_run(&self.slots, at, &mut left, &mut ids) else {
                    continue;
                };
                each(self, Run { node, ids: &ids });
            }
        }
    }
}

/// Takes the entities at the head of a word's rows that are in one node out of `left`
/// and puts them into `ids`; gives the node.
fn take_run<C: 'static>(
    slots: &Slots,
    at: usize,
    left: &mut u64,
    ids: &mut Vec<EntityId<C>>,
) -> Option<NodeIndex> {
    ids.clear();
    let mut node = None;
    for place in Bits(*left) {
        if let Some((id, its)) = slots.entity_in(Row((at * 64) as u32 + place)) {
            if *node.get_or_insert(its) != its {
                break;
            }
            ids.push(id);
        }
        *left &= *left - 1;
    }
    node
}

impl<C: 'static> Report<C> {
    /// Notes what there is to be told of a run, and copies its values.
    fn note(&mut self, core: &mut Core<C>, run: &Run<'_, C>, written: &[Written<C>]) {
        let told: Vec<_> = (0..)
            .zip(written)
            .map(|(term, written)| {
                let effects = core.effects_of_update(run.node, written.component);
                (term, core.graph.effects().told(effects))
            })
            .filter(|(_, told)| !told.is_empty())
            .collect();
        if told.is_empty() {
            return;
        }
        for &entity in run.ids {
            for (term, told) in &told {
                let copy = self.copy(core, entity, *term);
                self.news.push(News {
                    entity,
                    told: told.clone(),
                    term: *term,
                    copy,
                });
            }
        }
    }

    fn copy(&mut self, core: &Core<C>, entity: EntityId<C>, term: usize) -> usize {
        let slot = core.slots.get(entity);
        let copies = self.copies[term].as_mut();
        copies
            .zip(slot)
            .map_or(0, |(copies, slot)| copies.keep(core, slot.row))
    }
}

/// Lets entity indexes follow the update of these rows.
#[inline(never)]
fn settle_updates<C: HasCore>(context: &mut C, rows: &[RowWord], written: &[Written<C>]) {
    let mut indexed = Vec::new();
    let core = context.core_mut();
    core.for_each_indexed(rows, written, |_, id, effects| indexed.push((id, effects)));
    for (id, effects) in indexed {
        settle(context, id, effects);
    }
}

/// Tells observers of many changes, all of them made: at once, or in their turn where a
/// delivery is under way.
#[inline(never)]
fn tell_all<C: HasCore>(context: &mut C, report: &mut Report<C>) {
    let core = context.core_mut();
    if core.is_delivering() {
        for news in &report.news {
            core.queue_news(news, report.copies[news.term].as_deref_mut());
        }
    } else {
        deliver_all(context, report);
    }
}

/// Becomes the delivery: tells these changes one after the other, then all that they
/// lead to.
fn deliver_all<C: HasCore>(context: &mut C, report: &Report<C>) {
    let numbers = context.core_mut().next_changes(report.news.len() as u64);
    let mut delivery = Delivery::start(context);
    for (number, news) in numbers.zip(&report.news) {
        let copies = report.copies[news.term].as_deref();
        let previous = copies.and_then(|copies| copies.get(news.copy));
        for place in news.told.clone() {
            if delivery.is_over() {
                return;
            }
            let effect = delivery.context().core().graph.effects().told_at(place);
            delivery.tell_group(news.entity, number, effect, previous);
        }
    }
    delivery.run();
}

impl<C: 'static> Core<C> {
    /// Numbers for changes that have been made already; observers that subscribe from now
    /// on hear of none.
    fn next_changes(&mut self, count: u64) -> Range<u64> {
        let first = self.queue.changes + 1;
        self.queue.changes += count;
        first..first + count
    }

    fn queue_news(&mut self, news: &News<C>, copies: Option<&mut (dyn Copies<C> + 'static)>) {
        let previous = copies.and_then(|copies| copies.take(news.copy));
        self.queue_change(news.entity, None, previous);
        let table = self.graph.effects();
        let told = news.told.clone().map(|place| table.told_at(place));
        self.queue.steps.extend(told.map(Step::Group));
    }
}
