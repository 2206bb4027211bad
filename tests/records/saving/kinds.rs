//! Every kind of component is saved, and works after a load.

use super::*;

fn both(game: &Game) -> [Game; 2] {
    [
        from_json(&json(game)).unwrap(),
        from_bytes(&bytes(game)).unwrap(),
    ]
}

#[test]
fn ids_and_free_slots_are_those_of_the_saved_game() {
    let game = || {
        let mut game = world();
        let ids = game.create_many((0..6).map(|_| Frozen));
        for at in [4, 0, 3] {
            game.destroy(ids[at]);
        }
        game
    };
    for mut loaded in both(&game()) {
        go_on_alike(&mut loaded, &mut from_json(&json(&game())).unwrap());
        let mut loaded = from_bytes(&bytes(&game())).unwrap();
        let mut game = game();
        // All but the sprite, which is excluded.
        let sprite = game
            .query::<(Id, &Sprite)>()
            .iter()
            .next()
            .map(|(id, _)| id)
            .unwrap();
        game.entity_mut(sprite).remove_sprite();
        go_on_alike(&mut game, &mut loaded);
    }
}

#[test]
fn the_order_of_rows_is_that_of_the_saved_game() {
    let mut game = Game::new();
    let ids = game.create_many((0..200).map(|n| Position {
        x: n as f32,
        y: 0.0,
    }));
    for &id in ids.iter().step_by(3) {
        game.entity_mut(id).add_frozen();
    }
    game.destroy(ids[5]);
    game.defragment();
    let walk = |game: &Game| -> Vec<Id> {
        game.query::<(Id, &Position)>()
            .iter()
            .map(|(id, _)| id)
            .collect()
    };
    assert!(!walk(&game).is_sorted());
    for mut loaded in both(&game) {
        assert_eq!(walk(&loaded), walk(&game));
        assert_eq!(json(&loaded), json(&game));
        let mut again = from_json(&json(&game)).unwrap();
        go_on_alike(&mut again, &mut loaded);
    }
    let mut loaded = from_bytes(&bytes(&game)).unwrap();
    go_on_alike(&mut game, &mut loaded);
}

#[test]
fn uniques_keys_and_indexes_are_found_after_a_load() {
    let game = world();
    for mut loaded in both(&game) {
        assert_eq!(loaded.score().0, 11);
        assert!(loaded.create_entity().try_add_score(3).is_err());
        let seat = loaded.entity_with_seat(&7).unwrap().id();
        assert_eq!(
            Some(seat),
            game.entity_with_seat(&7).map(|entity| entity.id())
        );
        assert!(loaded.create_entity().try_add_seat(8).is_err());
        let tagged = |game: &Game| -> Vec<Id> {
            game.entities_with_tag("x")
                .map(|entity| entity.id())
                .collect()
        };
        assert_eq!(tagged(&loaded), tagged(&game));
        assert_eq!(tagged(&loaded).len(), 2);
    }
}

#[test]
fn relations_have_their_targets_and_order_again() {
    let mut game = world();
    let root = game.entities().next().unwrap().id();
    let children: Vec<_> = game.entity(root).children().to_vec();
    assert!(!children.is_sorted());
    for mut loaded in both(&game) {
        assert_eq!(loaded.entity(root).children(), children);
        assert!(
            loaded
                .entity_mut(root)
                .try_add_child_of(children[0])
                .is_err()
        );
        loaded.destroy(root);
        assert!(children.iter().all(|&id| !loaded.entity(id).has_child_of()));
    }
    game.destroy(root);
}

#[test]
fn a_kept_relation_may_refer_to_a_dead_entity() {
    let game = world();
    let (id, leader) = game
        .query::<(Id, &Follows)>()
        .iter()
        .map(|(id, follows)| (id, follows.leader))
        .next()
        .unwrap();
    assert!(!game.contains(leader));
    for loaded in both(&game) {
        assert_eq!(loaded.entity(id).follows().leader, leader);
        assert!(!loaded.contains(leader));
    }
}

/// F43: a save edited by hand.
#[test]
fn a_relation_to_an_entity_that_is_still_to_be_created_is_rejected() {
    let mut game = Game::new();
    let leader = game.create_entity().id();
    game.create_with(Follows { leader });
    let saved = json(&game);
    let (leads, beyond) = (r#""leader":"0v1""#, r#""leader":"2v1""#);
    assert!(saved.contains(leads), "{saved}");
    let edited = saved.replace(leads, beyond);
    let rejected = Game::load(&mut serde_json::Deserializer::from_str(&edited)).unwrap_err();
    assert!(rejected.to_string().contains("not alive"), "{rejected}");
}

#[test]
fn pooled_generic_and_required_components_come_back() {
    let mut game = world();
    let id = game.query::<(Id, &Velocity)>().iter().next().unwrap().0;
    game.entity_mut(id).remove_position(); // required components can be removed
    for mut loaded in both(&game) {
        let entity = loaded.entity(id);
        assert!(!entity.has_position() && entity.has_velocity());
        assert_eq!(
            (entity.health_stat().value, entity.mana_stat().value),
            (-5, 6)
        );
        let named = loaded.query::<(Id, &Name)>().iter().next().unwrap().0;
        loaded.entity_mut(named).remove_name();
        let with = loaded
            .entity_mut(named)
            .add_name_with(|name| name.0.push('!'))
            .id();
        assert_eq!(loaded.entity(with).name().0, "!");
    }
}

#[test]
fn groups_and_collectors_follow_a_loaded_game() {
    for mut loaded in both(&world()) {
        let group = loaded.group(Game::all_of::<Frozen>());
        let collector = loaded.collector(Game::all_of::<Frozen>().left());
        assert_eq!(group.len(&loaded), 1);
        let id = group.single(&loaded).unwrap().id();
        loaded.entity_mut(id).remove_frozen();
        assert_eq!((group.len(&loaded), collector.len(&loaded)), (0, 1));
    }
}

#[test]
fn transient_components_are_excluded() {
    let game = world();
    assert!(json(&game).contains("ChildOf") && !json(&game).contains("Sprite"));
    for loaded in both(&game) {
        assert_eq!(loaded.query::<&Sprite>().iter().count(), 0);
    }
}

#[test]
fn an_empty_game_is_saved_and_loaded() {
    for mut loaded in both(&Game::new()) {
        assert!(loaded.is_empty());
        assert_eq!(loaded.create_entity().id().to_string(), "0v1");
    }
}

#[test]
fn components_of_other_crates_take_part() {
    use combat::{DyingExt as _, DyingMutExt as _, HealthExt as _, HealthMutExt as _};

    let mut game = world::Game::new();
    let id = game.create_entity().add_health(3).add_dying().id();
    let text = serde_json::to_string(&game.save()).unwrap();
    let loaded = world::Game::load(&mut serde_json::Deserializer::from_str(&text)).unwrap();
    assert_eq!(loaded.entity(id).health().points, 3);
    assert!(loaded.entity(id).is_dying());
}

#[test]
fn memory_of_few_values_is_that_of_entities_made_by_hand() {
    let mut game = Game::new();
    game.create_many((0..1000).map(|n| Position {
        x: n as f32,
        y: 0.0,
    }));
    for loaded in both(&game) {
        let bytes = |game: &Game| game.storage().memory().total();
        assert!(bytes(&loaded) <= 2 * bytes(&game));
    }
}
