//! The behaviors that Entitas' own tests specify, in this library: each line of the list of
//! behaviors has a test, whose doc comment names its id.

mod accessors;
mod cleanup;
mod collector;
mod context;
mod context_groups;
mod context_life;
mod coverage;
mod entity;
mod entity_events;
mod entity_index;
mod errors;
mod events;
mod generator;
mod group;
mod group_events;
mod matcher;
mod reactive;
mod serials;
mod statistics;
mod systems;
mod unique;
pub(crate) mod world;
