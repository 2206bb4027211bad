//! The files of the library that threads meet in, compiled from where they are, with loom's atomics
//! in place of those of `core`: loom tries every order in which threads may see each other's writes.
//!
//! `cargo test --release` in this folder runs the models.

#![cfg(test)]
#![allow(dead_code, reason = "the library uses what the models do not")]

extern crate alloc;

mod models;
mod storage;
mod words;
