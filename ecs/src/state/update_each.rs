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

mod copies;
mod gather;
mod report;

use alloc::vec::Vec;

use self::copies::{NewCopies, copies_of};
use self::report::{Report, tell_all};
use super::core::{Core, HasCore};
use super::index::settle;
use super::user_code::Session;
use crate::matching::effects::EffectsIndex;
use crate::storage::registry::index_of;
use crate::storage::row_words::RowWord;
use crate::storage::slots::{NodeIndex, Row, Slots};
use crate::words::component::{Component, ComponentIndex};
use crate::words::entity_id::EntityId;
use crate::words::signature::Bits;

/// A component that a query writes to.
#[doc(hidden)]
pub struct Written<C: HasCore> {
    component: ComponentIndex,
    /// Room for the values before the change; none where `T` has no `Clone`.
    copies: Option<NewCopies<C>>,
}

impl<C: HasCore> Written<C> {
    /// The component `T`.
    pub(crate) fn of<T: Component<C>>() -> Self {
        Self {
            component: index_of::<C, T>(),
            copies: copies_of::<C, T>(),
        }
    }
}

/// An update of many entities under way.
pub(crate) struct UpdateEach<'a, C: HasCore> {
    session: Session<'a, C>,
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
            session: Session::new(context),
            rows,
            written,
            reached: 0,
            report,
        }
    }

    /// The context, to visit the rows, and where to note how far the visit has come: the
    /// number of the row under way, plus one.
    pub(crate) fn parts(&mut self) -> (&mut C, &mut usize) {
        (self.session.context(), &mut self.reached)
    }

    /// Reports the changes, all rows having been visited.
    pub(crate) fn finish(mut self) {
        let rows = core::mem::take(&mut self.rows);
        let core = self.session.context().core_mut();
        core.gather_updates(&rows, &self.written);
        if !core.indexes.is_empty() {
            settle_updates(self.session.context(), &rows, &self.written);
        }
        if !self.report.is_empty() {
            tell_all(self.session.context(), &mut self.report);
        }
    }
}

impl<C: HasCore> Drop for UpdateEach<'_, C> {
    fn drop(&mut self) {
        forget_from(&mut self.rows, self.reached);
        if let Some(core) = self.session.core_mut() {
            core.gather_updates(&self.rows, &self.written);
        }
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
    rows: RowWord,
}

impl<C: HasCore> Core<C> {
    /// Notes what observers will be told of the update of these rows.
    fn plan(&mut self, rows: &[RowWord], written: &[Written<C>]) -> Report<C> {
        let visited = rows.iter().map(|(_, bits)| bits.count_ones() as usize);
        let mut report = Report::new(visited.sum());
        if self.observers.any_of_groups() {
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
            while let Some((node, bits)) = take_run(&self.slots, at, &mut left, &mut ids) {
                let (ids, rows) = (&ids[..], (at, bits));
                each(self, Run { node, ids, rows });
            }
        }
    }
}

/// Takes the entities at the head of a word's rows that are in one node out of `left`
/// and puts them into `ids`; gives the node and their rows, if there are any.
fn take_run<C: 'static>(
    slots: &Slots,
    at: usize,
    left: &mut u64,
    ids: &mut Vec<EntityId<C>>,
) -> Option<(NodeIndex, u64)> {
    ids.clear();
    let entity = |place| slots.entity_in(Row((at * 64) as u32 + place));
    let alive = Bits(*left).find(|&place| entity(place).is_some())?;
    *left &= u64::MAX << alive;
    let (node, before) = (entity(alive)?.1, *left);
    let mut rest = before; // in a register
    while rest != 0
        && let Some((id, its)) = entity(rest.trailing_zeros())
        && its == node
    {
        ids.push(id);
        rest &= rest - 1;
    }
    *left = rest;
    Some((node, before ^ rest))
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
