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
pub(crate) enum News {
    /// Something has come to a cell, from another one or from nowhere.
    Placed(EntityId<Game>, Face, Cell),
    Destroyed(EntityId<Game>),
    Score(u32),
    BurstMode(bool),
}

/// Has the game tell its news from now on.
pub(crate) fn subscribe(world: &mut World) -> Receiver<News> {
    let (sender, receiver) = channel();
    let teller = Teller(sender);
    teller.of_the_board(&mut world.game);
    teller.of_the_player(world);
    receiver
}

/// How the game stands, as news for someone who knows nothing of it yet.
pub(crate) fn present(world: &World) -> Vec<News> {
    let board = world.game.entities().map(placed);
    let score = world.state.get_score().map(|score| News::Score(score.0));
    let burst_mode = News::BurstMode(world.input.is_burst_mode());
    board.chain(score).chain([burst_mode]).collect()
}

fn placed(entity: GameEntity<'_>) -> News {
    let face = match entity.get_piece() {
        Some(piece) => Face::Piece(piece.kind),
        None => Face::Blocker,
    };
    News::Placed(entity.id(), face, entity.position().0)
}

/// Sends news. A receiver that has gone away misses nothing.
#[derive(Clone)]
struct Teller(Sender<News>);

impl Teller {
    fn tell(&self, news: News) {
        let _ = self.0.send(news);
    }

    fn of_the_board(&self, game: &mut Game) {
        let teller = self.clone();
        game.on_any_position_set(move |entity| teller.tell(placed(entity.as_ref())));
        let teller = self.clone();
        game.on_any_destroyed_set(move |entity| teller.tell(News::Destroyed(entity.id())));
    }

    fn of_the_player(&self, World { input, state, .. }: &mut World) {
        let teller = self.clone();
        state.on_any_score_set(move |entity| teller.tell(News::Score(entity.score().0)));
        let teller = self.clone();
        input.on_any_burst_mode_set(move |_| teller.tell(News::BurstMode(true)));
        let teller = self.clone();
        input.on_any_burst_mode_removed(move |_| teller.tell(News::BurstMode(false)));
    }
}
