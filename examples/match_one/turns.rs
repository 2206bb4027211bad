//! Turns that can be taken back, and done again.
//!
//! All that a turn changes is in the contexts, so that their histories can take it back, whatever
//! the systems have done. What shows the game is no part of it, and starts anew from
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

/// A moment of all of them.
#[derive(Clone, Copy)]
pub(crate) struct Checkpoint {
    game: Mark<Game>,
    input: Mark<Input>,
    state: Mark<State>,
}

impl Histories {
    /// Records a world from now on.
    pub(crate) fn record(world: &mut World) -> Self {
        Self {
            game: world.game.record(),
            input: world.input.record(),
            state: world.state.record(),
        }
    }

    /// Names the present.
    pub(crate) fn mark(&self, world: &mut World) -> Checkpoint {
        Checkpoint {
            game: self.game.mark(&mut world.game),
            input: self.input.mark(&mut world.input),
            state: self.state.mark(&mut world.state),
        }
    }

    /// Goes back to a moment.
    pub(crate) fn rewind(&self, world: &mut World, checkpoint: Checkpoint) {
        self.game.rewind(&mut world.game, checkpoint.game);
        self.input.rewind(&mut world.input, checkpoint.input);
        self.state.rewind(&mut world.state, checkpoint.state);
    }

    /// Goes forward to a moment.
    fn forward(&self, world: &mut World, checkpoint: Checkpoint) {
        self.game.forward(&mut world.game, checkpoint.game);
        self.input.forward(&mut world.input, checkpoint.input);
        self.state.forward(&mut world.state, checkpoint.state);
    }
}

/// The turns of a game.
pub(crate) struct Turns {
    histories: Histories,
    /// The moments before the turns, the latest last.
    before: Vec<Checkpoint>,
    /// The moments behind the turns that were taken back, the latest first.
    behind: Vec<Checkpoint>,
}

impl Turns {
    /// Remembers the turns of a game from now on.
    pub(crate) fn record(world: &mut World) -> Self {
        Self {
            histories: Histories::record(world),
            before: Vec::new(),
            behind: Vec::new(),
        }
    }

    /// Begins a turn: what the player asks for from now on. The turn before is played to its end.
    pub(crate) fn begin(&mut self, game: &mut MatchOne) {
        game.settle();
        self.behind.clear();
        self.before.push(self.histories.mark(&mut game.world));
    }

    /// Takes the last turn back; returns whether there was one.
    pub(crate) fn undo(&mut self, game: &mut MatchOne) -> bool {
        game.settle();
        let Some(checkpoint) = self.before.pop() else {
            return false;
        };
        self.behind.push(self.histories.mark(&mut game.world));
        self.histories.rewind(&mut game.world, checkpoint);
        true
    }

    /// Does the turn again that was taken back last; returns whether there was one.
    pub(crate) fn redo(&mut self, game: &mut MatchOne) -> bool {
        let Some(checkpoint) = self.behind.pop() else {
            return false;
        };
        self.before.push(self.histories.mark(&mut game.world));
        self.histories.forward(&mut game.world, checkpoint);
        true
    }
}
