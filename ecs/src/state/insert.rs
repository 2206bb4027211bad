//! Giving a living entity all components of a bundle in one change: admit → store → propagate →
//! notify.
//!
//! ```text
//! merge.rs        the values staged in a row of their own; the edge from the entity's node to the
//!                 one with the components of both
//! store           both rows exchange the values; the entity at its node
//! propagate       groups, collectors and indexes, once
//! notify          the groups left and entered, in order of the groups; then, for each component
//!                 that was there, in order of index, the groups updated
//! ```

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::mem;

use super::admit::Stored;
use super::admit::bundle_writer::BundleWriter;
use super::core::{HasCore, Registries};
use super::dispatch::notify_queued;
use super::index::settle;
use super::merge::{Merge, Present};
use crate::reactions::history::Kind;
use crate::storage::descriptor::AnyValue;
use crate::storage::slots::Row;
use crate::words::component::ComponentIndex;
use crate::words::entity_id::EntityId;
use crate::words::error::Error;

/// The components that a bundle has replaced, each with its value if that is to be lent.
type Replaced = Vec<(ComponentIndex, Option<Box<AnyValue>>)>;

/// A bundle that an entity has got.
struct Inserted {
    stored: Stored,
    /// The components that it had before, ascending, and the row where their values are now.
    replaced: Vec<ComponentIndex>,
    row: Row,
    /// The components that it has got, ascending.
    added: Vec<ComponentIndex>,
}

impl Inserted {
    /// The component that the entity has got, if it is one.
    fn only_added(&self) -> Option<ComponentIndex> {
        match self.added[..] {
            [only] => Some(only),
            _ => None,
        }
    }
}

/// Gives an entity all that `put` hands to the writer, in one change.
pub(crate) fn insert<C: HasCore>(
    context: &mut C,
    id: EntityId<C>,
    present: Present,
    put: impl FnOnce(&mut BundleWriter<'_, C>),
) -> Result<(), Error> {
    let core = context.core_mut();
    let inserted = Merge::prepare(core, id.untyped(), present, put)?.store(core);
    conclude(context, inserted);
    Ok(())
}

impl Merge {
    /// Gives the entity the values; those that it had are where they were staged.
    fn store(self, core: &mut Registries) -> Inserted {
        let (entity, staged) = (self.entity, self.staged);
        let components = core.graph.component_list(staged.plan.node).iter().copied();
        let before = core.graph.components(self.before);
        let (replaced, added): (Vec<_>, Vec<_>) =
            components.partition(|&component| before.contains(component));
        let all = replaced.iter().chain(&added).copied();
        core.columns.exchange(all, staged.row, entity.row);
        core.slots.set_node(entity.id, self.target);
        core.slots.give_back(staged.id);
        Inserted {
            stored: entity,
            replaced,
            row: staged.row,
            added,
        }
    }
}

/// Concludes the change: all state is final before the first observer is notified.
fn conclude<C: HasCore>(context: &mut C, inserted: Inserted) {
    let core = context.core_mut();
    let Stored { id, effects, .. } = inserted.stored;
    let is_followed = core.apply(id, effects).is_some();
    if is_followed {
        core.prepare_indexes(id, effects);
    }
    let is_observed = is_followed && core.graph.effects().are_observed(effects);
    if effects.is_recorded() {
        core.while_unsettled(|core| record(core, &inserted, is_observed));
    }
    if !is_observed {
        core.while_unsettled(|core| core.columns.drop_left(&inserted.replaced, inserted.row));
        return settle_if(context, is_followed, &inserted);
    }
    let take = |component| (component, core.columns.take_left(component, inserted.row));
    let replaced: Replaced = inserted.replaced.iter().copied().map(take).collect();
    settle_if(context, is_followed, &inserted);
    queue(context.core_mut(), &inserted, replaced);
    notify_queued(context);
}

/// Hands the change over to the history, with the values replaced; with clones, if they are `lent` to
/// observers.
#[cold]
fn record(core: &mut Registries, inserted: &Inserted, lent: bool) {
    let id = inserted.stored.id;
    let left = LeftBehind { core, inserted };
    for &component in &inserted.added {
        left.core.record_added(id, component);
    }
    for &component in &inserted.replaced {
        let value = (inserted.row, lent);
        left.core.record_left(Kind::Replaced, id, component, value);
    }
    mem::forget(left);
}

/// The values replaced. They are dropped if a clone of one panics.
struct LeftBehind<'a> {
    core: &'a mut Registries,
    inserted: &'a Inserted,
}

impl Drop for LeftBehind<'_> {
    fn drop(&mut self) {
        let Inserted { replaced, row, .. } = self.inserted;
        self.core.columns.drop_left(replaced, *row);
    }
}

fn settle_if<C: HasCore>(context: &mut C, is_followed: bool, inserted: &Inserted) {
    if is_followed {
        settle(context, inserted.stored.id, inserted.stored.effects);
    }
}

/// Queues what observers are notified of: membership first, then the components replaced.
fn queue(core: &mut Registries, inserted: &Inserted, replaced: Replaced) {
    let Stored { id, effects, .. } = inserted.stored;
    core.queue_change(id, None, None);
    core.queue_effects_of(effects, inserted.only_added());
    for (component, value) in replaced {
        core.queue_change(id, Some(component), value);
        core.queue_effects_of(effects, Some(component));
    }
}
