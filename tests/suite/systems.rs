//! Systems: lists, reactive systems, worlds of several contexts.

#[path = "systems/design.rs"]
mod design;
