//! Entities that lists of systems move together, in a context that is recorded, copied or saved:
//! the same operations give the same order.

use std::ops::Range;

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

/// Has saved components.
#[ecs::context]
pub struct Game;

#[derive(Component, Clone, Debug, Hash, Serialize, Deserialize)]
#[component(context = Game)]
struct Health(u32);

#[derive(Component, Clone, Debug, Hash, Serialize, Deserialize)]
#[component(context = Game)]
struct Name(String);

/// The entities, in the order in which they are visited.
fn visited(game: &Game) -> Vec<EntityId<Game>> {
    game.query::<EntityId<Game>>().iter().collect()
}

/// A world in which a fifth of the entities, spread over all rows, have a second component.
fn scattered() -> Game {
    let mut game = Game::new();
    for n in 0..2_000 {
        let mut entity = game.create_with(Health(n));
        if n % 5 == 0 {
            entity.add_name(n.to_string());
        }
    }
    game
}

/// Makes changes that depend on the order of iteration.
fn pass(game: &mut Game, n: u32) {
    let some: Vec<_> = visited(game).into_iter().step_by(37).collect();
    for (at, id) in some.into_iter().enumerate() {
        match at % 3 {
            0 => game.destroy(id),
            1 => _ = game.entity_mut(id).replace(Name(n.to_string())),
            _ => _ = game.create_with(Health(n)),
        }
    }
}

/// Runs some passes of a list of systems; returns the order of iteration after each.
fn passes(game: &mut Game, numbers: Range<u32>) -> Vec<Vec<EntityId<Game>>> {
    let mut systems = Systems::<Game>::new();
    let after_each = numbers.map(|n| {
        pass(game, n);
        systems.cleanup(game);
        visited(game)
    });
    after_each.collect()
}

fn moves(orders: &[Vec<EntityId<Game>>]) -> usize {
    let sorted = |order: &&Vec<EntityId<Game>>| order.is_sorted_by_key(|id| id.index());
    orders.iter().filter(|order| !sorted(order)).count()
}

#[test]
fn the_same_passes_give_the_same_order_after_a_rewind() {
    for warm_up in [0, 1, 9, 17, 30] {
        let mut game = scattered();
        passes(&mut game, 0..warm_up);
        let history = game.record();
        let mark = history.mark(&mut game);
        let before = visited(&game);
        let first = passes(&mut game, 100..140);
        assert!(moves(&first) > 10, "entities have been moved");
        let end = history.mark(&mut game);
        history.rewind(&mut game, mark);
        assert_eq!(visited(&game), before, "{warm_up}");
        history.forward(&mut game, end);
        assert_eq!(visited(&game), first[39], "{warm_up}");
        history.rewind(&mut game, mark);
        game.storage().check_invariants();
        assert_eq!(passes(&mut game, 100..140), first, "{warm_up}");
        game.storage().check_invariants();
    }
}

#[test]
fn moves_are_no_changes() {
    let mut game = scattered();
    let history = game.record();
    let mark = history.mark(&mut game);
    let sum = history.checksum(&mut game);
    let mut systems = Systems::<Game>::new();
    (0..100).for_each(|_| systems.cleanup(&mut game));
    assert!(!visited(&game).is_sorted_by_key(|id| id.index()));
    assert_eq!((history.len(&game), history.changes(&game).count()), (0, 0));
    assert_eq!(history.checksum(&mut game), sum);
    assert_eq!(history.rewind(&mut game, mark), 0);
    assert!(visited(&game).is_sorted_by_key(|id| id.index()));
}

#[test]
fn marks_between_moves_are_checkpoints_of_their_own() {
    let mut game = scattered();
    let history = game.record();
    let mut systems = Systems::<Game>::new();
    let mut checkpoints = Vec::new();
    for _ in 0..60 {
        checkpoints.push((history.mark(&mut game), visited(&game)));
        systems.cleanup(&mut game);
    }
    for at in [59, 20, 45, 19, 21, 0, 59] {
        let (mark, order) = &checkpoints[at];
        if history.try_rewind(&mut game, *mark).is_err() {
            history.forward(&mut game, *mark);
        }
        assert_eq!(&visited(&game), order, "{at}");
    }
    history.rewind(&mut game, checkpoints[30].0);
    history.forget_before(&mut game, checkpoints[25].0);
    history.rewind(&mut game, checkpoints[25].0);
    assert_eq!(visited(&game), checkpoints[25].1);
    assert!(history.try_rewind(&mut game, checkpoints[24].0).is_err());
    systems.cleanup(&mut game); // the same as before
    assert_eq!(visited(&game), checkpoints[26].1);
    history.forward(&mut game, checkpoints[40].0); // later marks stay
    assert_eq!(visited(&game), checkpoints[40].1);
    for back_to in [30, 26] {
        history.rewind(&mut game, checkpoints[back_to].0);
        (0..7).for_each(|_| systems.cleanup(&mut game));
        assert_eq!(visited(&game), checkpoints[back_to + 7].1);
    }
    history.rewind(&mut game, checkpoints[25].0);
    assert_eq!(visited(&game), checkpoints[25].1);
    systems.cleanup(&mut game);
    let beside = history.mark(&mut game);
    for (mark, order) in [(25, 25), (40, 40), (33, 33)] {
        if history.try_rewind(&mut game, checkpoints[mark].0).is_err() {
            history.forward(&mut game, checkpoints[mark].0);
        }
        assert_eq!(visited(&game), checkpoints[order].1);
        history.rewind(&mut game, beside);
        assert_eq!(visited(&game), checkpoints[26].1);
        systems.cleanup(&mut game);
        assert_eq!(visited(&game), checkpoints[27].1);
    }
    game.create_entity(); // discards later marks
    assert!(history.try_forward(&mut game, checkpoints[40].0).is_err());
    history.rewind(&mut game, beside);
    assert_eq!(visited(&game), checkpoints[26].1);
    game.storage().check_invariants();
}

#[test]
fn a_copy_and_a_loaded_save_go_on_with_the_same_moves() {
    for warm_up in [1, 9, 17, 30, 200] {
        let mut game = scattered();
        passes(&mut game, 0..warm_up);
        let mut fork = game.fork();
        let snapshot = game.snapshot();
        let text = serde_json::to_string(&game.save()).unwrap();
        let bytes = postcard::to_stdvec(&game.save()).unwrap();
        let expected = passes(&mut game, 300..340);
        assert_eq!(passes(&mut fork, 300..340), expected, "{warm_up}");
        game.restore(&snapshot);
        assert_eq!(passes(&mut game, 300..340), expected, "{warm_up}");
        let of_text: Game = {
            let mut text = serde_json::Deserializer::from_str(&text);
            Game::load(&mut text).unwrap()
        };
        let of_bytes = Game::load(&mut postcard::Deserializer::from_bytes(&bytes)).unwrap();
        for mut loaded in [of_text, of_bytes] {
            loaded.storage().check_invariants();
            assert_eq!(passes(&mut loaded, 300..340), expected, "{warm_up}");
        }
    }
}
