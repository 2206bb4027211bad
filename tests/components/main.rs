//! Everything that the derive generates: accessors, indexes, relations, events, states, and names.
//!
//! Most tests use the game of `support`, or that of `home` if accessors must be inherent methods.
//! Each of these has at most 64 components here: later components take another code path.

mod accessors;
mod cleanup;
mod derive;
mod disabled;
mod entries;
mod events;
mod handle;
mod home;
mod hygiene;
mod indexes;
mod instances;
mod labels;
mod late;
mod local;
mod messages;
mod names;
mod pooled;
mod relations;
mod required;
mod states;
mod twins;
mod two_crates;
mod unique;
