//! Loading into a running game: all or nothing, with the same ids, and all handles stay valid.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::*;
use support::{Notes, panic_of};

/// Has a component that cannot be cloned.
#[ecs::context]
struct Shop;

#[derive(Component, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Shop)]
struct Price(u32);

fn reload(game: &mut Game, text: &str) -> Result<(), String> {
    let reloaded = game.reload(&mut serde_json::Deserializer::from_str(text));
    reloaded.map_err(|error| error.to_string())
}

fn load(text: &str) -> Game {
    Game::load(&mut serde_json::Deserializer::from_str(text)).unwrap()
}

#[test]
fn a_reloaded_game_is_the_loaded_one() {
    let text = json(&world());
    let mut loaded = load(&text);
    let mut game = Game::new();
    game.create_many((0..100).map(|at| Seat { number: at }));
    assert_eq!(reload(&mut game, &text), Ok(()));
    assert_eq!(picture(&game), picture(&loaded));
    assert_eq!(json(&game), json(&loaded));
    game.storage().check_invariants();
    assert_eq!(game.create_entity().id(), loaded.create_entity().id());
    assert_eq!(reload(&mut game, &text), Ok(()), "again");
    assert_eq!(json(&game), text);
}

#[test]
fn ids_kept_outside_stay_valid() {
    let mut game = Game::new();
    let [hero, other] = [1.0, 2.0].map(|x| game.create_with(Position { x, y: 0.0 }).id());
    let text = json(&game);
    game.destroy(other);
    game.entity_mut(hero).replace_position(9.0, 9.0);
    reload(&mut game, &text).unwrap();
    assert_eq!(game.entity(hero).position().x, 1.0);
    assert_eq!(game.entity(other).position().x, 2.0);
}

#[test]
fn a_broken_save_changes_nothing() {
    let mut game = world();
    let changed = game.collector(Game::all_of::<Position>().any_change().with_rewinds());
    let (before, text) = (json(&game), json(&world()));
    for end in [0, 1, text.len() / 2, text.len() - 1] {
        assert!(reload(&mut game, &text[..end]).is_err());
    }
    let unknown = text.replace("Position", "Place");
    let error = reload(&mut game, &unknown).unwrap_err();
    assert!(
        error.contains("no component that could be loaded as `Place`"),
        "{error}"
    );
    assert_eq!(json(&game), before);
    assert!(changed.is_empty(&game));
    game.storage().check_invariants();
}

#[test]
fn handles_and_systems_continue_with_differing_entities() {
    let mut game = Game::new();
    let ids = game.create_many((0..3).map(|at| {
        (
            Position {
                x: at as f32,
                y: 0.0,
            },
            Tag(format!("{at}")),
        )
    }));
    let text = json(&game);
    let tagged = game.group(Game::all_of::<Tag>());
    let drawn = Notes::default();
    let notes = drawn.clone();
    let trigger = Game::all_of::<Position>()
        .entered_or_updated()
        .with_rewinds();
    let mut systems =
        Systems::new().for_each_changed(&mut game, trigger, move |_: &mut Game, id| {
            notes.push(id);
        });
    systems.execute(&mut game);
    game.entity_mut(ids[0])
        .replace_position(7.0, 7.0)
        .remove_tag();
    game.destroy(ids[2]);
    systems.execute(&mut game);
    drawn.take();
    let written = game.collector(Game::all_of::<Position>().updated());
    game.entity_mut(ids[1]).replace_position(1.0, 0.0); // kept by collectors with rewinds only
    reload(&mut game, &text).unwrap();
    assert!(written.is_empty(&game));
    systems.execute(&mut game);
    assert_eq!(drawn.take(), [ids[1], ids[0], ids[2]]);
    assert_eq!(tagged.ids(&game), ids);
    assert_eq!(game.entities_with_tag("0").ids(), [ids[0]]);
}

#[test]
fn components_need_not_be_clone() {
    let mut shop = Shop::new();
    let id = shop.create_with(Price(3)).id();
    let text = serde_json::to_string(&shop.save()).unwrap();
    let seen = shop.collector(Shop::all_of::<Price>().any_change().with_rewinds());
    shop.entity_mut(id).replace_price(4);
    shop.reload(&mut serde_json::Deserializer::from_str(&text))
        .unwrap();
    assert_eq!(shop.entity(id).price(), &Price(3));
    assert_eq!(seen.drain(&mut shop), [id]);
    shop.storage().check_invariants();
}

#[test]
fn a_context_that_is_recorded_or_notifies_rejects() {
    let mut shop = Shop::new();
    shop.create_with(Price(3));
    let text = serde_json::to_string(&shop.save()).unwrap();
    let error_of = |shop: &mut Shop, text: &str| {
        let reloaded = shop.reload(&mut serde_json::Deserializer::from_str(text));
        reloaded.err().map(|error| error.to_string())
    };
    let history = ecs::History::builder().without::<Price>();
    let history = history.record(&mut shop);
    let error = error_of(&mut shop, &text).expect("it is recorded");
    assert!(
        error.contains("cannot restore or reload context `Shop` while it is recorded"),
        "{error}"
    );
    drop(history);
    let inside = text.clone();
    shop.observers().on_created(move |shop, _| {
        let error = error_of(shop, &inside).expect("it notifies");
        assert!(error.contains("observers are being notified"), "{error}");
    });
    shop.create_entity();
    assert_eq!(shop.len(), 2);
    shop.observers().clear();
    assert_eq!(error_of(&mut shop, &text), None);
    assert_eq!(shop.len(), 1);
}

#[test]
fn a_key_function_that_panics_leaves_the_loaded_game() {
    let mut game = Game::new();
    let text = json(&world());
    let fails = Arc::new(AtomicBool::new(true));
    let failing = fails.clone();
    let tags = game.entity_index(Game::all_of::<Tag>(), move |entity| {
        assert!(!failing.swap(false, Relaxed), "on purpose");
        entity.tag().0.clone()
    });
    assert!(panic_of(|| drop(reload(&mut game, &text))).contains("on purpose"));
    assert_eq!(json(&game), text);
    let tagged = game
        .query::<(Id, &Tag)>()
        .iter()
        .map(|(id, tag)| (id, tag.0.clone()));
    for (id, tag) in tagged.collect::<Vec<_>>() {
        assert!(tags.get(&game, &tag).ids().contains(&id));
    }
    game.storage().check_invariants();
}
