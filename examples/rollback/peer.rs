//! A peer: guesses inputs, and rewinds the game when a guess was wrong.
//!
//! ```text
//! frame     0 … 16   17      18      19      20      21
//! own          ✓      ✓       ✓       ✓       ✓       ✓
//! other's      ✓   unknown    ✓    unknown unknown unknown
//! marks                ●       ●       ●       ●       ●     each before its frame
//! ```
//!
//! Frames up to 16 are final, so their marks are discarded. If the input of frame 17 arrives and
//! differs from the guess, frame 17 and all later frames are replayed.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use ecs::prelude::*;
use ecs::{History, Mark};

use super::shooter::{Game, Input, Shooter};

/// One of the two peers.
pub(crate) struct Peer {
    player: usize,
    shooter: Shooter,
    history: History<Game>,
    /// The marks before the latest frames: all that may have to be replayed, and at least one.
    marks: VecDeque<Mark<Game>>,
    /// The inputs with which the frames were played.
    pub(crate) inputs: Vec<[Input; 2]>,
    /// The inputs of the other player, if known.
    known: Vec<Option<Input>>,
    /// The checksum of the game after each frame.
    pub(crate) checksums: Vec<u64>,
    pub(crate) rewinds: Rewinds,
}

/// Statistics of the rewinds.
#[derive(Default)]
pub(crate) struct Rewinds {
    pub(crate) count: usize,
    /// How many frames were replayed.
    pub(crate) frames: usize,
    /// The most frames replayed at once.
    pub(crate) longest: usize,
    /// How many changes were undone.
    pub(crate) changes: usize,
    /// The time spent undoing them.
    pub(crate) time: Duration,
    /// The time spent replaying frames.
    pub(crate) time_again: Duration,
}

impl Peer {
    pub(crate) fn new(player: usize, seed: u64) -> Self {
        let mut shooter = Shooter::new(seed);
        let history = shooter.game.record();
        Self {
            player,
            shooter,
            history,
            marks: VecDeque::new(),
            inputs: Vec::new(),
            known: Vec::new(),
            checksums: Vec::new(),
            rewinds: Rewinds::default(),
        }
    }

    /// Plays the next frame with the own input and a guess.
    pub(crate) fn play(&mut self, own: Input) {
        let frame = self.inputs.len();
        self.known.push(None);
        self.inputs.push([own; 2]);
        self.play_frame(frame);
    }

    /// Receives inputs of the other player for frames that have already been played.
    pub(crate) fn receive(&mut self, arrived: Vec<(usize, Input)>) {
        for (frame, input) in arrived {
            self.known[frame] = Some(input);
        }
        let other = 1 - self.player;
        let mut frames = self.first_marked()..self.inputs.len();
        if let Some(wrong) = frames.find(|&at| self.inputs[at][other] != self.guess(at)) {
            self.play_again_from(wrong);
        }
        self.forget();
    }

    /// Returns the other player's input in a frame, or the last one known before it.
    fn guess(&self, frame: usize) -> Input {
        let known = self.known[..=frame].iter().rev();
        known.flatten().next().copied().unwrap_or_default()
    }

    /// Returns the earliest frame that can still be replayed.
    fn first_marked(&self) -> usize {
        self.inputs.len() - self.marks.len()
    }

    fn play_frame(&mut self, frame: usize) {
        self.inputs[frame][1 - self.player] = self.guess(frame);
        let mark = self.history.mark(&mut self.shooter.game);
        self.marks.push_back(mark);
        self.shooter.frame(self.inputs[frame]);
        let checksum = self.history.checksum(&mut self.shooter.game);
        self.checksums.push(checksum);
    }

    fn play_again_from(&mut self, frame: usize) {
        let start = Instant::now();
        let place = frame - self.first_marked();
        let changes = (self.history).rewind(&mut self.shooter.game, self.marks[place]);
        let rewound = Instant::now();
        self.marks.truncate(place);
        self.checksums.truncate(frame);
        (frame..self.inputs.len()).for_each(|frame| self.play_frame(frame));
        self.rewinds.count(self.inputs.len() - frame, changes);
        self.rewinds.time += rewound - start;
        self.rewinds.time_again += rewound.elapsed();
    }

    /// Discards the marks of final frames.
    fn forget(&mut self) {
        let known = self.known[self.first_marked()..].iter();
        let known = known.take_while(|input| input.is_some()).count();
        let spare = known.min(self.marks.len().saturating_sub(1));
        self.marks.drain(..spare);
        if let Some(&mark) = self.marks.front() {
            self.history.forget_before(&mut self.shooter.game, mark);
        }
    }
}

impl Rewinds {
    fn count(&mut self, frames: usize, changes: usize) {
        self.count += 1;
        self.frames += frames;
        self.longest = self.longest.max(frames);
        self.changes += changes;
    }
}
