//! The systems that are compared. Each file has a function for each row that the system supports, and
//! says how it does the work and why it is the same.

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

use crate::frames;
use crate::rows::{Id, Row};
use crate::workload::Workload;

/// A system that is measured.
#[derive(Clone, Copy, Debug)]
pub struct System {
    /// Its name in the table.
    pub name: &'static str,
    /// Its package, unless it is ours.
    pub package: Option<&'static str>,
    /// The rows that the system does not support and the program does by hand: measured, but not a
    /// peer.
    by_hand: &'static [&'static [Id]],
    make: Make,
}

impl System {
    /// Returns the workload of a row at full size, if the system supports it.
    pub fn workload(&self, row: Row) -> Option<Box<dyn Workload>> {
        (self.make)(row.id, row.items)
    }

    /// Returns the workload of a row at a fraction of its size.
    pub fn small(&self, row: Row) -> Option<Box<dyn Workload>> {
        (self.make)(row.id, row.small())
    }

    /// Returns whether it is a peer in a row: whether it does the work itself.
    pub fn is_peer_in(&self, row: Row) -> bool {
        self.package.is_some() && !self.by_hand.iter().any(|rows| rows.contains(&row.id))
    }

    /// Sets the rows that the program does by hand.
    const fn by_hand(self, by_hand: &'static [&'static [Id]]) -> Self {
        Self { by_hand, ..self }
    }

    /// Returns the measured release of its package, from `Cargo.lock`.
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

/// Ours, with calls for one entity: the other columns are compared with it.
pub const OURS: &str = "ecs";

/// Ours, with calls for many entities.
pub const BULK: &str = "ecs bulk";

/// The floor: plain loops over arrays.
pub const RAW: &str = "raw";

/// The floor with whole arrays iterated as flat floats.
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

/// All systems; ours and the floor come first.
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

/// The systems whose single frames are measured; ours comes first.
pub const FRAMES: &[frames::System] = &[
    frames::System {
        name: OURS,
        make: ours::frames::world,
    },
    frames::System {
        name: "hecs",
        make: hecs::frames::world,
    },
    frames::System {
        name: "bevy_ecs",
        make: bevy_ecs::frames::world,
    },
    frames::System {
        name: "flecs_ecs",
        make: flecs_ecs::frames::world,
    },
    frames::System {
        name: "shipyard",
        make: shipyard::frames::world,
    },
];
