//! The list of systems: built by value, walked in order, changed by name, measured.

mod by_name;
mod listed;
mod report;
mod systems;

pub use self::by_name::UnknownSystem;
pub use self::report::Report;
pub use self::report::SystemInfo;
pub use self::systems::Systems;
