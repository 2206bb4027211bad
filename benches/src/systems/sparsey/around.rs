//! The rows W14 to W20 of `sparsey`: keys by a map beside the world.

use sparsey::World;

use crate::around;
use crate::rows::Id;
use crate::types::*;
use crate::workload::Workload;

pub(super) fn workload(row: Id, items: usize) -> Option<Box<dyn Workload>> {
    Some(match row {
        Id::W15 => look_up(items),
        Id::W16 => make_queries(items),
        _ => return None,
    })
}

fn look_up(items: usize) -> Box<dyn Workload> {
    let mut world = World::builder().register::<Position>().build();
    let ids = world.extend((0..items).map(|at| (position(at),))).to_vec();
    around::look_up_by_hand((world, ids), |world, id| {
        world.borrow::<Position>().get(id).copied()
    })
}

fn make_queries(items: usize) -> Box<dyn Workload> {
    let mut world = World::default();
    world.register::<Data>();
    macro_rules! populate {
        ($($kind:ident)*) => {$(
            world.register::<$kind>();
            world.create(($kind(0.0), Data(1.0)));
        )*};
    }
    with_kinds!(populate);
    around::make_queries(world, items, |world| {
        let mut sum = 0.0;
        world.for_each::<(&Ka, &Data)>(|(_, data)| sum += data.0);
        sum
    })
}
