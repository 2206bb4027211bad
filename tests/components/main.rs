//! What a derive declares: accessors, indexes, relations, events, states, and the names of it all.

mod cleanup;
mod derive;
mod events;
mod home;
mod hygiene;
mod indexes;
mod instances;
mod messages;
mod names;
mod relations;
mod required;
mod states;
mod twins;
mod two_crates;
mod unique;
