//! Systems: lists, reactive systems, worlds of several contexts, removed values.

mod audit;
mod changed;
mod deferred;
mod design;
mod failing;
mod initialized;
mod kinds;
mod list;
mod missed;
mod plugins;
mod ported;
mod reactive;
mod removed;
mod report;
mod scoped;
mod side_by_side;
mod steps;
mod threads;
mod tidying;
mod timers;
mod tools;
mod world;
mod worlds;
