//! The registries a context is made of. Each of them works by itself; the other files of this
//! layer are what they do together.

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
use core::sync::atomic::{AtomicU64, Ordering};

use crate::matching::graph::Graph;
use crate::matching::group::{Groups, IndexNumber};
use crate::reactions::collector::Collectors;
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
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::error::Error;
use crate::words::signature::RawComponentSet;

/// A type that owns a [`Core`]: the part of a [`Context`](crate::Context) that the
/// library works with. Implemented by `#[ecs::context]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a context",
    label = "not a context",
    note = "write `#[ecs::context] pub struct {Self};`"
)]
pub trait HasCore: Sized + Send + Sync + 'static {
    /// What the context is called in messages.
    const NAME: &'static str;

    /// What the context is made of.
    #[doc(hidden)]
    fn core(&self) -> &Core<Self>;

    /// What the context is made of, to be changed.
    #[doc(hidden)]
    fn core_mut(&mut self) -> &mut Core<Self>;
}

/// All that a context of type `C` owns.
///
/// Held by the struct that `#[ecs::context]` writes; of no use by itself.
///
/// The invariant: **the registries were made for contexts of type `C`**, and never change places
/// with those of another type: nothing can move what is behind a `&mut Registries`, which has no size.
/// So their columns are numbered for `C`, and what they keep without its type (observers, the functions
/// of indexes) is of `C`.
pub struct Core<C> {
    registries: Registries<[(); 0]>,
    context: PhantomData<fn() -> C>,
}

impl<C: 'static> Core<C> {
    /// A core without entities whose components have no indexes yet.
    pub(super) fn without_indexes() -> Self
    where
        C: HasCore,
    {
        Self {
            registries: Registries::of_context(TypeId::of::<C>(), C::NAME),
            context: PhantomData,
        }
    }

    /// The columns, for values of known types.
    #[inline]
    pub(crate) fn typed(&self) -> &ColumnsOf<C> {
        // SAFETY: they are those of `C` (the invariant).
        unsafe { ColumnsOf::view(&self.registries.columns) }
    }

    /// The columns, for values of known types.
    #[inline]
    pub(crate) fn typed_mut(&mut self) -> &mut ColumnsOf<C> {
        // SAFETY: as above.
        unsafe { ColumnsOf::view_mut(&mut self.registries.columns) }
    }

    /// The columns, for values of known types, with what says where they are.
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

    /// How an index is brought up to date, unless it is a relation.
    #[inline]
    pub(super) fn reindex(&self, number: IndexNumber) -> Option<Reindex<C>> {
        let refresh = self.refreshes.get(number)?;
        // SAFETY: the index is one of `C` (the invariant).
        unsafe { refresh.keys() }
    }
}

/// The registries that say where a value is and what a change of it does.
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

/// The registries of a context, whatever its type. Each of them works by itself.
///
/// Those of two contexts cannot change places, which would give values other types:
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
    /// What the context is called in messages.
    pub(super) name: &'static str,
    /// Tells the handles of this context from those of another one.
    pub(super) instance: u64,
    /// The number of the context that its entities are of: another one, once a snapshot of that has been
    /// restored here.
    pub(super) origin: u64,
    pub(super) slots: Slots,
    pub(super) columns: Columns,
    pub(super) graph: Graph,
    pub(super) groups: Groups,
    pub(super) owners: Owners,
    /// The first components of the entity that is being made, if a word of steps has no room
    /// for them.
    pub(super) first: RawComponentSet,
    /// The components that require others of those that the writer at work has put.
    pub(super) required: Vec<RawComponentIndex>,
    /// What the values that a bundle puts are for, if a rejection is to be an error.
    pub(super) attempt: Option<Attempt>,
    pub(super) indexes: Indexes,
    /// How the indexes are brought up to date.
    pub(super) refreshes: Refreshes,
    pub(super) collectors: Collectors,
    pub(super) observers: ObserverRegistry,
    pub(super) queue: Queue,
    pub(super) messages: Channels,
    /// The values that entities have lost, for those who gather them.
    pub(super) removed: Logs,
    pub(super) events: ListenedEvents,
    /// What is recorded, if anybody asked for that.
    pub(super) history: Option<Box<Recording>>,
    pub(super) feeds: Feeds,
    pub(super) relays: Relays,
    /// What is done when the context ends, once there is a listener.
    pub(super) at_end: Option<fn(&mut Registries)>,
    /// The list of ids that `for_each` walks, kept to be used again.
    pub(super) scratch: Vec<UntypedId>,
    /// How many handles are still to be made before those that have been dropped are looked for.
    pub(super) unnoticed: usize,
    /// Empty; as a slice it makes the type one without a size.
    _tail: Tail,
}

impl Registries<[(); 0]> {
    /// Those of a context of a type, with its name.
    fn of_context(context: TypeId, name: &'static str) -> Self {
        static INSTANCES: AtomicU64 = AtomicU64::new(0); // so wide that no number comes twice
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
            history: None,
            feeds: Feeds::new(),
            relays: Relays::default(),
            at_end: None,
            scratch: Vec::new(),
            unnoticed: 0,
            _tail: [],
        }
    }
}

impl Registries {
    /// The number of this context, which its handles have.
    #[inline]
    pub(crate) fn instance(&self) -> u64 {
        self.instance
    }

    /// The entities and where they are.
    #[inline]
    pub(crate) fn slots(&self) -> &Slots {
        &self.slots
    }

    /// The values, of whatever type.
    #[inline]
    pub(crate) fn columns(&self) -> &Columns {
        &self.columns
    }

    /// What is known of each group.
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

    /// The values that entities have lost, for those who gather them.
    #[inline]
    pub(crate) fn removed(&self) -> &Logs {
        &self.removed
    }

    #[inline]
    pub(crate) fn observers(&self) -> &ObserverRegistry {
        &self.observers
    }

    /// What is recorded, if there is a history.
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

    /// The components that the entities of a node have.
    #[inline]
    pub(crate) fn components(&self, node: NodeIndex) -> &RawComponentSet {
        self.graph.components(node)
    }

    /// The value of a component in a row, of whatever type.
    #[inline]
    pub(crate) fn value_in(&self, row: Row, component: RawComponentIndex) -> Option<&AnyValue> {
        self.columns.at(component)?.view(row)
    }

    /// The blocks of a component: none as long as no entity has had it.
    #[inline]
    pub(crate) fn blocks(&self, component: RawComponentIndex) -> Blocks<'_> {
        let column = self.columns.at(component);
        column.map_or(Blocks::NONE, |column| column.blocks())
    }

    /// What is known of a component.
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

/// Rejects a handle that another context has made.
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

/// An attempt to put a bundle, as long as its writer is at work.
pub(crate) struct Attempt {
    /// The entity that is to have the values, if not a new one.
    pub(super) entity: Option<UntypedId>,
    /// Why the first of them was rejected.
    pub(super) rejected: Option<Error>,
}
