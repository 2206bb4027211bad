//! Observers that change relations of entities about to be destroyed.

use std::collections::HashSet;
use std::mem;
use std::sync::{Arc, Mutex};

use super::*;

/// A second parent, with which entities are destroyed as well.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game, extension)]
struct Rides(#[component(relation(reverse = riders, on_target_destroyed = destroy))] Id);

/// The entities notified, and the faults found.
#[derive(Default)]
struct Notified {
    ids: Vec<Id>,
    faults: Vec<String>,
}

/// The targets with which an entity is destroyed.
fn targets(game: &Game, id: Id) -> impl Iterator<Item = Id> {
    let entity = game.entity(id);
    let parent = entity.get::<ChildOf>().map(|it| it.parent);
    parent
        .into_iter()
        .chain(entity.get::<Rides>().map(|it| it.0))
}

/// All entities destroyed with some entities.
fn ending(game: &Game, roots: &[Id]) -> HashSet<Id> {
    let alive = roots.iter().copied().filter(|id| game.contains(*id));
    let (mut all, mut left) = (HashSet::new(), alive.collect::<Vec<_>>());
    while let Some(id) = left.pop() {
        if all.insert(id) {
            let entity = game.entity(id);
            left.extend(entity.related::<ChildOf>().sources());
            left.extend(entity.related::<Rides>().sources());
        }
    }
    all
}

fn below(random: &mut u64, end: usize) -> usize {
    *random = random
        .wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407);
    (*random >> 33) as usize % end
}

/// Gives an entity an older parent, or none, so there are no cycles.
fn relink(game: &mut Game, ids: &[Id], random: &mut u64) {
    let at = below(random, ids.len());
    let (id, older) = (ids[at], below(random, at.max(1)));
    if !game.contains(id) || !game.contains(ids[older]) {
        return; // destroyed with the first root
    }
    match (below(random, 4), ids[older]) {
        (0, _) => _ = game.entity_mut(id).try_remove::<ChildOf>(),
        (1, _) => _ = game.entity_mut(id).try_remove::<Rides>(),
        (_, same) if same == id => {}
        (2, parent) => _ = game.entity_mut(id).replace(ChildOf { parent }),
        (_, target) => _ = game.entity_mut(id).replace(Rides(target)),
    }
}

/// The faults of notifying of an entity now.
fn faults(game: &Game, id: Id, roots: &[Id], notified: &[Id]) -> Vec<String> {
    let (all, mut faults) = (ending(game, roots), Vec::new());
    if !all.contains(&id) {
        faults.push(format!("{id} does not end"));
    }
    if notified.contains(&id) {
        faults.push(format!("{id} is notified twice"));
    }
    let late = targets(game, id).filter(|it| all.contains(it) && !notified.contains(it));
    faults.extend(late.map(|target| format!("{target} comes after its source {id}")));
    faults
}

#[test]
fn each_destroyed_entity_is_notified_once_and_after_its_targets() {
    for seed in 0..300 {
        let (mut game, mut random) = (Game::new(), seed);
        let mut ids: Vec<_> = (0..20).map(|_| game.create_entity().id()).collect();
        (0..40).for_each(|_| relink(&mut game, &ids, &mut random));
        let roots = [ids[0], ids[3]];
        let notified = Arc::new(Mutex::new(Notified::default()));
        let (log, changes) = (notified.clone(), below(&mut random, 4));
        game.observers().on_will_be_destroyed(move |game, id| {
            let mut log = log.lock().unwrap();
            let found = faults(game, id, &roots, &log.ids);
            log.faults.extend(found);
            log.ids.push(id);
            for _ in 0..below(&mut random, changes + 1) {
                if ids.len() < 60 {
                    ids.push(game.create_entity().id());
                }
                relink(game, &ids, &mut random);
            }
        });
        let ended = Arc::new(Mutex::new(Vec::new()));
        let log = ended.clone();
        let observers = game.observers();
        observers.on_destroyed(move |_, id| log.lock().unwrap().push(id));
        game.many(&roots).destroy();
        let notified = mem::take(&mut *notified.lock().unwrap());
        assert!(
            notified.faults.is_empty(),
            "seed {seed}: {:?}",
            notified.faults
        );
        let ended = ended.lock().unwrap();
        assert!(
            ended.iter().all(|id| notified.ids.contains(id)),
            "seed {seed}"
        );
        game.storage().check_invariants();
    }
}

#[test]
fn a_new_source_of_a_target_being_notified_is_notified_after_its_other_sources() {
    let mut game = Game::new();
    let root = named(&mut game, "root");
    for name in ["first", "second"] {
        let parent = child(&mut game, root, name);
        child(&mut game, parent, &format!("of {name}"));
    }
    let notified = Arc::new(Mutex::new(Vec::new()));
    let notes = Arc::clone(&notified);
    game.observers().on_will_be_destroyed(move |game, id| {
        let name = game.entity(id).name().0.clone();
        if name == "first" {
            child(game, id, "late");
            child(game, root, "last");
        }
        notes.lock().unwrap().push(name);
    });
    game.destroy(root);
    let names = [
        "root",
        "first",
        "of first",
        "late",
        "second",
        "of second",
        "last",
    ];
    assert_eq!(*notified.lock().unwrap(), names);
}

#[test]
fn a_new_source_of_a_root_is_notified_before_its_sources_that_are_roots() {
    let mut game = Game::new();
    let root = named(&mut game, "root");
    let child_and_root = child(&mut game, root, "child and root");
    let notified = Arc::new(Mutex::new(Vec::new()));
    let notes = Arc::clone(&notified);
    game.observers().on_will_be_destroyed(move |game, id| {
        let name = game.entity(id).name().0.clone();
        if name == "root" {
            child(game, root, "late");
        }
        notes.lock().unwrap().push(name);
    });
    game.many(&[root, child_and_root]).destroy();
    assert_eq!(
        *notified.lock().unwrap(),
        ["root", "late", "child and root"]
    );
}

#[test]
fn sources_of_an_entity_with_a_new_target_are_notified_after_that_target() {
    let mut game = Game::new();
    let [first, second] = ["first", "second"].map(|name| named(&mut game, name));
    child(&mut game, first, "child of first");
    let notified = Arc::new(Mutex::new(Vec::new()));
    let notes = Arc::clone(&notified);
    game.observers().on_will_be_destroyed(move |game, id| {
        let name = game.entity(id).name().0.clone();
        if name == "first" {
            game.entity_mut(first).replace(ChildOf { parent: second });
        }
        notes.lock().unwrap().push(name);
    });
    game.many(&[first, second]).destroy();
    assert_eq!(
        *notified.lock().unwrap(),
        ["first", "second", "child of first"]
    );
}
