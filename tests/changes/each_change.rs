//! Observers of every change, of a context or of one entity.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

use ecs::prelude::*;
use ecs::{ChangeKind, EntityChange};
use support::numbers::{A, B, Flag, Id, World};

type Log = Arc<Mutex<Vec<String>>>;

fn line(change: &EntityChange<'_, World>) -> String {
    let component = change.component_name().unwrap_or("-");
    let before = change
        .previous::<A>()
        .map_or(String::new(), |a| format!(" {}", a.0));
    format!("{:?} {component}{before}", change.kind())
}

fn note(log: &Log) -> impl FnMut(&mut World, &EntityChange<'_, World>) + Send + Sync + 'static {
    let log = log.clone();
    move |_, change| log.lock().unwrap().push(line(change))
}

fn taken(log: &Log) -> Vec<String> {
    std::mem::take(&mut *log.lock().unwrap())
}

fn create(world: &mut World, a: u32) -> Id {
    world.create_entity().add_a(a).id()
}

#[test]
fn each_form_of_a_change_is_notified_with_the_previous_value() {
    let (mut world, log) = (World::new(), Log::default());
    world.observers().on_change(note(&log));
    let id = create(&mut world, 1);
    assert_eq!(taken(&log), ["Created -", "Added A"]);
    world.entity_mut(id).insert((A(2), B(1), Flag));
    assert_eq!(taken(&log), ["Added B", "Added Flag", "Replaced A 1"]);
    world.query_mut::<&mut A>().for_each(|a| a.0 += 1);
    world.many(&[id]).update(|_, a: &mut A| a.0 += 1);
    world.view_mut::<A>(|values| _ = values.replace(id, A(5)));
    assert_eq!(
        taken(&log),
        ["Replaced A 2", "Replaced A 3", "Replaced A 4"]
    );
    assert_eq!(world.entity_mut(id).take_a(), Some(A(5)));
    world.entity_mut(id).remove_flag();
    assert_eq!(taken(&log), ["Removed A 5", "Removed Flag"]);
    let many = world.create_many([A(1), A(2)]);
    world.many(&many).remove::<A>();
    assert_eq!(
        taken(&log),
        [
            "Added A",
            "Created -",
            "Added A",
            "Created -",
            "Removed A 1",
            "Removed A 2"
        ]
    );
    world.many(&many).destroy();
    world.destroy(id);
    assert_eq!(
        taken(&log),
        ["Destroyed -", "Destroyed -", "Removed B", "Destroyed -"]
    );
}

#[test]
fn it_is_notified_after_the_groups_and_before_their_changes() {
    let (mut world, log) = (World::new(), Log::default());
    world.observers().on_change(note(&log));
    let group = world.group(World::all_of::<A>());
    let entered = log.clone();
    group.on_entered(&mut world, move |world, change| {
        entered.lock().unwrap().push("entered".to_owned());
        world.entity_mut(change.entity()).add_b(0);
    });
    let id = world.create_entity().id();
    taken(&log);
    world.entity_mut(id).add_a(1);
    assert_eq!(taken(&log), ["entered", "Added A", "Added B"]);
}

#[test]
fn new_observers_are_notified_of_later_changes_only() {
    let (mut world, log) = (World::new(), Log::default());
    let group = world.group(World::all_of::<A>());
    world.observers().on_change(|_, _| ());
    let for_all = log.clone();
    group.on_entered(&mut world, move |world, change| {
        world.observers().on_change(note(&for_all));
        world.entity_mut(change.entity()).on_change(note(&for_all));
    });
    let own = log.clone();
    world.observers().on_change(move |world, change| {
        if change.kind() == ChangeKind::Replaced {
            world.entity_mut(change.entity()).on_change(note(&own));
        }
    });
    let id = create(&mut world, 1);
    assert_eq!(taken(&log), [""; 0]);
    world.entity_mut(id).replace_a(2);
    assert_eq!(taken(&log), ["Replaced A 1"; 2]);
    world.entity_mut(id).remove_a();
    assert_eq!(taken(&log), ["Removed A 2"; 3]);
}

#[test]
fn unsubscribed_observers_are_removed_and_cost_nothing() {
    let (mut world, log) = (World::new(), Log::default());
    let id = create(&mut world, 1);
    let before = format!("{world:?}");
    let all = world.observers().on_change(note(&log));
    let own = world.entity_mut(id).on_change(note(&log));
    world.entity_mut(id).replace_a(2);
    assert_eq!(taken(&log).len(), 2);
    assert!(world.unsubscribe(all) && !world.unsubscribe(all));
    world.entity_mut(id).replace_a(3);
    assert_eq!(taken(&log).len(), 1);
    assert!(world.unsubscribe(own));
    world.entity_mut(id).replace_a(4);
    assert_eq!(taken(&log).len(), 0);
    assert_eq!(format!("{world:?}"), before, "no group is to be seen");
    assert!(Group::all(&world).is_empty());
    world.storage().check_invariants();
    world.observers().on_change(note(&log));
    world.events().clear_listeners(); // listeners are separate
    world.entity_mut(id).replace_a(5);
    assert_eq!(taken(&log).len(), 1);
    world.entity_mut(id).on_change(note(&log));
    world.observers().clear();
    world.entity_mut(id).replace_a(6);
    assert_eq!(taken(&log).len(), 0);
}

#[test]
fn an_observer_of_one_entity_ends_with_it() {
    let (mut world, log) = (World::new(), Log::default());
    let (id, other) = (create(&mut world, 1), create(&mut world, 2));
    let owned = Arc::new(());
    let (held, lines) = (owned.clone(), log.clone());
    let subscription = world.entity_mut(id).on_change(move |_, change| {
        let _held = &held;
        lines.lock().unwrap().push(line(change));
    });
    world.entity_mut(other).replace_a(3);
    world.destroy(other);
    assert_eq!(taken(&log).len(), 0);
    world.destroy(id);
    assert_eq!(taken(&log), ["Removed A 1", "Destroyed -"]);
    assert_eq!(Arc::strong_count(&owned), 1, "it has been dropped");
    assert!(!world.unsubscribe(subscription));
    world.storage().check_invariants();
}

#[test]
fn an_observer_of_an_undone_entity_is_not_that_of_another_one() {
    let (mut world, log) = (World::new(), Log::default());
    let history = world.record();
    let start = history.mark(&mut world);
    let id = create(&mut world, 1);
    world.entity_mut(id).on_change(note(&log));
    history.rewind(&mut world, start);
    let again = create(&mut world, 2);
    assert_eq!(again, id);
    world.entity_mut(again).replace_a(3);
    assert_eq!(taken(&log), [""; 0]);
    world.storage().check_invariants();
}

#[test]
fn an_observer_that_panics_is_notified_again() {
    let (mut world, log) = (World::new(), Log::default());
    let lines = log.clone();
    world.observers().on_change(move |_, change| {
        lines.lock().unwrap().push(line(change));
        assert!(change.kind() != ChangeKind::Replaced, "replaced");
    });
    let id = create(&mut world, 1);
    let replaced = catch_unwind(AssertUnwindSafe(|| _ = world.entity_mut(id).replace_a(2)));
    assert!(replaced.is_err());
    world.entity_mut(id).remove_a();
    assert_eq!(
        taken(&log),
        ["Created -", "Added A", "Replaced A 1", "Removed A 2"]
    );
    world.storage().check_invariants();
}

#[test]
#[should_panic(expected = "is not alive")]
fn a_dead_entity_cannot_be_observed() {
    let mut world = World::new();
    let mut entity = world.create_entity();
    entity.on_change(|_, _| ());
    let id = entity.id();
    entity.destroy();
    world.entity_mut(id).on_change(|_, _| ());
}

#[test]
fn an_endless_chain_is_stopped_and_names_its_cause() {
    let mut world = World::new();
    world.observers().set_notification_limit(10);
    world.observers().on_change(|world, change| {
        if change.is::<A>() {
            world.entity_mut(change.entity()).update_a(|a| a.0 += 1);
        }
    });
    let panic = support::panic_of(|| _ = world.create_entity().add_a(1));
    assert!(
        panic.contains("an update in the group of any component"),
        "{panic}"
    );
}

#[test]
fn an_observer_is_notified_of_a_destroy_after_a_delivery() {
    let (mut world, log) = (World::new(), Log::default());
    let id = create(&mut world, 1);
    let group = world.group(World::all_of::<A>());
    group.on_left(&mut world, |world, _| _ = world.events().deliver());
    world.entity_mut(id).on_change(note(&log));
    world.destroy(id);
    assert_eq!(taken(&log), ["Removed A 1", "Destroyed -"]);
    world.storage().check_invariants();
}

#[test]
fn an_observer_ends_when_its_guard_is_dropped() {
    let (mut world, log) = (World::new(), Log::default());
    let id = create(&mut world, 1);
    let owned = Arc::new(());
    let (held, lines) = (owned.clone(), log.clone());
    let subscription = world.observers().on_change(move |_, change| {
        let _held = &held;
        lines.lock().unwrap().push(line(change));
    });
    let guard = world.unsubscribe_on_drop(subscription);
    world.entity_mut(id).replace_a(2);
    assert_eq!(taken(&log), ["Replaced A 1"]);
    drop(guard);
    world.entity_mut(id).replace_a(3);
    assert_eq!(taken(&log), [""; 0]);
    drop(world.collector(World::all_of::<A>().updated())); // so the context looks for dropped handles
    assert_eq!(Arc::strong_count(&owned), 1);
    assert!(!world.unsubscribe(subscription));
    world.storage().check_invariants();
}

#[test]
fn a_guard_of_an_unsubscribed_observer_does_nothing() {
    let mut world = World::new();
    let subscription = world.observers().on_created(|_, _| ());
    let guard = world.unsubscribe_on_drop(subscription);
    assert!(world.unsubscribe(subscription));
    world.observers().on_created(|_, _| ());
    drop(guard);
    let panic = support::panic_of(|| drop(world.unsubscribe_on_drop(subscription)));
    assert!(panic.contains("of context `World` has ended"), "{panic}");
    world.storage().check_invariants();
}

#[test]
fn an_observer_of_one_entity_is_notified_of_its_end_despite_a_reset_in_between() {
    let (mut world, log) = (World::new(), Log::default());
    let ids = [create(&mut world, 1), create(&mut world, 2)];
    world.entity_mut(ids[0]).on_change(note(&log));
    let mut resets = 1;
    world.observers().on_destroyed(move |world, _| {
        if resets > 0 {
            resets -= 1;
            world.reset();
        }
    });
    world.many(&[ids[1], ids[0]]).destroy();
    assert_eq!(taken(&log), ["Removed A 1", "Destroyed -"]);
    assert_eq!(world.events().listeners(), 0);
}

#[test]
fn observers_of_each_change_are_no_listeners_to_events() {
    let mut world = World::new();
    world.observers().on_change(|_, _| ());
    let id = create(&mut world, 1);
    world.entity_mut(id).on_change(|_, _| ());
    assert_eq!(world.events().listeners(), 0);
}

#[test]
fn observers_added_while_a_query_is_reported_are_notified_of_later_changes_only() {
    let (mut world, log) = (World::new(), Log::default());
    create(&mut world, 1);
    let other = create(&mut world, 2);
    world.entity_mut(other).add_b(1); // another signature
    let added = log.clone();
    world.observers().on_change(move |world, _| {
        world.observers().on_change(note(&added));
    });
    world.query_mut::<&mut A>().for_each(|a| a.0 += 1);
    assert_eq!(taken(&log), [""; 0]);
}
