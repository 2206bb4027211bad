//! What the game tells whoever shows it: its generated events, as messages in a queue.
//!
//! A listener must not hold what it shows, since the game owns it; a sender it may hold.

use std::sync::mpsc::{Receiver, Sender, channel};

use ecs::prelude::*;

use super::World;
use super::board::Cell;
use super::game::{Game, GameEntityMut};

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
    Appeared(EntityId<Game>, Face, Cell),
    Moved(EntityId<Game>, Cell),
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

/// Sends news. A receiver that has gone away misses nothing.
#[derive(Clone)]
struct Teller(Sender<News>);

impl Teller {
    fn tell(&self, news: News) {
        let _ = self.0.send(news);
    }

    /// Tells of all that comes to the board, and from then on of each thing on it.
    fn of_the_board(&self, game: &mut Game) {
        let teller = self.clone();
        game.on_any_piece_set(move |piece| {
            let face = Face::Piece(piece.piece().kind);
            teller.of_one(piece, face);
        });
        let teller = self.clone();
        game.on_any_blocker_set(move |blocker| teller.of_one(blocker, Face::Blocker));
    }

    /// What happens to it in this very frame is not heard; but nothing can, since the
    /// player's turn comes before that of the board.
    fn of_one(&self, mut entity: GameEntityMut<'_>, face: Face) {
        self.tell(News::Appeared(entity.id(), face, entity.position().0));
        let teller = self.clone();
        entity.on_position_set(move |entity| {
            teller.tell(News::Moved(entity.id(), entity.position().0));
        });
        let teller = self.clone();
        entity.on_destroyed_set(move |entity| teller.tell(News::Destroyed(entity.id())));
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
