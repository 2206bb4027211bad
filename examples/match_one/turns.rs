//! Undo and redo of turns.
//!
//! Everything that a turn changes is in the contexts, so their histories can undo it, whatever the
//! systems have done. Views are not part of it; they restart from
//! [`present`](super::logic::present).

use ecs::prelude::*;
use ecs::{History, Mark};

use super::logic::{Game, Input, MatchOne, State, World};

/// The histories of all contexts that change while the game is played.
pub(crate) struct Histories {
    game: History<Game>,
    input: History<Input>,
    state: History<State>,
}

/// A mark in each history, made at the same time.
#[derive(Clone, Copy)]
pub(crate) struct Checkpoint {
    game: Mark<Game>,
    input: Mark<Input>,
    state: Mark<State>,
}

impl Histories {
    /// Starts to record a world.
    pub(crate) fn record(world: &mut World) -> Self {
        Self {
            game: world.game.record(),
            input: world.input.record(),
            state: world.state.record(),
        }
    }

    /// Marks the present.
    pub(crate) fn mark(&self, world: &mut World) -> Checkpoint {
        Checkpoint {
            game: self.game.mark(&mut world.game),
            input: self.input.mark(&mut world.input),
            state: self.state.mark(&mut world.state),
        }
    }

    /// Goes back to a checkpoint.
    pub(crate) fn rewind(&self, world: &mut World, checkpoint: Checkpoint) {
        self.game.rewind(&mut world.game, checkpoint.game);
        self.input.rewind(&mut world.input, checkpoint.input);
        self.state.rewind(&mut world.state, checkpoint.state);
    }

    /// Goes forward to a checkpoint.
    fn forward(&self, world: &mut World, checkpoint: Checkpoint) {
        self.game.forward(&mut world.game, checkpoint.game);
        self.input.forward(&mut world.input, checkpoint.input);
        self.state.forward(&mut world.state, checkpoint.state);
    }
}

/// The turns of a game.
pub(crate) struct Turns {
    histories: Histories,
    /// The checkpoints before each turn, the latest last.
    before: Vec<Checkpoint>,
    /// The checkpoints after each undone turn; the next redo is last.
    undone: Vec<Checkpoint>,
}

impl Turns {
    /// Starts to record the turns of a game.
    pub(crate) fn record(world: &mut World) -> Self {
        Self {
            histories: Histories::record(world),
            before: Vec::new(),
            undone: Vec::new(),
        }
    }

    /// Begins a turn, which consists of all requests from now on. Finishes the previous one first.
    pub(crate) fn begin(&mut self, game: &mut MatchOne) {
        game.settle();
        self.undone.clear();
        self.before.push(self.histories.mark(&mut game.world));
    }

    /// Undoes the last turn; returns whether there was one.
    pub(crate) fn undo(&mut self, game: &mut MatchOne) -> bool {
        game.settle();
        let Some(checkpoint) = self.before.pop() else {
            return false;
        };
        self.undone.push(self.histories.mark(&mut game.world));
        self.histories.rewind(&mut game.world, checkpoint);
        true
    }

    /// Redoes the turn that was undone last; returns whether there was one.
    pub(crate) fn redo(&mut self, game: &mut MatchOne) -> bool {
        let Some(checkpoint) = self.undone.pop() else {
            return false;
        };
        self.before.push(self.histories.mark(&mut game.world));
        self.histories.forward(&mut game.world, checkpoint);
        true
    }
}
