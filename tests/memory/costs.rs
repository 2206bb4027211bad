//! Changes of all sources of a target, and of all keys of an entity, take constant time for each
//! (F35): ten times as many take at most [`MOST`] times as long.

use std::mem;
use std::time::Duration;

use ecs::prelude::*;
use ecs::{History, Mark, Mirror};

use support::game::{ChildOf, Game, GameEntity, GameEntityMut, Health, Id, Targets};
use support::time_of;

use super::allocator::allocated;
use super::alone;

/// Ten times the work takes ten times as long, some more if other programs fill the caches, or a hundred times if it is
/// quadratic.
const MOST: u32 = 20;

/// The number of measurements before the time counts as quadratic.
const TURNS: u32 = 8;

const FEW: u32 = 400;

#[derive(Component, Clone)]
#[component(context = Game, extension)]
struct Words(#[component(index(each))] Vec<u32>);

#[derive(Component, Clone)]
#[component(context = Game, extension)]
struct Codes(#[component(primary_index(each))] Vec<u32>);

/// Checks that ten times the work takes at most [`MOST`] times as long, by the shortest of up to
/// [`TURNS`] measurements.
#[track_caller]
fn assert_linear<S>(what: &str, set_up: impl Fn(u32) -> S, act: impl Fn(&mut S)) {
    let time = |count| {
        let mut state = set_up(count);
        time_of(|| act(&mut state))
    };
    let (mut few, mut many) = (Duration::MAX, Duration::MAX);
    let mut is_linear = || {
        few = (0..3).map(|_| time(FEW)).min().unwrap_or(few).min(few);
        many = time(10 * FEW).min(many);
        many < MOST * few + Duration::from_millis(3)
    };
    assert!(
        (0..TURNS).any(|_| is_linear()),
        "{what}: {few:?} for {FEW}, {many:?} for ten times as many"
    );
}

/// The constructor of a relation.
type Make<T> = fn(Id) -> T;

/// Two targets, and sources of the first one.
struct Scene {
    game: Game,
    targets: [Id; 2],
    sources: Vec<Id>,
}

fn scene<T: Component<Game>>(count: u32, make: Make<T>) -> Scene {
    let mut game = Game::new();
    let targets = [0, 1].map(|_| game.create_with(Health(1)).id());
    let sources = game.create_many((0..count).map(|_| Health(2)));
    game.many(&sources).add_with(|_| make(targets[0]));
    Scene {
        game,
        targets,
        sources,
    }
}

/// Shuffles the entities, to an order that is neither that of the sources nor its reverse.
fn mixed(mut scene: Scene) -> Scene {
    let (low, high) = scene.sources.split_at(scene.sources.len() / 2);
    let pairs = high.iter().zip(low.iter().rev());
    scene.sources = pairs.flat_map(|(high, low)| [*high, *low]).collect();
    scene
}

/// A change of all sources of a target.
type Act = fn(&mut Scene);

/// A named change of all sources of a target.
type Change = (&'static str, Box<dyn Fn(&mut Scene)>);

/// All ways to change all sources of a target.
fn changes<T: Component<Game> + Clone>(make: fn(Id) -> T) -> [Change; 6] {
    let one_by_one: Act = |scene| {
        for id in mem::take(&mut scene.sources) {
            scene.game.entity_mut(id).remove::<T>();
        }
    };
    let ends: Act = |scene| scene.game.many(&scene.sources).destroy();
    let group: Act = |scene| {
        let owners = scene.game.group(Game::all_of::<T>());
        owners.destroy_all(&mut scene.game);
    };
    [
        (
            "remove",
            Box::new(|scene| scene.game.many(&scene.sources).remove::<T>()),
        ),
        ("remove one by one", Box::new(one_by_one)),
        ("destroy", Box::new(ends)),
        ("destroy all of a group", Box::new(group)),
        (
            "replace",
            Box::new(move |scene| {
                let other = scene.targets[1];
                scene
                    .game
                    .many(&scene.sources)
                    .replace_with(|_| make(other));
            }),
        ),
        (
            "update",
            Box::new(move |scene| {
                let other = scene.targets[1];
                scene
                    .game
                    .many(&scene.sources)
                    .update::<T>(|_, value| *value = make(other));
            }),
        ),
    ]
}

#[track_caller]
fn assert_all_linear<T: Component<Game> + Clone>(make: Make<T>) {
    let _alone = alone();
    for (what, act) in changes(make) {
        assert_linear(what, |count| scene(count, make), &act);
        assert_linear(what, |count| mixed(scene(count, make)), &act);
        let recorded = |count| {
            let mut scene = mixed(scene(count, make));
            let history = scene.game.record();
            let mark = history.mark(&mut scene.game);
            (scene, history, mark)
        };
        let and_back = |(scene, history, mark): &mut (Scene, History<Game>, Mark<Game>)| {
            act(scene);
            history.rewind(&mut scene.game, *mark);
        };
        assert_linear(&format!("{what}, and a rewind"), recorded, and_back);
    }
}

#[test]
fn changes_of_all_sources_of_a_target() {
    assert_all_linear(Targets);
}

#[test]
fn changes_of_all_sources_of_a_target_that_are_ordered() {
    assert_all_linear(|parent| ChildOf { parent });
}

fn children_of(scene: &Scene, target: usize) -> &[Id] {
    let target = scene.game.entity(scene.targets[target]);
    target.related::<ChildOf>().sources()
}

#[test]
fn sources_that_are_taken_one_by_one_from_either_end_while_they_are_read() {
    let _alone = alone();
    let children = |count| scene(count, |parent| ChildOf { parent });
    assert_linear("the first one", children, |scene| {
        while let Some(&first) = children_of(scene, 0).first() {
            scene.game.entity_mut(first).remove::<ChildOf>();
        }
    });
    assert_linear("the last one", children, |scene| {
        while let Some(&last) = children_of(scene, 0).last() {
            scene.game.destroy(last);
        }
    });
    assert_linear("the first one comes to the end", children, |scene| {
        let (parent, other) = (scene.targets[0], scene.targets[1]);
        for &id in &scene.sources {
            assert_eq!(children_of(scene, 0).first(), Some(&id));
            let mut child = scene.game.entity_mut(id);
            child.replace(ChildOf { parent: other });
            child.replace(ChildOf { parent });
        }
    });
}

#[test]
fn sources_that_are_asked_for_after_each_removal() {
    let _alone = alone();
    let children = |count| mixed(scene(count, |parent| ChildOf { parent }));
    assert_linear("the ends and the number", children, |scene| {
        let sources = mem::take(&mut scene.sources);
        for (left, id) in (0..sources.len()).rev().zip(sources) {
            scene.game.entity_mut(id).remove::<ChildOf>();
            let parent = scene.game.entity(scene.targets[0]);
            let mut children = parent.related::<ChildOf>().iter();
            assert_eq!(children.len(), left);
            assert_eq!(children.next().is_some(), left > 0);
            assert_eq!(children.next_back().is_some(), left > 1);
        }
    });
}

/// In a list and in a chain, which long lists become after a change in the middle.
#[test]
fn the_iterator_of_sources_is_their_list_from_either_end() {
    for count in [3, 200] {
        let mut scene = scene(count, |parent| ChildOf { parent });
        scene
            .game
            .entity_mut(scene.sources.remove(1))
            .remove::<ChildOf>();
        let related = scene.game.entity(scene.targets[0]).related::<ChildOf>();
        assert!(related.iter().eq(scene.sources.iter().copied()));
        assert!(related.iter().rev().eq(scene.sources.iter().rev().copied()));
        let (mut from_both, mut expected) = (related.iter(), scene.sources.iter().copied());
        while let Some(first) = from_both.next() {
            assert_eq!(Some(first), expected.next());
            assert_eq!(from_both.next_back(), expected.next_back());
            assert_eq!(from_both.len(), expected.len());
        }
        assert_eq!(expected.next(), None);
        assert_eq!(related.sources(), scene.sources);
    }
}

#[test]
fn mirrors_of_the_sources_of_a_target() {
    let _alone = alone();
    let mirrored = |count| {
        let mut scene = scene(count, |parent| ChildOf { parent });
        let (mut mirror, mut copy) = (Mirror::new(), Game::new());
        let feed = scene
            .game
            .feed::<(Health, ChildOf)>()
            .only(|it| it.get::<Targets>().is_none());
        mirror
            .apply(&mut copy, &feed.take(&mut scene.game))
            .unwrap();
        (scene, feed, mirror, copy)
    };
    assert_linear(
        "the target ends",
        mirrored,
        |(scene, feed, mirror, copy)| {
            scene.game.destroy(scene.targets[0]);
            mirror.apply(copy, &feed.take(&mut scene.game)).unwrap();
        },
    );
    assert_linear(
        "sources are hidden",
        mirrored,
        |(scene, feed, mirror, copy)| {
            let other = scene.targets[1];
            scene.game.many(&scene.sources).add_with(|_| Targets(other));
            feed.look_again(&mut scene.game);
            mirror.apply(copy, &feed.take(&mut scene.game)).unwrap();
        },
    );
}

/// A scene in which an observer is notified of entities that are about to be destroyed.
fn watched(
    mut scene: Scene,
    mut act: impl FnMut(&mut Game, Id, [Id; 2]) + Send + Sync + 'static,
) -> Scene {
    let targets = scene.targets;
    let observers = scene.game.observers();
    observers.on_will_be_destroyed(move |game, id| act(game, id, targets));
    scene
}

#[test]
fn observers_that_change_relations_of_entities_about_to_be_destroyed() {
    let _alone = alone();
    let children = |count| scene(count, |parent| ChildOf { parent });
    let destroy = |scene: &mut Scene| scene.game.destroy(scene.targets[0]);
    let rescue = |count| {
        watched(children(count), |game, id, [root, other]| {
            if id != root {
                game.entity_mut(id).replace(ChildOf { parent: other });
            }
        })
    };
    assert_linear("each is led away", rescue, destroy);
    let rescue_last = |count| {
        watched(children(count), |game, _, [root, _]| {
            let last = game.entity(root).related::<ChildOf>().sources().last();
            if let Some(&last) = last {
                game.entity_mut(last).remove::<ChildOf>();
            }
        })
    };
    assert_linear("another one is led away", rescue_last, destroy);
    let unrelated = |count| {
        watched(children(count), |game, _, [_, other]| {
            game.create_with((Targets(other), ChildOf { parent: other }));
        })
    };
    assert_linear("others get new targets", unrelated, destroy);
    let late = |count| {
        watched(children(count), |game, id, [root, _]| {
            if game.entity(id).get::<Health>().is_some() {
                game.create_with(ChildOf { parent: root });
                game.create_with(ChildOf { parent: id });
            }
        })
    };
    assert_linear("others come to end with them", late, destroy);
    let pending = |count| {
        let mut scene = children(count);
        let mut others = scene.game.create_many((0..count).map(|_| Health(3)));
        watched(scene, move |game, _, _| {
            others
                .pop()
                .into_iter()
                .for_each(|other| game.destroy(other));
        })
    };
    assert_linear("others are destroyed", pending, destroy);
}

#[test]
fn an_entity_with_many_keys() {
    let _alone = alone();
    let with_keys = |count: u32| {
        let mut game = Game::new();
        let keys = || (0..4 * count).collect::<Vec<_>>();
        let id = game.create_with((Words(keys()), Codes(keys()))).id();
        (game, id)
    };
    assert_linear("one more", with_keys, |(game, id)| {
        game.entity_mut(*id)
            .update::<Words, _>(|words| words.0.push(u32::MAX));
        game.entity_mut(*id)
            .update_with::<Codes, _>(|codes, _| codes.0.push(u32::MAX));
    });
    assert_linear("none any more", with_keys, |(game, id)| {
        game.entity_mut(*id).remove::<Words>().remove::<Codes>();
    });
}

/// A feed that was never read, and one that was read once.
#[test]
fn feeds_that_are_never_read() {
    let _alone = alone();
    for is_read in [false, true] {
        let mut game = Game::new();
        let feed = game.feed::<(Health, Targets)>();
        if is_read {
            feed.take(&mut game);
        }
        let mut round = |count| {
            for _ in 0..count {
                let ids = game.create_many((0..20).map(Health));
                let id = game.create_with(Health(1)).id();
                game.many(&ids).destroy();
                game.destroy(id);
            }
        };
        round(100);
        let before = allocated();
        round(2_000);
        let after = allocated();
        // A byte per entity would be 42,000.
        assert!(after <= before + 10_000, "{before} bytes, then {after}");
        assert_eq!(feed.take(&mut game).is_empty(), is_read);
    }
}

/// Nothing is collected twice, so there is nothing to sort out once in a while.
#[test]
fn a_feed_that_is_never_read_holds_each_slot_once() {
    const COUNT: usize = 2_000;
    let _alone = alone();
    let mut game = Game::new();
    let feed = game.feed::<Health>();
    let mut ids: Vec<Id> = game.create_many((0..COUNT as u32).map(Health));
    let mut sizes = Vec::new();
    for frame in 0..100 {
        for at in (0..COUNT / 10).map(|at| (frame * COUNT / 10 + at) % COUNT) {
            game.destroy(ids[at]);
            ids[at] = game.create_with(Health(at as u32)).id();
        }
        sizes.push(game.storage().memory().collectors);
    }
    // An id, and a byte in a table that may have doubled; and the feed itself.
    let most = COUNT * (size_of::<Id>() + 2) + 1_000;
    assert!(sizes.iter().all(|&size| size <= most), "{sizes:?}");
    let delta = feed.take(&mut game);
    assert!(
        delta
            .appeared()
            .iter()
            .copied()
            .eq(game.entities().map(|it| it.id()))
    );
}

#[test]
fn the_causes_of_all_changes_are_found_in_linear_time() {
    let _alone = alone();
    let react = |count| {
        let mut game = Game::new();
        let weaken = |game: &mut Game, id| _ = game.entity_mut(id).replace_health(0);
        let hurt = Game::all_of::<Health>().entered();
        let mut systems = Systems::new().for_each_changed(&mut game, hurt, weaken);
        systems.measure(true);
        let history = game.record();
        game.create_many((0..count).map(|_| Health(2)));
        systems.execute(&mut game);
        (game, history)
    };
    assert_linear("causes", react, |(game, history)| {
        let causes = history.changes(game).filter_map(|it| it.caused_by());
        assert_eq!(causes.count(), game.len());
    });
}

/// A list of closures, each with a name of its own.
fn named_systems(count: u32) -> Systems<Game> {
    let add = |systems: Systems<Game>, number: u32| {
        let work = |game: &mut Game| _ = game.create_with(Health(1));
        systems.add(work).named(&format!("System {number}"))
    };
    (0..count).fold(Systems::new(), add)
}

#[test]
fn named_systems_are_added_in_linear_time() {
    let _alone = alone();
    assert_linear("named", |count| count, |count| drop(named_systems(*count)));
    let closures = |count: &mut u32| {
        let mut systems = Systems::<Game>::new();
        (0..*count).for_each(|_| _ = systems.push(|_: &mut Game| ()));
        assert_eq!(
            systems.names().last().unwrap().rsplit(' ').next(),
            Some(&*count.to_string())
        );
    };
    assert_linear("numbered", |count| count, closures);
    let append = |lists: &mut Vec<Systems<Game>>| {
        let mut systems = Systems::new();
        lists.drain(..).for_each(|list| _ = systems.append(list));
    };
    let lists = |count| (0..count).map(|_| named_systems(1)).collect();
    assert_linear("appended", lists, append);
}

#[test]
fn named_systems_run_in_linear_time() {
    let _alone = alone();
    let list = |count| {
        let (mut game, mut systems) = (Game::new(), named_systems(count));
        systems.measure(true);
        let history = game.record();
        systems.execute(&mut game);
        (game, systems, history)
    };
    assert_linear("execute", list, |(game, systems, _)| systems.execute(game));
    assert_linear("report", list, |(_, systems, _)| {
        drop(systems.report().to_string())
    });
    assert_linear("say who", list, |(game, _, history)| {
        assert!(history.changes(game).all(|change| change.by().is_some()));
    });
}
