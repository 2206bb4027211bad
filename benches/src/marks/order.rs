//! Defragmenting entities little by little, in the cleanups of a list of systems, or at once.

use ecs::Systems;
use ecs::prelude::*;

use crate::workload::{Workload, fresh, one_of};

/// A context only for these marks.
#[ecs::context]
pub struct Shelf;

#[derive(Component)]
#[component(context = Shelf)]
struct Spot([f32; 3]);

#[derive(Component)]
#[component(context = Shelf)]
struct Pace([f32; 3]);

/// Creates entities with a spot, of which a random tenth gets a pace later, in random order.
fn scattered(entities: usize) -> Shelf {
    let mut shelf = Shelf::new();
    let ids = shelf.create_many((0..entities).map(|at| Spot([at as f32; 3])));
    for at in one_of(10, entities) {
        shelf.entity_mut(ids[at]).add_pace([1.0; 3]);
    }
    shelf
}

fn check(shelf: &mut Shelf, entities: usize) {
    assert_eq!(shelf.storage().fragmentation().misplaced, 0);
    assert_eq!(
        shelf.query::<(&Spot, &Pace)>().iter().count(),
        entities / 10
    );
}

fn clean_up(shelf: &mut Shelf, mut systems: Systems<Shelf>) {
    (0..100).for_each(|_| systems.cleanup(shelf));
}

pub(super) fn little_by_little(items: usize) -> Box<dyn Workload> {
    let run = |shelf: &mut Shelf| clean_up(shelf, Systems::new());
    fresh(
        move || scattered(items),
        run,
        move |shelf| check(shelf, items),
    )
}

pub(super) fn at_once(items: usize) -> Box<dyn Workload> {
    let run = |shelf: &mut Shelf| {
        shelf.defragment();
        clean_up(shelf, Systems::new().defragmenting(false));
    };
    fresh(
        move || scattered(items),
        run,
        move |shelf| check(shelf, items),
    )
}
