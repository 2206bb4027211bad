//! The effect on sources when their target is destroyed, in every way to destroy it.

use super::*;

#[derive(Component, Clone)]
#[component(context = Game, extension)]
struct Follows(#[component(relation)] Id);

#[derive(Component, Clone)]
#[component(context = Game, extension)]
struct RidesOn(#[component(relation(on_target_destroyed = destroy))] Id);

/// All ways to destroy an entity that may have `Doomed`.
const WAYS: [fn(&mut Game, Id); 7] = [
    |game, id| game.destroy(id),
    |game, id| game.entity_mut(id).destroy(),
    |game, id| game.try_destroy(id).unwrap(),
    |game, id| game.many(&[id]).destroy(),
    |game, id| {
        game.entity_mut(id).add_doomed();
        CleanupSystems::new(game).run(game);
    },
    |game, id| {
        game.entity_mut(id).add_doomed();
        let doomed = game.group(Game::all_of::<Doomed>());
        assert_eq!(doomed.destroy_all(game), 1);
    },
    |game, id| {
        let named = game.group(Game::all_of::<Doomed>());
        named.on_entered(game, |game, change| _ = game.try_destroy(change.entity()));
        game.entity_mut(id).add_doomed();
    },
];

/// With an observer of destroys, other code runs, with the same result.
fn each_way(check: impl Fn(Game, fn(&mut Game, Id))) {
    for way in WAYS {
        check(Game::new(), way);
        let mut observed = Game::new();
        observed.observers().on_will_be_destroyed(|_, _| ());
        check(observed, way);
        let mut observed = Game::new();
        observed.observers().on_destroyed(|_, _| ());
        check(observed, way);
        let mut observed = Game::new();
        let children = observed.group(Game::all_of::<ChildOf>());
        children.on_left(&mut observed, |_, _| ());
        check(observed, way);
    }
}

#[test]
fn sources_are_destroyed_with_their_target() {
    each_way(|mut game, destroy| {
        let root = named(&mut game, "root");
        let a = child(&mut game, root, "a");
        child(&mut game, a, "b");
        let other = named(&mut game, "other");
        let kept = child(&mut game, other, "kept");
        destroy(&mut game, a);
        assert_eq!(game.len(), 3);
        assert!(game.entity(root).children().is_empty());
        destroy(&mut game, root);
        assert_eq!(game.entity(other).children(), [kept]);
        assert_eq!(game.len(), 2);
    });
}

#[test]
fn sources_lose_the_component() {
    each_way(|mut game, destroy| {
        let target = named(&mut game, "target");
        let group = game.group(Game::all_of::<Name>().none_of::<Targets>());
        let ids = game.create_many((0..3).map(|_| (called("source"), Targets(target))));
        destroy(&mut game, target);
        assert!(ids.iter().all(|&id| !game.entity(id).has_targets()));
        assert_eq!(group.len(&game), 3);
        game.entity_mut(ids[0]).add_targets(ids[1]);
        assert_eq!(game.entity(ids[1]).targeted_by(), [ids[0]]);
    });
}

#[test]
fn sources_keep_a_dead_id() {
    each_way(|mut game, destroy| {
        let target = named(&mut game, "target");
        let times = 1;
        let id = game
            .create_with(Remembers {
                times,
                whom: target,
            })
            .id();
        destroy(&mut game, target);
        assert_eq!(game.entity(id).remembers().whom, target);
        let new = named(&mut game, "new"); // in the same slot
        assert!(game.entity(new).remembered_by().is_empty());
        assert_eq!(game.entity(id).related::<Remembers>().target(), None);

        // A component that refers to a dead entity can still change in its other fields.
        game.entity_mut(id).update_remembers(|it| it.times = 2);
        assert_eq!(game.entity(id).remembers().times, 2);
        assert!(game.entity(new).remembered_by().is_empty());
        game.entity_mut(id).update_remembers(|it| it.whom = new);
        assert_eq!(game.entity(new).remembered_by(), [id]);
        let dead = game
            .entity_mut(id)
            .try_update_remembers(|it| it.whom = target)
            .map(drop);
        assert_eq!(dead.unwrap_err().kind(), ErrorKind::TargetNotAlive);
    });
}

#[test]
fn a_target_that_is_needed_is_not_destroyed() {
    for observed in [false, true] {
        let mut game = Game::new();
        if observed {
            game.observers()
                .on_will_be_destroyed(|_, _| panic!("no entity will be destroyed"));
        }
        let root = named(&mut game, "root");
        let part = child(&mut game, root, "part");
        let id = game.create_with(Needs(part)).id();
        let kind = |result: Result<(), Error>| result.unwrap_err().kind();
        assert_eq!(kind(game.try_destroy(part)), ErrorKind::TargetInUse);
        assert_eq!(kind(game.try_destroy(root)), ErrorKind::TargetInUse);
        assert_eq!(
            kind(game.entity_mut(root).try_destroy()),
            ErrorKind::TargetInUse
        );
        let other = named(&mut game, "other");
        assert_eq!(
            kind(game.many(&[other, root]).try_destroy()),
            ErrorKind::TargetInUse
        );
        assert_eq!(game.len(), 4);
        assert_eq!(game.entity(part).needed_by(), [id]);
        game.entity_mut(root).add_doomed();
        let clean = std::panic::AssertUnwindSafe(|| CleanupSystems::new(&mut game).run(&mut game));
        assert!(std::panic::catch_unwind(clean).is_err());
        assert_eq!(game.len(), 4);
    }
}

#[test]
fn a_protected_target_can_be_destroyed_with_its_sources() {
    let mut game = Game::new();
    let root = named(&mut game, "root");
    let part = child(&mut game, root, "part");
    game.create_with((ChildOf { parent: root }, Needs(part)));
    game.destroy(root);
    assert!(game.is_empty());

    let target = named(&mut game, "target");
    let id = game.create_with(Needs(target)).id();
    game.many(&[target, id]).destroy();
    assert!(game.is_empty());
}

#[test]
fn everything_can_be_destroyed() {
    let ends: [fn(&mut Game); 2] = [Game::destroy_all, Game::reset];
    for end in ends {
        let mut game = Game::new();
        let root = named(&mut game, "root");
        let a = child(&mut game, root, "a");
        game.create_with(Needs(a));
        game.create_with(Targets(root));
        end(&mut game);
        assert!(game.is_empty());
        let new = named(&mut game, "new");
        let entity = game.entity(new);
        assert!(entity.children().is_empty() && entity.targeted_by().is_empty());
    }
}

#[test]
fn a_list_with_a_dead_or_repeated_entity_is_rejected() {
    let mut game = Game::new();
    let root = named(&mut game, "root");
    let a = child(&mut game, root, "a");
    assert!(game.many(&[root, root]).try_destroy().is_err());
    let dead = game.create_entity().id();
    game.destroy(dead);
    assert!(game.many(&[root, dead]).try_destroy().is_err());
    assert_eq!(game.len(), 2);
    game.many(&[a, root]).destroy();
    assert!(game.is_empty());
}

#[test]
fn several_relations_may_refer_to_the_same_entities() {
    let mut game = Game::new();
    let root = named(&mut game, "root");
    let a = child(&mut game, root, "a");
    let b = child(&mut game, root, "b");
    game.entity_mut(a).add(RidesOn(b));
    game.entity_mut(b).add(RidesOn(a)); // a cycle
    game.entity_mut(b).add_targets(root);
    let outside = game.create_with(Targets(b)).id();
    game.destroy(a);
    assert_eq!(
        game.entities().map(|it| it.id()).collect::<Vec<_>>(),
        [root, outside]
    );
    assert!(!game.entity(outside).has_targets());
}

#[test]
fn an_entity_can_lose_several_relations_at_once() {
    let mut game = Game::new();
    let target = named(&mut game, "target");
    let id = game.create_with((Follows(target), Targets(target))).id();
    game.destroy(target);
    assert!(game.entity(id).is_empty());
}

#[test]
fn a_kept_relation_to_a_dead_target_can_be_swapped() {
    let mut game = Game::new();
    let [whom, other] = ["whom", "other"].map(|name| named(&mut game, name));
    let [a, b] = [(1, other), (2, whom)]
        .map(|(times, whom)| game.create_with(Remembers { times, whom }).id());
    game.destroy(whom);
    for (one, of) in [(a, b), (b, a), (a, b)] {
        game.entity_mut(one).swap::<Remembers>(of);
    }
    assert_eq!(game.entity(a).remembers().whom, whom);
    assert_eq!(game.entity(other).remembered_by(), [b]);
}
