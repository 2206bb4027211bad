//! What is to be seen of a game, made of its news alone: the game itself is not asked.

use std::collections::HashMap;
use std::sync::mpsc::Receiver;

use ecs::prelude::*;

use super::logic::{self, Cell, Face, Game, Update, World};

/// How many steps something that was destroyed still shows.
const STEPS_OF_AN_END: u8 = 4;
/// How many rows something falls in a step.
const SPEED: f32 = 0.75;

/// Something on the board, as it is seen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sprite {
    pub(crate) face: Face,
    /// Where it is, in the game.
    pub(crate) cell: Cell,
    /// The row in which it is seen, on its way down.
    pub(crate) height: f32,
    /// How many steps it still shows, if it has been destroyed.
    pub(crate) ending: Option<u8>,
}

impl Sprite {
    /// Whether it has been destroyed.
    pub(crate) fn has_ended(&self) -> bool {
        self.ending.is_some()
    }
}

/// The board and what is written beside it.
pub(crate) struct Picture {
    updates: Receiver<Update>,
    sprites: HashMap<EntityId<Game>, Sprite>,
    pub(crate) score: u32,
    pub(crate) burst_mode: bool,
    /// How far above its cell something appears.
    drop: u16,
}

impl Picture {
    /// An empty picture, to be filled by the news of a game that has not started yet.
    /// What comes to the board falls so many rows.
    pub(crate) fn new(world: &mut World, drop: u16) -> Self {
        Self {
            updates: logic::subscribe(world),
            sprites: HashMap::new(),
            score: 0,
            burst_mode: false,
            drop,
        }
    }

    /// Everything that is to be seen, in no order.
    pub(crate) fn sprites(&self) -> impl Iterator<Item = (EntityId<Game>, &Sprite)> {
        self.sprites.iter().map(|(&id, sprite)| (id, sprite))
    }

    /// What is in a cell.
    pub(crate) fn face(&self, cell: Cell) -> Option<Face> {
        let mut there = self.sprites.values().filter(|sprite| sprite.cell == cell);
        there
            .find(|sprite| !sprite.has_ended())
            .map(|sprite| sprite.face)
    }

    /// Takes in what has happened.
    pub(crate) fn follow(&mut self) {
        while let Ok(update) = self.updates.try_recv() {
            self.take_in(update);
        }
    }

    fn take_in(&mut self, update: Update) {
        match update {
            Update::Placed(id, face, cell) => self.place(id, face, cell),
            Update::Destroyed(id) => self.end(id),
            Update::Score(score) => self.score = score,
            Update::BurstMode(on) => self.burst_mode = on,
        }
    }

    fn place(&mut self, id: EntityId<Game>, face: Face, cell: Cell) {
        let new = || Sprite {
            face,
            cell,
            height: f32::from(cell.y + self.drop),
            ending: None,
        };
        self.sprites.entry(id).or_insert_with(new).cell = cell;
    }

    fn end(&mut self, id: EntityId<Game>) {
        if let Some(sprite) = self.sprites.get_mut(&id) {
            sprite.ending = Some(STEPS_OF_AN_END);
        }
    }

    /// Forgets what it has seen, and shows how the game stands now, everything in its place: for
    /// a game that has been taken back, of which there are no news.
    pub(crate) fn restart(&mut self, present: impl IntoIterator<Item = Update>) {
        self.updates.try_iter().for_each(drop);
        self.sprites.clear();
        present.into_iter().for_each(|update| self.take_in(update));
        for sprite in self.sprites.values_mut() {
            sprite.height = f32::from(sprite.cell.y);
        }
    }

    /// Moves what falls a step further, and forgets what has ended.
    pub(crate) fn step(&mut self) {
        for sprite in self.sprites.values_mut() {
            sprite.height = (sprite.height - SPEED).max(f32::from(sprite.cell.y));
            sprite.ending = sprite.ending.map(|steps| steps.saturating_sub(1));
        }
        self.sprites.retain(|_, sprite| sprite.ending != Some(0));
    }
}
