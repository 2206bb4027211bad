//! The integration tests: one binary, a module for each subject.

#[path = "suite/derive.rs"]
mod derive;
