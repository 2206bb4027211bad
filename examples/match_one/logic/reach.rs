//! Finds the pieces that a selection takes: in burst mode all pieces around it, otherwise the connected
//! pieces of the same kind. Never blockers.

use ecs::prelude::*;

use super::World;
use super::board::Cell;
use super::game::{Game, GameEntity};

/// Returns what a selection of this cell takes; nothing if there is no piece.
pub(super) fn of(world: &World, cell: Cell) -> Vec<EntityId<Game>> {
    let Some(piece) = piece_at(&world.game, cell) else {
        return Vec::new();
    };
    match world.input.is_burst_mode() {
        true => around(&world.game, cell),
        false => matching(&world.game, piece),
    }
}

/// Returns the piece in a cell, if there is one that the player can take.
fn piece_at(game: &Game, cell: Cell) -> Option<GameEntity<'_>> {
    let entity = game.entity_with_position(&cell)?;
    entity.has_interactive().then_some(entity)
}

/// Returns all pieces in the three by three cells around this one.
fn around(game: &Game, cell: Cell) -> Vec<EntityId<Game>> {
    let pieces = cell.square().filter_map(|cell| piece_at(game, cell));
    pieces.map(|piece| piece.id()).collect()
}

/// Returns the piece and all of its kind that it touches, directly or through others.
fn matching(game: &Game, piece: GameEntity<'_>) -> Vec<EntityId<Game>> {
    let mut found = vec![piece.id()];
    let mut next = 0;
    while let Some(&id) = found.get(next) {
        let cell = game.entity(id).position().0;
        let neighbours = cell.neighbours().filter_map(|cell| piece_at(game, cell));
        for neighbour in neighbours.filter(|other| other.get_piece() == piece.get_piece()) {
            if !found.contains(&neighbour.id()) {
                found.push(neighbour.id());
            }
        }
        next += 1;
    }
    found
}
