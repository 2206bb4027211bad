//! The registries of a context. Each of them works on its own; the other files of this layer
//! combine them.

#![expect(
    unsafe_code,
    reason = "gives registries back the type of their context"
)]

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::TypeId;
use core::fmt;
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};

use crate::matching::graph::Graph;
use crate::matching::group::{Groups, IndexNumber};
use crate::reactions::collector::Collectors;
use crate::reactions::entered::Entered;
use crate::reactions::entity_change::Relays;
use crate::reactions::entity_index::{Indexes, Refreshes, Reindex};
use crate::reactions::events::ListenedEvents;
use crate::reactions::feeds::Feeds;
use crate::reactions::history::Recording;
use crate::reactions::messages::Channels;
use crate::reactions::observers::ObserverRegistry;
use crate::reactions::queue::Queue;
use crate::reactions::removed::Logs;
use crate::storage::column::Blocks;
use crate::storage::columns::{Columns, ColumnsOf};
use crate::storage::descriptor::{AnyValue, ComponentDescriptor};
use crate::storage::owners::Owners;
use crate::storage::slots::{NodeIndex, Row, Slots};
use crate::words::atomic::{AtomicU64, Ordering};
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::error::Error;
use crate::words::signature::RawComponentSet;

/// A type that owns a [`Core`]: the internal part of a [`Context`](crate::Context). Implemented by
/// `#[ecs::context]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a context",
    label = "not a context",
    note = "write `#[ecs::context] pub struct {Self};`"
)]
pub trait HasCore: Sized + Send + Sync + 'static {
    /// The name of the context, for messages.
    const NAME: &'static str;

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
/// The invariant: **the registries were created for contexts of type `C`**, and are never swapped
/// with those of another type: `&mut Registries` refers to an unsized value, which cannot be moved.
/// So columns are numbered for `C`, and type-erased parts (observers, functions of indexes) belong
/// to `C`.
pub struct Core<C> {
    registries: Registries<[(); 0]>,
    context: PhantomData<fn() -> C>,
}

impl<C: 'static> Core<C> {
    /// Creates a core without entities and without the indexes of components.
    pub(super) fn without_indexes() -> Self
    where
        C: HasCore,
    {
        Self {
            registries: Registries::of_context(TypeId::of::<C>(), C::NAME),
            context: PhantomData,
        }
    }

    /// The columns, with typed access.
    #[inline]
    pub(crate) fn typed(&self) -> &ColumnsOf<C> {
        // SAFETY: they were created for `C` (the invariant).
        unsafe { ColumnsOf::view(&self.registries.columns) }
    }

    /// The columns, with typed access.
    #[inline]
    pub(crate) fn typed_mut(&mut self) -> &mut ColumnsOf<C> {
        // SAFETY: as above.
        unsafe { ColumnsOf::view_mut(&mut self.registries.columns) }
    }

    /// The columns, with typed access, and the registries that locate values.
    #[inline]
    pub(super) fn parts(&mut self) -> TypedParts<'_, C> {
        let Registries {
            columns,
            slots,
            graph,
            groups,
            first,
            history,
            ..
        } = &mut self.registries;
        // SAFETY: as above.
        let columns = unsafe { ColumnsOf::view_mut(columns) };
        TypedParts {
            columns,
            slots,
            graph,
            groups,
            first,
            history,
        }
    }

    /// The functions that update an index, unless it is that of a relation.
    #[inline]
    pub(super) fn reindex(&self, number: IndexNumber) -> Option<Reindex<C>> {
        let refresh = self.refreshes.get(number)?;
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

impl<C> Deref for Core<C> {
    type Target = Registries;

    #[inline]
    fn deref(&self) -> &Registries {
        &self.registries
    }
}

impl<C> DerefMut for Core<C> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Registries {
        &mut self.registries
    }
}

/// The registries of a context of any type. Each of them works on its own.
///
/// Those of two contexts cannot be swapped, because that would change the types of their values:
///
/// ```compile_fail,E0277
/// use ecs::{HasCore, prelude::*};
/// #[ecs::context]
/// struct Physics;
/// #[ecs::context]
/// struct Audio;
/// let (mut physics, mut audio) = (Physics::new(), Audio::new());
/// core::mem::swap(&mut **physics.core_mut(), &mut **audio.core_mut());
/// ```
#[doc(hidden)]
pub struct Registries<Tail: ?Sized = [()]> {
    /// The name of the context, for messages.
    pub(super) name: &'static str,
    /// Distinguishes the handles of this context from those of others.
    pub(super) instance: u64,
    /// The context in which the entities were created: another one after its snapshot has been
    /// restored here.
    pub(super) origin: u64,
    pub(super) slots: Slots,
    pub(super) columns: Columns,
    pub(super) graph: Graph,
    pub(super) groups: Groups,
    pub(super) owners: Owners,
    /// The first components of the bundle being written, if they do not fit into a word of `Steps`.
    pub(super) first: RawComponentSet,
    /// The components written by the current bundle that require others.
    pub(super) required: Vec<RawComponentIndex>,
    /// The bundle being written whose rejection is an error, if any.
    pub(super) attempt: Option<Attempt>,
    pub(super) indexes: Indexes,
    /// How indexes are updated.
    pub(super) refreshes: Refreshes,
    pub(super) collectors: Collectors,
    pub(super) observers: ObserverRegistry,
    pub(super) queue: Queue,
    pub(super) messages: Channels,
    /// Removed values, for [`RemovedValues`](crate::RemovedValues).
    pub(super) removed: Logs,
    pub(super) events: ListenedEvents,
    /// What systems have seen of states.
    pub(super) entered: Entered,
    /// The history, if there is one.
    pub(super) history: Option<Box<Recording>>,
    pub(super) feeds: Feeds,
    pub(super) relays: Relays,
    /// Called when the context is dropped; set once there is a listener.
    pub(super) at_end: Option<fn(&mut Registries)>,
    /// A list of ids, kept for reuse.
    pub(super) scratch: Vec<UntypedId>,
    /// Empty sets of written rows, kept for reuse.
    pub(super) spare_written: Vec<Vec<AtomicU64>>,
    /// The number of handles that can be created before dropped ones are looked for.
    pub(super) unnoticed: usize,
    /// Empty; as a slice it makes the type unsized.
    _tail: Tail,
}

impl Registries<[(); 0]> {
    /// Creates the registries of a context with this type and name.
    fn of_context(context: TypeId, name: &'static str) -> Self {
        static INSTANCES: AtomicU64 = AtomicU64::new(0); // 64 bits never wrap around
        let (columns, groups) = (Columns::new(context), Groups::new());
        let instance = INSTANCES.fetch_add(1, Ordering::Relaxed);
        Self {
            name,
            instance,
            origin: instance,
            slots: Slots::new(name),
            graph: Graph::new(&groups),
            columns,
            groups,
            owners: Owners::new(),
            first: RawComponentSet::new(),
            required: Vec::new(),
            attempt: None,
            indexes: Indexes::new(),
            refreshes: Refreshes::new(),
            collectors: Collectors::new(),
            observers: ObserverRegistry::new(),
            queue: Queue::new(),
            messages: Channels::default(),
            removed: Logs::default(),
            events: ListenedEvents::new(),
            entered: Entered::default(),
            history: None,
            feeds: Feeds::new(),
            relays: Relays::default(),
            at_end: None,
            scratch: Vec::new(),
            spare_written: Vec::new(),
            unnoticed: 0,
            _tail: [],
        }
    }
}

impl Registries {
    /// Forgets effects that are no longer used, if there are many; during a dispatch, leaves the rest
    /// to its end.
    pub(super) fn tidy_graph(&mut self) {
        let dispatching = !self.queue.turn.is_idle();
        self.graph.tidy(dispatching);
        self.queue.untidy |= dispatching && self.graph.effects().keeps_forgotten();
    }

    /// The number of this context, which is also in its handles.
    #[inline]
    pub(crate) fn instance(&self) -> u64 {
        self.instance
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

    #[inline]
    pub(crate) fn indexes(&self) -> &Indexes {
        &self.indexes
    }

    #[inline]
    pub(crate) fn collectors(&self) -> &Collectors {
        &self.collectors
    }

    #[inline]
    pub(crate) fn messages(&self) -> &Channels {
        &self.messages
    }

    /// Removed values, for [`RemovedValues`](crate::RemovedValues).
    #[inline]
    pub(crate) fn removed(&self) -> &Logs {
        &self.removed
    }

    /// What systems have seen of states.
    pub(crate) fn entered_mut(&mut self) -> &mut Entered {
        &mut self.entered
    }

    #[inline]
    pub(crate) fn observers(&self) -> &ObserverRegistry {
        &self.observers
    }

    /// The history, if there is one.
    #[inline]
    pub(crate) fn history(&self) -> Option<&Recording> {
        self.history.as_deref()
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

    /// The components of the entities of a node.
    #[inline]
    pub(crate) fn components(&self, node: NodeIndex) -> &RawComponentSet {
        self.graph.components(node)
    }

    /// The value of a component in a row, with erased type.
    #[inline]
    pub(crate) fn value_in(&self, row: Row, component: RawComponentIndex) -> Option<&AnyValue> {
        self.columns.at(component)?.view(row)
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

impl<C: HasCore> fmt::Debug for Core<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(C::NAME)
            .field("entities", &self.slots.len())
            .field("reusable_entities", &self.slots.free_len())
            .field("components", &self.columns.len())
            .field("signatures", &self.graph.len())
            .field("groups", &self.groups.of_matchers().count())
            .field("collectors", &self.collectors.len())
            .finish()
    }
}

/// Rejects a handle of another context.
#[inline]
#[track_caller]
pub(crate) fn check_own(core: &Registries, instance: u64, handle: &str) {
    if instance != core.instance {
        wrong_context(core, handle);
    }
}

#[cold]
#[track_caller]
fn wrong_context(core: &Registries, handle: &str) -> ! {
    panic!(
        "this {handle} belongs to another `{}`; it is good for the one context that \
         made it",
        core.name
    )
}

/// A bundle being written whose rejection is an error instead of a panic.
pub(crate) struct Attempt {
    /// The entity to receive the values, unless it is a new one.
    pub(super) entity: Option<UntypedId>,
    /// Whether the entity is one of several, which are checked when all are made.
    pub(super) is_together: bool,
    /// The id whose row holds the values for it meanwhile. No value may refer to that id.
    pub(super) spare: Option<UntypedId>,
    /// The error of the first rejected value.
    pub(super) rejected: Option<Error>,
}
