//! Systems: lists, reactive systems, worlds of several contexts, values that were lost.

#[path = "systems/changed.rs"]
mod changed;
#[path = "systems/deferred.rs"]
mod deferred;
#[path = "systems/design.rs"]
mod design;
#[path = "systems/failing.rs"]
mod failing;
#[path = "systems/initialized.rs"]
mod initialized;
#[path = "systems/list.rs"]
mod list;
#[path = "systems/missed.rs"]
mod missed;
#[path = "systems/reactive.rs"]
mod reactive;
#[path = "systems/removed.rs"]
mod removed;
#[path = "systems/report.rs"]
mod report;
#[path = "systems/threads.rs"]
mod threads;
#[path = "systems/world.rs"]
mod world;
#[path = "systems/worlds.rs"]
mod worlds;
