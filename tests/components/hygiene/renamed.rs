//! F41: a crate that renames the library, with every kind of declaration.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ecs::prelude::*;
use renames::{
    ChildOf, Dead, Follows, FollowsEventExt as _, FollowsExt as _, FollowsIndexExt as _,
    FollowsMutExt as _, Game, Guest, Mode, Player, Purse, ScoreContextExt as _, Ticket, World,
};

#[test]
fn relations_and_indexes_work_under_another_name_of_the_library() {
    let mut game = Game::new();
    let parent = game.create_with(Dead).id();
    let child = game.create_with(ChildOf { parent }).id();
    game.entity_mut(child)
        .add_follows(3, parent)
        .add_ticket(7, vec![1], 2);
    assert_eq!(game.entity(parent).children(), [child]);
    assert_eq!(game.entities_with_follows(&3).ids(), [child]);
    assert_eq!(game.entity(child).follows().leader, parent);
    assert_eq!(game.entities_with_ticket_tags(&1).ids(), [child]);
    assert_eq!(game.entities_with_ticket_row(&2).ids(), [child]);
    assert!(game.entity_with_ticket_number(&7).is_some());

    game.entity_mut(child).add_hit("hard");
    CleanupSystems::new(&mut game).run(&mut game);
    assert!(game.is_empty(), "the child ends with its parent");
}

#[test]
fn states_uniques_and_instances_work_under_another_name_of_the_library() {
    let mut world = World::default();
    world.game.set_mode(Mode::Menu);
    world.game.set_mode(Mode::Playing);
    world.game.set_score(3);
    assert_eq!(
        (world.game.mode(), world.game.score().0),
        (&Mode::Playing, 3)
    );
    let mut entity = world.game.create_with(Player);
    entity.add_path_stat(1, None).add_frozen_stat(2, None);
    assert_eq!(entity.path_stat().value + entity.frozen_stat().value, 3);
    assert!(entity.is_frozen() && entity.path().0 == [1]);
    let guest = Guest {
        ticket: Ticket {
            number: 1,
            tags: vec![],
            row: 1,
        },
        player: None,
    };
    assert!(!world.game.create_with(guest).is_player());
    assert!(world.time == 0.0 && world.input.is_empty());
}

#[test]
fn events_are_delivered_under_another_name_of_the_library() {
    let (mut game, heard) = (Game::new(), Arc::new(AtomicUsize::new(0)));
    let note = || {
        let heard = heard.clone();
        move |_: renames::GameEntityMut<'_>| _ = heard.fetch_add(1, Ordering::Relaxed)
    };
    game.on_any_follows_set(note());
    game.on_any_frozen_set(note());
    let leader = game.create_entity().id();
    let mut entity = game.create_entity();
    entity.on_frozen_removed(note());
    entity.set_frozen(true).add_follows(1, leader);
    assert_eq!(game.events().deliver(), 2);
    let id = game.group(Game::all_of::<Follows>()).ids(&game)[0];
    game.entity_mut(id).set_frozen(false);
    assert_eq!(game.events().deliver(), 1);
    assert_eq!(heard.load(Ordering::Relaxed), 3);
}

#[test]
fn older_versions_and_transient_components_work_under_another_name_of_the_library() {
    let text = r#"{"format":1,"context":"Game","entities":{"0v1":{"Wallet@1":250}}}"#;
    let mut game = Game::load(&mut serde_json::Deserializer::from_str(text)).unwrap();
    let id = game.entities().next().unwrap().id();
    game.entity_mut(id).add_cache(1);
    let purse: &Purse = game.entity(id).purse();
    assert_eq!((purse.gold, purse.copper), (2, 50));
    let saved = serde_json::to_string(&game.save()).unwrap();
    assert!(
        saved.contains("Purse@2") && !saved.contains("Cache"),
        "{saved}"
    );
}
