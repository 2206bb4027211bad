//! What a derive declares: accessors, indexes, relations, events, states, and the names of it all.
//!
//! Most use the game of `support`, or that of `home` where it matters that accessors are methods.
//! Each of these has at most 64 components here: those behind the 64th come to entities by another
//! path.

mod cleanup;
mod derive;
mod disabled;
mod events;
mod home;
mod hygiene;
mod indexes;
mod instances;
mod labels;
mod late;
mod messages;
mod names;
mod pooled;
mod relations;
mod required;
mod states;
mod twins;
mod two_crates;
mod unique;
