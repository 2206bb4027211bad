//! The guide: a page for each task. Read the first pages in order, the others when you need them.
//!
//! - [Your first game](first_game): a small game, step by step, in twenty minutes
//! - [Thinking in reactions](thinking_in_reactions): what a reactive ECS changes in a design
//! - [Entities and components](entities): creating, changing, copying, destroying
//! - [Groups and queries](groups_and_queries): which one when, what each costs, and indexes
//! - [Finding](finding): indexes by key, by place and by order
//! - [Reacting](reacting): all ways to learn of a change, and which to use
//! - [Systems and worlds](systems_and_worlds): states, contexts, services, messages, starting again
//! - [Plug-ins](plugins): a program built from independent parts
//! - [Hierarchies](hierarchies): parents and children, and other relations
//! - [Disabled entities](disabled): present, but skipped by groups and queries
//! - [Saving](saving): files, parts of a world, loading into a running program
//! - [Formats and versions of saves](save_formats): old saves, text and binary files, prefabs
//! - [Undo and rollback](undo_and_rollback): undo stacks, histories, snapshots
//! - [Networks and many machines](networks): sending changes, lockstep, rollback, rooms
//! - [Recipes](recipes): rewind as a power-up, transforms, waves from a file, and others
//! - [Integrations](integrations): C, GGRS, scripts, physics
//! - [Testing](testing): a system without the program around it
//! - [Measuring](measuring): time, memory, threads
//! - [Errors](errors): panics, errors and compile errors, and what to do about them
//! - [Coming from bevy](from_bevy)
//! - [Coming from Entitas](from_entitas)
//! - [Coming from hecs or flecs](from_hecs_or_flecs)
//! - [Glossary](glossary): the words that errors and documentation use
//!
//! | question | page |
//! | --- | --- |
//! | How do I change a list of entities while I visit it? | [Entities](entities#changes-from-loops-and-threads) |
//! | Who is near, who has this name, who has the most? | [Finding](finding) |
//! | How do I run code when something changes? | [Reacting](reacting) |
//! | Why does the compiler say that the game is borrowed? | [Errors](errors#compile-errors) |
//! | Where do services, windows and random numbers belong? | [Systems and worlds](systems_and_worlds#worlds) |
//! | How do I pause, restart, and change between menu and game? | [States](systems_and_worlds#states) |
//! | How do children follow their parent? | [Hierarchies](hierarchies), [recipes] |
//! | How do I load levels and prefabs from files? | [Formats of saves](save_formats#prefabs), [recipes] |
//! | I changed a component; can old saves be read? | [Formats of saves](save_formats#changing-components) |
//! | How do I undo a turn, rewind time, or try something out? | [Undo and rollback](undo_and_rollback) |
//! | How do two machines stay in step? | [Networks](networks) |
//! | How do I test a system, and see what the game does? | [Testing](testing), [measuring] |
//! | What do I use to draw, for physics, for scripts? | [Integrations](integrations) |
//!
//! The tests compile and run all examples.
//!
//! Single methods have their examples where they are documented, attributes of components at the
//! derive [`Component`](macro@crate::Component).

/// Your first game in twenty minutes.
///
#[doc = include_str!("guide/first_game.md")]
pub mod first_game {}

/// Thinking in reactions: what a reactive ECS changes in a design.
///
#[doc = include_str!("guide/thinking_in_reactions.md")]
pub mod thinking_in_reactions {}

/// Entities and components: creating, changing, copying, destroying.
///
#[doc = include_str!("guide/entities.md")]
pub mod entities {}

/// Groups and queries: which one when, and what each costs.
///
#[doc = include_str!("guide/groups_and_queries.md")]
pub mod groups_and_queries {}

/// Recipes: what many games need, as small programs.
///
#[doc = include_str!("guide/recipes.md")]
pub mod recipes {}

/// Finding: indexes by key, by place and by order, and structures of your own.
///
#[doc = include_str!("guide/finding.md")]
pub mod finding {}

/// Reacting: all ways to learn of a change, and which to use.
///
#[doc = include_str!("guide/reacting.md")]
pub mod reacting {}

/// Systems and worlds: states, and a program of several contexts, services and messages.
///
#[doc = include_str!("guide/systems_and_worlds.md")]
pub mod systems_and_worlds {}

/// Plug-ins: how to build a program from independent parts.
///
#[doc = include_str!("guide/plugins.md")]
pub mod plugins {}

/// Hierarchies and other relations between entities.
///
#[doc = include_str!("guide/hierarchies.md")]
pub mod hierarchies {}

/// Disabled entities: groups and queries skip them, their components stay.
///
#[doc = include_str!("guide/disabled.md")]
pub mod disabled {}

/// Saving a context to a file and loading it again, with the feature `serde`.
///
#[cfg_attr(feature = "serde", doc = include_str!("guide/saving.md"))]
#[cfg_attr(
    not(feature = "serde"),
    doc = "Needs the feature `serde` of this crate."
)]
pub mod saving {}

/// Formats and versions of saves: old saves, text and binary files, prefabs.
///
#[cfg_attr(feature = "serde", doc = include_str!("guide/save_formats.md"))]
#[cfg_attr(
    not(feature = "serde"),
    doc = "Needs the feature `serde` of this crate."
)]
pub mod save_formats {}

/// Undo, rewind and rollback: how to go back to an earlier state.
///
#[doc = include_str!("guide/undo_and_rollback.md")]
pub mod undo_and_rollback {}

/// Networks and many machines: sending changes, lockstep, rollback, and rooms that survive their process.
///
#[doc = include_str!("guide/networks.md")]
#[doc = ""]
#[doc = include_str!("guide/rooms.svg")]
pub mod networks {}

/// Integrations: C, GGRS, scripts, physics.
///
#[doc = include_str!("guide/integrations.md")]
pub mod integrations {}

/// Testing a system without the program around it.
///
#[doc = include_str!("guide/testing.md")]
pub mod testing {}

/// Measuring time and memory, and using all threads.
///
#[doc = include_str!("guide/measuring.md")]
pub mod measuring {}

/// Errors: panics, error types, compile errors, and what to do about them.
///
#[doc = include_str!("guide/errors.md")]
pub mod errors {}

/// Coming from bevy: its words and idioms with their counterparts here.
///
#[doc = include_str!("guide/from_bevy.md")]
pub mod from_bevy {}

/// Coming from Entitas: its words and idioms with their counterparts here.
///
#[doc = include_str!("guide/from_entitas.md")]
pub mod from_entitas {}

/// Coming from hecs or flecs: their words and idioms with their counterparts here.
///
#[doc = include_str!("guide/from_hecs_or_flecs.md")]
pub mod from_hecs_or_flecs {}

/// Glossary: the words that errors and documentation use.
///
#[doc = include_str!("guide/glossary.md")]
pub mod glossary {}
