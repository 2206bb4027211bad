//! Saved random programs: a loaded game continues like the saved one, and a merge adds a copy to
//! existing entities.

use std::collections::HashMap;

use ecs::prelude::*;
use ecs::{Loader, Save};
use proptest::prelude::*;

use ::model::check::check_invariants;
use ::model::game::{A, Game, H, Id, number_of};
use ::model::make;
use ::model::op::{Kind, Op};
use ::model::{Player, Real, programs};

use super::{after, leaves_handles, seen};

fn json(game: &Game) -> String {
    serde_json::to_string(&game.save()).expect("all can be saved")
}

fn from_json(text: &str) -> Game {
    Game::load(&mut serde_json::Deserializer::from_str(text)).expect("all can be loaded")
}

fn from_bytes(game: &Game) -> Game {
    let bytes = postcard::to_stdvec(&game.save()).expect("all can be saved");
    Game::load(&mut postcard::Deserializer::from_bytes(&bytes)).expect("all can be loaded")
}

fn reload(game: &mut Game, text: &str) {
    let reloaded = game.reload(&mut serde_json::Deserializer::from_str(text));
    reloaded.expect("all can be loaded");
    game.storage_mut().clear_pools();
}

/// A program without subscribers, which are not saved.
fn unwatched(program: Vec<Op>) -> Vec<Op> {
    program.into_iter().filter(leaves_handles).collect()
}

/// A program without subscribers and without moves of entities, whose order is not saved.
fn unmoved(program: Vec<Op>) -> Vec<Op> {
    let moves = |op: &Op| matches!(op, Op::Defragment | Op::DefragmentFor(_) | Op::ShrinkToFit);
    let program = unwatched(program).into_iter();
    program.filter(|op| !moves(op)).collect()
}

/// A line of the state with sorted sources of relations: a save keeps the order of `H` only.
fn unordered(line: &str) -> String {
    let sorted = line.split('"').map(|list| {
        let mut ids: Vec<_> = list.split(' ').collect();
        ids.sort_unstable();
        ids.join(" ")
    });
    sorted.collect::<Vec<_>>().join("\"")
}

/// The visible state, in the order of iteration.
fn all(real: &Real) -> (Vec<String>, Vec<Id>, String) {
    let rows = real.game.query::<Id>().iter().collect();
    let seen = seen(real).iter().map(|line| unordered(line)).collect();
    (seen, rows, json(&real.game))
}

/// The numbers of an entity, with its targets mapped to other entities.
fn numbers(game: &Game, id: Id, map: impl Fn(Id) -> Id) -> Vec<Option<u64>> {
    let number = |kind: Kind| {
        let number = number_of(game.entity(id), kind)?;
        let mapped = |number| Some(map(Id::from_bits(number)?).to_bits());
        if kind.is_relation() {
            mapped(number)
        } else {
            Some(number)
        }
    };
    Kind::ALL.map(number).to_vec()
}

fn lines(log: Vec<String>) -> Vec<String> {
    log.iter().map(|line| unordered(line)).collect()
}

proptest! {
    #![proptest_config(programs(5))]

    /// F43: a program continues in a loaded game.
    #[test]
    fn a_loaded_game_continues_like_the_saved_one(
        before in make::quiet_program().prop_map(unwatched),
        program in make::quiet_program().prop_map(unmoved),
        groups in make::matchers(),
        elsewhere in make::quiet_program().prop_map(unwatched),
    ) {
        let mut saved = after(&before);
        saved.game.storage_mut().clear_pools(); // pools are not saved
        let mut reloaded = after(&elsewhere).game;
        reload(&mut reloaded, &json(&saved.game));
        check_invariants(&reloaded);
        let loaded = [from_json(&json(&saved.game)), from_bytes(&saved.game), reloaded];
        let mut loaded = loaded.map(|game| saved.with(game));
        for op in [None].into_iter().chain(program.iter().map(Some)) {
            let notified = op.map(|op| lines(saved.play(op)));
            for real in &mut loaded {
                prop_assert_eq!(&op.map(|op| lines(real.play(op))), &notified);
                prop_assert_eq!(all(real), all(&saved));
            }
        }
        for sets in groups {
            let notified = saved.play(&Op::MakeGroup(sets));
            for real in &mut loaded {
                prop_assert_eq!(&real.play(&Op::MakeGroup(sets)), &notified);
                prop_assert_eq!(all(real), all(&saved));
            }
        }
    }

    /// F43: a save is merged into a context with entities.
    #[test]
    fn a_merge_adds_a_copy(
        here in make::quiet_program().prop_map(|all| without_keys(unwatched(all))),
        there in make::quiet_program().prop_map(|all| without_keys(unwatched(all))),
    ) {
        let (mut game, from) = (after(&here).game, after(&there).game);
        let before: Vec<_> = game.entities().map(|it| it.id()).collect();
        let ids = game.merge(&mut serde_json::Deserializer::from_str(&json(&from)));
        let ids = ids.expect("no key is taken");
        prop_assert_eq!(game.len(), before.len() + from.len());
        let copies: HashMap<_, _> = from.entities().map(|it| it.id()).zip(ids).collect();
        for (there, here) in &copies {
            prop_assert!(!before.contains(here));
            let expected = numbers(&from, *there, |target| copies[&target]);
            prop_assert_eq!(numbers(&game, *here, |target| target), expected);
            let sources = from.entity(*there).of_h().iter().map(|source| copies[source]);
            prop_assert_eq!(game.entity(*here).of_h(), sources.collect::<Vec<_>>());
        }
        check_invariants(&game);
    }

    /// F43: some entities, without one component, are merged into their own world or another one.
    #[test]
    fn a_part_is_a_copy_of_some_of_it(
        here in make::quiet_program().prop_map(|all| without_keys(unwatched(all))),
        there in make::quiet_program().prop_map(|all| without_keys(unwatched(all))),
        is_same in any::<bool>(),
        binary in any::<bool>(),
        every in 1_usize..4,
    ) {
        let from = after(&there).game;
        let mut game = after(if is_same { &there } else { &here }).game;
        let chosen: Vec<_> = from.entities().step_by(every).map(|it| it.id()).collect();
        let below = |&id| from.entity(id).related::<H>().descendants();
        let mut part: Vec<_> = chosen.iter().flat_map(below).chain(chosen.clone()).collect();
        part.sort();
        part.dedup();
        let save = from.save().only(&chosen).with_descendants::<H>().without::<A>();
        let stand_in = game.create_entity().id();
        let outside = move |id| if is_same { id } else { stand_in };
        let loader = Loader::new().map_absent(move |id| Some(outside(id)));
        let ids = merge_part(loader, &mut game, &save, binary);
        let copies: HashMap<_, _> = part.iter().copied().zip(ids).collect();
        prop_assert_eq!(copies.len(), part.len());
        let map = |id| copies.get(&id).copied().unwrap_or_else(|| outside(id));
        for there in &part {
            let mut expected = numbers(&from, *there, map);
            expected[0] = None; // the number of `A`
            prop_assert_eq!(numbers(&game, copies[there], |target| target), expected);
            let sources = from.entity(*there).of_h().iter().map(|&source| map(source));
            prop_assert_eq!(game.entity(copies[there]).of_h(), sources.collect::<Vec<_>>());
        }
        for absent in save.absent().iter().filter(|_| is_same) {
            let sources = from.entity(absent.id).of_h();
            let added = sources.iter().filter_map(|source| copies.get(source));
                        let all: Vec<_> = sources.iter().chain(added).copied().collect();
            prop_assert_eq!(game.entity(absent.id).of_h(), all);
        }
        check_invariants(&game);
    }
}

fn merge_part(
    mut loader: Loader<Game>,
    game: &mut Game,
    part: &Save<'_, Game>,
    binary: bool,
) -> Vec<Id> {
    if binary {
        let bytes = postcard::to_stdvec(part).expect("all can be saved");
        let from = &mut postcard::Deserializer::from_bytes(&bytes);
        return loader.merge(game, from).expect("no key is taken");
    }
    let text = serde_json::to_string(part).expect("all can be saved");
    let from = &mut serde_json::Deserializer::from_str(&text);
    loader.merge(game, from).expect("no key is taken")
}

/// A program without components that only one of two merged games can have, and without dead
/// targets.
fn without_keys(program: Vec<Op>) -> Vec<Op> {
    let other = |kind: Kind| match kind {
        Kind::E | Kind::G => Kind::A,
        Kind::J => Kind::I,
        kind => kind,
    };
    let program = program.into_iter().filter(|op| !sets_unique(op));
    program.map(|op| op.map_kinds(&other)).collect()
}

/// Whether an operation gives the unique component to an entity without naming it.
fn sets_unique(op: &Op) -> bool {
    match op {
        Op::SetUnique(_) | Op::ReplaceUnique(_) | Op::SetState(_) => true,
        Op::Each(_, script) => script.iter().any(sets_unique),
        _ => false,
    }
}
