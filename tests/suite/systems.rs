//! Systems: lists, reactive systems, worlds of several contexts, values that were lost.

#[path = "systems/changed.rs"]
mod changed;
#[path = "systems/design.rs"]
mod design;
#[path = "systems/list.rs"]
mod list;
#[path = "systems/reactive.rs"]
mod reactive;
#[path = "systems/removed.rs"]
mod removed;
#[path = "systems/report.rs"]
mod report;
#[path = "systems/world.rs"]
mod world;
#[path = "systems/worlds.rs"]
mod worlds;
