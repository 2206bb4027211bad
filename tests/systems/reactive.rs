//! Reactive systems: filters, order, other contexts, releasing.

use ecs::prelude::*;

use super::world::{Frozen, Game, GameEntity, Health, Input, Key, Log, World, world};
use support::{Notes, panic_of};

#[test]
fn after_entered_an_entity_must_still_match() {
    let (log, mut game) = (Log::default(), Game::new());
    let trigger = Game::all_of::<Health>()
        .none_of::<Frozen>()
        .entered_or_updated();
    let mut systems = Systems::new().for_each_changed(&mut game, trigger, log.ids("sees"));
    let ids = game.create_many((0..4).map(Health));
    game.entity_mut(ids[0]).remove_health();
    game.entity_mut(ids[1]).add_frozen();
    game.entity_mut(ids[2]).add_frozen().remove_frozen();
    game.destroy(ids[3]);
    systems.execute(&mut game);
    log.notified(&["sees 2v1"]);
}

#[test]
fn after_left_an_entity_must_still_not_match() {
    let (log, mut game) = (Log::default(), Game::new());
    let trigger = Game::all_of::<Health>().left();
    let mut systems = Systems::new().for_each_changed(&mut game, trigger, log.ids("sees"));
    let ids = game.create_many((0..3).map(Health));
    game.entity_mut(ids[0]).remove_health();
    game.entity_mut(ids[1]).remove_health().add_health(1);
    game.destroy(ids[2]);
    systems.execute(&mut game);
    log.notified(&["sees 0v1"]);
}

#[test]
fn one_matching_trigger_of_several_is_enough() {
    let (log, mut game) = (Log::default(), Game::new());
    let thawed = Game::all_of::<Frozen>().left();
    let trigger = Game::all_of::<Health>().entered().or(thawed);
    let mut systems = Systems::new().for_each_changed(&mut game, trigger, log.ids("sees"));
    let thawed = game.create_with(Frozen).remove_frozen().id();
    let neither = game
        .create_with(Health(1))
        .add_frozen()
        .remove_health()
        .id();
    let healthy = game.create_with((Health(1), Frozen)).id();
    systems.execute(&mut game);
    let line = |id: EntityId<Game>| format!("sees {id:?}");
    log.notified(&[&line(thawed), &line(healthy)]);
    assert!(game.contains(neither));
}

#[test]
fn entities_are_in_the_order_of_their_first_change() {
    let (log, mut game) = (Log::default(), Game::new());
    let ids = game.create_many((0..3).map(Health));
    let trigger = Game::all_of::<Health>().updated();
    let mut systems = Systems::new().for_each_changed(&mut game, trigger, log.ids("sees"));
    for id in [ids[2], ids[0], ids[2], ids[1]] {
        game.entity_mut(id).replace_health(7);
    }
    systems.execute(&mut game);
    log.notified(&["sees 2v1", "sees 0v1", "sees 1v1"]);
}

#[test]
fn for_each_skips_entities_destroyed_by_earlier_calls() {
    let (log, mut game) = (Log::default(), Game::new());
    let notified = log.clone();
    let trigger = Game::all_of::<Health>().entered();
    let mut systems = Systems::new().for_each_changed(&mut game, trigger, move |game, id| {
        notified.push(format!("{id:?}"));
        let others: Vec<_> = game.entities().map(|entity| entity.id()).collect();
        for other in others.into_iter().filter(|other| *other != id) {
            game.destroy(other);
        }
    });
    game.create_many((0..3).map(Health));
    systems.execute(&mut game);
    log.notified(&["0v1"]);
}

/// The addresses of the lists passed to a system.
type Places = Notes<usize>;

struct WatchPlaces(Places);

impl ReactiveSystem<World> for WatchPlaces {
    type Context = Game;

    fn trigger(&self) -> Trigger<Game> {
        Game::all_of::<Health>().entered_or_updated()
    }

    fn filter(&self, entity: GameEntity<'_>) -> bool {
        !entity.has_frozen()
    }

    fn react(&mut self, world: &mut World, changed: &[EntityId<Game>]) {
        self.0.push(changed.as_ptr().addr());
        for &id in changed {
            world
                .game
                .entity_mut(id)
                .update_health(|health| health.0 += 1);
        }
    }
}

#[test]
fn two_lists_are_swapped_so_none_is_allocated() {
    let (mut world, places) = (world(), Places::default());
    let mut systems = Systems::new().add_reactive(&mut world, WatchPlaces(places.clone()));
    world.game.create_many((0..100).map(Health));
    (0..8).for_each(|_| systems.execute(&mut world));
    let places = places.take();
    assert_eq!(places.len(), 8);
    assert!((2..8).all(|pass| places[pass] == places[pass - 2]));
}

#[test]
fn a_system_reacts_to_one_context_and_changes_another() {
    let mut world = world();
    let mut systems = Systems::new().for_each_changed(
        &mut world,
        Input::all_of::<Key>().entered(),
        |world: &mut World, id: EntityId<Input>| {
            let health = u32::from(world.input.entity(id).key().0);
            world.game.create_with(Health(health));
            world.input.destroy(id);
        },
    );
    world.input.create_with(Key('A'));
    systems.execute(&mut world);
    assert_eq!(
        world.game.query::<&Health>().iter().next(),
        Some(&Health(65))
    );
    assert!(world.input.is_empty());
}

#[test]
fn a_context_that_did_not_make_the_collector_is_rejected() {
    let (log, mut game) = (Log::default(), Game::new());
    let trigger = Game::all_of::<Health>().entered();
    let mut systems = Systems::new().for_each_changed(&mut game, trigger, log.ids("sees"));
    let text = panic_of(|| systems.execute(&mut Game::new()));
    assert!(
        text.contains("this collector belongs to another `Game`"),
        "{text}"
    );
    game.create_with(Health(1));
    systems.execute(&mut game);
    log.notified(&["sees 0v1"]);
}

/// The number of collectors in the debug output of a game.
fn collectors(game: &Game) -> String {
    let text = format!("{game:?}");
    let (_, rest) = text.split_once("collectors: ").unwrap();
    rest.chars().take_while(char::is_ascii_digit).collect()
}

#[test]
fn release_frees_the_collectors_and_systems_no_longer_react() {
    let (log, mut game) = (Log::default(), Game::new());
    let healthy = || Game::all_of::<Health>().entered_or_updated();
    let inner = Systems::with_name("Inner").for_each_changed(&mut game, healthy(), log.ids("sees"));
    let mut systems = Systems::new()
        .add(inner)
        .on_removed(&mut game, |_, _: &[(_, Health)]| panic!("nothing is heard"))
        .for_each_changed(&mut game, healthy(), log.ids("sees"));
    assert_eq!(collectors(&game), "2");
    systems.release(&mut game);
    assert_eq!(collectors(&game), "0");
    game.create_with(Health(1)).remove_health();
    systems.execute(&mut game);
    systems.activate(&mut game);
    systems.deactivate(&mut game);
    systems.clear(&mut game);
    systems.release(&mut game);
    log.notified(&[]);
}

#[test]
fn collectors_of_dropped_systems_are_reused() {
    let (log, mut game) = (Log::default(), Game::new());
    let healthy = || Game::all_of::<Health>().entered();
    let systems = Systems::new()
        .for_each_changed(&mut game, healthy(), log.ids("sees"))
        .for_each_changed(&mut game, healthy(), log.ids("sees"));
    game.create_with(Health(1));
    drop(systems);
    let id = game.create_with(Health(2)).id();
    let collector = game.collector(healthy().or(Game::all_of::<Health>().left()));
    assert_eq!(collectors(&game), "1");
    assert!(collector.is_empty(&game));
    game.entity_mut(id).remove_health();
    assert_eq!(collector.drain(&mut game), [id]);
}

#[test]
fn dropped_systems_are_forgotten_by_shrink_to_fit() {
    let (log, mut game) = (Log::default(), Game::new());
    let healthy = Game::all_of::<Health>().entered();
    drop(Systems::new().for_each_changed(&mut game, healthy, log.ids("sees")));
    assert_eq!(collectors(&game), "1");
    game.storage_mut().shrink_to_fit();
    assert_eq!(collectors(&game), "0");
}
