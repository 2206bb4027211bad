//! Changing and reading entities: one at a time, in bulk, by queries.

mod buffered;
mod bulk;
mod bundles;
mod collecting;
mod copying;
mod created_together;
mod dropped;
mod dynamic;
mod each_change;
mod everyday;
mod inserting;
mod matching_ids;
mod other_context;
mod parallel;
mod queries;
mod reporting;
mod sharing;
mod signatures;
mod slices;
mod template_trees;
mod templates;
mod tools;
mod upkeep;
