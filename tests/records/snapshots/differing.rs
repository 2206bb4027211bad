//! Collectors of triggers with rewinds collect exactly the entities that differ by a restore.

use std::hash::{Hash, Hasher};

use ecs::Snapshot;
use ecs::prelude::*;

use super::{Frozen, Game, GameEntity, GameEntityMut, Health, Large, Team};

type Id = EntityId<Game>;

/// A type that the library does not know.
#[derive(Clone, Debug, PartialEq)]
struct Sound;

/// A value that cannot be compared.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game, extension)]
struct Playing(Sound, u8);

/// A key with a cached value, which counts neither for `==` nor for `Hash`.
#[derive(Clone, Debug)]
struct Key(u32, u32);

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game, extension)]
struct Cached(Key);

fn follow(game: &mut Game, trigger: Trigger<Game>) -> Collector<Game> {
    game.collector(trigger.with_rewinds())
}

/// Entities that enter by a restore, leave, get another value, are destroyed, are revived, and stay
/// the same.
struct Changed {
    ids: [Id; 6],
    snapshot: Snapshot<Game>,
}

impl Changed {
    fn new(game: &mut Game) -> Self {
        let entering = game.create_with(Health(1)).id();
        let leaving = game.create_entity().id();
        let updated = game.create_with(Health(3)).id();
        let returning = game.create_with(Health(4)).id();
        let same = game.create_with((Health(5), Team("red"))).id();
        let snapshot = game.snapshot();
        game.entity_mut(entering).remove_health();
        game.entity_mut(leaving).add_health(2);
        game.entity_mut(updated).replace_health(30);
        game.entity_mut(same).replace_health(6).replace_health(5);
        game.entity_mut(same).replace_team("blue");
        game.destroy(returning);
        game.create_entity(); // takes the slot
        let ending = game.create_with(Health(7)).id();
        let ids = [entering, leaving, updated, ending, returning, same];
        Self { ids, snapshot }
    }
}

#[test]
fn each_trigger_is_fired_by_the_entities_that_differ() {
    let mut game = Game::new();
    let of_health = Game::all_of::<Health>;
    let triggers = [
        of_health().entered(),
        of_health().left(),
        of_health().updated(),
        of_health().any_change(),
        Game::none_of::<Health>().entered(),
    ];
    let subscribers = triggers.map(|trigger| follow(&mut game, trigger));
    let plain = game.collector(of_health().any_change());
    let paused = follow(&mut game, of_health().any_change());
    paused.deactivate(&mut game);
    let changed = Changed::new(&mut game);
    for collector in subscribers.iter().chain([&plain]) {
        collector.clear(&mut game);
    }
    game.restore(&changed.snapshot);
    let [entering, leaving, updated, ending, returning, _] = changed.ids;
    let mut expected = [
        vec![entering, returning],
        vec![ending, leaving],
        vec![updated],
        vec![ending, entering, leaving, updated, returning],
        vec![leaving],
    ]
    .into_iter();
    for collector in &subscribers {
        assert_eq!(collector.ids(&game), expected.next().unwrap());
    }
    assert!(paused.is_empty(&game));
    game.storage().check_invariants();

    subscribers.iter().for_each(|it| it.clear(&mut game));
    game.restore(&changed.snapshot);
    for collector in &subscribers {
        assert!(collector.is_empty(&game), "no entity differs");
    }
}

#[test]
fn entities_collected_before_a_restore_are_collected_once() {
    let mut game = Game::new();
    let all = follow(&mut game, Game::all_of::<Health>().any_change());
    let changed = Changed::new(&mut game);
    let before = all.ids(&game).to_vec();
    game.restore(&changed.snapshot);
    assert_eq!(all.drain(&mut game), before); // all were changed before
    let [entering, _, _, ending, ..] = changed.ids;
    game.entity_mut(entering).replace_health(8);
    assert_eq!(game.create_entity().id(), ending);
    game.entity_mut(ending).add_health(1);
    assert_eq!(all.drain(&mut game), [entering, ending]);
}

#[test]
fn swapping_one_of_several_components_is_an_update() {
    let mut game = Game::new();
    let either = Game::any_of::<(Frozen, Large)>();
    let updated = follow(&mut game, either.updated());
    let id = game.create_with(Frozen).id();
    let snapshot = game.snapshot();
    game.entity_mut(id).remove_frozen().add_large([0; 8]);
    game.restore(&snapshot);
    assert_eq!(updated.drain(&mut game), [id]);
}

#[test]
fn values_of_unknown_types_count_as_changed_and_flags_do_not() {
    let mut game = Game::new();
    let playing = follow(&mut game, Game::all_of::<Playing>().updated());
    let frozen = follow(&mut game, Game::all_of::<Frozen>().updated());
    let id = game.create_with((Playing(Sound, 1), Frozen)).id();
    let snapshot = game.snapshot();
    game.restore(&snapshot);
    assert_eq!(playing.drain(&mut game), [id]);
    assert!(frozen.is_empty(&game));
}

#[test]
fn excluded_components_of_surviving_entities_do_not_differ() {
    let mut game = Game::new();
    let teams = follow(&mut game, Game::all_of::<Team>().any_change());
    let [stays, back] = ["red", "red"].map(|team| game.create_with(Team(team)).id());
    let snapshot = Snapshot::builder().without::<Team>().snapshot(&mut game);
    game.entity_mut(stays).replace_team("blue");
    game.destroy(back);
    let gone = game.create_with(Team("green")).id();
    teams.clear(&mut game);
    game.restore(&snapshot);
    assert!(game.contains(back) && !game.entity(back).has_team());
    assert_eq!(teams.drain(&mut game), [gone]);
}

/// F42.
#[test]
fn entities_of_another_context_are_compared_by_their_ids() {
    let mut other = Game::new();
    other.create_many([Health(1), Health(2), Health(3)]);
    let mut game = Game::new();
    let health = follow(&mut game, Game::all_of::<Health>().any_change());
    let feed = game.feed::<Health>();
    let ids = game.create_many([Health(1), Health(20), Health(3), Health(4)]);
    drop(feed.take(&mut game));
    game.entity_mut(ids[2]).replace_health(3);
    game.restore(&other.snapshot());
    let held = health.drain(&mut game);
    let all = [ids[0], ids[1], ids[2], ids[3]]; // the first ones were not read yet
    assert_eq!(held, all);
    assert!(game.contains(held[2]) && !game.contains(held[3]));
    game.restore(&other.snapshot());
    assert!(health.is_empty(&game));
    game.entity_mut(held[0]).replace_health(10);
    health.clear(&mut game);
    game.restore(&other.snapshot());
    assert_eq!(health.drain(&mut game), [held[0]]);
    let notified = feed.take(&mut game);
    assert!(notified.is_everything() && notified.set::<Health>().count() == 3);
    game.storage().check_invariants();
}

#[test]
fn values_that_differ_in_what_their_hash_leaves_out_have_changed() {
    let mut game = Game::new();
    let cached = follow(&mut game, Game::all_of::<Cached>().any_change());
    let [first, second] = [Key(1, 2), Key(1, 3)];
    let id = game.create_with(Cached(first)).id();
    let snapshot = game.snapshot();
    game.entity_mut(id).replace_cached(second);
    cached.clear(&mut game);
    game.restore(&snapshot);
    assert_eq!(game.entity(id).cached().0.1, 2);
    assert_eq!(cached.drain(&mut game), [id]);
}

#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game, extension)]
struct Waits(#[component(relation(ordered))] Id);

/// As after a rewind.
#[test]
fn a_source_that_moves_by_a_restore_is_collected() {
    let mut game = Game::new();
    let queue = game.create_entity().id();
    let ids = game.create_many((0..4).map(|_| Waits(queue)));
    let snapshot = game.snapshot();
    let all = follow(&mut game, Game::all_of::<Waits>().any_change());
    let entered = follow(&mut game, Game::all_of::<Waits>().entered());
    game.sources_mut::<Waits>(queue).move_before(ids[3], ids[1]);
    all.clear(&mut game);
    game.restore(&snapshot);
    assert_eq!(all.drain(&mut game), [ids[3]]);
    game.restore(&snapshot);
    assert!(all.drain(&mut game).is_empty() && entered.drain(&mut game).is_empty());

    // Destroyed sources do not move the others.
    game.sources_mut::<Waits>(queue).move_before(ids[3], ids[0]);
    game.destroy(ids[1]);
    all.clear(&mut game);
    game.restore(&snapshot);
    let mut collected = all.drain(&mut game);
    collected.sort_unstable();
    assert_eq!(collected, [ids[1], ids[3]]);
}
