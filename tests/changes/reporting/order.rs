//! In which order a report and what observers change meanwhile are told.

use ecs::prelude::*;

use super::{A, Log, Other, World, world};

#[test]
fn an_observer_alone_is_told_in_the_same_order_as_beside_another_one() {
    let told = |beside: bool| {
        let (mut world, _) = world();
        let log = Log::default();
        let (added, updated) = (log.clone(), log.clone());
        let others = world.group(World::all_of::<Other>());
        others.on_entered(
            &mut world,
            move |_: &mut World, change: &Change<'_, World>| {
                added
                    .lock()
                    .unwrap()
                    .push(format!("other {:?}", change.entity()));
            },
        );
        let group = world.group(World::all_of::<A>());
        group.on_updated(
            &mut world,
            move |world: &mut World, change: &Change<'_, World>| {
                let id = change.entity();
                updated.lock().unwrap().push(format!("updated {id:?}"));
                if id.index() % 5 == 0 {
                    world.entity_mut(id).add_other();
                }
            },
        );
        if beside {
            group.on_updated(&mut world, |_: &mut World, _: &Change<'_, World>| {});
        }
        world.query_mut::<&mut A>().for_each(|a| a.0 += 1);
        log.lock().unwrap().clone()
    };
    let alone = told(false);
    assert_eq!(alone, told(true));
    assert!(alone.iter().any(|line| line.starts_with("other")));
}
