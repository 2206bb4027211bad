//! Lists of systems: built by value, run in order, changed by name, measured.

mod add;
mod by_name;
mod entry;
mod measure;
mod nesting;
mod phases;
mod report;
mod rounds;

pub use self::by_name::UnknownSystem;
pub use self::report::Report;
pub use self::report::SystemInfo;
