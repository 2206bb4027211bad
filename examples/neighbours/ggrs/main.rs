//! GGRS as the session around a history: it decides when to rewind, the history does it.
//!
//! ```text
//! cargo run -p ggrs_session        in examples/neighbours
//! ```
//!
//! The game is that of `examples/rollback`, unchanged; there, `peer.rs` decides when to rewind. GGRS
//! makes three requests, and [`Peer::answer`] needs a line or two for each:
//!
//! | request | answer |
//! | --- | --- |
//! | `SaveGameState` | [`History::mark`], [`History::checksum`]: nothing is copied |
//! | `LoadGameState` | [`History::rewind`] |
//! | `AdvanceFrame` | the systems run |
//!
//! The program is a `SyncTestSession`, which needs no network: each frame it goes back seven frames,
//! plays them again, and compares the checksums. A `P2PSession` makes the same requests.

#[path = "../../rollback/random.rs"]
mod random;
#[path = "../../rollback/shooter.rs"]
mod shooter;

use std::collections::VecDeque;

use ecs::prelude::*;
use ecs::{History, Mark};
use ggrs::{Config, Frame, GgrsError, GgrsRequest, PlayerType, PredictRepeatLast, SessionBuilder};
use serde::{Deserialize, Serialize};

use self::random::Random;
use self::shooter::{Game, Input, Shooter};

const SEED: u64 = 7;
/// How many frames GGRS may go back.
const WINDOW: usize = 8;

/// The types of the session.
struct Session;

impl Config for Session {
    type Input = Keys;
    type InputPredictor = PredictRepeatLast;
    type State = Mark<Game>;
    type Address = ();
}

/// An input, as it is sent.
#[derive(Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
struct Keys {
    dx: i8,
    dy: i8,
    fire: bool,
}

impl Keys {
    fn random(random: &mut Random) -> Self {
        Self {
            dx: random.between(-1, 1) as i8,
            dy: random.between(-1, 1) as i8,
            fire: random.between(0, 2) > 0,
        }
    }

    fn input(self) -> Input {
        Input {
            dx: self.dx.into(),
            dy: self.dy.into(),
            fire: self.fire,
        }
    }
}

/// A game with its history.
struct Peer {
    shooter: Shooter,
    history: History<Game>,
    /// The marks that GGRS may go back to.
    marks: VecDeque<(Frame, Mark<Game>)>,
    /// How many changes were taken back.
    taken_back: usize,
}

impl Peer {
    fn new() -> Self {
        let mut shooter = Shooter::new(SEED);
        let history = shooter.game.record();
        Self {
            shooter,
            history,
            marks: VecDeque::new(),
            taken_back: 0,
        }
    }

    fn answer(
        &mut self,
        request: GgrsRequest<Session>,
        advance: &mut impl FnMut(&mut Shooter, [Input; 2]),
    ) {
        let Self {
            shooter, history, ..
        } = self;
        match request {
            GgrsRequest::SaveGameState { cell, frame } => {
                let mark = history.mark(&mut shooter.game);
                let checksum = history.checksum(&mut shooter.game);
                cell.save(frame, Some(mark), Some(checksum.into()));
                self.remember(frame, mark);
            }
            GgrsRequest::LoadGameState { cell, .. } => {
                let mark = cell.load().expect("saved before");
                self.taken_back += history.rewind(&mut shooter.game, mark);
            }
            GgrsRequest::AdvanceFrame { inputs } => {
                let inputs = [0, 1].map(|player| inputs[player].0.input());
                advance(shooter, inputs);
            }
        }
    }

    /// Discards the changes before the earliest mark that is still needed.
    fn remember(&mut self, frame: Frame, mark: Mark<Game>) {
        self.marks.retain(|&(saved, _)| saved < frame);
        self.marks.push_back((frame, mark));
        if self.marks.len() > WINDOW + 1 {
            self.marks.pop_front();
            let (_, first) = self.marks[0];
            self.history.forget_before(&mut self.shooter.game, first);
        }
    }

    fn checksum(&mut self) -> u64 {
        self.history.checksum(&mut self.shooter.game)
    }
}

/// Plays frames in a sync test with random inputs.
fn sync_test(
    peer: &mut Peer,
    frames: usize,
    mut advance: impl FnMut(&mut Shooter, [Input; 2]),
) -> Result<(), GgrsError> {
    let mut session = SessionBuilder::<Session>::new()
        .with_num_players(2)?
        .with_max_prediction_window(WINDOW)
        .with_check_distance(WINDOW - 1)
        .add_player(PlayerType::Local, 0)?
        .add_player(PlayerType::Local, 1)?
        .start_synctest_session()?;
    let mut random = Random::from_seed(SEED);
    for _ in 0..frames {
        for player in 0..2 {
            session.add_local_input(player, Keys::random(&mut random))?;
        }
        for request in session.advance_frame()? {
            peer.answer(request, &mut advance);
        }
    }
    Ok(())
}

fn main() -> Result<(), GgrsError> {
    let mut peer = Peer::new();
    sync_test(&mut peer, 600, Shooter::frame)?;
    println!("600 frames, checksum {:016x}", peer.checksum());
    println!("{} changes taken back", peer.taken_back);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The checksum of a game that plays the same inputs, without a session.
    fn played_at_once(frames: usize) -> u64 {
        let mut peer = Peer::new();
        let mut random = Random::from_seed(SEED);
        for _ in 0..frames {
            let inputs = [(); 2].map(|()| Keys::random(&mut random).input());
            peer.shooter.frame(inputs);
        }
        peer.checksum()
    }

    #[test]
    fn all_frames_pass_the_sync_test_and_end_in_the_same_game() {
        let mut peer = Peer::new();
        sync_test(&mut peer, 600, Shooter::frame).unwrap();
        assert!(peer.taken_back > 10_000, "{}", peer.taken_back);
        assert_eq!(peer.checksum(), played_at_once(600));
        let kept = peer.history.len(&peer.shooter.game);
        assert!(kept < peer.taken_back / 100, "{kept}");
    }

    #[test]
    fn the_sync_test_finds_state_that_is_not_in_the_context() {
        let mut calls = 0;
        let outcome = sync_test(&mut Peer::new(), 600, |shooter, mut inputs| {
            calls += 1; // not rewound
            inputs[0].fire &= calls % 50 != 0;
            shooter.frame(inputs);
        });
        assert!(matches!(outcome, Err(GgrsError::MismatchedChecksum { .. })));
    }
}
