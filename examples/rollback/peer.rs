//! A peer: it guesses, and takes the game back where it guessed wrong.
//!
//! ```text
//! frame     0 … 16   17      18      19      20      21
//! own          ✓      ✓       ✓       ✓       ✓       ✓
//! other's      ✓   unknown    ✓    unknown unknown unknown
//! marks                ●       ●       ●       ●       ●     each before its frame
//! ```
//!
//! Up to frame 16 nothing can change any more, so that is forgotten. If now the input of frame 17
//! comes in and is not what it was taken for, frame 17 and all behind it are played again.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use ecs::prelude::*;
use ecs::{History, Mark};

use super::shooter::{Game, Input, Shooter};

/// One of the two who play.
pub(crate) struct Peer {
    player: usize,
    shooter: Shooter,
    history: History<Game>,
    /// The moments before the latest frames: all that may have to be played again, and one at least.
    marks: VecDeque<Mark<Game>>,
    /// What the frames were played with.
    pub(crate) inputs: Vec<[Input; 2]>,
    /// What the other player did, as far as it is known.
    known: Vec<Option<Input>>,
    /// What the game came to with each frame.
    pub(crate) checksums: Vec<u64>,
    pub(crate) rewinds: Rewinds,
}

/// What going back has cost.
#[derive(Default)]
pub(crate) struct Rewinds {
    pub(crate) count: usize,
    /// How many frames were played again.
    pub(crate) frames: usize,
    /// The most frames at once.
    pub(crate) longest: usize,
    /// How many changes were taken back.
    pub(crate) changes: usize,
    /// How long taking them back took.
    pub(crate) time: Duration,
    /// How long playing the frames again took.
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

    /// Plays the next frame with one's own input.
    pub(crate) fn play(&mut self, own: Input) {
        let frame = self.inputs.len();
        self.known.push(None);
        self.inputs.push([own; 2]);
        self.play_frame(frame);
    }

    /// Takes in what the other player did in frames that have been played already.
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

    /// What the other player does in a frame: what is known, or else what was known last.
    fn guess(&self, frame: usize) -> Input {
        let known = self.known[..=frame].iter().rev();
        known.flatten().next().copied().unwrap_or_default()
    }

    /// The earliest frame that can still be played again.
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

    /// Forgets the frames that nothing can change any more.
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
