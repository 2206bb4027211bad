//! The integration tests: one binary, a module for each subject.

#[path = "suite/behaviours.rs"]
mod behaviours;
#[path = "suite/bulk.rs"]
mod bulk;
#[path = "suite/bundles.rs"]
mod bundles;
#[path = "suite/cleanup.rs"]
mod cleanup;
#[path = "suite/collecting.rs"]
mod collecting;
#[path = "suite/compile_fail.rs"]
mod compile_fail;
#[path = "suite/copying.rs"]
mod copying;
#[path = "suite/derive.rs"]
mod derive;
#[path = "suite/dropped.rs"]
mod dropped;
#[path = "suite/dynamic.rs"]
mod dynamic;
#[path = "suite/events.rs"]
mod events;
#[path = "suite/everyday.rs"]
mod everyday;
#[path = "suite/failures.rs"]
mod failures;
#[path = "suite/feeds.rs"]
mod feeds;
#[path = "suite/history.rs"]
mod history;
#[path = "suite/hygiene.rs"]
mod hygiene;
#[path = "suite/indexes.rs"]
mod indexes;
#[path = "suite/inserting.rs"]
mod inserting;
#[path = "suite/instances.rs"]
mod instances;
#[path = "suite/layers.rs"]
mod layers;
#[path = "suite/match_one.rs"]
mod match_one;
#[path = "suite/messages.rs"]
mod messages;
#[path = "suite/model.rs"]
mod model;
#[path = "suite/names.rs"]
mod names;
#[path = "suite/other_context.rs"]
mod other_context;
#[path = "suite/parallel.rs"]
mod parallel;
#[path = "suite/queries.rs"]
mod queries;
#[path = "suite/relations.rs"]
mod relations;
#[path = "suite/replaced.rs"]
mod replaced;
#[path = "suite/reporting.rs"]
mod reporting;
#[path = "suite/required.rs"]
mod required;
#[path = "suite/saving.rs"]
mod saving;
#[path = "suite/sharing.rs"]
mod sharing;
#[path = "suite/signatures.rs"]
mod signatures;
#[path = "suite/slices.rs"]
mod slices;
#[path = "suite/snapshots.rs"]
mod snapshots;
#[path = "suite/states.rs"]
mod states;
#[path = "suite/support.rs"]
mod support;
#[path = "suite/systems.rs"]
mod systems;
#[path = "suite/templates.rs"]
mod templates;
#[path = "suite/traces.rs"]
mod traces;
#[path = "suite/twins.rs"]
mod twins;
#[path = "suite/two_crates.rs"]
mod two_crates;
#[path = "suite/unique.rs"]
mod unique;
#[path = "suite/upkeep.rs"]
mod upkeep;
