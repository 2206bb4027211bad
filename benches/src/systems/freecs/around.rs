//! The rows W14 to W20 of `freecs`: messages are its events, which a reader consumes by a cursor.

use super::kinds;
use crate::around::{self, Hit};
use crate::rows::Id;
use crate::types::*;
use crate::workload::Workload;

/// The world of W18.
mod post {
    use crate::around::Hit;
    use crate::types::Position;

    freecs::ecs! {
        World { position: Position => POSITION }
        Events { hit: Hit }
        Resources {}
    }
}

pub(super) fn workload(row: Id, items: usize) -> Option<Box<dyn Workload>> {
    Some(match row {
        Id::W16 => make_queries(items),
        Id::W18 => messages(items),
        _ => return None,
    })
}

/// A query is a mask here.
fn make_queries(items: usize) -> Box<dyn Workload> {
    let mut world = kinds::World::default();
    macro_rules! populate {
        ($($kind:ident)*) => {freecs::paste::paste! {$(
            world.spawn_batch(kinds::[<$kind:upper>] | kinds::DATA, 1, |table, row| {
                table.data[row] = Data(1.0);
            });
        )*}};
    }
    with_kinds!(populate);
    around::make_queries(world, items, |world| {
        let mut sum = 0.0;
        world.for_each(kinds::KA | kinds::DATA, 0, |_, table, row| {
            sum += table.data[row].0
        });
        sum
    })
}

/// Read messages are dropped immediately, as in its documentation.
fn messages(items: usize) -> Box<dyn Workload> {
    let send = |(world, _): &mut (post::World, u64), hit: Hit| world.send_hit(hit);
    let state = (post::World::default(), 0);
    around::messages(state, items, send, |(world, cursor)| {
        let sum = world.consume_hit(cursor).iter().map(|hit| hit.damage).sum();
        world.trim_hit(*cursor);
        sum
    })
}
