//! Tests of the rules, the updates and the output of Match One.

mod arguments;
mod drawing;
mod rules;
mod showing;
mod turns;

use ecs::prelude::*;

use crate::logic::{BoardSize, Cell, Face, MatchOne, Settings};

fn cell(x: u16, y: u16) -> Cell {
    Cell { x, y }
}

/// A game on a board like this, the upper row first: letters are kinds of pieces, a
/// number sign is a blocker. New pieces are of kinds from `a` on.
fn game(rows: &[&str]) -> MatchOne {
    let size = BoardSize {
        width: rows[0].len() as u16,
        height: rows.len() as u16,
    };
    let mut game = MatchOne::new(Settings {
        size,
        ..Settings::default()
    });
    game.start();
    game.world.game.destroy_all();
    for (y, row) in rows.iter().rev().enumerate() {
        for (x, letter) in row.bytes().enumerate() {
            put(&mut game, cell(x as u16, y as u16), letter);
        }
    }
    game
}

fn put(game: &mut MatchOne, cell: Cell, letter: u8) {
    match letter {
        b'#' => drop(game.world.game.create_blocker(cell)),
        _ => drop(game.world.game.create_piece(cell, letter - b'a')),
    }
}

/// Returns what is in a cell, found through the primary index.
fn face(game: &MatchOne, cell: Cell) -> Option<Face> {
    let entity = game.world.game.entity_with_position(&cell)?;
    assert_ne!(entity.has_piece(), entity.has_blocker());
    Some(match entity.get_piece() {
        Some(piece) => Face::Piece(piece.kind),
        None => Face::Blocker,
    })
}

/// The board as text, as it is given to [`game`]; a dot is an empty cell.
fn rows(game: &MatchOne) -> Vec<String> {
    let size = *game.world.config.board_size();
    let letter = |cell| match face(game, cell) {
        Some(Face::Piece(kind)) => char::from(b'a' + kind),
        Some(Face::Blocker) => '#',
        None => '.',
    };
    let rows = (0..size.height).rev();
    rows.map(|y| size.columns().map(|x| letter(cell(x, y))).collect())
        .collect()
}

fn score(game: &MatchOne) -> u32 {
    game.world.state.score().0
}
