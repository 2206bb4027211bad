//! The systems that are compared. Each file has a function for each row that it can
//! do; how it does it, and why that is the same work, is said there.

pub mod hecs;
pub mod ours;
pub mod raw;
pub mod shipyard;
pub mod specs;

use crate::rows::{Id, Row};
use crate::workload::Workload;

/// A system that is measured.
#[derive(Clone, Copy, Debug)]
pub struct System {
    /// What it is called in the table.
    pub name: &'static str,
    make: fn(Id, usize) -> Option<Box<dyn Workload>>,
}

impl System {
    /// The workload of a row at full size, if the system can do it.
    pub fn workload(&self, row: Row) -> Option<Box<dyn Workload>> {
        (self.make)(row.id, row.items)
    }

    /// The workload of a row at a fraction of its size.
    pub fn small(&self, row: Row) -> Option<Box<dyn Workload>> {
        (self.make)(row.id, row.items / 20)
    }
}

const fn system(name: &'static str, make: fn(Id, usize) -> Option<Box<dyn Workload>>) -> System {
    System { name, make }
}

/// What the other columns are compared with.
pub const OURS: &str = "ecs";

/// Ours, where one call changes many entities.
pub const BULK: &str = "ecs bulk";

/// The floor.
pub const RAW: &str = "raw";

/// All systems, ours and the floor first.
pub const SYSTEMS: [System; 6] = [
    system(OURS, ours::workload),
    system(BULK, ours::bulk),
    system(RAW, raw::workload),
    system("hecs", hecs::workload),
    system("shipyard", shipyard::workload),
    system("specs", specs::workload),
];
