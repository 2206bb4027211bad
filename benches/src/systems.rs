//! The systems that are compared. Each file has a function for each row that it can
//! do; how it does it, and why that is the same work, is said there.

pub mod bevy_ecs;
mod columns;
pub mod flecs_ecs;
pub mod freecs;
pub mod hecs;
pub mod legion;
pub mod ours;
pub mod raw;
pub mod shipyard;
pub mod sparsey;
pub mod specs;

use crate::rows::{Id, Row};
use crate::workload::Workload;

/// A system that is measured.
#[derive(Clone, Copy, Debug)]
pub struct System {
    /// What it is called in the table.
    pub name: &'static str,
    /// The package that it comes from, where that is another one than ours.
    pub package: Option<&'static str>,
    /// The rows whose work the program does by hand beside the system, which has
    /// nothing for it: measured, but no peer.
    by_hand: &'static [&'static [Id]],
    make: Make,
}

impl System {
    /// The workload of a row at full size, if the system can do it.
    pub fn workload(&self, row: Row) -> Option<Box<dyn Workload>> {
        (self.make)(row.id, row.items)
    }

    /// The workload of a row at a fraction of its size.
    pub fn small(&self, row: Row) -> Option<Box<dyn Workload>> {
        (self.make)(row.id, row.small())
    }

    /// Whether it is a peer in a row: whether it does the work of the row itself.
    pub fn is_peer_in(&self, row: Row) -> bool {
        self.package.is_some() && !self.by_hand.iter().any(|rows| rows.contains(&row.id))
    }

    /// The same system, which leaves some rows to the program.
    const fn by_hand(self, by_hand: &'static [&'static [Id]]) -> Self {
        Self { by_hand, ..self }
    }

    /// The release of its package that is measured, as `Cargo.lock` has it.
    pub fn release(&self) -> Option<&'static str> {
        let lock = include_str!("../Cargo.lock");
        let name = format!("name = \"{}\"\nversion = \"", self.package?);
        let (_, rest) = lock.split_once(&name)?;
        Some(rest.split_once('"')?.0)
    }
}

type Make = fn(Id, usize) -> Option<Box<dyn Workload>>;

const fn own(name: &'static str, make: Make) -> System {
    System {
        name,
        package: None,
        by_hand: &[],
        make,
    }
}

const fn peer(name: &'static str, package: &'static str, make: Make) -> System {
    System {
        package: Some(package),
        ..own(name, make)
    }
}

/// What the other columns are compared with: the calls for one entity.
pub const OURS: &str = "ecs";

/// Ours, where one call does the work for many entities.
pub const BULK: &str = "ecs bulk";

/// The floor: plain loops over arrays.
pub const RAW: &str = "raw";

/// The floor where whole arrays are walked as flat floats.
pub const FLAT: &str = "raw flat";

/// The floor of an observer: a list of function pointers, called in a loop.
pub const LIST: &str = "fn list";

/// The rows about notifications of changes; made by hand in a system without events.
const EVENTS: &[Id] = &[
    Id::W8,
    Id::W8e,
    Id::W9,
    Id::W10,
    Id::W10d,
    Id::W13,
    Id::W13a,
];

/// Those about a new value, not a change of layout.
const UPDATES: &[Id] = &[Id::W8, Id::W8e, Id::W13, Id::W13a];

/// All systems, ours and the floor first.
pub const SYSTEMS: &[System] = &[
    own(OURS, ours::workload),
    own(BULK, ours::bulk),
    own(RAW, raw::workload),
    own(FLAT, raw::flat),
    own(LIST, raw::function_list),
    peer("hecs", "hecs", hecs::workload).by_hand(&[EVENTS, &[Id::W14, Id::W15, Id::W19]]),
    peer("hecs flat", "hecs", hecs::flat),
    peer("hecs world", "hecs", hecs::by_world),
    peer("shipyard", "shipyard", shipyard::workload),
    peer("specs", "specs", specs::workload),
    peer("sparsey", "sparsey", sparsey::workload).by_hand(&[EVENTS, &[Id::W15]]),
    peer("bevy_ecs", "bevy_ecs", bevy_ecs::workload).by_hand(&[&[
        Id::W15,
        Id::W19,
        Id::W20,
        Id::W20l,
    ]]),
    peer("bevy_ecs world", "bevy_ecs", bevy_ecs::by_world),
    peer("legion", "legion", legion::workload).by_hand(&[UPDATES]),
    peer("freecs", "freecs", freecs::workload).by_hand(&[&[Id::W8e]]),
    peer("flecs_ecs", "flecs_ecs", flecs_ecs::workload),
];
