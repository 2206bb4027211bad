//! Disabled entities: what skips them, and what does not.

mod programs;

use std::sync::{Arc, Mutex};

use ecs::prelude::*;
use ecs::{CloneOptions, EntityIndex, ErrorKind, Expire, Mirror};
use serde::{Deserialize, Serialize};

/// Has entities that can be disabled, which changes the groups of all its components.
#[ecs::context]
struct Game;

type Id = EntityId<Game>;

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize, Hash)]
#[component(context = Game, disables)]
struct Disabled;

/// Another way to be disabled, with a value.
#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize, Hash)]
#[component(context = Game, disables)]
struct Asleep(u32);

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize, Hash)]
#[component(context = Game, event(any(set, removed)))]
struct Health(u32);

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize, Hash)]
#[component(context = Game)]
struct Position(i32);

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize, Hash)]
#[component(context = Game)]
struct Seat(#[component(primary_index)] u32);

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize, Hash)]
#[component(context = Game)]
struct Team(#[component(index)] u32);

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize, Hash)]
#[component(context = Game, unique)]
struct Score(u32);

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize, Hash)]
#[component(context = Game)]
struct ChildOf(
    #[component(relation(reverse = children, on_target_destroyed = destroy, acyclic))] Id,
);

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize, Hash)]
#[component(context = Game, cleanup(remove))]
struct Hit;

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize, Hash)]
#[component(context = Game, cleanup(destroy))]
struct Done;

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize, Hash)]
#[component(context = Game, requires(Disabled))]
struct Planned;

type Notes = Arc<Mutex<Vec<String>>>;

/// Logs the events of a matcher's group.
fn noting(game: &mut Game, name: &'static str, matcher: Matcher<Game>) -> Notes {
    let notes = Notes::default();
    let group = game.group(matcher);
    let note = |event: &'static str| {
        let notes = notes.clone();
        move |_: &mut Game, change: &ecs::Change<'_, Game>| {
            let id = change.entity();
            notes.lock().unwrap().push(format!("{name} {event} {id}"));
        }
    };
    let (entered, updated, left) = (note("entered"), note("updated"), note("left"));
    group.on_entered(game, entered);
    group.on_updated(game, updated);
    group.on_left(game, left);
    notes
}

fn taken(notes: &Notes) -> Vec<String> {
    std::mem::take(&mut notes.lock().unwrap())
}

fn ids(game: &mut Game, matcher: Matcher<Game>) -> Vec<Id> {
    let walked: Vec<_> = matcher.ids(game).collect();
    let group = game.group(matcher);
    let members: Vec<_> = group.iter(game).map(|entity| entity.id()).collect();
    assert_eq!((group.len(game), &members), (walked.len(), &walked));
    members
}

#[test]
fn a_disabled_entity_leaves_groups_and_enters_them_again() {
    let mut game = Game::new();
    let notes = noting(&mut game, "health", Game::all_of::<Health>());
    let id = game.create_with((Health(3), Position(1))).id();
    assert_eq!(taken(&notes), ["health entered 0v1"]);
    game.entity_mut(id).add_disabled();
    assert_eq!(taken(&notes), ["health left 0v1"]);
    game.entity_mut(id).replace_health(4).remove_position();
    game.entity_mut(id).update_health(|health| health.0 += 1);
    game.query_mut::<&mut Health>()
        .with_disabled()
        .for_each(|health| health.0 += 1);
    assert!(taken(&notes).is_empty());
    game.entity_mut(id).set_disabled(false);
    assert_eq!(taken(&notes), ["health entered 0v1"]);
    assert_eq!(game.entity(id).health().0, 6);
    game.storage().check_invariants();
}

#[test]
fn an_entity_disabled_from_the_start_enters_no_group() {
    let mut game = Game::new();
    let notes = noting(&mut game, "health", Game::all_of::<Health>());
    let collector = game.collector(Game::all_of::<Health>().any_change());
    let ids = game.create_many([(Health(1), Disabled), (Health(2), Disabled)]);
    game.destroy(ids[0]);
    assert!(taken(&notes).is_empty() && collector.is_empty(&game));
    game.many(&ids[1..]).remove::<Disabled>();
    assert_eq!(collector.drain(&mut game), ids[1..]);
    let planned = game.create_with((Planned, Health(3))).id(); // `Planned` requires it
    assert!(game.entity(planned).is_disabled());
    assert!(collector.is_empty(&game));
}

#[test]
fn a_matcher_that_names_the_disabling_component_overrides_the_default() {
    let mut game = Game::new();
    let plain = game.create_with(Health(1)).id();
    let disabled = game.create_with((Health(2), Disabled)).id();
    let asleep = game.create_with((Health(3), Asleep(1))).id();
    let both = game.create_with((Health(4), Disabled, Asleep(2))).id();
    let health = Game::all_of::<Health>;
    assert_eq!(ids(&mut game, health()), [plain]);
    assert_eq!(ids(&mut game, Matcher::default()), [plain]);
    assert_eq!(
        ids(&mut game, health().with_disabled()),
        [plain, disabled, asleep, both]
    );
    assert_eq!(ids(&mut game, Game::all_of::<Disabled>()), [disabled]);
    assert_eq!(ids(&mut game, health().all_of::<Asleep>()), [asleep]);
    assert_eq!(ids(&mut game, Game::all_of::<(Asleep, Disabled)>()), [both]);
    assert_eq!(
        ids(&mut game, Game::any_of::<(Asleep, Disabled)>()),
        [disabled, asleep, both]
    );
    assert_eq!(
        ids(&mut game, Game::any_of::<(Position, Disabled)>()),
        [disabled]
    );
    assert_eq!(ids(&mut game, health().none_of::<Disabled>()), [plain]);
    assert_eq!(
        ids(&mut game, health().with_disabled().none_of::<Disabled>()),
        [plain, asleep]
    );
    let group = game.group(health());
    assert_eq!(
        format!("{:?}", group.matcher(&game)),
        "AllOf(Health).NoneOf(Asleep, Disabled)"
    );
    let again = group.matcher(&game).clone();
    assert_eq!(game.group(again), group);
    assert_eq!(
        format!("{:?}", health().with_disabled()),
        "AllOf(Health).with_disabled()"
    );
    let all = game.group(health().with_disabled());
    let again = all.matcher(&game).clone();
    assert_eq!(game.group(again), all);
    assert_ne!(group, all);

    let components = |id| game.entity(id).component_indices().into_iter().collect();
    assert!(health().matches(&components(plain)) && !health().matches(&components(asleep)));
    assert!(health().with_disabled().matches(&components(both)));
    assert!(Game::all_of::<Disabled>().matches(&components(disabled)));
    assert!(!Game::all_of::<Disabled>().matches(&components(both)));
}

#[test]
fn queries_skip_disabled_entities() {
    let mut game = Game::new();
    let all: Vec<_> = (0..200).map(|n| game.create_with(Health(n)).id()).collect();
    let numbers =
        |game: &Game| -> Vec<u32> { game.query::<&Health>().iter().map(|it| it.0).collect() };
    assert_eq!(numbers(&game).len(), 200);
    let odd: Vec<_> = all.iter().copied().skip(1).step_by(2).collect();
    game.many(&odd).add(Disabled);
    assert!(numbers(&game).into_iter().eq((0..200).step_by(2)));

    let count = |query: ecs::Query<'_, Game, Id>| query.iter().count();
    assert_eq!(count(game.query()), 100);
    assert_eq!(count(game.query().with_disabled()), 200);
    assert_eq!(count(game.query().with::<Disabled>()), 100);
    assert_eq!(count(game.query().without::<Disabled>()), 100);
    assert_eq!(count(game.query().among(&all[..5])), 3);
    assert_eq!(game.query::<(Id, Option<&Disabled>)>().iter().count(), 200);
    assert_eq!(game.query::<(Id, &Disabled)>().iter().count(), 100);
    assert_eq!(game.query::<&Health>().get(all[1]), None);
    assert_eq!(
        game.query::<&Health>().with_disabled().get(all[1]),
        Some(&Health(1))
    );
    let [everybody, enabled] = [
        Game::all_of::<Health>().with_disabled(),
        Game::all_of::<Health>(),
    ];
    let [everybody, enabled] = [everybody, enabled].map(|matcher| game.group(matcher));
    assert_eq!(count(game.query().in_group(everybody)), 200);
    assert_eq!(count(game.query().in_group(enabled)), 100);

    let mut slices = 0;
    game.query_mut::<&mut Health>()
        .for_each_slice(|slice| slices += slice.len());
    assert_eq!(slices, 100);
    game.query_mut::<&mut Health>()
        .par_for_each(|health| health.0 += 1000);
    let got = game.query_mut::<&mut Health>().get_many([all[1]], |_| ());
    let rejected = got.unwrap_err();
    assert_eq!(rejected.kind(), ErrorKind::DoesNotMatch);
    game.query_mut::<&mut Health>()
        .with_disabled()
        .get(all[1], |health| health.0 = 7);
    assert_eq!(game.entity(all[1]).health().0, 7);
    assert_eq!(game.entity(all[2]).health().0, 1002);

    game.many(&odd).remove::<Disabled>();
    assert_eq!(count(game.query()), 200);
}

#[test]
fn systems_skip_disabled_entities() {
    let mut game = Game::new();
    let mut systems = Systems::new()
        .for_each_in(
            &mut game,
            Game::all_of::<Position>(),
            |game: &mut Game, id| {
                game.entity_mut(id)
                    .update_position(|position| position.0 += 1);
            },
        )
        .for_each_changed(
            &mut game,
            Game::all_of::<Position>().updated(),
            |game: &mut Game, id| {
                game.entity_mut(id).set_hit(true);
            },
        );
    let ids = game.create_many([Position(0), Position(0)]);
    game.entity_mut(ids[1]).add_disabled();
    systems.execute(&mut game);
    assert_eq!([0, 1].map(|at| game.entity(ids[at]).position().0), [1, 0]);
    assert_eq!(
        [0, 1].map(|at| game.entity(ids[at]).is_hit()),
        [true, false]
    );

    // Updated, then disabled before the system runs: it is no longer in the group.
    game.entity_mut(ids[0])
        .set_hit(false)
        .replace_position(7)
        .add_disabled();
    systems.execute(&mut game);
    assert!(!game.entity(ids[0]).is_hit());
}

#[test]
fn keys_owners_and_links_stay() {
    let mut game = Game::new();
    let parent = game.create_with((Seat(1), Team(5), Score(9))).id();
    let child = game.create_with((ChildOf(parent), Team(5))).id();
    game.many(&[parent, child]).add(Disabled);
    assert_eq!(
        game.entity_with_seat(&1).map(|entity| entity.id()),
        Some(parent)
    );
    let team: Vec<_> = game
        .entities_with_team(&5)
        .map(|entity| entity.id())
        .collect();
    assert_eq!(team, [parent, child]);
    let taken = game.create_entity().try_add_seat(1).map(drop).unwrap_err();
    assert_eq!(taken.kind(), ErrorKind::DuplicateKey);
    assert_eq!(
        (game.score().0, game.score_entity().unwrap().id()),
        (9, parent)
    );
    assert!(game.create_entity().try_add_score(3).is_err());
    assert_eq!(game.entity(parent).children(), [child]);
    game.entity_mut(child).remove_disabled();
    assert!(game.entity(parent).is_disabled());
    game.destroy(parent);
    assert!(!game.contains(child));
    game.storage().check_invariants();
}

#[test]
fn an_index_of_a_matcher_follows_its_group() {
    let mut game = Game::new();
    let index = EntityIndex::with_keys(&mut game, Game::all_of::<Health>(), |entity| {
        [entity.health().0]
    });
    let id = game.create_with(Health(3)).id();
    game.entity_mut(id).add_disabled();
    assert_eq!(index.get(&game, &3).count(), 0);
    game.entity_mut(id).replace_health(4).remove_disabled();
    assert_eq!(
        index
            .get(&game, &4)
            .map(|entity| entity.id())
            .collect::<Vec<_>>(),
        [id]
    );
    game.storage().check_invariants();
}

#[test]
fn changes_of_components_are_reported() {
    let mut game = Game::new();
    let notified = Notes::default();
    let removed = game.removed_values::<Health>();
    let hear = |what: &'static str| {
        let notified = notified.clone();
        move |entity: GameEntityMut<'_>| {
            notified
                .lock()
                .unwrap()
                .push(format!("{what} {}", entity.id()))
        }
    };
    let (set, gone) = (hear("set"), hear("removed"));
    game.on_any_health_set(set);
    game.on_any_health_removed(gone);
    let changes = Notes::default();
    let recorded = changes.clone();
    game.observers()
        .on_change(move |_, change| recorded.lock().unwrap().push(format!("{change:?}")));
    let id = game.create_with((Health(1), Disabled)).id();
    taken(&changes);
    game.entity_mut(id).replace_health(2);
    assert_eq!(taken(&changes).len(), 1);
    game.events().deliver();
    assert_eq!(taken(&notified), ["set 0v1"]);
    assert!(removed.is_empty(&game)); // disabling is no removal
    game.entity_mut(id).remove_health();
    game.events().deliver();
    assert_eq!(taken(&notified), ["removed 0v1"]);
    assert_eq!(removed.drain(&mut game).len(), 1);
}

#[test]
fn cleanup_runs_and_nothing_expires() {
    let mut game = Game::new();
    let mut systems = Systems::new()
        .add(Expire::destroy(|_: &Game, health: &Health| health.0 == 0))
        .add(CleanupSystems::new(&mut game));
    let hit = game.create_with((Hit, Disabled)).id();
    let done = game.create_with((Done, Disabled)).id();
    let dead = game.create_with((Health(0), Disabled)).id();
    systems.execute(&mut game);
    systems.cleanup(&mut game);
    assert!(!game.entity(hit).is_hit() && !game.contains(done) && game.contains(dead));
    game.entity_mut(dead).remove_disabled();
    systems.execute(&mut game);
    assert!(!game.contains(dead));
}

#[test]
fn records_have_it_like_any_component() {
    let mut game = Game::new();
    let shown = game.collector(Game::all_of::<Health>().any_change().with_rewinds());
    let group = game.group(Game::all_of::<Health>());
    let plain = game.create_with(Health(1)).id();
    let id = game.create_with((Health(2), Asleep(5))).id();
    let snapshot = game.snapshot();
    let text = serde_json::to_string(&game.save()).unwrap();
    let history = game.record();
    let start = history.mark(&mut game);
    let sum = history.checksum(&mut game);
    shown.clear(&mut game);

    game.entity_mut(id).remove_asleep();
    game.entity_mut(plain).add_disabled();
    assert_eq!(
        group
            .iter(&game)
            .map(|entity| entity.id())
            .collect::<Vec<_>>(),
        [id]
    );
    assert_eq!(shown.drain(&mut game), [id, plain]);
    let changed = history.mark(&mut game);
    history.rewind(&mut game, start);
    assert_eq!(history.checksum(&mut game), sum);
    assert_eq!(
        group
            .iter(&game)
            .map(|entity| entity.id())
            .collect::<Vec<_>>(),
        [plain]
    );
    assert_eq!(shown.drain(&mut game).len(), 2);
    history.forward(&mut game, changed);
    assert!(game.entity(plain).is_disabled() && game.entity(id).health().0 == 2);
    history.release(&mut game);

    game.restore(&snapshot);
    assert_eq!(
        group
            .iter(&game)
            .map(|entity| entity.id())
            .collect::<Vec<_>>(),
        [plain]
    );
    assert_eq!(game.entity(id).asleep().0, 5);
    let mut loaded = Game::load(&mut serde_json::Deserializer::from_str(&text)).unwrap();
    assert_eq!(ids(&mut loaded, Game::all_of::<Health>()), [plain]);
    assert_eq!(loaded.entity(id).asleep().0, 5);
    game.storage().check_invariants();
}

#[test]
fn feeds_send_the_disabled() {
    let (mut game, mut copy) = (Game::new(), Game::new());
    let group = copy.group(Game::all_of::<Health>());
    let feed = game.feed::<(Health, Disabled)>();
    let mut mirror = Mirror::new();
    let id = game.create_with((Health(1), Disabled)).id();
    mirror.apply(&mut copy, &feed.take(&mut game)).unwrap();
    let there = EntityId::from_bits(id.to_bits()).unwrap();
    assert!(copy.entity(there).is_disabled() && group.is_empty(&copy));
    game.entity_mut(id).replace_health(2).remove_disabled();
    mirror.apply(&mut copy, &feed.take(&mut game)).unwrap();
    assert_eq!(group.single(&copy).unwrap().health().0, 2);
}

#[test]
fn copies_are_disabled_unless_the_flag_is_excluded() {
    let mut game = Game::new();
    let id = game.create_with((Health(1), Disabled)).id();
    assert!(game.clone_entity(id).is_disabled());
    let awake = CloneOptions::all().without::<Disabled>();
    assert!(!awake.clone_entity(&mut game, id).is_disabled());
}

#[test]
fn components_say_whether_they_disable() {
    let game = Game::new();
    let all = game.components();
    assert!(all.find("Asleep").unwrap().disables() && !all.find("Health").unwrap().disables());
}
