//! Tests of the inspector over real connections, with the program on a separate thread.

mod attached;
mod client;
mod commands;
mod costs;
mod history;
mod large;
mod log;
mod names;
mod nested;
mod program;
mod protocol;
mod queries;
mod safety;
mod socket;
mod stage;
mod town;
mod values;
mod worlds;
