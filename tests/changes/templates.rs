//! Templates: values that create entities, any number of times, in any context of
//! their type.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use ecs::prelude::*;
use support::game::{Frozen, Game, GameEntity, GameEntityMut, Health, Name, Touchy};
use support::panic_of;

/// Counts its clones and its drops.
#[derive(Component)]
#[component(context = Game, extension)]
struct Clones(Arc<[AtomicUsize; 2]>);

impl Clone for Clones {
    fn clone(&self) -> Self {
        self.0[0].fetch_add(1, Ordering::Relaxed);
        Self(self.0.clone())
    }
}

impl Drop for Clones {
    fn drop(&mut self) {
        self.0[1].fetch_add(1, Ordering::Relaxed);
    }
}

fn orc() -> Template<Game> {
    Template::new()
        .with(Name("orc".into()))
        .with(Frozen)
        .with(Health(9))
}

#[test]
fn a_template_serves_every_context_of_its_type() {
    let orc = orc();
    for _ in 0..2 {
        let mut game = Game::new();
        let ids = orc.create_many(&mut game, 3);
        let entity = game.entity(ids[2]);
        assert_eq!(
            format!("{entity:?}"),
            r#"2v1(Frozen, Health(9), Name("orc"))"#
        );
        assert_eq!(game.len(), 3);
    }
}

#[test]
fn a_repeated_value_replaces_the_previous_one() {
    let chief = orc().with(Health(20)).without::<Frozen>();
    assert_eq!(format!("{chief:?}"), r#"Template(Health(20), Name("orc"))"#);
    assert_eq!(chief.len(), 2);
    assert_eq!(chief.get::<Health>(), Some(&Health(20)));
    assert!(!chief.has::<Frozen>() && chief.get::<Frozen>().is_none());
    let game = Game::new();
    let indices = [
        game.components().index_of::<Health>(),
        game.components().index_of::<Name>(),
    ];
    assert_eq!(chief.component_indices(), indices);
}

#[test]
fn a_template_without_components_creates_empty_entities() {
    let mut game = Game::new();
    let template = Template::default();
    assert!(template.is_empty());
    assert!(template.create(&mut game).is_empty());
}

#[test]
fn each_entity_is_one_change() {
    let mut game = Game::new();
    let log = Arc::new(Mutex::new(Vec::new()));
    let passing = game.group(Game::all_of::<Frozen>().none_of::<Name>());
    let whole = game.group(Game::all_of::<(Name, Health, Frozen)>());
    for group in [passing, whole] {
        let log = log.clone();
        group.on_entered(&mut game, move |_, change| {
            let line = (change.entity(), change.group(), change.component());
            log.lock().unwrap().push(line);
        });
    }
    let ids = orc().create_many(&mut game, 2);
    let expected = [(ids[0], whole, None), (ids[1], whole, None)];
    assert_eq!(*log.lock().unwrap(), expected);
}

#[test]
fn entities_of_a_template_can_be_changed_at_once() {
    let mut game = Game::new();
    let id = orc()
        .create(&mut game)
        .replace_name("chief".to_owned())
        .id();
    assert_eq!(game.entity(id).name().0, "chief");
}

#[test]
fn an_entity_is_made_a_template() {
    let mut game = Game::new();
    let id = orc().create(&mut game).id();
    let template = CloneOptions::all().without::<Name>().template(&game, id);
    game.destroy(id);
    let mut other = Game::new();
    let entity = template.with(Name("elf".into())).create(&mut other).id();
    assert_eq!(
        format!("{:?}", other.entity(entity)),
        r#"0v1(Frozen, Health(9), Name("elf"))"#
    );
}

#[test]
fn a_template_is_applied_to_an_entity_by_the_conflict_rule() {
    let mut game = Game::new();
    let id = game.create_with(Health(1)).id();
    let rejected = orc().try_apply_to(&mut game, id, OnConflict::Reject);
    assert!(matches!(rejected, Err(error) if error.kind() == ErrorKind::AlreadyHasComponent));
    assert_eq!(format!("{:?}", game.entity(id)), "0v1(Health(1))");

    orc().apply_to(&mut game, id, OnConflict::Keep);
    assert_eq!(
        format!("{:?}", game.entity(id)),
        r#"0v1(Frozen, Health(1), Name("orc"))"#
    );
    orc().apply_to(&mut game, id, OnConflict::Replace);
    assert_eq!(game.entity(id).health().0, 9);

    game.destroy(id);
    let rejected = orc().try_apply_to(&mut game, id, OnConflict::Replace);
    assert!(matches!(rejected, Err(error) if error.kind() == ErrorKind::NotAlive));
}

#[test]
fn each_value_is_cloned_once_for_each_entity_and_dropped_once() {
    let counts = Arc::new([const { AtomicUsize::new(0) }; 2]);
    let count = |at: usize| counts[at].load(Ordering::Relaxed);
    let template = Template::new().with(Clones(counts.clone()));
    let mut game = Game::new();
    template.create_many(&mut game, 4);
    assert_eq!((count(0), count(1)), (4, 0));
    drop(template.clone());
    assert_eq!((count(0), count(1)), (5, 1));
    drop(template);
    drop(game);
    assert_eq!((count(0), count(1)), (5, 6));
}

#[test]
fn a_template_moves_between_threads() {
    let template = orc();
    let made = std::thread::scope(|scope| {
        let thread = scope.spawn(|| template.create_many(&mut Game::new(), 3).len());
        thread.join().unwrap()
    });
    assert_eq!(made, 3);
}

#[test]
fn too_many_entities_are_rejected_before_anything_is_cloned() {
    let mut game = Game::new();
    let template = Template::new().with(Touchy(true));
    let rejected = panic_of(|| template.create_many(&mut game, usize::MAX));
    // On a 32-bit machine the ids alone are too many.
    let expected = ["the most that a context can have", "capacity overflow"];
    assert!(
        expected.iter().any(|text| rejected.contains(text)),
        "{rejected}"
    );
    assert!(game.is_empty());
}
