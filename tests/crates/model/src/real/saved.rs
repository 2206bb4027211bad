//! Saves of other contexts, merged into the context or loaded instead of it.

use ecs::prelude::*;

use super::{Real, Shared};
use crate::game::{Game, Id};
use crate::op::Op;
use crate::play::Player;

/// A save, as text or as bytes.
enum Saved {
    Text(String),
    Bytes(Vec<u8>),
}

impl Saved {
    /// The context after a program.
    fn after(program: &[Op], binary: bool) -> Self {
        let mut from = Real::unchecked();
        program.iter().for_each(|op| drop(from.play(op)));
        let save = from.game.save();
        match binary {
            true => Self::Bytes(postcard::to_stdvec(&save).expect("all can be saved")),
            false => Self::Text(serde_json::to_string(&save).expect("all can be saved")),
        }
    }

    fn merge(&self, game: &mut Game) -> Result<Vec<Id>, String> {
        match self {
            Self::Text(text) => game
                .merge(&mut serde_json::Deserializer::from_str(text))
                .map_err(|error| error.to_string()),
            Self::Bytes(bytes) => game
                .merge(&mut postcard::Deserializer::from_bytes(bytes))
                .map_err(|error| error.to_string()),
        }
    }

    fn reload(&self, game: &mut Game) -> bool {
        match self {
            Self::Text(text) => game
                .reload(&mut serde_json::Deserializer::from_str(text))
                .is_ok(),
            Self::Bytes(bytes) => game
                .reload(&mut postcard::Deserializer::from_bytes(bytes))
                .is_ok(),
        }
    }
}

pub(super) fn run_saved(game: &mut Game, shared: &Shared, op: &Op) {
    match op {
        Op::Merge(program, binary) => match Saved::after(program, *binary).merge(game) {
            Ok(ids) => shared.hand().known.extend(ids),
            Err(text) => shared.answer(text),
        },
        Op::Reload(program, binary) => {
            shared.hand().moves += 1; // also if the drop of a present value panics
            let is_loaded = Saved::after(program, *binary).reload(game);
            if is_loaded {
                let mut hand = shared.hand();
                hand.known = game.entities().map(|entity| entity.id()).collect();
                (hand.moved, hand.shrunk) = (false, true);
            }
            shared.answer(format!("reloaded {is_loaded}"));
        }
        _ => unreachable!("run by `run`"),
    }
}
