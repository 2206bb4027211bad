//! What Entitas' own tests pin, as this library does it: a test for each line of the
//! list of behaviours, named by the ids in its doc comment.

#[path = "behaviours/accessors.rs"]
mod accessors;
#[path = "behaviours/cleanup.rs"]
mod cleanup;
#[path = "behaviours/collector.rs"]
mod collector;
#[path = "behaviours/context.rs"]
mod context;
#[path = "behaviours/context_groups.rs"]
mod context_groups;
#[path = "behaviours/context_life.rs"]
mod context_life;
#[path = "behaviours/coverage.rs"]
mod coverage;
#[path = "behaviours/entity.rs"]
mod entity;
#[path = "behaviours/entity_events.rs"]
mod entity_events;
#[path = "behaviours/entity_index.rs"]
mod entity_index;
#[path = "behaviours/errors.rs"]
mod errors;
#[path = "behaviours/events.rs"]
mod events;
#[path = "behaviours/generator.rs"]
mod generator;
#[path = "behaviours/group.rs"]
mod group;
#[path = "behaviours/group_events.rs"]
mod group_events;
#[path = "behaviours/matcher.rs"]
mod matcher;
#[path = "behaviours/reactive.rs"]
mod reactive;
#[path = "behaviours/statistics.rs"]
mod statistics;
#[path = "behaviours/systems.rs"]
mod systems;
#[path = "behaviours/unique.rs"]
mod unique;
#[path = "behaviours/world.rs"]
pub(crate) mod world;
