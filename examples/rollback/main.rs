//! Rollback: two peers play one game over a slow network, and neither waits for the other.
//!
//! ```text
//! cargo run --release --example rollback
//! ```
//!
//! A [`peer`] plays each frame immediately, with its own input and a guess at the other's. When an
//! input arrives that differs from the guess, the peer rewinds the game to that frame and replays the
//! frames since then. The game ([`shooter`]) has no code for this: the history of its context undoes
//! whatever the systems did.
//!
//! In the end both peers have played the same game, frame by frame, and so has a third one that knew
//! all inputs in advance. Counts are printed to standard output and recorded in `rollback.out` in this
//! folder; times are printed to standard error.

mod network;
mod peer;
mod random;
mod shooter;

use std::process::ExitCode;

use ecs::Context as _;

use self::network::Network;
use self::peer::{Peer, Rewinds};
use self::random::Random;
use self::shooter::{Input, Shooter};

/// One minute, at sixty frames a second.
const FRAMES: usize = 3_600;
const SEED: u64 = 7;

fn main() -> ExitCode {
    let mut peers = [Peer::new(0, SEED), Peer::new(1, SEED)];
    let inputs = play(&mut peers);
    let [first, second] = &peers;
    report(&first.rewinds, &second.rewinds);
    let agree = first.checksums == second.checksums;
    let right = first.checksums == played_at_once(&inputs);
    println!("the peers agree on every frame: {agree}");
    println!("and with a game that knew all inputs beforehand: {right}");
    match agree && right {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

/// Plays all frames with both peers; returns the inputs.
fn play(peers: &mut [Peer; 2]) -> Vec<[Input; 2]> {
    let mut network = Network::new(Random::from_seed(SEED));
    let mut players = [Player::new(1), Player::new(2)];
    let mut inputs = Vec::with_capacity(FRAMES);
    for frame in 0..FRAMES {
        let input = players.each_mut().map(Player::input);
        for (own, peer) in peers.iter_mut().enumerate() {
            peer.receive(network.arrived(frame, own));
            peer.play(input[own]);
            network.send(frame, 1 - own, input[own]);
        }
        inputs.push(input);
    }
    for (own, peer) in peers.iter_mut().enumerate() {
        peer.receive(network.arrived(usize::MAX, own));
    }
    inputs
}

/// Returns the checksums of a game that knows every input and never rewinds.
fn played_at_once(inputs: &[[Input; 2]]) -> Vec<u64> {
    let mut shooter = Shooter::new(SEED);
    let history = shooter.game.record();
    let frame = |&inputs: &[Input; 2]| {
        shooter.frame(inputs);
        history.checksum(&mut shooter.game)
    };
    inputs.iter().map(frame).collect()
}

/// A player who holds a key for a while, then another one.
struct Player {
    random: Random,
    input: Input,
    frames_left: i32,
}

impl Player {
    fn new(seed: u64) -> Self {
        Self {
            random: Random::from_seed(seed),
            input: Input::default(),
            frames_left: 0,
        }
    }

    fn input(&mut self) -> Input {
        if self.frames_left == 0 {
            self.frames_left = self.random.between(10, 60);
            self.input = Input {
                dx: self.random.between(-1, 1),
                dy: self.random.between(-1, 1),
                fire: self.random.between(0, 2) > 0,
            };
        }
        self.frames_left -= 1;
        self.input
    }
}

fn report(first: &Rewinds, second: &Rewinds) {
    let line = |what: &str, of: fn(&Rewinds) -> usize| {
        println!("{what:26}{:8}{:8}", of(first), of(second));
    };
    println!("{FRAMES} frames, inputs {}", network::DELAYS);
    line("rewinds", |rewinds| rewinds.count);
    line("frames played again", |rewinds| rewinds.frames);
    line("longest rewind in frames", |rewinds| rewinds.longest);
    line("changes taken back", |rewinds| rewinds.changes);
    for rewinds in [first, second] {
        let time = rewinds.time.as_secs_f64();
        eprintln!(
            "a rewind took {:.2} µs, {:.1} ns a change; playing the frames again {:.1} µs",
            time * 1e6 / rewinds.count as f64,
            time * 1e9 / rewinds.changes as f64,
            rewinds.time_again.as_secs_f64() * 1e6 / rewinds.count as f64,
        );
    }
}
