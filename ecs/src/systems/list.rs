//! The list of systems: built by value, walked in order, changed by name, measured.

mod by_name;
mod info;
mod listed;
mod phases;
mod report;
mod systems;

pub use self::by_name::UnknownSystem;
pub use self::info::SystemInfo;
pub use self::report::Report;
pub use self::systems::Systems;
