//! Ids of another context of the same type (F11). They are rejected if the library is built with
//! debug assertions; otherwise an id does not know its context and matches the entity with the same
//! index.

use std::collections::HashSet;

use ecs::prelude::*;
use support::calls::{CHANGES, QUESTIONS, RELATIONS, picture, world};
use support::game::{ChildOf, Game, Health, Id};

use support::panic_of;

/// Whether ids of another context are rejected, which depends on how the library was built.
fn are_rejected() -> bool {
    size_of::<Id>() > 8
}

#[test]
fn every_call_rejects_them_with_nothing_changed() {
    for (name, call) in [QUESTIONS, CHANGES, RELATIONS].concat() {
        let ((mut game, [own, second]), (_other, [_, foreign])) = (world(), world());
        assert_eq!(second, foreign);
        let before = picture(&game);
        if are_rejected() {
            let text = panic_of(|| call(&mut game, own, foreign));
            assert!(
                text.contains("entity 1v1 is one of `Game` number "),
                "{name}: {text}"
            );
            assert!(
                text.contains("only with the context that created it"),
                "{name}: {text}"
            );
            assert_eq!(picture(&game), before, "{name}");
        }
        assert!(call(&mut game, own, second), "{name}");
        let (mut game, [own, _]) = world();
        if !are_rejected() {
            assert!(call(&mut game, own, foreign), "{name}"); // taken for the second entity
        }
    }
}

#[test]
fn a_target_of_another_context_with_the_same_index_is_rejected() {
    let ((mut game, [own, _]), (_other, [foreign, _])) = (world(), world());
    let text = panic_of(|| game.entity_mut(own).add_child_of(foreign).id());
    assert_eq!(
        text.contains("is one of `Game` number"),
        are_rejected(),
        "{text}"
    );
    assert!(!game.entity(own).has_child_of());
}

#[test]
fn the_panic_names_both_contexts() {
    if !are_rejected() {
        return assert_eq!(size_of::<Option<Id>>(), 8);
    }
    let ((game, [own, _]), (other, [foreign, _])) = (world(), world());
    let numbers = |game: &Game, id: Id| {
        let text = panic_of(|| game.contains(id));
        let parts = text.split("number ").skip(1);
        let number = |part: &str| {
            part.split(|c: char| !c.is_ascii_digit())
                .next()?
                .parse()
                .ok()
        };
        parts
            .map(|part| number(part).unwrap())
            .collect::<Vec<u32>>()
    };
    let [theirs, ours] = numbers(&game, foreign)[..] else {
        panic!("two numbers")
    };
    assert_ne!(theirs, ours);
    assert_eq!(numbers(&other, own), [ours, theirs]);
}

#[test]
fn the_context_of_an_id_does_not_affect_equality() {
    let ((_, [own, _]), (_, [foreign, _])) = (world(), world());
    assert!(own == foreign && own >= foreign && own <= foreign);
    assert_eq!(HashSet::from([own, foreign]).len(), 1);
    assert_eq!(format!("{own} {foreign:?}"), "0v1 0v1");
    assert_eq!(own.to_bits(), foreign.to_bits());
}

#[test]
fn an_id_made_from_a_number_is_valid_in_every_context() {
    let ((game, [own, _]), (mut other, _)) = (world(), world());
    let id = Id::from_bits(own.to_bits()).unwrap();
    assert!(game.contains(id) && other.contains(id));
    other.entity_mut(id).replace_health(9);
    let child = other.create_with(ChildOf { parent: id }).id();
    assert_eq!(other.entity(id).children(), [child]);
}

#[test]
fn an_id_stays_valid_when_its_context_is_moved() {
    let ((mut game, [id, _]), (mut other, _)) = (world(), world());
    std::mem::swap(&mut game, &mut other);
    let moved = (other, 7);
    assert!(moved.0.contains(id));
}

#[test]
fn ids_from_before_a_reset_are_dead() {
    let (mut game, [id, _]) = world();
    game.reset();
    game.create_with(Health(3));
    assert!(!game.contains(id) && game.try_destroy(id).is_err());
}
