//! What the game tells whoever shows it: its generated events, as messages in a queue.
//!
//! A listener must not hold what it shows, since the game owns it; a sender it may hold. All
//! listeners are to events of any entity: listeners to one would end with it, and would be missing
//! if a turn is taken back and the entity lives again.

use std::sync::mpsc::{Receiver, Sender, channel};

use ecs::prelude::*;

use super::World;
use super::board::Cell;
use super::game::{Game, GameEntity};

/// What something on the board looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Face {
    /// A piece of this kind.
    Piece(u8),
    Blocker,
}

/// Something that has happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Update {
    /// Something has come to a cell, from another one or from nowhere.
    Placed(EntityId<Game>, Face, Cell),
    Destroyed(EntityId<Game>),
    Score(u32),
    BurstMode(bool),
}

/// Has the game tell its news from now on.
pub(crate) fn subscribe(world: &mut World) -> Receiver<Update> {
    let (sender, receiver) = channel();
    let publisher = Publisher(sender);
    publisher.of_the_board(&mut world.game);
    publisher.of_the_player(world);
    receiver
}

/// How the game stands, as news for someone who knows nothing of it yet.
pub(crate) fn present(world: &World) -> Vec<Update> {
    let board = world.game.entities().map(placed);
    let score = world.state.get_score().map(|score| Update::Score(score.0));
    let burst_mode = Update::BurstMode(world.input.is_burst_mode());
    board.chain(score).chain([burst_mode]).collect()
}

fn placed(entity: GameEntity<'_>) -> Update {
    let face = match entity.get_piece() {
        Some(piece) => Face::Piece(piece.kind),
        None => Face::Blocker,
    };
    Update::Placed(entity.id(), face, entity.position().0)
}

/// Sends news. A receiver that has gone away misses nothing.
#[derive(Clone)]
struct Publisher(Sender<Update>);

impl Publisher {
    fn send(&self, update: Update) {
        let _ = self.0.send(update);
    }

    fn of_the_board(&self, game: &mut Game) {
        let publisher = self.clone();
        game.on_any_position_set(move |entity| publisher.send(placed(entity.as_ref())));
        let publisher = self.clone();
        game.on_any_destroyed_set(move |entity| publisher.send(Update::Destroyed(entity.id())));
    }

    fn of_the_player(&self, World { input, state, .. }: &mut World) {
        let publisher = self.clone();
        state.on_any_score_set(move |entity| publisher.send(Update::Score(entity.score().0)));
        let publisher = self.clone();
        input.on_any_burst_mode_set(move |_| publisher.send(Update::BurstMode(true)));
        let publisher = self.clone();
        input.on_any_burst_mode_removed(move |_| publisher.send(Update::BurstMode(false)));
    }
}
