//! Sorting the sources of ordered relations as in the origin.
//!
//! For each source in it, a delta contains the source before it. The other sources have not moved
//! relative to each other, so the present order is used for them:
//!
//! ```text
//! local   a b c x y     delta   y after a, x after y
//! result  a y x b c
//! ```

use alloc::vec::Vec;
use core::mem;

use hashbrown::{HashMap, HashSet};

use super::column::{DeltaColumn, PendingColumn};
use super::delta::Delta;
use super::mapping::Mapping;
use crate::reactions::entity_index::Links;
use crate::state::core::HasCore;
use crate::state::reorder::{place_sources, placements};
use crate::words::entity_id::{EntityId, UntypedId};

/// Sorts sources as a delta says. That is an update of those that move, unless they were set by the delta.
///
/// Complexity: linear in the size of the delta, and *n* log *n* in the sources of targets whose order differs.
pub(super) fn put_in_order<C: HasCore>(
    context: &mut C,
    delta: &Delta<C>,
    columns: &[PendingColumn<C>],
    ids: &Mapping<C>,
) {
    for (column, pending) in delta.columns.iter().zip(columns) {
        let component = column.component();
        let links = context.core().subs.indexes().ordered_links(component);
        let orders = links.into_iter().flat_map(|links| {
            let sent = sent(links, column, ids).into_iter();
            let wrong = sent.filter(|sent| sent.is_wrong);
            wrong.map(|sent| (sent.target, sent.sources.clone(), sent.order(links)))
        });
        let orders: Vec<_> = orders.collect();
        if orders.is_empty() {
            continue;
        }
        let set: HashSet<_> = pending.set_ids().filter_map(|id| ids.local(id)).collect();
        for (target, sent, order) in orders {
            let links = context.core().subs.indexes().ordered_links(component);
            let (target, order) = (target.untyped(), EntityId::untyped_all(&order));
            let stays = |id: UntypedId| !sent.contains(&id.typed());
            // Else an observer has changed them meanwhile.
            if let Some(moves) = placements(links, target, order, &stays) {
                let reports = |id: UntypedId| !set.contains(&id.typed());
                place_sources(context, (component, target), &moves, &reports);
            }
        }
    }
}

/// The sources of one target in a delta, with local ids.
struct SentOrder<C: 'static> {
    target: EntityId<C>,
    sources: HashSet<EntityId<C>>,
    /// The source after another one, or the first one.
    next: HashMap<Option<EntityId<C>>, EntityId<C>>,
    /// Whether any source is out of place.
    is_wrong: bool,
}

/// The sources in a column, by target, in order of first occurrence.
fn sent<C: HasCore>(links: &Links, column: &DeltaColumn<C>, ids: &Mapping<C>) -> Vec<SentOrder<C>> {
    let mut places = HashMap::new();
    let mut all: Vec<SentOrder<C>> = Vec::new();
    for (source, predecessor) in column.set.owners.iter().zip(&column.predecessors) {
        let Some(source) = ids.local(*source) else {
            continue;
        };
        let Some(target) = links.target(source.untyped()) else {
            continue;
        };
        let place = *places.entry(target).or_insert(all.len());
        if place == all.len() {
            all.push(SentOrder::of(target.typed()));
        }
        let predecessor = predecessor.and_then(|id| ids.local(id));
        let before = links.before(source.untyped()).map(|id| id.typed());
        let mut before = before.filter(|id| ids.origins.contains_key(id));
        let sent = &mut all[place];
        sent.is_wrong |= before.next() != predecessor;
        sent.sources.insert(source);
        sent.next.insert(predecessor, source);
    }
    all
}

impl<C: HasCore> SentOrder<C> {
    fn of(target: EntityId<C>) -> Self {
        Self {
            target,
            sources: HashSet::new(),
            next: HashMap::new(),
            is_wrong: false,
        }
    }

    /// All sources of the target: those not in the delta in their present order, each of the others
    /// at its position. Sources whose predecessor is not a source here come last.
    fn order(mut self, links: &Links) -> Vec<EntityId<C>> {
        let mut next = mem::take(&mut self.next);
        let sources = links.sources(self.target.untyped());
        let rest = sources.iter().map(|id| id.typed());
        let rest = rest.filter(|id| !self.sources.contains(id)).map(Some);
        let mut order = Vec::with_capacity(sources.len());
        for at in [None].into_iter().chain(rest) {
            order.extend(at);
            let mut at = at;
            while let Some(source) = next.remove(&at) {
                order.push(source);
                at = Some(source);
            }
        }
        order
    }
}
