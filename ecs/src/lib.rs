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
//!     fn trigger(&self) -> Trigger<Game> { Matcher::all_of::<Health>().updated() }
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
//! # The parts
//!
//! - [`context`](macro@context) declares a [`Context`]: the value that owns entities and
//!   components, with its handles [`Entity`] and [`EntityMut`].
//! - [`Component`](macro@Component) derives accessors; the trait [`Component`](trait@Component) shows
//!   each attribute at work. [`Bundle`] is several components at once.
//! - [`EntityId`] names an entity and never comes to mean another one.
//! - [`Matcher`] says which components count, [`Group`] holds who has them.
//! - [`Collector`] gathers who raised the events of a [`Trigger`]; observers are told
//!   each [`Change`] as it happens. [`RemovedValues`] keeps what was lost.
//! - [`EntityIndex`] finds entities by a key; fields are indexed by attributes.
//! - [`Uniques`]: of a component that is `unique` the context knows the one owner, and is asked for
//!   it by name. [`CleanupSystems`] end what lasts one frame.
//! - [`Listening`]: listeners to components that come and go, called when [`EventSystems`] run.
//! - [`System`] is logic in four phases, [`Systems`] an ordered list of them. A
//!   [`ReactiveSystem`] is handed the entities that changed.
//! - [`Contexts`](macro@Contexts) derives a world of several contexts for systems to share.
//! - [`Query`] and [`View`] walk values as arrays; [`BulkChanges`] change many entities in one call.
//! - [`CopyEntities`] and [`Copying`] copy entities, a [`Template`] creates them
//!   from values, [`ByIndex`] lets tools at components whose types they do not know.
//! - [`Upkeep`]: memory counted, reserved and given back, entities moved together.
//! - [`Error`] says why something was refused, and what to do instead.
//!
//! # The order of things
//!
//! A change is checked, then stored; then groups, collectors and indexes follow; then observers
//! are told, groups in order of creation, first in, first out. State is always final
//! before an observer runs. The same operations give the same order of everything in
//! every run.
//!
//! # Features
//!
//! - `std` (default): without it the crate needs `core` and `alloc` alone, and the times that
//!   systems take are not measured.
//! - `rayon`: [queries](Query) walked by many threads at once: `Query::par_for_each`,
//!   `Query::par_for_each_slice`, and `ParallelSystem`.

#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

// 0 words: what users name things by.
mod component;
mod entity_id;
mod error;
mod field_index;
mod probe;
mod room;
mod signature;

// 1 stores: entities, values, and which index each component has.
mod chain;
mod column;
mod columns;
mod flag;
mod kind;
mod registry;
mod row_words;
mod slots;
mod unique;

// 2 classes: entities of one signature, entities that match.
mod effects;
mod graph;
mod group;
mod matcher;
mod row_set;

// 3 reactions: who is told what.
mod change;
mod collector;
mod entity_index;
mod event;
mod removed;

// 4 the state: all of the above in one place, and the verbs that change it.
mod state;

// 5 the façade: what users call.
mod batch;
mod bundle;
mod by_index;
mod context;
mod copying;
mod entity;
mod query;
mod template;
mod verbs;
mod view;

// 6 on top: what programs are made of.
mod contexts;
mod system;

pub use component::{
    Cleanup, Component, ComponentIndex, ComponentInfo, ComponentNames, Components, UniqueComponent,
};
pub use entity_id::{EntityId, RawEntityId};
pub use error::{Error, Operation};
pub use signature::ComponentSet;

pub use group::Group;
pub use matcher::{GroupEvent, Matcher, Terms, Trigger};

pub use change::{Change, Subscription};
pub use collector::Collector;
pub use entity_index::EntityIndex;
pub use event::Listener;
pub use field_index::DuplicateKey;
pub use removed::RemovedValues;

pub use state::{Core, Fragmentation, HasCore};

pub use batch::Batch;
pub use bundle::{Bundle, BundleWriter};
pub use by_index::{ByIndex, ByIndexMut};
pub use context::{
    BulkChanges, CleanupSystems, ComponentMemory, Context, CopyEntities, Entities, GroupIter,
    IndexIter, Indexing, Lifecycle, Listening, LookUp, Memory, Observing, Uniques, Upkeep,
};
pub use copying::{Copying, Existing};
pub use entity::{Entity, EntityMut};
pub use query::{Ids, Query, QueryData, QueryIter};
pub use template::Template;
pub use view::View;

pub use contexts::HasContext;
#[cfg(feature = "rayon")]
pub use system::ParallelSystem;
pub use system::{
    ContextTuple, Defragment, Durations, EachChanged, EventSystems, MultiReactive,
    MultiReactiveSystem, OnRemoved, Phase, PhaseSystem, QueryChanged, Reactions, Reactive,
    ReactiveSystem, Report, Statistics, System, Systems, UnknownSystem,
};

pub use ecs_derive::{Component, Contexts, context};

/// What a program needs to have in scope: `use ecs::prelude::*;`.
pub mod prelude {
    pub use crate::{
        Bundle, Change, Collector, Component, Components, Context, Contexts, Copying, EntityId,
        EntityIndex, Error, Existing, Group, GroupEvent, HasContext, Indexing, Listener, Matcher,
        MultiReactiveSystem, Phase, ReactiveSystem, Subscription, System, Systems, Template,
        Trigger,
    };
}

/// What the macros write out names. Not for users.
#[doc(hidden)]
pub mod __private {
    pub use crate::bundle::RowWriter;
    pub use crate::component::IndexCell;
    pub use crate::context::{entities_with, entity_with};
    pub use crate::contexts::{ContextField, field_is_a_context};
    pub use crate::entity_index::{Element, Elements, IndexKey, Indexed};
    pub use crate::field_index::FieldIndex;
    pub use crate::probe::{NoClone, NoDebug, Probe};
    pub use crate::registry::{Registration, index_of};
    pub use crate::state::field_index;
    pub use alloc::vec::Vec;
    pub use inventory;
}

/// Compiles and runs the examples of the README and of the page for people from Entitas.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
#[doc = include_str!("../../MIGRATION.md")]
struct Pages;
