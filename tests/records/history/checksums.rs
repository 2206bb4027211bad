//! Checksums: what they depend on, and that they are right wherever the present is.

use ecs::History;
use ecs::prelude::*;
use support::attempt;

use super::{Game, GameEntityMut, Health, Team, Touchy};

/// The checksum, which is the sum of those of all entities however much of it was known before.
#[track_caller]
fn checked(game: &mut Game, history: &History<Game>) -> u64 {
    let whole = history.checksum(game);
    let parts = game
        .entities()
        .map(|entity| history.checksum_of(game, entity.id()).unwrap());
    assert_eq!(whole, parts.fold(0, u64::wrapping_add));
    whole
}

#[test]
fn a_checksum_depends_on_every_value_and_on_who_has_it() {
    let sum = |values: [u32; 2], frozen: usize, second: bool| {
        let mut game = Game::new();
        let history = game.record();
        let ids = game.create_many(values.map(Health));
        game.entity_mut(ids[frozen]).add_frozen();
        if second {
            game.create_entity();
        }
        checked(&mut game, &history)
    };
    let one = sum([1, 2], 0, false);
    assert_eq!(one, sum([1, 2], 0, false));
    let others = [
        sum([2, 1], 0, false),
        sum([1, 3], 0, false),
        sum([1, 2], 1, false),
        sum([1, 2], 0, true),
    ];
    assert!(others.iter().all(|&other| other != one), "{one} {others:?}");
}

#[test]
fn a_checksum_depends_on_who_is_alive_and_on_which_component_has_a_value() {
    let of_the_first = |fill: fn(&mut GameEntityMut<'_>)| {
        let mut game = Game::new();
        let history = game.record();
        fill(&mut game.create_entity());
        history.checksum(&mut game)
    };
    let health = of_the_first(|entity| _ = entity.add_health(1));
    let mood = of_the_first(|entity| _ = entity.add_mood(1));
    assert_ne!(health, mood, "the component");
    let of_the_rest = |ended: &[usize]| {
        let mut game = Game::new();
        let history = game.record();
        let ids = [(); 2].map(|()| game.create_entity().id());
        ended.iter().for_each(|&nth| game.destroy(ids[nth]));
        history.checksum(&mut game)
    };
    assert_ne!(of_the_rest(&[0]), of_the_rest(&[1]), "the index");
    let of_a_life = |lives: u32| {
        let mut game = Game::new();
        let history = game.record();
        for _ in 1..lives {
            let id = game.create_with(Health(1)).id();
            game.destroy(id);
        }
        game.create_with(Health(1));
        history.checksum(&mut game)
    };
    assert_ne!(of_a_life(1), of_a_life(2), "the generation");
}

#[test]
fn a_checksum_counts_nothing_of_what_is_left_out() {
    let mut game = Game::new();
    let first = game.create_with((Health(1), Team("red"))).id();
    let second = game.create_with(Health(1)).id();
    let history = History::builder().leave_out::<Team>().record(&mut game);
    let before = checked(&mut game, &history);
    game.entity_mut(first).replace_team("blue");
    game.entity_mut(second).add_team("red");
    assert_eq!(checked(&mut game, &history), before);
    game.entity_mut(first).replace_health(2).remove_team();
    assert_ne!(checked(&mut game, &history), before);
    game.entity_mut(first).replace_health(1);
    assert_eq!(checked(&mut game, &history), before);
    game.destroy(second);
    checked(&mut game, &history);
}

#[test]
fn a_checksum_is_right_after_what_was_forgotten_taken_back_and_cut_off() {
    let mut game = Game::new();
    let ids = game.create_many((0..4).map(Health));
    let history = game.record();
    let health = |game: &mut Game, nth: usize, value| {
        game.entity_mut(ids[nth]).replace_health(value);
    };
    let first = checked(&mut game, &history);
    let start = history.mark(&mut game);
    health(&mut game, 0, 10);
    health(&mut game, 1, 11);
    let middle = history.mark(&mut game);
    let second = checked(&mut game, &history);
    health(&mut game, 2, 12);
    history.rewind(&mut game, start);
    assert_eq!(checked(&mut game, &history), first);
    history.forward(&mut game, middle);
    assert_eq!(checked(&mut game, &history), second);
    health(&mut game, 3, 13);
    let third = checked(&mut game, &history);
    history.forget_before(&mut game, middle);
    game.storage().check_invariants();
    assert_eq!(checked(&mut game, &history), third);
    health(&mut game, 0, 20);
    checked(&mut game, &history);
    history.rewind(&mut game, middle);
    assert_eq!(checked(&mut game, &history), second);
    game.reset();
    game.create_with(Health(1));
    checked(&mut game, &history);
}

#[test]
fn a_checksum_of_changes_that_are_cut_off_is_not_believed() {
    let mut game = Game::new();
    let ids = game.create_many([Health(1), Health(2)]);
    let history = game.record();
    let start = history.mark(&mut game);
    let both = |game: &mut Game, value| {
        ids.iter()
            .for_each(|&id| _ = game.entity_mut(id).replace_health(value));
        checked(game, &history)
    };
    let first = both(&mut game, 10);
    history.rewind(&mut game, start);
    assert_ne!(both(&mut game, 20), first);
}

#[test]
fn a_checksum_is_right_after_a_change_that_could_not_be_recorded() {
    let mut game = Game::new();
    let touchy = game.group(Game::all_of::<Touchy>());
    touchy.on_left(&mut game, |_, _| {}); // so that the value is cloned for the history
    game.create_with(Health(1));
    let id = game.create_with(Touchy(true)).id();
    let history = game.record();
    let before = checked(&mut game, &history);
    assert!(attempt(|| game.destroy(id)).is_some());
    assert_ne!(checked(&mut game, &history), before);
}

#[test]
fn a_checksum_is_right_after_a_value_that_could_not_be_recorded() {
    let mut game = Game::new();
    let touchy = game.group(Game::all_of::<Touchy>());
    touchy.on_updated(&mut game, |_, _| {}); // so that the value is cloned for the history
    let id = game.create_with(Touchy(true)).id();
    let history = game.record();
    let before = checked(&mut game, &history);
    assert!(attempt(|| _ = game.entity_mut(id).replace_touchy(false)).is_some());
    assert_ne!(checked(&mut game, &history), before);
}

/// No component at all, so there is no value of any.
#[ecs::context]
struct Blank;

#[test]
fn a_context_without_components_has_a_checksum_of_its_entities() {
    let mut blank = Blank::new();
    let history = blank.record();
    let none = history.checksum(&mut blank);
    let id = blank.create_entity().id();
    let one = history.checksum(&mut blank);
    assert_ne!(one, none);
    blank.destroy(id);
    assert_eq!(history.checksum(&mut blank), none);
}
