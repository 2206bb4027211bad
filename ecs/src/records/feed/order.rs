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

use super::column::DeltaColumn;
use super::delta::Delta;
use super::mapping::Mapping;
use crate::reactions::entity_index::Links;
use crate::state::core::{Core, HasCore};
use crate::state::relation::{SourceOrder, order_sources};
use crate::words::entity_id::EntityId;

/// Sorts sources as a delta says.
///
/// Complexity: linear in the size of the delta, and in the sources of targets whose order differs.
pub(super) fn put_in_order<C: HasCore>(core: &mut Core<C>, delta: &Delta<C>, ids: &Mapping<C>) {
    let mut orders = Vec::new();
    for column in &delta.columns {
        let Some(links) = core.subs.indexes().ordered_links(column.component()) else {
            continue;
        };
        for sent in sent(links, column, ids) {
            let target = sent.target;
            let sources = match sent.is_wrong {
                true => sent.order(links),
                false => continue,
            };
            orders.push(SourceOrder {
                component: column.component(),
                target: target.untyped(),
                sources: EntityId::untyped_list(sources),
            });
        }
    }
    order_sources(&mut core.subs, &orders);
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
