//! The files of the library that are used by several threads, compiled in place, with loom's atomics
//! instead of those of `core`: loom tries every order in which threads can see each other's writes.
//!
//! `cargo test --release` in this folder runs the models.

#![cfg(test)]
#![allow(dead_code, reason = "the library uses what the models do not")]

extern crate alloc;

mod models;
mod storage;
mod words;
