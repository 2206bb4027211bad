//! The rows W14 to W20 of `specs`: it has channels for messages and markers for saves.

use std::convert::Infallible;

use serde::{Serialize, Serializer};
use specs::prelude::*;
use specs::saveload::{
    DeserializeComponents, MarkerAllocator, SerializeComponents, SimpleMarker,
    SimpleMarkerAllocator,
};
use specs::shrev::{EventChannel, ReaderId};

use super::{movers, world};
use crate::around::{self, Hit, Saving};
use crate::rows::Id;
use crate::types::*;
use crate::workload::{Workload, fresh};

pub(super) fn workload(row: Id, items: usize) -> Option<Box<dyn Workload>> {
    Some(match row {
        Id::W16 => make_queries(items),
        Id::W17 => start_up(),
        Id::W18 => messages(items),
        Id::W20 | Id::W20l => save(row, items),
        _ => return None,
    })
}

/// A query is two storages and their join here.
fn make_queries(items: usize) -> Box<dyn Workload> {
    let mut world = world();
    macro_rules! populate {
        ($($kind:ident)*) => {$(
            world.create_entity().with($kind(0.0)).with(Data(1.0)).build();
        )*};
    }
    with_kinds!(populate);
    around::make_queries(world, items, |world| {
        let (kinds, data) = (world.read_storage::<Ka>(), world.read_storage::<Data>());
        let found = (&kinds, &data).join();
        found.map(|(_, data)| data.0).sum()
    })
}

impl<const HIGH: usize, const LOW: usize> Component for Part<HIGH, LOW> {
    type Storage = VecStorage<Self>;
}

fn start_up() -> Box<dyn Workload> {
    let run = |world: &mut Option<World>| {
        let world = world.insert(World::new());
        macro_rules! create {
            ($high:literal: $($low:literal)*) => {$(
                world.register::<Part<$high, $low>>();
                world.create_entity().with(Part::<$high, $low>(1)).build();
            )*};
        }
        with_parts!(create);
    };
    let make = || None::<World>;
    fresh(make, run, |world| {
        let world = world.as_ref().unwrap();
        macro_rules! check {
            ($high:literal: $($low:literal)*) => {$(
                assert_eq!(world.read_storage::<Part<$high, $low>>().count(), 1);
            )*};
        }
        with_parts!(check);
    })
}

fn messages(items: usize) -> Box<dyn Workload> {
    type Post = (EventChannel<Hit>, ReaderId<Hit>);
    let mut channel = EventChannel::new();
    let reader = channel.register_reader();
    let send = |(channel, _): &mut Post, hit: Hit| channel.single_write(hit);
    around::messages((channel, reader), items, send, |(channel, reader)| {
        channel.read(reader).map(|hit| hit.damage).sum()
    })
}

/// Marks entities to save.
struct Saved;

type Marker = SimpleMarker<Saved>;

/// A world to save with postcard.
struct Written<'a>(&'a World);

impl Serialize for Written<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let positions = self.0.read_storage::<Position>();
        let storages = (positions, self.0.read_storage::<Velocity>());
        let (entities, markers) = (self.0.entities(), self.0.read_storage::<Marker>());
        SerializeComponents::<Infallible, Marker>::serialize(
            &storages, &entities, &markers, serializer,
        )
    }
}

/// Registers what is needed to mark entities.
fn with_markers(mut world: World) -> World {
    world.register::<Marker>();
    world.insert(SimpleMarkerAllocator::<Saved>::new());
    world
}

fn load(bytes: &[u8]) -> World {
    let world = with_markers(world());
    {
        let positions = world.write_storage::<Position>();
        let mut storages = (positions, world.write_storage::<Velocity>());
        let mut markers = world.write_storage::<Marker>();
        let mut allocator = world.write_resource::<SimpleMarkerAllocator<Saved>>();
        DeserializeComponents::<Infallible, Marker>::deserialize(
            &mut storages,
            &world.entities(),
            &mut markers,
            &mut allocator,
            &mut postcard::Deserializer::from_bytes(bytes),
        )
        .unwrap();
    }
    world
}

fn save(row: Id, items: usize) -> Box<dyn Workload> {
    let (world, ids) = movers(items);
    let world = with_markers(world);
    {
        let mut markers = world.write_storage::<Marker>();
        let mut allocator = world.write_resource::<SimpleMarkerAllocator<Saved>>();
        for id in ids {
            allocator.mark(id, &mut markers).unwrap();
        }
    }
    let saving = Saving {
        save: |world: &mut World| postcard::to_stdvec(&Written(world)).unwrap(),
        load,
        all: |world| {
            let positions = world.read_storage::<Position>();
            let velocities = world.read_storage::<Velocity>();
            let all = (&positions, &velocities).join();
            all.map(|(&position, &velocity)| (position, velocity))
                .collect()
        },
    };
    saving.workload(row, world, items)
}
