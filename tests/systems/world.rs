//! The world of these tests: two contexts, a clock, and a log that systems write.

use ecs::prelude::*;

use support::Notes;

pub(super) use support::game::{
    Counted, Frozen, Game, GameEntity, GameEntityMut, Health, Input, Key, Mood, Name,
};

#[derive(Contexts)]
pub(super) struct World {
    pub(super) game: Game,
    pub(super) input: Input,
    #[contexts(skip)]
    pub(super) time: f32,
}

pub(super) fn world() -> World {
    let (game, input) = (Game::new(), Input::new());
    World {
        game,
        input,
        time: 0.0,
    }
}

/// The log of systems, one line per entry.
#[derive(Clone, Default)]
pub(super) struct Log(Notes<String>);

impl Log {
    pub(super) fn push(&self, line: impl Into<String>) {
        self.0.push(line.into());
    }

    /// Asserts that exactly these lines were logged since the last call.
    #[track_caller]
    pub(super) fn notified(&self, lines: &[&str]) {
        assert_eq!(self.take(), lines);
    }

    /// Takes the lines logged since the last call.
    pub(super) fn take(&self) -> Vec<String> {
        self.0.take()
    }

    /// A system that logs a line in each phase, as in `walk executes`.
    pub(super) fn system(&self, name: &'static str) -> Logged {
        let log = self.clone();
        Logged { name, log }
    }

    /// A closure that logs the ids passed to it.
    pub(super) fn ids<W>(
        &self,
        name: &'static str,
    ) -> impl FnMut(&mut W, EntityId<Game>) + Send + use<W> {
        let log = self.clone();
        move |_, id| log.push(format!("{name} {id:?}"))
    }
}

pub(super) struct Logged {
    name: &'static str,
    log: Log,
}

impl<W> System<W> for Logged {
    fn initialize(&mut self, _: &mut W) {
        self.log.push(format!("{} initializes", self.name));
    }

    fn execute(&mut self, _: &mut W) {
        self.log.push(format!("{} executes", self.name));
    }

    fn cleanup(&mut self, _: &mut W) {
        self.log.push(format!("{} cleans up", self.name));
    }

    fn tear_down(&mut self, _: &mut W) {
        self.log.push(format!("{} tears down", self.name));
    }

    fn name(&self) -> String {
        self.name.to_string()
    }
}
