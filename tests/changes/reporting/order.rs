//! The order of a report and of the changes that observers make during it.

use std::sync::{Arc, Mutex};

use ecs::prelude::*;

use super::{A, Log, Other, World, alive, groups, world};

#[test]
fn a_single_observer_gets_the_same_order_as_two() {
    let notified = |beside: bool| {
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
    let alone = notified(false);
    assert_eq!(alone, notified(true));
    assert!(alone.iter().any(|line| line.starts_with("other")));
}

#[test]
fn a_single_observer_that_unsubscribes_itself_gets_no_more_of_a_query() {
    for turns in [1, 3] {
        let mut world = World::new();
        world.create_many((0..9).map(A));
        let (notified, own) = <(Log, Arc<Mutex<Option<Subscription>>>)>::default();
        let (log, ends) = (notified.clone(), own.clone());
        let group = world.group(World::all_of::<A>());
        let subscription = group.on_updated(&mut world, move |world: &mut World, change| {
            let mut notified = log.lock().unwrap();
            notified.push(format!("{:?}", change.entity()));
            if notified.len() == turns {
                world.unsubscribe(ends.lock().unwrap().take().unwrap());
            }
        });
        *own.lock().unwrap() = Some(subscription);
        world.query_mut::<&mut A>().for_each(|a| a.0 += 1);
        assert_eq!(notified.lock().unwrap().len(), turns);
        assert_eq!(
            Arc::strong_count(&notified),
            1,
            "the observer has been dropped"
        );
        world.storage().check_invariants();
    }
}

#[test]
fn observers_may_change_observers_during_a_report_as_in_single_changes() {
    let logs: [Log; 2] = Default::default();
    for (nth, log) in logs.iter().enumerate() {
        let (mut world, ids) = world();
        let groups = groups(&mut world);
        let late = Arc::new(Mutex::new(Vec::new()));
        for (number, group) in groups.into_iter().enumerate() {
            let (kept, log) = (late.clone(), log.clone());
            group.on_updated(
                &mut world,
                move |world: &mut World, change: &Change<'_, World>| {
                    log.lock()
                        .unwrap()
                        .push(format!("{number} {:?}", change.entity()));
                    let mut kept = kept.lock().unwrap();
                    if change.entity().index() % 3 == 0 {
                        let log = log.clone();
                        let added =
                            group.on_updated(world, move |_: &mut World, _: &Change<'_, World>| {
                                log.lock().unwrap().push(format!("late {number}"));
                            });
                        kept.push(added);
                        kept.push(group.on_left(world, |_: &mut World, _: &Change<'_, World>| {}));
                    } else if let Some(ended) = kept.pop() {
                        world.unsubscribe(ended);
                        drop(world.collector(World::all_of::<(A, Other)>().updated()));
                    }
                },
            );
        }
        match nth {
            0 => world.query_mut::<&mut A>().for_each(|a| a.0 += 1),
            _ => {
                let alive = alive(&ids, |_| true);
                let rows = alive.into_iter();
                rows.for_each(|id| world.entity_mut(id).update_a(|a| a.0 += 1));
            }
        }
        let late_ones = late.lock().unwrap().len();
        log.lock().unwrap().push(format!("{late_ones} are left"));
    }
    let [query, one_by_one] = logs.map(|log| log.lock().unwrap().clone());
    let first = |log: &[String]| -> Vec<_> {
        let notified = log.iter().filter(|line| !line.starts_with("late"));
        notified.cloned().collect()
    };
    assert_eq!(first(&query), first(&one_by_one));
    assert!(
        query.iter().all(|line| !line.starts_with("late")),
        "changes were made before"
    );
}
