//! A reactive entity component system: components are plain structs, loops run over arrays, and systems
//! receive just the entities that changed.
//!
//! ```
//! use ecs::prelude::*;
//!
//! #[ecs::context] // a context owns entities and their components
//! pub struct Game;
//!
//! #[derive(Component)]
//! #[component(context = Game)]
//! pub struct Health(pub u32);
//!
//! #[derive(Component)]
//! #[component(context = Game)]
//! pub struct Poison { pub damage: u32 }
//!
//! // A system is a function. This one loops over arrays and reports its changes.
//! fn poison(game: &mut Game) {
//!     game.query_mut::<(&mut Health, &Poison)>().for_each(|(health, poison)| {
//!         health.0 = health.0.saturating_sub(poison.damage);
//!     });
//! }
//!
//! let mut game = Game::new();
//! let wounded = Game::all_of::<Health>().updated();
//! let mut systems = Systems::new()
//!     .add(poison)
//!     // Called once for each entity whose health has changed since its last run.
//!     .for_each_changed(&mut game, wounded, |game, id| {
//!         if game.entity(id).health().0 == 0 {
//!             game.destroy(id);
//!         }
//!     });
//!
//! // The derive generated typed methods for each component.
//! let hero = game.create_entity().add_health(10).id();
//! let orc = game.create_entity().add_health(2).add_poison(2).id();
//! systems.execute(&mut game);
//! assert!(game.contains(hero) && !game.contains(orc));
//!
//! game.entity_mut(hero).update_health(|health| health.0 -= 3);
//! assert_eq!(game.entity(hero).health().0, 7);
//! ```
//!
//! The [`guide`] has a page for each task, and pages for users of
//! [bevy](guide::from_bevy), [Entitas](guide::from_entitas), [hecs or flecs](guide::from_hecs_or_flecs).
//!
//! # The parts
//!
//! - [`context`](macro@context) declares a [`Context`], the value that owns entities and components.
//! - [`Component`](macro@Component) makes a struct or enum a component; its page lists the attributes.
//! - [`EntityId`] identifies an entity; [`Entity`] reads it, [`EntityMut`] changes it.
//! - [`Bundle`] is several components that are added in one change.
//! - [`Query`] and [`QueryMut`] iterate over values; [`View`] and [`ViewMut`] look them up by id.
//! - [`Many`] changes a list of entities in one call; [`CommandBuffer`] records changes inside a loop.
//! - [`System`] is a function or a struct with four phases; [`Systems`] runs a list of them.
//! - [`Matcher`] is a condition on components; a [`Group`] is the entities that meet it, always up to date.
//! - [`Trigger`] selects changes; a [`ReactiveSystem`] receives the entities concerned, a [`Collector`] keeps
//!   their ids. The page [reacting](guide::reacting) compares all ways to learn of a change.
//! - [`Unique`]: a component that one entity has at a time, such as the score, used as `game.score()`.
//! - [`EntityIndex`] finds entities by a key; attributes of the derive index fields. [`Grid`] finds them by
//!   place, [`Ordered`] by order; all ways are in [finding](guide::finding).
//! - [`Relation`]: a component that refers to another entity, as in [hierarchies](guide::hierarchies).
//! - [`Inbox`] receives messages sent by [`Context::send`].
//! - [`FixedSteps`], [`Timer`] and [`Expire`] deal with time; [`CleanupSystems`] remove one-frame components.
//! - [`Contexts`](macro@Contexts) makes a struct of several contexts a world that systems share;
//!   [`Deferred`] lets an observer of one context change another.
//! - [`Events`] calls listeners, such as views, when the program chooses.
//! - [`Template`] creates entities from values; [`CloneOptions`] copies entities.
//! - `Context::save`, `load` and `merge` write contexts to files and read them: [saving](guide::saving).
//! - [`UndoStack`] undoes single steps, a [`History`] rewinds everything, a [`Snapshot`] is a copy to restore.
//! - [`Feed`] collects changes to send; a [`Mirror`] applies them elsewhere: [networks](guide::networks).
//! - [`Storage`] and [`stats`] measure memory and time.
//! - [`DynEntity`] reads components whose types are not known, for tools.
//! - [`Error`] is what `try_` methods return: [errors](guide::errors).
//!
//! State is always final before an observer runs. The same operations give the same order of everything
//! in every run, build and platform.
//!
//! # Features
//!
//! - `std` (default): without it, the crate needs only `core` and `alloc`, has no clock, and does not track
//!   which system runs; see [below](#without-the-standard-library).
//! - `portable-atomic`: for targets without atomics of 64 bits.
//! - `rayon`: loops on all threads: `Query::par_for_each`, `Query::par_for_each_slice`, `Systems::par_for_each`;
//!   lists on two threads: `Systems::side_by_side`.
//! - `serde`: saves contexts and [templates](Template) in any format of serde.
//! - `tracing`: systems are spans of [`tracing`](https://docs.rs/tracing); changes can be its events.
//!
//! `wasm32-unknown-unknown` has no clock and no source of randomness, nor has bare metal. Provide them if you
//! measure systems ([`Systems::set_clock`]) or send deltas to other programs ([`Feed::of_run`]).
//!
//! # Without the standard library
//!
//! Everything but the features `rayon` and `serde` works with `core` and `alloc` alone, on each target that
//! has compare-and-swap for pointers.
//!
//! Targets without atomics of 64 bits, such as Cortex-M4, need the feature `portable-atomic`. It uses the
//! crate of this name, which by default guards them with a spinlock. If interrupt handlers use contexts, or
//! any other atomics of 64 bits, the program must enable a feature of that crate: `critical-section`, or
//! `unsafe-assume-single-core`.
//!
//! Components are numbered by constructors, which a C runtime runs before `main`. On bare metal the program
//! runs those in `.init_array`; `examples/bare_metal` shows the few lines for a Cortex-M4. Otherwise each
//! component is numbered at its first use, so the order of components, such as that in which a destroy
//! removes them, can differ from other programs; and a group created before the first use of a component
//! that [disables](guide::disabled) entities keeps them.

#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

// The layers, from the ground up. A file imports from its own layer and from those listed before
// it, never from a later one, and the files of a layer form no circle.

// 0: values as text and bytes.
#[cfg(feature = "serde")]
mod formats;

// 1: ids, names, errors.
mod words;

// 2: entities and values in memory.
mod storage;

// 3: which entities match what.
mod matching;

// 4: the data of a context.
mod world;

// 5: observers, collectors, indexes, messages: the subscribers to changes.
mod reactions;

// 6: how a world changes, and how its subscribers are notified.
mod state;

// 7: histories, snapshots, saves, feeds.
mod records;

// 8: the public API of contexts and entities.
mod api;

// 9: systems and worlds.
mod systems;

// 10: structures that find entities by place and order, on the public trait of indexes.
mod finding;

pub use words::apply_error::ApplyError;
pub use words::checksum::{Checksum, ChecksumHasher};
pub use words::component::{
    Cleanup, Component, ComponentInfo, ComponentNames, Components, FieldHint, Hint, State,
    UniqueComponent, typed::ComponentIndex,
};
pub use words::component_set::ComponentSet;
pub use words::demands::{FitsIn, SharedContext, ThreadSafe};
pub use words::entity_id::{EntityId, RawEntityId};
pub use words::error::{DuplicateKey, Error, ErrorKind, Operation};
pub use words::history_error::HistoryError;
pub use words::label::EntityName;
pub use words::map_ids::{IdMap, MapIds};
pub use words::recycle::Recycle;
pub use words::relation::{AcyclicRelation, OnTargetDestroyed, OrderedRelation, Relation};
#[cfg(feature = "serde")]
pub use words::saving::absent::AbsentId;
pub use words::snapshot_error::SnapshotError;

pub use matching::group::Group;
pub use matching::matcher::{GroupEvent, Matcher, Trigger};

pub use reactions::change::Change;
pub use reactions::collector::Collector;
pub use reactions::entity_change::{ChangeKind, EntityChange};
pub use reactions::entity_index::{EntityIndex, Index, IndexHandle};
pub use reactions::messages::{Inbox, Messages};
pub use reactions::removed::RemovedValues;
pub use reactions::subscription::{Subscription, SubscriptionGuard};

pub use records::feed::{Delta, Feed, Mirror};
pub use records::history::as_of::AsOf;
pub use records::history::begin::HistoryBuilder;
pub use records::history::change::Recorded;
pub use records::history::{History, Mark};
#[cfg(feature = "serde")]
pub use records::save::{Loader, Save};
pub use records::snapshot::{Snapshot, SnapshotBuilder};
pub use state::{Core, HasCore};

pub use storage::scoped::Scoped;

pub use api::batch::Batch;
pub use api::bundle::{Bundle, BundleWriter};
pub use api::command_buffer::CommandBuffer;
pub use api::component_handle::ComponentHandle;
pub use api::context::{
    CleanupSystems, ComponentList, Context, Entities, Events, GroupIter, IndexIter, Many,
    MatchingIds, Observers, Storage, StorageMut, Unique, UniqueMut,
};
#[cfg(feature = "serde")]
pub use api::context::{Pending, PendingKind};
pub use api::copying::{CloneOptions, OnConflict};
pub use api::dyn_entity::{DynEntity, DynEntityMut};
pub use api::dyn_related::DynRelated;
pub use api::dyn_value::DynValue;
pub use api::entity::Handles;
pub use api::entity::{Entity, EntityMut};
pub use api::entries::{Entries, EntryOf, ManyComponent};
pub use api::query::{Ids, Mut, Query, QueryData, QueryIter, QueryMut, ReadOnlyQueryData, ViewMut};
pub use api::related::{Ancestors, Descendants, Related, SourceIter};
pub use api::sources_mut::SourcesMut;
pub use api::template::Template;
pub use api::template::tree::TemplateKey;
pub use api::undo::UndoStack;
pub use api::view::View;

pub use systems::contexts::{ContextVisitor, HasContext, HasContexts, VisitContexts};
pub use systems::{
    Deferred, EventSystems, Expire, FixedSteps, IntoOutcome, Outcome, Phase, ReactiveContexts,
    ReactiveSystem, Sendable, System, SystemError, Systems, Timer, UnknownSystem,
};

pub use finding::grid::Grid;
pub use finding::ordered::Ordered;
pub use finding::place::Place;

pub mod guide;

/// Measurements: times and reactions of [`Systems`], memory of a context.
pub mod stats {
    pub use crate::api::context::{Buffered, Missed};
    pub use crate::reactions::actor::{Cause, caused_by, running_system};
    pub use crate::state::{ComponentMemory, Memory};
    pub use crate::systems::{Durations, Reactions, Report, Statistics, SystemInfo};
    pub use crate::world::Fragmentation;
}

pub use ecs_derive::{Bundle, Checksum, Component, Contexts, MapIds, QueryData, context, foreign};

/// What most programs use: `use ecs::prelude::*;`.
pub mod prelude {
    pub use crate::{
        Bundle, Change, CleanupSystems, CloneOptions, Collector, CommandBuffer, Component,
        Components, Context, Contexts, Deferred, Delta, EntityId, EntityIndex, Error, ErrorKind,
        EventSystems, Expire, Feed, FixedSteps, Group, GroupEvent, HasContext, HasContexts,
        History, Inbox, Matcher, Mirror, Mut, OnConflict, Phase, QueryData, ReactiveSystem,
        Snapshot, Subscription, System, Systems, Template, Timer, Trigger, UndoStack,
    };
    // In scope also if a component of the program is called `Context`.
    pub use crate::Context as _;
}

/// The derive's code for saving a component. A macro, because the derive cannot know whether this library is
/// built with the feature `serde`.
#[cfg(feature = "serde")]
#[doc(hidden)]
#[macro_export]
macro_rules! __saving {
    (transient) => {
        const SAVING: $crate::__private::Saving<Self> = $crate::__private::Saving::TRANSIENT;
    };
    (
        version $version:literal, aliases [$($alias:literal)*], older [$($number:literal = $old:ty,)*],
        fields $fields:literal, former [$($former:literal)*] $(, delta $cells:expr)?
    ) => {
        const SAVING: $crate::__private::Saving<Self> = {
            #[allow(unused_imports)] // used only for types that cannot be saved
            use $crate::__private::NoCodec as _;
            $crate::__private::Saving::new(
                $crate::__private::Probe::<Self>::CODEC,
                $version,
                &[$($alias),*],
                const { &[$($crate::__private::Older::of::<$old>($number)),*] },
            )
            .with_fields($fields, &[$($former),*])
            $(.with_cells($cells))?
        };
    };
}

/// Without the feature `serde`, the derive's code for saving expands to nothing.
#[cfg(not(feature = "serde"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __saving {
    ($($tokens:tt)*) => {};
}

/// The derive's code for `QueryData` of a struct, which forwards to the tuple of its fields. A macro, so that the
/// derive does not need to know the trait's methods.
#[doc(hidden)]
#[macro_export]
macro_rules! __query_data {
    ($context:ident, $terms:ty) => {
        type Slice<'s> = <$terms as $crate::QueryData<$context>>::Slice<'s>;
        type Columns<'s> = <$terms as $crate::QueryData<$context>>::Columns<'s>;
        type Block<'s> = <$terms as $crate::QueryData<$context>>::Block<'s>;

        const BOUNDED: ::core::primitive::bool = <$terms as $crate::QueryData<$context>>::BOUNDED;
        const ASKED: &'static $crate::__private::Asked =
            <$terms as $crate::QueryData<$context>>::ASKED;
        const TERMS: ::core::primitive::usize = <$terms as $crate::QueryData<$context>>::TERMS;
        const EXCLUSIVE: ::core::primitive::bool =
            <$terms as $crate::QueryData<$context>>::EXCLUSIVE;
        const CHECKED: ::core::primitive::bool = <$terms as $crate::QueryData<$context>>::CHECKED;

        fn access(each: &mut dyn ::core::ops::FnMut($crate::__private::Term)) {
            <$terms as $crate::QueryData<$context>>::access(each);
        }

        fn written(written: &mut $crate::__private::Vec<$crate::__private::Written>)
        where
            $context: $crate::HasCore,
        {
            <$terms as $crate::QueryData<$context>>::written(written);
        }

        #[inline]
        fn columns<'s>(
            core: &'s $crate::Core<$context>,
            written: &mut ::core::slice::Iter<'s, $crate::__private::WrittenRows>,
        ) -> Self::Columns<'s> {
            <$terms as $crate::QueryData<$context>>::columns(core, written)
        }

        #[inline]
        fn len(columns: &Self::Columns<'_>) -> ::core::primitive::usize {
            <$terms as $crate::QueryData<$context>>::len(columns)
        }

        #[inline]
        unsafe fn occupied(
            columns: &Self::Columns<'_>,
            at: ::core::primitive::usize,
        ) -> ::core::primitive::u64 {
            // SAFETY: the caller's promise.
            unsafe { <$terms as $crate::QueryData<$context>>::occupied(columns, at) }
        }

        #[inline]
        unsafe fn block<'s>(
            columns: &Self::Columns<'s>,
            at: ::core::primitive::usize,
        ) -> Self::Block<'s> {
            // SAFETY: the caller's promise.
            unsafe { <$terms as $crate::QueryData<$context>>::block(columns, at) }
        }

        #[inline]
        fn cuts(block: Self::Block<'_>) -> ::core::primitive::u64 {
            <$terms as $crate::QueryData<$context>>::cuts(block)
        }

        #[inline]
        fn joins(block: Self::Block<'_>, next: Self::Block<'_>) -> ::core::primitive::bool {
            <$terms as $crate::QueryData<$context>>::joins(block, next)
        }

        #[inline]
        fn fetch(block: Self::Block<'_>, place: ::core::primitive::usize) {
            <$terms as $crate::QueryData<$context>>::fetch(block, place);
        }

        #[inline]
        unsafe fn slice<'s>(
            block: Self::Block<'s>,
            place: ::core::primitive::usize,
            len: ::core::primitive::usize,
        ) -> Self::Slice<'s> {
            // SAFETY: the caller's promise.
            unsafe { <$terms as $crate::QueryData<$context>>::slice(block, place, len) }
        }
    };
}

/// Items used by generated code. Not public API.
#[doc(hidden)]
pub mod __private {
    pub use crate::__query_data as query_data;
    pub use crate::__saving as saving;
    pub use crate::api::bundle::RowWriter;
    pub use crate::api::context::{entities_with, entity_with, structure_of};
    pub use crate::api::entries_mut::EntriesMut;
    pub use crate::api::query::{Asked, Term};
    pub use crate::finding::place::{Coordinates, GridOf};
    pub use crate::reactions::entity_index::{
        Elements, HasElements, IndexKey, Indexed, Structured,
    };
    pub use crate::state::{Written, WrittenRows, field_index, relation_index, structure_index};
    pub use crate::storage::columns::row_types::RowTypes;
    pub use crate::storage::registry::{Registration, typed_index_of as index_of};
    pub use crate::systems::contexts::{ContextField, visit_field};
    pub use crate::words::component::{
        IndexCell, RequiredVisitor, can_be_required, required_value,
    };
    pub use crate::words::demands::{HasThreads, Local, Shared, has_primary_index, is_relation};
    pub use crate::words::error::expect;
    pub use crate::words::field_index::FieldIndex;
    pub use crate::words::label::write_label;
    pub use crate::words::limits;
    pub use crate::words::origin::Declaration;
    pub use crate::words::origin::Origin;
    pub use crate::words::probe::{
        NoChecksum, NoClone, NoDebug, NoDefault, NoDrop, NoHash, NoIdentical, NoMapIds, NoRecycle,
        Probe, are_identical, checksum_of, first_of, recycle_or_swap,
    };
    pub use crate::words::recycle::Pooled;
    pub use crate::words::relation::RelationField;
    #[cfg(feature = "serde")]
    pub use crate::words::saving::cells::{CellWriter, Cells, FieldCells, Quantized};
    #[cfg(feature = "serde")]
    pub use crate::words::saving::{NoCodec, Older, Saving};
    pub use alloc::boxed::Box;
    pub use alloc::vec::Vec;
    pub use inventory;
    pub use once_cell::race::OnceBox;

    /// Imported under the names of parameters, to shadow constants that patterns would otherwise match.
    pub const fn variable() {}
}

/// Compiles and runs the examples of the READMEs, of MIGRATION.md, and of the macros.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
#[doc = include_str!("../README.md")]
#[doc = include_str!("../../MIGRATION.md")]
#[doc = include_str!("../../ecs-derive/src/pages/context.md")]
#[doc = include_str!("../../ecs-derive/src/pages/component.md")]
#[doc = include_str!("../../ecs-derive/src/pages/contexts.md")]
#[doc = include_str!("../../ecs-derive/src/pages/bundle.md")]
#[doc = include_str!("../../ecs-derive/src/pages/indexed_fields.md")]
#[doc = include_str!("../../ecs-derive/src/pages/query_data.md")]
#[doc = include_str!("../../ecs-derive/src/pages/foreign.md")]
struct Pages;
