//! Players that steer at random.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use ecs::prelude::*;
use ecs_rooms::{Error, Player, Session, Store};

use crate::SECRET;
use crate::game::{Arena, SHIPS, Ship, Steer};

/// Four inputs per second and player.
const PAUSE: Duration = Duration::from_millis(250);

pub(crate) struct Bots {
    thread: JoinHandle<Result<u32, Error>>,
    is_over: Arc<AtomicBool>,
    sent: Arc<AtomicU64>,
}

impl Bots {
    /// Starts the players of all rooms.
    pub(crate) fn start(store: &(impl Store + Clone), rooms: &[String]) -> Result<Self, Error> {
        let mut players = Vec::new();
        for room in rooms {
            for player in 0..SHIPS {
                let key = Player::<Session<Arena>>::key(&SECRET, room, player);
                players.push(Player::<Session<Arena>>::new(
                    store.clone(),
                    room,
                    player,
                    key,
                )?);
            }
        }
        let (is_over, sent) = (
            Arc::new(AtomicBool::new(false)),
            Arc::new(AtomicU64::new(0)),
        );
        let (over, count) = (is_over.clone(), sent.clone());
        let thread = std::thread::spawn(move || play(&players, &over, &count));
        Ok(Self {
            thread,
            is_over,
            sent,
        })
    }

    pub(crate) fn sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }

    /// Waits until all inputs are acknowledged. Returns how many each player has sent.
    pub(crate) fn stop(self) -> Result<u32, Error> {
        self.is_over.store(true, Ordering::Relaxed);
        self.thread.join().expect("it does not panic")
    }
}

fn play(
    players: &[Player<Session<Arena>>],
    is_over: &AtomicBool,
    count: &AtomicU64,
) -> Result<u32, Error> {
    let mut random = 7_u64;
    let mut number = 0;
    while !is_over.load(Ordering::Relaxed) {
        number += 1;
        for player in players {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let [dx, dy] = [33, 48].map(|shift| ((random >> shift) % 19) as i8 - 9);
            player.send(&Steer { dx, dy, number })?;
        }
        count.fetch_add(players.len() as u64, Ordering::Relaxed);
        std::thread::sleep(PAUSE);
    }
    players
        .iter()
        .try_for_each(|player| player.wait(Duration::from_secs(10)))?;
    Ok(number)
}

/// The number of inputs that a game has played.
pub(crate) fn inputs(game: &Arena) -> u64 {
    game.query::<&Ship>().iter().map(|ship| ship.inputs).sum()
}

/// The number of inputs that a room had played when this program started.
pub(crate) fn inputs_of(store: &dyn Store, room: &str) -> u64 {
    let mut played = 0;
    let replayed = ecs_rooms::replay::<Session<Arena>>(store, room, &SECRET, |_, session| {
        played = inputs(&session.game)
    });
    replayed.map_or(0, |_| played)
}
