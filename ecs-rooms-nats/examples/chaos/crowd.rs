//! Players of two versions of the game.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use ecs_rooms::{Error, Outcome, Player, Room, Session};
use ecs_rooms_nats::NatsStore;

use crate::game::{Arena, Steer};
use crate::next::{self, Order};
use crate::{SECRET, room};

/// Players of a room.
pub(crate) const PLAYERS: u64 = 2;
/// Four inputs per second and player.
const PAUSE: Duration = Duration::from_millis(250);
/// How long an outcome may take.
const SOON: Duration = Duration::from_secs(10);

/// What has become of inputs.
#[derive(Default)]
pub(crate) struct Outcomes {
    pub(crate) played: AtomicU64,
    /// Those that were not played, in words.
    pub(crate) rejected: Mutex<Vec<String>>,
}

/// A player, with a program of some version.
struct Client {
    room: usize,
    player: u64,
    send: Box<dyn Fn(u32) -> Result<u64, Error> + Send>,
    wait: Box<dyn Fn() -> Result<(), Error> + Send>,
}

impl Client {
    fn start<R: Room>(
        store: &NatsStore,
        (number, player): (usize, u64),
        outcomes: &Arc<Outcomes>,
        input: fn(u32) -> R::Input,
    ) -> Result<Self, Error> {
        let name = room(number);
        let key = Player::<R>::key(&SECRET, &name, player);
        let client = Arc::new(Player::<R>::new(store.clone(), &name, player, key)?);
        let to = outcomes.clone();
        client.on_outcome(move |number, outcome| match outcome {
            Outcome::Played { .. } => _ = to.played.fetch_add(1, Ordering::Relaxed),
            Outcome::Rejected(reason) => {
                let line = format!("input {number} of player {player} in {name}: {reason}");
                to.rejected.lock().unwrap().push(line);
            }
        });
        let sender = client.clone();
        Ok(Self {
            room: number,
            player,
            send: Box::new(move |number| sender.send(&input(number))),
            wait: Box::new(move || client.wait(SOON)),
        })
    }
}

fn steer(number: u32) -> Steer {
    let [dx, dy] = [7, 11].map(|factor| (number * factor % 19) as i8 - 9);
    Steer { dx, dy, number }
}

fn jump(number: u32) -> Order {
    match number % 3 {
        0 => Order::Jump(number),
        _ => Order::Steer(steer(number)),
    }
}

/// All players.
pub(crate) struct Crowd {
    thread: JoinHandle<Result<u32, Error>>,
    is_new: Arc<AtomicBool>,
    is_over: Arc<AtomicBool>,
    pub(crate) outcomes: Arc<Outcomes>,
}

impl Crowd {
    /// Starts the players of all rooms, with the old program.
    pub(crate) fn start(store: &NatsStore, rooms: usize) -> Self {
        let outcomes = Arc::new(Outcomes::default());
        let [is_new, is_over] = [(); 2].map(|()| Arc::new(AtomicBool::new(false)));
        let (to, store) = (outcomes.clone(), store.clone());
        let (new, over) = (is_new.clone(), is_over.clone());
        let run = move || play(&store, rooms, &to, (&new, &over));
        Self {
            thread: std::thread::spawn(run),
            is_new,
            is_over,
            outcomes,
        }
    }

    /// One player of each room gets the new program.
    pub(crate) fn renew(&self) {
        self.is_new.store(true, Ordering::Relaxed);
    }

    /// Waits for all outcomes. Returns how many inputs each player has sent.
    pub(crate) fn stop(self) -> Result<u32, Error> {
        self.is_over.store(true, Ordering::Relaxed);
        self.thread.join().expect("it does not panic")
    }
}

fn play(
    store: &NatsStore,
    rooms: usize,
    outcomes: &Arc<Outcomes>,
    (is_new, is_over): (&AtomicBool, &AtomicBool),
) -> Result<u32, Error> {
    let all = (0..rooms).flat_map(|room| (0..PLAYERS).map(move |player| (room, player)));
    let start = |of| Client::start::<Session<Arena>>(store, of, outcomes, steer);
    let mut clients = all.map(start).collect::<Result<Vec<_>, _>>()?;
    let mut number = 0;
    while !is_over.load(Ordering::Relaxed) {
        if is_new.swap(false, Ordering::Relaxed) {
            for client in clients.iter_mut().filter(|client| client.player == 1) {
                (client.wait)()?;
                let of = (client.room, client.player);
                *client = Client::start::<Session<next::Arena>>(store, of, outcomes, jump)?;
            }
        }
        number += 1;
        for client in &clients {
            (client.send)(number)?;
        }
        std::thread::sleep(PAUSE);
    }
    clients.iter().try_for_each(|client| (client.wait)())?;
    Ok(number)
}
