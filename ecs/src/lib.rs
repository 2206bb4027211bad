//! A reactive entity component system in the style of Entitas.
//!
//! Components are plain structs; a derive gives every entity typed accessors for
//! them. Groups follow the changes, collectors gather what changed, observers hear
//! of it at once, and reactive systems run when something happened.
//!
//! ```
//! use ecs::prelude::*;
//!
//! #[ecs::context]
//! pub struct Game;
//!
//! #[derive(Component)]
//! #[component(context = Game)]
//! pub struct Health(pub u32);
//!
//! /// Ends those whose health has come to nothing.
//! struct Judge;
//!
//! impl ReactiveSystem<Game> for Judge {
//!     type Context = Game;
//!     fn trigger(&self) -> Trigger<Game> { Game::all_of::<Health>().updated() }
//!     fn filter(&self, entity: GameEntity<'_>) -> bool { entity.health().0 == 0 }
//!     fn react(&mut self, game: &mut Game, changed: &[EntityId<Game>]) {
//!         for &id in changed { game.destroy(id); }
//!     }
//! }
//!
//! let mut game = Game::new();
//! let (hero, enemy) = (game.create_with(Health(3)).id(), game.create_with(Health(1)).id());
//! let mut systems = Systems::new().add_reactive(&mut game, Judge);
//!
//! game.entity_mut(hero).replace_health(2);
//! game.entity_mut(enemy).replace_health(0);
//! systems.execute(&mut game);
//! assert!(game.contains(hero) && !game.contains(enemy));
//! ```
//!
//! The [`guide`] has pages by task: laying out a program, plug-ins, hierarchies, saving, going back, testing, measuring,
//! and [what the words mean](guide::words).
//!
//! # The parts
//!
//! - [`context`](macro@context) declares a [`Context`]: the value that owns entities and
//!   components, with its handles [`Entity`] and [`EntityMut`].
//! - [`Component`](macro@Component) derives accessors; the trait [`Component`](trait@Component) shows
//!   each attribute at work. [`Bundle`] is several components at once.
//! - [`EntityId`] names an entity and never comes to mean another one of the same context.
//! - [`Matcher`] says which components count, [`Group`] holds who has them.
//! - [`Collector`] gathers who raised the events of a [`Trigger`]; observers are notified
//!   each [`Change`] as it happens. [`RemovedValues`] keeps what was lost.
//! - [`EntityIndex`] finds entities by a key; fields are indexed by attributes.
//! - [`Relation`]: a component that leads to another entity, which knows who leads to it; the page
//!   [`hierarchy`] shows how.
//! - [`Unique`]: of a component that is `unique` the context knows the one owner, and is asked for
//!   it by name. [`CleanupSystems`] end what lasts one frame.
//! - [`Events`]: listeners to components that come and go, called when [`EventSystems`] run.
//! - [`System`] is logic in four phases, [`Systems`] an ordered list of them. A
//!   [`ReactiveSystem`] is handed the entities that changed.
//! - [`Contexts`](macro@Contexts) derives a world of several contexts for systems to share;
//!   [`Deferred`] lets observers of one of them act on the others.
//! - [`Query`] iterates over values as arrays; [`View`] and [`ViewMut`] look them up by id; [`Many`] entities
//!   are changed in one call.
//! - With the feature `serde` a context is [saved](guide::saving), loaded, and merged into another
//!   one.
//! - [`CloneOptions`] copy entities, a [`Template`] creates them
//!   from values, [`DynEntity`] lets tools at components whose types they do not know.
//! - A [`History`] takes changes back and makes them again; a [`Snapshot`] is a whole context to go
//!   back to.
//! - A [`Feed`] tells what has changed, to be sent; a [`Mirror`] keeps another context in step by it.
//! - [`Storage`]: memory counted and reserved, entities moved together.
//! - [`Error`] says why something was rejected, and what to do instead.
//!
//! # The order of things
//!
//! A change is checked, then stored; then groups, collectors and indexes follow; then observers
//! are notified, groups in order of creation, first in, first out. State is always final
//! before an observer runs. The same operations give the same order of everything in
//! every run.
//!
//! # Features
//!
//! - `std` (default): without it the crate needs `core` and `alloc` alone, and the times that
//!   systems take are not measured.
//! - `rayon`: [queries](Query) walked by many threads at once: `Query::par_for_each`,
//!   `Query::par_for_each_slice`, and `ParallelSystem`.
//! - `serde`: contexts and [templates](Template) written to files and read again: `Context::save`,
//!   `Context::load`, `Context::merge`; the page [`guide::saving`] shows how.
//! - `tracing`: systems run in spans of [`tracing`](https://docs.rs/tracing), and changes are its events on
//!   request (`Observers::trace_changes`); the page [`guide::measuring`] shows how.

#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

// The layers, from the ground up. A file imports from its own layer and from those listed before
// it, never from a later one, and the files of a layer form no circle.

// 0: what things are called.
mod words;

// 1: where entities and values are kept.
mod storage;

// 2: which entities match what.
mod matching;

// 3: who follows changes.
mod reactions;

// 4: all of it in one place, and how it changes; 5, `state::records`: what is kept of it.
mod state;

// 6: what users call.
mod api;

// 7: what programs are made of.
mod systems;

pub use words::apply_error::ApplyError;
pub use words::checksum::{Checksum, ChecksumHasher};
pub use words::component::{
    Cleanup, Component, ComponentInfo, ComponentNames, Components, FieldHint, Hint, State,
    UniqueComponent, typed::ComponentIndex,
};
pub use words::component_set::ComponentSet;
pub use words::demands::ThreadSafe;
pub use words::entity_id::{EntityId, RawEntityId};
pub use words::error::{DuplicateKey, Error, ErrorKind, Operation};
pub use words::history_error::HistoryError;
pub use words::label::EntityName;
pub use words::map_ids::{IdMap, MapIds};
pub use words::recycle::Recycle;
pub use words::relation::{AcyclicRelation, OnTargetDestroyed, Relation};
#[cfg(feature = "serde")]
pub use words::saving::absent::AbsentId;
pub use words::snapshot_error::SnapshotError;

pub use matching::group::Group;
pub use matching::matcher::{GroupEvent, Matcher, Trigger};

pub use reactions::change::Change;
pub use reactions::collector::Collector;
pub use reactions::entity_change::{ChangeKind, EntityChange};
pub use reactions::entity_index::EntityIndex;
pub use reactions::messages::{Inbox, Messages};
pub use reactions::removed::RemovedValues;
pub use reactions::subscription::{Subscription, SubscriptionGuard};

pub use state::records::feed::{Delta, Feed, Mirror};
pub use state::records::history::begin::HistoryBuilder;
pub use state::records::history::change::Recorded;
pub use state::records::history::{History, Mark};
#[cfg(feature = "serde")]
pub use state::records::save::{Loader, Save};
pub use state::records::snapshot::{Snapshot, SnapshotBuilder};
pub use state::{Core, HasCore};

pub use storage::scoped::Scoped;

pub use api::batch::Batch;
pub use api::bundle::{Bundle, BundleWriter};
pub use api::command_buffer::CommandBuffer;
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
pub use api::query::{Ids, Mut, Query, QueryData, QueryIter, QueryMut, ReadOnlyQueryData, ViewMut};
pub use api::related::{Ancestors, Descendants, Related};
pub use api::template::Template;
pub use api::template::tree::TemplateKey;
pub use api::undo::UndoStack;
pub use api::view::View;

#[cfg(feature = "rayon")]
pub use systems::ParallelSystem;
pub use systems::contexts::{ContextVisitor, HasContext, HasContexts, VisitContexts};
pub use systems::{
    ContextTuple, Deferred, Defragment, EachChanged, EventSystems, Expire, FixedSteps, IntoOutcome,
    MultiReactive, MultiReactiveSystem, OnMessage, OnRemoved, OnTransition, Outcome, Phase,
    PhaseSystem, QueryChanged, Reactive, ReactiveSystem, Sendable, System, SystemError, Systems,
    Timer, UnknownSystem,
};

pub mod guide {
    //! Pages for people who have a task: how to do it, with complete examples, and what to look out
    //! for.
    //!
    //! | you want to | page |
    //! | --- | --- |
    //! | lay out a program of several contexts, with services, messages and resources | [`worlds`] |
    //! | build a program from plug-ins | [`plugins`] |
    //! | act on another context from an observer or a listener | [`worlds`], [`Deferred`](crate::Deferred) |
    //! | create and destroy from loops and threads | [`CommandBuffer`](crate::CommandBuffer) |
    //! | empty a context and start again | [`worlds`], [`Context::reset`](crate::Context::reset) |
    //! | have parents and children | [`hierarchy`](crate::hierarchy) |
    //! | be in a menu, in a game, in a pause | `state` at the trait [`Component`](trait@crate::Component), [`Systems::on_enter`](crate::Systems::on_enter), [`on_transition`](crate::Systems::on_transition), [`while_in`](crate::Systems::while_in) |
    //! | use timers, and components with a lifetime | [`Timer`](crate::Timer), [`Expire`](crate::Expire) |
    //! | run in fixed steps | [`FixedSteps`](crate::FixedSteps), [`repeat_while`](crate::Systems::repeat_while) |
    //! | save a program and continue it | [`saving`] |
    //! | take back what was done: undo, rollback, time travel | [`history`] |
    //! | test a system by itself | [`testing`] |
    //! | find out what takes time and memory, and use all threads | [`measuring`] |
    //! | know what a word means | [`words`] |
    //! | find the counterpart of something in bevy | [`from_bevy`] |
    //! | find the counterpart of something in hecs or flecs | [`from_hecs_or_flecs`] |
    //!
    //! Of a single method or attribute, the examples are where it is documented: at
    //! [`Context`](crate::Context), [`EntityMut`](crate::EntityMut), [`Systems`](crate::Systems), and
    //! for attributes at the trait [`Component`](trait@crate::Component).

    /// How to lay out a program: contexts, services, resources, messages, and starting again.
    #[doc = include_str!("guide/worlds.md")]
    pub mod worlds {}

    /// How to build a program from plug-ins.
    #[doc = include_str!("guide/plugins.md")]
    pub mod plugins {}

    /// How to switch entities off without losing their components.
    #[doc = include_str!("guide/disabled.md")]
    pub mod disabled {}

    /// How to save a program and load it again.
    #[cfg_attr(feature = "serde", doc = include_str!("guide/saving.md"))]
    #[cfg_attr(
        not(feature = "serde"),
        doc = "The feature `serde` of this crate does it."
    )]
    pub mod saving {}

    /// How to go back: undo, rollback, and what has happened to an entity.
    #[doc = include_str!("guide/history.md")]
    pub mod history {}

    /// How to test a system by itself.
    #[doc = include_str!("guide/testing.md")]
    pub mod testing {}

    /// How to find out what takes time and memory, and how to use all threads.
    #[doc = include_str!("guide/measuring.md")]
    pub mod measuring {}

    /// What the words mean that errors and documentation use.
    #[doc = include_str!("guide/words.md")]
    pub mod words {}

    /// The words and idioms of bevy, with their counterparts in this library.
    #[doc = include_str!("guide/from_bevy.md")]
    pub mod from_bevy {}

    /// The words and idioms of hecs and flecs, with their counterparts in this library.
    #[doc = include_str!("guide/from_hecs_or_flecs.md")]
    pub mod from_hecs_or_flecs {}
}

/// How to lay out a hierarchy of entities, and other relations between them.
#[doc = include_str!("hierarchy.md")]
pub mod hierarchy {}

/// Figures: what a list of [`Systems`] has measured, how much memory a context holds.
pub mod stats {
    pub use crate::api::context::{Buffered, Missed};
    pub use crate::state::{ComponentMemory, Fragmentation, Memory};
    pub use crate::systems::{Durations, Reactions, Report, Statistics, SystemInfo};
    pub use crate::words::actor::{Wake, running_system, woken_by};
}

pub use ecs_derive::{Bundle, Component, Contexts, MapIds, QueryData, context};

/// What a program needs to have in scope: `use ecs::prelude::*;`.
pub mod prelude {
    pub use crate::{
        Bundle, Change, CleanupSystems, CloneOptions, Collector, CommandBuffer, Component,
        Components, Context, Contexts, Deferred, EntityId, EntityIndex, Error, ErrorKind,
        EventSystems, Expire, FixedSteps, Group, GroupEvent, HasContext, HasContexts, Inbox,
        Matcher, MultiReactiveSystem, Mut, OnConflict, Phase, QueryData, ReactiveSystem,
        Subscription, System, Systems, Template, Timer, Trigger, UndoStack, View,
    };
    // In scope also if a component of the program is called `Context`.
    pub use crate::Context as _;
}

/// What the derive says of saving a component, if the library is built with the feature `serde`:
/// written out here, because the derive does not know.
#[cfg(feature = "serde")]
#[doc(hidden)]
#[macro_export]
macro_rules! __saving {
    (transient) => {
        const SAVING: $crate::__private::Saving<Self> = $crate::__private::Saving::TRANSIENT;
    };
    (version $version:literal, aliases [$($alias:literal)*], older [$($number:literal = $old:ty,)*]) => {
        const SAVING: $crate::__private::Saving<Self> = {
            #[allow(unused_imports)] // used only for types that cannot be saved
            use $crate::__private::NoCodec as _;
            $crate::__private::Saving::new(
                $crate::__private::Probe::<Self>::CODEC,
                $version,
                &[$($alias),*],
                const { &[$($crate::__private::Older::of::<$old>($number)),*] },
            )
        };
    };
}

/// What the derive says of saving a component comes to nothing without the feature `serde`.
#[cfg(not(feature = "serde"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __saving {
    ($($tokens:tt)*) => {};
}

/// What `#[derive(QueryData)]` says of a struct beside its item, which is that of the tuple of its fields:
/// written out here, so that the derive need not know the trait.
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

/// What the macros write out names. Not for users.
#[doc(hidden)]
pub mod __private {
    pub use crate::__query_data as query_data;
    pub use crate::__saving as saving;
    pub use crate::api::bundle::RowWriter;
    pub use crate::api::context::{entities_with, entity_with};
    pub use crate::api::query::{Asked, Term};
    pub use crate::reactions::entity_index::{Elements, HasElements, IndexKey, Indexed};
    pub use crate::state::{Written, WrittenRows, field_index, relation_index};
    pub use crate::storage::columns::row_types::RowTypes;
    pub use crate::storage::registry::{Registration, typed_index_of as index_of};
    pub use crate::systems::contexts::{ContextField, visit_field};
    pub use crate::words::component::{
        IndexCell, RequiredVisitor, can_be_required, required_value,
    };
    pub use crate::words::demands::{has_primary_index, is_relation};
    pub use crate::words::field_index::FieldIndex;
    pub use crate::words::label::write_label;
    pub use crate::words::limits;
    pub use crate::words::origin::Declaration;
    pub use crate::words::origin::Origin;
    pub use crate::words::probe::{
        NoChecksum, NoClone, NoDebug, NoDefault, NoDrop, NoHash, NoMapIds, NoRecycle, Probe,
        first_of, recycle_or_swap,
    };
    pub use crate::words::relation::RelationField;
    #[cfg(feature = "serde")]
    pub use crate::words::saving::{NoCodec, Older, Saving};
    pub use alloc::vec::Vec;
    pub use inventory;

    /// Imported under the names of parameters, where it hides the constants that patterns would mean.
    pub const fn variable() {}
}

/// Compiles and runs the examples of the README, of the page for people from Entitas, and of the macros.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
#[doc = include_str!("../../MIGRATION.md")]
#[doc = include_str!("../../ecs-derive/src/pages/bundle.md")]
#[doc = include_str!("../../ecs-derive/src/pages/indexed_fields.md")]
#[doc = include_str!("../../ecs-derive/src/pages/query_data.md")]
struct Pages;
