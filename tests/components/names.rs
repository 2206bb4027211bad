//! Components are ordered by their names, regardless of their modules.

use std::sync::{Arc, Mutex};

use ecs::prelude::*;

/// A separate context, to check the numbers of all its components.
#[ecs::context]
pub(crate) struct Town;

/// By path, the order would be `names::a::Zebra`, `names::b::Yak`, `names::y::Bee`,
/// `names::z::Ant`.
mod a {
    use super::*;

    #[derive(Component)]
    #[component(context = Town, cleanup(remove), event(any(set, removed)))]
    pub(crate) struct Zebra;
}

mod b {
    use super::*;

    #[derive(Component)]
    #[component(context = Town, cleanup(destroy), event(any, set, priority = 1))]
    pub(crate) struct Yak;
}

mod y {
    use super::*;

    #[derive(Component)]
    #[component(context = Town, cleanup(destroy), event(any, set, priority = 1))]
    pub(crate) struct Bee;
}

mod z {
    use super::*;

    #[derive(Component)]
    #[component(context = Town, cleanup(remove), event(any(set, removed)))]
    pub(crate) struct Ant;
}

use self::{a::Zebra, b::Yak, y::Bee, z::Ant};

type Log = Arc<Mutex<Vec<&'static str>>>;

fn note(log: &Log, line: &'static str) -> impl FnMut(TownEntityMut<'_>) + Send + Sync + use<> {
    let log = log.clone();
    move |_| log.lock().unwrap().push(line)
}

#[test]
fn components_are_numbered_by_their_own_names() {
    let game = Town::new();
    let names: Vec<_> = game.components().iter().map(|info| info.name()).collect();
    assert_eq!(names, ["Ant", "Bee", "Yak", "Zebra"]);
}

#[test]
fn events_of_one_priority_are_delivered_in_the_order_of_names() {
    let (mut game, log) = (Town::new(), Log::default());
    game.on_any_zebra_set(note(&log, "Zebra set"));
    game.on_any_zebra_removed(note(&log, "Zebra removed"));
    game.on_any_yak_set(note(&log, "Yak set"));
    game.on_any_bee_set(note(&log, "Bee set"));
    game.on_any_ant_set(note(&log, "Ant set"));
    game.on_any_ant_removed(note(&log, "Ant removed"));
    let id = game.create_with((Zebra, Yak, Bee, Ant)).id();
    game.create_with((Zebra, Ant)).remove_zebra().remove_ant();
    game.events().deliver();
    let expected = [
        "Ant set",
        "Ant removed",
        "Zebra set",
        "Zebra removed",
        "Bee set",
        "Yak set",
    ];
    assert_eq!(log.lock().unwrap().split_off(0), expected);

    game.entity_mut(id).replace_yak().replace_bee();
    EventSystems::new().execute(&mut game);
    assert_eq!(*log.lock().unwrap(), ["Bee set", "Yak set"]);
}

#[test]
fn cleanup_is_ordered_by_names() {
    let mut game = Town::new();
    let mut cleanup = CleanupSystems::new(&mut game);
    let steps = "{Ant: Remove, Bee: Destroy, Yak: Destroy, Zebra: Remove}";
    assert_eq!(format!("{cleanup:?}"), steps);

    let left = Arc::new(Mutex::new(Vec::new()));
    let any = game.group(Town::any_of::<(Ant, Bee, Yak, Zebra)>());
    let notified = left.clone();
    any.on_left(&mut game, move |_, change| {
        notified.lock().unwrap().push(change.entity())
    });
    let zebra = game.create_with(Zebra).id();
    let yak = game.create_with(Yak).id();
    let bee = game.create_with(Bee).id();
    let ant = game.create_with(Ant).id();
    cleanup.run(&mut game);
    assert_eq!(*left.lock().unwrap(), [ant, bee, yak, zebra]);
}
