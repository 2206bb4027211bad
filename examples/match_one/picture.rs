//! A picture of a game, built from its updates alone: the game itself is not read.

use std::collections::HashMap;
use std::sync::mpsc::Receiver;

use ecs::prelude::*;

use super::logic::{self, Cell, Face, Game, Update, World};

/// How many steps a destroyed sprite stays visible.
const STEPS_OF_AN_END: u8 = 4;
/// How many rows a sprite falls in a step.
const SPEED: f32 = 0.75;

/// Something on the board, as drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sprite {
    pub(crate) face: Face,
    /// Its cell in the game.
    pub(crate) cell: Cell,
    /// The row in which it is drawn while it falls.
    pub(crate) height: f32,
    /// How many more steps it is drawn, if it has been destroyed.
    pub(crate) ending: Option<u8>,
}

impl Sprite {
    /// Returns whether it has been destroyed.
    pub(crate) fn has_ended(&self) -> bool {
        self.ending.is_some()
    }
}

/// The board and the values shown next to it.
pub(crate) struct Picture {
    updates: Receiver<Update>,
    sprites: HashMap<EntityId<Game>, Sprite>,
    pub(crate) score: u32,
    pub(crate) burst_mode: bool,
    /// How many rows above its cell a sprite appears.
    drop: u16,
}

impl Picture {
    /// Creates an empty picture that subscribes to a game that has not started yet. New pieces
    /// fall `drop` rows.
    pub(crate) fn new(world: &mut World, drop: u16) -> Self {
        Self {
            updates: logic::subscribe(world),
            sprites: HashMap::new(),
            score: 0,
            burst_mode: false,
            drop,
        }
    }

    /// Returns all sprites, in no particular order.
    pub(crate) fn sprites(&self) -> impl Iterator<Item = (EntityId<Game>, &Sprite)> {
        self.sprites.iter().map(|(&id, sprite)| (id, sprite))
    }

    /// Returns what is in a cell.
    pub(crate) fn face(&self, cell: Cell) -> Option<Face> {
        let mut there = self.sprites.values().filter(|sprite| sprite.cell == cell);
        there
            .find(|sprite| !sprite.has_ended())
            .map(|sprite| sprite.face)
    }

    /// Applies all updates since the last call.
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

    /// Discards everything and shows the present state, with all sprites in place. Needed after an
    /// undo, which sends no updates.
    pub(crate) fn restart(&mut self, present: impl IntoIterator<Item = Update>) {
        self.updates.try_iter().for_each(drop);
        self.sprites.clear();
        present.into_iter().for_each(|update| self.take_in(update));
        for sprite in self.sprites.values_mut() {
            sprite.height = f32::from(sprite.cell.y);
        }
    }

    /// Moves falling sprites by a step, and removes those whose time is over.
    pub(crate) fn step(&mut self) {
        for sprite in self.sprites.values_mut() {
            sprite.height = (sprite.height - SPEED).max(f32::from(sprite.cell.y));
            sprite.ending = sprite.ending.map(|steps| steps.saturating_sub(1));
        }
        self.sprites.retain(|_, sprite| sprite.ending != Some(0));
    }
}
