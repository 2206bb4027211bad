//! What a context owns: a world and its subscribers.

#![expect(
    unsafe_code,
    reason = "gives registries back the type of their context"
)]

use alloc::boxed::Box;
use core::any::TypeId;
use core::fmt;

use crate::matching::graph::Graph;
use crate::matching::group::{Groups, IndexNumber};
use crate::reactions::entity_index::Reindex;
use crate::reactions::history::Recording;
use crate::reactions::subscribers::Subscribers;
use crate::storage::columns::ColumnsOf;
use crate::storage::slots::Slots;
use crate::words::demands::{HasThreads, Holds};
use crate::words::signature::RawComponentSet;
use crate::world::World;

/// A type that owns a [`Core`]: the internal part of a [`Context`](crate::Context). Implemented by
/// `#[ecs::context]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a context",
    label = "not a context",
    note = "write `#[ecs::context] pub struct {Self};`"
)]
pub trait HasCore: HasThreads + Sized + 'static {
    /// The name of the context, for messages.
    const NAME: &'static str;

    /// The number of free slots that are not reused, as the attribute `minimum_free` says.
    #[doc(hidden)]
    const MINIMUM_FREE: usize = 0;

    /// Returns the internal part of the context.
    #[doc(hidden)]
    fn core(&self) -> &Core<Self>;

    /// Returns the internal part of the context, for changes.
    #[doc(hidden)]
    fn core_mut(&mut self) -> &mut Core<Self>;
}

/// Everything that a context of type `C` owns.
///
/// It is a field of the struct written by `#[ecs::context]`, and has no use on its own.
///
/// The invariant: **the columns were created for contexts of type `C`**: they are numbered for `C`, and
/// type-erased parts (observers, functions of indexes) belong to `C`. No function of this crate swaps the
/// world or the subscribers of two contexts.
pub struct Core<C> {
    /// The entities and their values.
    pub(crate) world: World,
    /// The subscribers to changes.
    pub(crate) subs: Subscribers,
    _holds: Holds<C>,
}

impl<C: 'static> Core<C> {
    /// Creates a core without entities and without the indexes of components.
    pub(super) fn without_indexes() -> Self
    where
        C: HasCore,
    {
        let world = World::new(TypeId::of::<C>(), C::NAME, C::MINIMUM_FREE);
        Self {
            world,
            subs: Subscribers::new(),
            _holds: Holds::NEW,
        }
    }

    /// The columns, with typed access.
    #[inline]
    pub(crate) fn typed(&self) -> &ColumnsOf<C> {
        // SAFETY: they were created for `C` (the invariant).
        unsafe { ColumnsOf::view(&self.world.columns) }
    }

    /// The columns, with typed access.
    #[inline]
    pub(crate) fn typed_mut(&mut self) -> &mut ColumnsOf<C> {
        // SAFETY: as above.
        unsafe { ColumnsOf::view_mut(&mut self.world.columns) }
    }

    /// The columns, with typed access, and the registries that locate values.
    #[inline]
    pub(super) fn parts(&mut self) -> TypedParts<'_, C> {
        let Self { world, subs, .. } = self;
        let World {
            columns,
            slots,
            graph,
            groups,
            first,
            ..
        } = world;
        // SAFETY: as above.
        let columns = unsafe { ColumnsOf::view_mut(columns) };
        TypedParts {
            columns,
            slots,
            graph,
            groups,
            first,
            history: &mut subs.history,
        }
    }

    /// The functions that update an index, unless it is that of a relation.
    #[inline]
    pub(super) fn reindex(&self, number: IndexNumber) -> Option<Reindex<C>> {
        let refresh = self.subs.refreshes.get(number)?;
        // SAFETY: the index was created for `C` (the invariant).
        unsafe { refresh.keys() }
    }
}

/// The registries that locate a value and define the effects of changing it.
pub(super) struct TypedParts<'a, C> {
    pub(super) columns: &'a mut ColumnsOf<C>,
    pub(super) slots: &'a mut Slots,
    pub(super) graph: &'a mut Graph,
    pub(super) groups: &'a Groups,
    pub(super) first: &'a mut RawComponentSet,
    pub(super) history: &'a mut Option<Box<Recording>>,
}

/// Forgets effects that are no longer used, if there are many; during a dispatch, leaves the rest
/// to its end.
pub(crate) fn tidy_graph(world: &mut World, subs: &mut Subscribers) {
    let dispatching = !subs.queue.turn.is_idle();
    world.graph.tidy(dispatching);
    subs.queue.untidy |= dispatching && world.graph.effects().keeps_forgotten();
}

impl<C: HasCore> fmt::Debug for Core<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(C::NAME)
            .field("entities", &self.world.slots.len())
            .field("reusable_entities", &self.world.slots.free_len())
            .field("components", &self.world.columns.len())
            .field("signatures", &self.world.graph.len())
            .field("groups", &self.world.groups.of_matchers().count())
            .field("collectors", &self.subs.collectors.len())
            .finish()
    }
}

/// Rejects a handle of another context.
#[inline]
#[track_caller]
pub(crate) fn check_own(world: &World, instance: u64, handle: &str) {
    if instance != world.instance {
        wrong_context(world, handle);
    }
}

#[cold]
#[track_caller]
fn wrong_context(world: &World, handle: &str) -> ! {
    world.check_reported();
    panic!(
        "this {handle} belongs to another `{}`; use it only with the context that created it",
        world.name
    )
}
