//! Plays the logs of rooms again that are of this version, and prints which inputs were played.

use std::error::Error;

use arena_rules::{Arena, Input};
use ecs_rooms::{Opening, Room, Session, Store, Turn};
use serde_json::json;

type Failure = Box<dyn Error>;

/// A session that tells which inputs its last tick has played.
struct Witness {
    session: Session<Arena>,
    played: Vec<(u64, Input)>,
}

impl From<Session<Arena>> for Witness {
    fn from(session: Session<Arena>) -> Self {
        let played = Vec::new();
        Self { session, played }
    }
}

impl Room for Witness {
    const NAME: &'static str = <Session<Arena> as Room>::NAME;
    const VERSION: u32 = <Session<Arena> as Room>::VERSION;

    type Input = Input;

    fn upgrade(version: u32, bytes: &[u8]) -> Option<Input> {
        <Session<Arena> as Room>::upgrade(version, bytes)
    }

    fn new(opening: &Opening) -> Self {
        Session::new(opening).into()
    }

    fn load(bytes: &[u8]) -> Result<Self, Failure> {
        Session::load(bytes).map(Self::from)
    }

    fn migrate(version: u32, bytes: &[u8]) -> Result<Self, Failure> {
        Session::migrate(version, bytes).map(Self::from)
    }

    fn save(&mut self) -> Result<Vec<u8>, Failure> {
        self.session.save()
    }

    fn tick(&mut self, turn: Turn<Input>) {
        self.played.extend_from_slice(&turn.inputs);
        self.session.tick(turn);
    }

    fn checksum(&mut self) -> u64 {
        self.session.checksum()
    }

    fn delta(&mut self, everything: bool) -> Result<Vec<u8>, Failure> {
        self.session.delta(everything)
    }
}

/// Prints a line of JSON for each room: its ticks, all of which have the checksum of the log, and the inputs in them.
pub(crate) fn verify(store: &dyn Store, secret: &[u8; 32], rooms: &[String]) -> Result<(), String> {
    for room in rooms {
        let mut inputs = Vec::new();
        let each = |_: u64, witness: &mut Witness| inputs.append(&mut witness.played);
        let ticks = match ecs_rooms::replay::<Witness>(store, room, secret, each) {
            Err(ecs_rooms::Error::OtherVersion { .. }) => 0, // no tick is of this version
            ticks => ticks.map_err(|error| format!("{room}: {error}"))?,
        };
        println!(
            "{}",
            json!({ "room": room, "ticks": ticks, "inputs": inputs })
        );
    }
    Ok(())
}
