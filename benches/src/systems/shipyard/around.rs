//! The rows W14 to W20 of `shipyard`.

use shipyard::{Component, IntoIter, View, World, track};

use crate::around;
use crate::rows::Id;
use crate::types::*;
use crate::workload::{Workload, fresh};

pub(super) fn workload(row: Id, items: usize) -> Option<Box<dyn Workload>> {
    Some(match row {
        Id::W16 => make_queries(items),
        Id::W17 => start_up(),
        _ => return None,
    })
}

/// A query is two views here.
fn make_queries(items: usize) -> Box<dyn Workload> {
    let mut world = World::new();
    macro_rules! populate {
        ($($kind:ident)*) => {$(world.add_entity(($kind(0.0), Data(1.0)));)*};
    }
    with_kinds!(populate);
    around::make_queries(world, items, |world| {
        let views = world.borrow::<(View<'_, Ka>, View<'_, Data>)>();
        let (kinds, data) = views.unwrap();
        let found = (&kinds, &data).iter();
        found.map(|(_, data)| data.0).sum()
    })
}

impl<const HIGH: usize, const LOW: usize> Component for Part<HIGH, LOW> {
    type Tracking = track::Untracked;
}

fn start_up() -> Box<dyn Workload> {
    let run = |world: &mut Option<World>| {
        let world = world.insert(World::new());
        macro_rules! create {
            ($high:literal: $($low:literal)*) => {$(world.add_entity(Part::<$high, $low>(1));)*};
        }
        with_parts!(create);
    };
    let make = || None::<World>;
    fresh(make, run, |world| {
        let world = world.as_ref().unwrap();
        macro_rules! check {
            ($high:literal: $($low:literal)*) => {$(
                assert_eq!(world.borrow::<View<'_, Part<$high, $low>>>().unwrap().len(), 1);
            )*};
        }
        with_parts!(check);
    })
}
