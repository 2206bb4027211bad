//! The updates that a view receives: the generated events of the game, as messages in a queue.
//!
//! A listener cannot own the view, since the game owns the listener; but it can own a sender. All
//! listeners subscribe to events of any entity: a listener of one entity would be dropped with it,
//! and would be missing when an undo revives the entity.

use std::sync::mpsc::{Receiver, Sender, channel};

use ecs::prelude::*;

use super::World;
use super::board::Cell;
use super::game::{Game, GameEntity};

/// The appearance of something on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Face {
    /// A piece of this kind.
    Piece(u8),
    Blocker,
}

/// Something that has happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Update {
    /// Something has moved to a cell or was created there.
    Placed(EntityId<Game>, Face, Cell),
    Destroyed(EntityId<Game>),
    Score(u32),
    BurstMode(bool),
}

/// Subscribes to all updates from now on.
pub(crate) fn subscribe(world: &mut World) -> Receiver<Update> {
    let (sender, receiver) = channel();
    let publisher = Publisher(sender);
    publisher.of_the_board(&mut world.game);
    publisher.of_the_player(world);
    receiver
}

/// Returns the present state as updates, for a view that starts from nothing.
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

/// Sends updates. They are lost if the receiver is gone.
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
