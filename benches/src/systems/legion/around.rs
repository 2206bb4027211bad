//! The rows W14 to W20 of `legion`.

use legion::world::Duplicate;
use legion::{IntoQuery, World, any};

use super::{check_wide, wide_world};
use crate::around;
use crate::rows::Id;
use crate::types::*;
use crate::workload::{Workload, fresh};

pub(super) fn workload(row: Id, items: usize) -> Option<Box<dyn Workload>> {
    Some(match row {
        Id::W16 => make_queries(items),
        Id::W17 => start_up(),
        Id::W19 => copy_world(items),
        _ => return None,
    })
}

fn make_queries(items: usize) -> Box<dyn Workload> {
    let mut world = World::default();
    macro_rules! populate {
        ($($kind:ident)*) => {$(world.push(($kind(0.0), Data(1.0)));)*};
    }
    with_kinds!(populate);
    around::make_queries(world, items, |world| {
        let mut query = <(&Ka, &Data)>::query();
        query.iter(world).map(|(_, data)| data.0).sum()
    })
}

fn start_up() -> Box<dyn Workload> {
    let run = |world: &mut Option<World>| {
        let world = world.insert(World::default());
        macro_rules! create {
            ($high:literal: $($low:literal)*) => {$(world.push((Part::<$high, $low>(1),));)*};
        }
        with_parts!(create);
    };
    let make = || None::<World>;
    fresh(make, run, |world| {
        assert_eq!(world.as_ref().map(World::len), Some(PARTS));
    })
}

/// Uses its own way to copy a world, with a merger that is created once.
fn copy_world(items: usize) -> Box<dyn Workload> {
    let (world, _) = wide_world(items);
    let mut merger = Duplicate::default();
    merger.register_copy::<Transform>();
    merger.register_copy::<Position>();
    merger.register_copy::<Rotation>();
    merger.register_copy::<Velocity>();
    let copy = move |world: &mut World| {
        let mut copy = World::default();
        copy.clone_from(world, &any(), &mut merger);
        copy
    };
    around::copy_world(world, copy, move |copy| check_wide(copy, items))
}
