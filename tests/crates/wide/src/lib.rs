//! A context with up to three hundred components, numbered on first use, and bundles of components
//! picked at run time.
//!
//! Each component takes long to compile, so all tests that need many components share these.

use std::any::Any;
use std::cell::RefCell;
use std::sync::OnceLock;

use ecs::__private::{IndexCell, Probe, Saving, index_of};
use ecs::prelude::*;
use ecs::{BundleWriter, ComponentIndex, ComponentNames, HistoryBuilder, SnapshotBuilder};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A context with the parts used so far.
#[ecs::context]
pub struct Wide;

/// The number of parts.
pub const PARTS: usize = 300;

/// The parts that can be cloned and saved: those at the edges of the words of a mask. `Clone` and
/// saves for all would double the compile time.
pub const EDGES: [usize; 13] = [0, 1, 30, 31, 32, 62, 63, 64, 65, 127, 128, 129, 299];

const fn is_edge(number: usize) -> bool {
    let mut at = 0;
    while at < EDGES.len() && EDGES[at] != number {
        at += 1;
    }
    at < EDGES.len()
}

/// A component whose number has two digits in base 20.
pub struct Part<const HIGH: usize, const LOW: usize>(pub u16);

impl<const HIGH: usize, const LOW: usize> Components<Wide> for Part<HIGH, LOW> {
    fn visit(each: &mut dyn FnMut(ComponentIndex<Wide>)) {
        each(index_of::<Wide, Self>());
    }
}

impl<const HIGH: usize, const LOW: usize> Component<Wide> for Part<HIGH, LOW> {
    const NAMES: &'static ComponentNames = &ComponentNames {
        context: "Wide",
        component: match core::str::from_utf8(&Self::NAME) {
            Ok(name) => name,
            Err(_) => panic!("letters and digits"),
        },
        accessor: "part",
    };

    const CLONE: Option<fn(&Self) -> Self> = match Self::IS_EDGE {
        true => Some(|part| Self(part.0)),
        false => None,
    };

    const SAVING: Saving<Self> = match Self::IS_EDGE {
        true => Saving::new(Probe::<Self>::CODEC, 1, &[], &[]),
        false => Saving::UNKNOWN,
    };

    /// One cell per number, looked up by number, because statics cannot be generic.
    fn cell() -> &'static IndexCell<Wide, Self> {
        static CELLS: [OnceLock<&(dyn Any + Send + Sync)>; PARTS] =
            [const { OnceLock::new() }; PARTS];
        let new = || -> &'static IndexCell<Wide, Self> { Box::leak(Box::new(IndexCell::new())) };
        let cell = CELLS[HIGH * 20 + LOW].get_or_init(|| new());
        cell.downcast_ref().expect("the cell of this number")
    }
}

impl<const HIGH: usize, const LOW: usize> Serialize for Part<HIGH, LOW> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de, const HIGH: usize, const LOW: usize> Deserialize<'de> for Part<HIGH, LOW> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(u16::deserialize(deserializer)?))
    }
}

/// Operations on a part whose number is known at run time only.
pub struct Access {
    /// Its index.
    pub index: fn() -> ComponentIndex<Wide>,
    /// Writes it to a row.
    pub put: fn(&mut BundleWriter<'_, Wide>, u16),
    /// Removes it from an entity that has it; otherwise adds it.
    pub toggle: fn(&mut Wide, EntityId<Wide>, u16),
    /// Reads it.
    pub get: fn(WideEntity<'_>) -> Option<u16>,
    /// Excludes it from a history.
    pub not_recorded: fn(HistoryBuilder<Wide>) -> HistoryBuilder<Wide>,
    /// Excludes it from a snapshot.
    pub not_taken: fn(SnapshotBuilder<Wide>) -> SnapshotBuilder<Wide>,
}

impl<const HIGH: usize, const LOW: usize> Part<HIGH, LOW> {
    const ACCESS: Access = Access {
        index: index_of::<Wide, Self>,
        put: Self::put,
        toggle: Self::toggle,
        get: Self::get,
        not_recorded: HistoryBuilder::without::<Self>,
        not_taken: SnapshotBuilder::without::<Self>,
    };

    const IS_EDGE: bool = is_edge(HIGH * 20 + LOW);

    /// `P` and the number.
    const NAME: [u8; 4] = {
        let number = (HIGH * 20 + LOW) as u16;
        let zero = b'0' as u16;
        let digits = [number / 100, number / 10 % 10, number % 10];
        [
            b'P',
            (zero + digits[0]) as u8,
            (zero + digits[1]) as u8,
            (zero + digits[2]) as u8,
        ]
    };

    fn put(writer: &mut BundleWriter<'_, Wide>, value: u16) {
        writer.put(Self(value));
    }

    fn toggle(wide: &mut Wide, id: EntityId<Wide>, value: u16) {
        let mut entity = wide.entity_mut(id);
        if entity.take::<Self>().is_none() {
            entity.add(Self(value));
        }
    }

    fn get(entity: WideEntity<'_>) -> Option<u16> {
        Some(entity.get::<Self>()?.0)
    }
}

macro_rules! parts {
    ($($high:literal)*) => {
        [$(parts!(@ $high 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19)),*]
    };
    (@ $high:literal $($low:literal)*) => {
        [$(Part::<$high, $low>::ACCESS),*]
    };
}

static ACCESS: [[Access; 20]; 15] = parts!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14);

/// The operations on the part with this number.
pub fn part(number: usize) -> &'static Access {
    &ACCESS[number / 20][number % 20]
}

/// As a bundle, the parts with these numbers; in a matcher, those last passed to [`pick`].
pub struct Picked(pub Vec<usize>);

thread_local! {
    static PICKED: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

/// Sets the parts that [`Picked`] means in matchers.
pub fn pick(numbers: &[usize]) {
    PICKED.set(numbers.to_vec());
}

impl Components<Wide> for Picked {
    fn visit(each: &mut dyn FnMut(ComponentIndex<Wide>)) {
        PICKED.with_borrow(|picked| {
            picked
                .iter()
                .for_each(|number| each((part(*number).index)()))
        });
    }
}

impl Bundle<Wide> for Picked {
    fn visit_components(each: &mut dyn FnMut(ComponentIndex<Wide>)) {
        <Self as Components<Wide>>::visit(each);
    }

    fn put(self, writer: &mut BundleWriter<'_, Wide>) {
        self.0
            .iter()
            .for_each(|&number| (part(number).put)(writer, number as u16));
    }
}
