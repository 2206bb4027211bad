//! The structures of a world, and how they are read together.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::TypeId;

#[cfg(feature = "serde")]
pub(crate) use super::unknown::Unknown;
use crate::matching::graph::Graph;
use crate::matching::group::Groups;
use crate::storage::column::Blocks;
use crate::storage::columns::Columns;
use crate::storage::descriptor::{AnyValue, ComponentDescriptor};
use crate::storage::owners::Owners;
use crate::storage::slots::{NodeIndex, Row, Slots};
use crate::words::atomic::{AtomicU64, Ordering};
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::error::Error;
use crate::words::signature::RawComponentSet;

/// Without serde, no save is loaded.
#[cfg(not(feature = "serde"))]
pub(crate) enum Unknown {}

/// The data of a context: its entities, their values, signatures and groups.
pub(crate) struct World {
    /// The name of the context, for messages.
    pub(crate) name: &'static str,
    /// Distinguishes the handles of this context from those of others; [`UNREPORTED`] is set in it while
    /// what a loop writes is unreported.
    pub(crate) instance: u64,
    /// The context in which the entities were created: another one after its snapshot has been
    /// restored here.
    pub(crate) origin: u64,
    pub(crate) slots: Slots,
    pub(crate) columns: Columns,
    pub(crate) graph: Graph,
    pub(crate) groups: Groups,
    pub(crate) owners: Owners,
    /// The first components of the bundle being written, if they do not fit into a word of `Steps`.
    pub(crate) first: RawComponentSet,
    /// The components written by the current bundle that require others.
    pub(crate) required: Vec<RawComponentIndex>,
    /// Whether a mirror sets values: the owners of entries come after these.
    pub(crate) is_mirroring: bool,
    /// The bundle being written whose rejection is an error, if any.
    pub(crate) attempt: Option<Attempt>,
    /// Components of the loaded save that the program does not have, if they are kept.
    pub(crate) unknown: Option<Arc<Unknown>>,
}

/// Set in the instance while a loop over a borrowed query may write to values whose changes are not
/// reported yet. If the query is leaked, it stays set: then every handle is rejected, because what follows
/// changes would be wrong. This test is there anyway, so it costs nothing.
const UNREPORTED: u64 = 1 << 63;

impl World {
    /// Creates the data of a context with this type and name.
    pub(crate) fn new(context: TypeId, name: &'static str, minimum_free: usize) -> Self {
        static INSTANCES: AtomicU64 = AtomicU64::new(0); // 64 bits never wrap around
        let (columns, groups) = (Columns::new(context), Groups::new());
        let instance = INSTANCES.fetch_add(1, Ordering::Relaxed);
        Self {
            name,
            instance,
            origin: instance,
            slots: Slots::new(name, minimum_free),
            graph: Graph::new(&groups),
            columns,
            groups,
            owners: Owners::new(),
            first: RawComponentSet::new(),
            required: Vec::new(),
            is_mirroring: false,
            attempt: None,
            unknown: None,
        }
    }

    /// The number of this context, which is also in its handles.
    #[inline]
    pub(crate) fn instance(&self) -> u64 {
        self.instance
    }

    /// Rejects handles until [`end_unreported`](Self::end_unreported).
    pub(crate) fn begin_unreported(&mut self) {
        self.instance |= UNREPORTED;
    }

    /// Accepts handles again.
    pub(crate) fn end_unreported(&mut self) {
        self.instance &= !UNREPORTED;
    }

    /// Panics if a loop was never reported.
    #[inline]
    #[track_caller]
    pub(crate) fn check_reported(&self) {
        if self.instance & UNREPORTED != 0 {
            unreported(self.name);
        }
    }

    /// The entities and their rows.
    #[inline]
    pub(crate) fn slots(&self) -> &Slots {
        &self.slots
    }

    /// The values, with erased types.
    #[inline]
    pub(crate) fn columns(&self) -> &Columns {
        &self.columns
    }

    /// The groups.
    #[inline]
    pub(crate) fn groups(&self) -> &Groups {
        &self.groups
    }

    /// Whether an entity is alive.
    #[inline]
    #[track_caller]
    pub(crate) fn is_alive<I>(&self, id: EntityId<I>) -> bool {
        self.slots.get(id).is_some()
    }

    /// The components of an entity, if it is alive.
    #[track_caller]
    pub(crate) fn components_of<I>(&self, id: EntityId<I>) -> Option<&RawComponentSet> {
        Some(self.components(self.slots.get(id)?.node))
    }

    /// The components of an entity without flags of terms, if it is alive.
    #[track_caller]
    pub(crate) fn own_components_of<I>(&self, id: EntityId<I>) -> Option<RawComponentSet> {
        let components = self.components_of(id)?;
        Some(components.without(self.groups.flags()))
    }

    /// The components of the entities of a node.
    #[inline]
    pub(crate) fn components(&self, node: NodeIndex) -> &RawComponentSet {
        self.graph.components(node)
    }

    /// The value of a component in a row, with erased type; also for a key function that prints its entity.
    #[inline]
    pub(crate) fn value_in(&self, row: Row, component: RawComponentIndex) -> Option<&AnyValue> {
        self.columns.all().get(component.get())?.view(row)
    }

    /// The blocks of a component; none before its first use.
    #[inline]
    pub(crate) fn blocks(&self, component: RawComponentIndex) -> Blocks<'_> {
        let column = self.columns.at(component);
        column.map_or(Blocks::NONE, |column| column.blocks())
    }

    /// The descriptor of a component.
    #[inline]
    pub(crate) fn describe(&self, component: RawComponentIndex) -> &'static ComponentDescriptor {
        self.columns.describe(component)
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn unreported(name: &str) -> ! {
    panic!(
        "a query of context `{name}` was leaked after a loop over its `iter_mut()`, so nothing that \
         follows changes has what the loop wrote; drop the query instead of calling `mem::forget`; `reset()` \
         makes the context usable again"
    )
}

/// A bundle being written whose rejection is an error instead of a panic.
pub(crate) struct Attempt {
    /// The entity to receive the values, unless it is a new one.
    pub(crate) entity: Option<UntypedId>,
    /// Whether the entity is one of several, which are checked when all are made.
    pub(crate) is_together: bool,
    /// The id whose row holds the values for it meanwhile. No value may refer to that id.
    pub(crate) spare: Option<UntypedId>,
    /// The error of the first rejected value.
    pub(crate) rejected: Option<Error>,
}
