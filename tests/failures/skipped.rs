//! F24: systems that are skipped in some passes and run twice in others, in every order: each gets
//! each change exactly once, in the order of the changes.

use ecs::Handles;
use ecs::prelude::*;
use support::Notes;
use support::game::{Game, Health, Id};

/// All permutations of three.
const ORDERS: [[usize; 3]; 6] = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
];

const NAMES: [&str; 3] = ["A", "B", "C"];

const FRAMES: usize = 60;

/// Logs the entities it receives.
struct Noting(Notes<Id>);

impl ReactiveSystem<Game> for Noting {
    type Context = Game;

    fn trigger(&self) -> Trigger<Game> {
        Game::all_of::<Health>().updated()
    }

    fn filter(&self, entity: <Game as Handles>::Entity<'_>) -> bool {
        entity.has_health()
    }

    fn react(&mut self, _: &mut Game, changed: &[Id]) {
        changed.iter().for_each(|id| self.0.push(*id));
    }
}

/// A list with a system of each kind in this order, which log the entities they receive.
fn systems(game: &mut Game, order: [usize; 3], notes: &[Notes<Id>; 3]) -> Systems<Game> {
    let updated = || Game::all_of::<Health>().updated();
    order.into_iter().fold(Systems::new(), |systems, which| {
        let notified = notes[which].clone();
        let systems = match which {
            0 => systems.add_reactive(game, Noting(notified)),
            1 => {
                systems.for_each_changed(game, updated(), move |_: &mut Game, id| notified.push(id))
            }
            _ => systems.query_changed::<_, (Id, &Health)>(game, updated(), move |(id, _)| {
                notified.push(id);
            }),
        };
        systems.named(NAMES[which])
    })
}

/// Whether a system is skipped in a frame: each one for some frames, at times two together, at
/// times none.
fn is_skipped(which: usize, frame: usize) -> bool {
    [
        frame / 3 % 3 == which,
        frame / 5 % 4 == which,
        frame % 7 < which,
    ][which]
}

/// F24: each change concerns another entity, so that all are distinguishable.
#[test]
fn systems_that_are_skipped_and_run_twice_get_each_change_once() {
    for order in ORDERS {
        let mut game = Game::new();
        let ids = game.create_many((0..FRAMES as u32).map(Health));
        let notes: [Notes<Id>; 3] = Default::default();
        let mut systems = systems(&mut game, order, &notes);
        for (frame, id) in ids.iter().enumerate() {
            game.entity_mut(*id).replace_health(100);
            for (which, name) in NAMES.iter().enumerate() {
                systems.set_enabled(name, !is_skipped(which, frame));
            }
            for _ in 0..frame % 3 {
                systems.execute(&mut game);
            }
        }
        NAMES
            .iter()
            .for_each(|name| systems.set_enabled(name, true));
        (0..2).for_each(|_| systems.execute(&mut game));
        for (which, notes) in notes.iter().enumerate() {
            assert_eq!(notes.take(), ids, "system {which} of {order:?}");
        }
        game.storage().check_invariants();
    }
}

/// F24: systems that change what the others react to, in every order and with skipped runs: each
/// changed entity is passed once to each of the others, and to the system itself.
#[test]
fn changes_of_systems_reach_each_of_them_once() {
    for order in ORDERS {
        let mut game = Game::new();
        let ids = game.create_many((0..3).map(Health));
        let notes: [Notes<(usize, Id)>; 3] = Default::default();
        let mut list = order.into_iter().fold(Systems::new(), |systems, which| {
            let (notified, own) = (notes[which].clone(), ids[which]);
            let updated = Game::all_of::<Health>().updated();
            let react = move |game: &mut Game, id: Id| {
                notified.push((which, id));
                if game.entity(own).health().0 < 100 {
                    game.entity_mut(own).replace_health(100);
                }
            };
            let systems = systems.for_each_changed(&mut game, updated, react);
            systems.named(NAMES[which])
        });
        let start = game.create_with(Health(0)).replace_health(1).id();
        for pass in 0..12 {
            for (which, name) in NAMES.iter().enumerate() {
                list.set_enabled(name, pass % 3 == which || pass > 9);
            }
            list.execute(&mut game);
        }
        for (which, notes) in notes.iter().enumerate() {
            let mut notified: Vec<Id> = notes.take().into_iter().map(|(_, id)| id).collect();
            notified.sort();
            let expected = [&ids[..], &[start]].concat();
            assert_eq!(notified, expected, "system {which} of {order:?}");
        }
    }
}
