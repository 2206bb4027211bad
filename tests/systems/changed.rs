//! Reacting with a query while its handle exists.

use std::sync::{Arc, Mutex};

use ecs::prelude::*;

use support::numbers::{A, World};

#[test]
fn a_released_or_deactivated_reaction_is_not_called() {
    let mut world = World::new();
    let calls = Arc::new(Mutex::new(0));
    let count = calls.clone();
    let mut systems = Systems::new().query_changed::<_, &A>(
        &mut world,
        World::all_of::<A>().entered_or_updated(),
        move |_| *count.lock().unwrap() += 1,
    );
    systems.deactivate(&mut world);
    world.create_many([A(1), A(2)]);
    systems.execute(&mut world);
    systems.activate(&mut world);
    world.create_with(A(3));
    systems.clear(&mut world);
    systems.execute(&mut world);
    assert_eq!(*calls.lock().unwrap(), 0);
    world.create_with(A(4));
    systems.execute(&mut world);
    assert_eq!(*calls.lock().unwrap(), 1);
    world.create_with(A(5));
    systems.release(&mut world);
    systems.execute(&mut world);
    assert_eq!(*calls.lock().unwrap(), 1);
}
