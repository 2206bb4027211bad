//! Many small contexts, as in a server with one per match, compared with plain lists.

use std::hint::black_box;

use ecs::prelude::*;

use crate::types::{Game, Position, Velocity, position, velocity};
use crate::workload::{Workload, fresh};

pub(super) fn made(items: usize) -> Box<dyn Workload> {
    let run = move |games: &mut Vec<Game>| {
        games.extend((0..items).map(|at| {
            let mut game = Game::new();
            game.create_with((position(at), velocity()));
            game
        }));
    };
    fresh(Vec::new, run, move |games| {
        assert_eq!(games.len(), items);
        assert!(games.iter().all(|game| game.len() == 1));
    })
}

pub(super) fn lists(items: usize) -> Box<dyn Workload> {
    let run = move |games: &mut Vec<Vec<(Position, Velocity)>>| {
        games.extend((0..items).map(|at| vec![black_box((position(at), velocity()))]));
    };
    fresh(Vec::new, run, move |games| assert_eq!(games.len(), items))
}
