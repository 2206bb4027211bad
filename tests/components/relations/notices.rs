//! The notifications, and their order, when several entities are destroyed as one change.

use std::sync::{Arc, Mutex};

use super::*;

#[derive(Component)]
#[component(context = Game, extension)]
struct Fragile;

impl Drop for Fragile {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            panic!("on purpose");
        }
    }
}

type Log = Arc<Mutex<Vec<String>>>;

fn note(log: &Log, text: String) {
    log.lock().unwrap().push(text);
}

fn take(log: &Log) -> Vec<String> {
    std::mem::take(&mut log.lock().unwrap())
}

/// Logs all notifications of names and children.
fn observe(game: &mut Game) -> Log {
    let log = Log::default();
    let (will, done) = (log.clone(), log.clone());
    game.observers().on_will_be_destroyed(move |game, id| {
        let name = &game.entity(id).name().0;
        note(&will, format!("will {name} of {}", game.len()));
    });
    game.observers()
        .on_destroyed(move |game, _| note(&done, format!("end, {} left", game.len())));
    for (text, group) in [
        ("name", game.group(Game::all_of::<Name>())),
        ("child", game.group(Game::all_of::<ChildOf>())),
        ("targets", game.group(Game::all_of::<Targets>())),
    ] {
        let log = log.clone();
        group.on_left(game, move |game, change| {
            let name = change.previous::<Name>().map_or("", |name| &name.0);
            let alive = game.contains(change.entity());
            note(
                &log,
                format!("{text} {name}{}", if alive { "!" } else { "" }),
            );
        });
    }
    log
}

#[test]
fn state_is_final_before_notifications_and_targets_are_notified_first() {
    let mut game = Game::new();
    let root = named(&mut game, "root");
    let a = child(&mut game, root, "a");
    child(&mut game, a, "b");
    child(&mut game, root, "c");
    game.create_with((called("outside"), Targets(a)));
    let log = observe(&mut game);
    game.destroy(root);
    let whole = [
        "will root of 5",
        "will a of 5",
        "will b of 5",
        "will c of 5",
    ];
    let ended = ["name root", "end, 1 left"];
    let with_parent = |name| {
        [
            "child ".to_owned(),
            format!("name {name}"),
            "end, 1 left".to_owned(),
        ]
    };
    let mut expected: Vec<_> = whole.into_iter().chain(ended).map(String::from).collect();
    for name in ["a", "b", "c"] {
        expected.extend(with_parent(name));
    }
    expected.push("targets !".to_owned());
    assert_eq!(take(&log), expected);
}

#[test]
fn targets_come_first_however_entities_are_listed() {
    let mut game = Game::new();
    let a = named(&mut game, "a");
    let root = named(&mut game, "root");
    game.entity_mut(a).add_child_of(root);
    let b = child(&mut game, a, "b");
    let log = observe(&mut game);
    let notified = |log: &Log| {
        let notified = take(log).into_iter();
        notified
            .filter(|text| text.starts_with("will"))
            .collect::<Vec<_>>()
    };
    game.many(&[b, a, root]).destroy();
    assert_eq!(
        notified(&log),
        ["will root of 3", "will a of 3", "will b of 3"]
    );

    let a = named(&mut game, "a");
    let root = named(&mut game, "root");
    game.entity_mut(a).add_child_of(root);
    game.destroy_all();
    assert_eq!(notified(&log), ["will root of 2", "will a of 2"]);
}

#[test]
fn a_source_with_a_new_target_is_not_destroyed() {
    let mut game = Game::new();
    let root = named(&mut game, "root");
    let a = child(&mut game, root, "a");
    let loot = child(&mut game, a, "loot");
    let log = Log::default();
    let notified = log.clone();
    game.observers().on_will_be_destroyed(move |game, id| {
        note(&notified, game.entity(id).name().0.clone());
        if id == root {
            game.entity_mut(loot).remove_child_of();
            child(game, a, "late");
        }
    });
    game.destroy(root);
    assert_eq!(take(&log), ["root", "a", "late"]);
    assert_eq!(game.len(), 1);
    assert!(game.contains(loot));
}

#[test]
fn a_source_without_its_relation_is_not_destroyed() {
    let mut game = Game::new();
    let root = named(&mut game, "root");
    let loot = child(&mut game, root, "loot");
    game.observers().on_will_be_destroyed(move |game, id| {
        if id == root {
            game.entity_mut(loot).remove_child_of();
        }
    });
    game.destroy(root);
    assert!(game.contains(loot) && game.len() == 1);
}

#[test]
fn a_target_that_becomes_protected_meanwhile_is_not_destroyed() {
    let mut game = Game::new();
    let target = named(&mut game, "target");
    let log = Log::default();
    let notified = log.clone();
    let needing = game.group(Game::all_of::<Needs>());
    needing.on_entered(&mut game, move |_, _| note(&notified, "needed".to_owned()));
    let attach = move |game: &mut Game, _| _ = game.create_with(Needs(target));
    game.observers().on_will_be_destroyed(attach);
    let rejected = game.try_destroy(target).unwrap_err();
    assert_eq!(rejected.kind(), ErrorKind::TargetInUse);
    assert_eq!((take(&log), game.len()), (vec!["needed".to_owned()], 2));
}

#[test]
fn a_destroy_requested_meanwhile_runs_once() {
    let mut game = Game::new();
    let root = named(&mut game, "root");
    let a = child(&mut game, root, "a");
    let other = named(&mut game, "other");
    child(&mut game, other, "of other");
    let log = Log::default();
    let notified = log.clone();
    game.observers().on_will_be_destroyed(move |game, id| {
        note(&notified, game.entity(id).name().0.clone());
        if id == root {
            game.destroy(a);
            game.destroy(other);
            for asked_for in [root, other] {
                let rejected = game.try_destroy(asked_for).unwrap_err();
                assert_eq!(rejected.kind(), ErrorKind::BeingDestroyed);
            }
        }
    });
    game.destroy(root);
    assert_eq!(take(&log), ["root", "a", "other", "of other"]);
    assert!(game.is_empty());
}

#[test]
fn a_panic_before_the_destroy_destroys_no_entity() {
    let mut game = Game::new();
    let root = named(&mut game, "root");
    let a = child(&mut game, root, "a");
    let panicking = game
        .observers()
        .on_will_be_destroyed(move |_, id| assert_ne!(id, a, "on purpose"));
    let destroy = std::panic::AssertUnwindSafe(|| game.destroy(root));
    assert!(std::panic::catch_unwind(destroy).is_err());
    assert_eq!((game.len(), game.entity(root).children()), (2, &[a][..]));
    game.unsubscribe(panicking);
    game.destroy(root);
    assert!(game.is_empty());
}

#[test]
fn a_panic_of_an_observer_afterwards_leaves_all_state_final() {
    let mut game = Game::new();
    let root = named(&mut game, "root");
    child(&mut game, root, "a");
    let source = game.create_with(Targets(root)).id();
    game.observers().on_destroyed(|_, _| panic!("on purpose"));
    let destroy = std::panic::AssertUnwindSafe(|| game.destroy(root));
    assert!(std::panic::catch_unwind(destroy).is_err());
    assert_eq!(game.len(), 1);
    assert!(game.entity(source).is_empty());
}

#[test]
fn a_panic_of_a_drop_leaves_all_state_final() {
    let mut game = Game::new();
    let root = game.create_with(Fragile).id();
    let a = game.create_with((Fragile, ChildOf { parent: root })).id();
    game.create_with(ChildOf { parent: a });
    let source = game.create_with(Targets(a)).id();
    let destroy = std::panic::AssertUnwindSafe(|| game.destroy(root));
    assert!(std::panic::catch_unwind(destroy).is_err());
    assert_eq!(game.len(), 1);
    assert!(game.entity(source).is_empty());
    let ids: Vec<_> = (0..3)
        .map(|_| game.create_with(ChildOf { parent: source }).id())
        .collect();
    assert_eq!(game.entity(source).children(), ids);
}

#[test]
fn indexes_and_collectors_follow_a_destroy_of_several() {
    let mut game = Game::new();
    let idle = Game::all_of::<Name>().none_of::<Targets>();
    let by_name = game.entity_index(idle.clone(), |entity| entity.name().0.clone());
    let left = game.collector(Game::all_of::<ChildOf>().left());
    let entered = game.collector(idle.entered());
    let root = named(&mut game, "root");
    let a = child(&mut game, root, "a");
    let outside = game.create_with((called("outside"), Targets(a))).id();
    assert!(!by_name.contains(&game, "outside"));
    entered.clear(&mut game);
    game.destroy(root);
    assert_eq!(by_name.get(&game, "outside").ids(), [outside]);
    assert!(!by_name.contains(&game, "root") && !by_name.contains(&game, "a"));
    assert_eq!(left.drain(&mut game), [a]);
    assert_eq!(entered.drain(&mut game), [outside]);
}

#[test]
fn a_bulk_destroy_is_no_endless_chain() {
    let mut game = Game::new();
    game.observers().set_notification_limit(100);
    let ended = Arc::new(Mutex::new(0));
    let count = ended.clone();
    game.observers()
        .on_destroyed(move |_, _| *count.lock().unwrap() += 1);
    let root = named(&mut game, "root");
    game.create_many((0..1000).map(|_| ChildOf { parent: root }));
    game.destroy(root);
    assert_eq!(*ended.lock().unwrap(), 1001);
}

#[test]
fn observers_of_a_group_are_notified_of_a_destroy_of_several() {
    let (mut game, log) = (Game::new(), Log::default());
    let root = named(&mut game, "root");
    child(&mut game, root, "child");
    let outside = game.create_with(Targets(root)).id();
    for (text, group) in [
        ("child", game.group(Game::all_of::<ChildOf>())),
        ("targets", game.group(Game::all_of::<Targets>())),
    ] {
        let log = log.clone();
        group.on_left(&mut game, move |_, _| note(&log, text.to_owned()));
    }
    game.destroy(root);
    assert_eq!(take(&log), ["child", "targets"]);
    game.destroy(outside);
    let root = named(&mut game, "root");
    game.create_with(Targets(root));
    game.destroy(root);
    assert_eq!(take(&log), ["targets"]);
}

#[test]
fn a_new_source_of_an_already_notified_target_is_notified_too() {
    let mut game = Game::new();
    let [first, second] = ["first", "second"].map(|name| named(&mut game, name));
    child(&mut game, second, "of second");
    let log = Log::default();
    let notified = log.clone();
    game.observers().on_will_be_destroyed(move |game, id| {
        note(&notified, game.entity(id).name().0.clone());
        if id == second {
            child(game, first, "late");
        }
    });
    game.many(&[first, second]).destroy();
    assert_eq!(take(&log), ["first", "second", "late", "of second"]);
    assert!(game.is_empty());
}

/// The parent is announced first; then its child takes the place that it has without a parent.
#[test]
fn a_root_that_loses_its_target_is_announced_in_its_own_turn() {
    let mut game = Game::new();
    let [leaf, top, middle] = [(); 3].map(|()| game.create_entity().id());
    game.entity_mut(leaf).add_child_of(middle);
    game.entity_mut(middle).add_child_of(top);
    let announced = Arc::new(Mutex::new(Vec::new()));
    let log = announced.clone();
    game.observers().on_will_be_destroyed(move |game, id| {
        log.lock().unwrap().push(id);
        if id == top {
            game.entity_mut(leaf).remove_child_of();
        }
    });
    game.destroy_all();
    assert_eq!(*announced.lock().unwrap(), [top, leaf, middle]);
}
