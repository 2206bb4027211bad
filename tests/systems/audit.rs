//! A subscriber to all changes, written with public API only: which system changes which component,
//! and how often.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use ecs::SubscriptionGuard;
use ecs::prelude::*;
use ecs::stats::running_system;
use support::numbers::{A, World};

/// The number of changes by system, component and kind.
#[derive(Default)]
struct Audit(Arc<Mutex<BTreeMap<String, u32>>>);

impl Audit {
    /// Counts while the guard exists.
    fn follow(&self, world: &mut World) -> SubscriptionGuard {
        let counts = Arc::clone(&self.0);
        let subscription = world.observers().on_change(move |_, change| {
            let system = running_system().unwrap_or_else(|| "main".into());
            let what = change.component_name().unwrap_or("entity");
            let line = format!("{system}: {what} {:?}", change.kind());
            *counts.lock().unwrap().entry(line).or_default() += 1;
        });
        world.unsubscribe_on_drop(subscription)
    }

    fn lines(&self) -> Vec<String> {
        let counts = self.0.lock().unwrap();
        let lines = counts.iter().map(|(line, count)| format!("{line} {count}"));
        lines.collect()
    }
}

fn spawn(world: &mut World) {
    world.create_many([A(1), A(2)]);
}

fn age(world: &mut World) {
    world.query_mut::<&mut A>().for_each(|a| a.0 += 1);
}

fn end(world: &mut World) {
    let all = world.group(World::all_of::<A>());
    all.for_each(world, |entity| {
        if entity.a().0 > 2 {
            entity.destroy();
        }
    });
}

#[test]
fn a_new_kind_of_subscriber_is_a_file() {
    let (mut world, audit) = (World::new(), Audit::default());
    let guard = audit.follow(&mut world);
    world.create_entity().add_b(7).replace_b(8);
    let mut systems = Systems::new().add(spawn).add(age).add(end);
    systems.measure(true);
    systems.execute(&mut world);
    drop(guard);
    systems.execute(&mut world);
    assert_eq!(
        audit.lines(),
        [
            "age: A Replaced 2",
            "end: A Removed 1",
            "end: entity Destroyed 1",
            "main: B Added 1",
            "main: B Replaced 1",
            "main: entity Created 1",
            "spawn: A Added 2",
            "spawn: entity Created 2",
        ]
    );
}
