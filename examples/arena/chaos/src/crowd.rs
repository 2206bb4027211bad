//! Players that walk and shoot by a plan. Each has a connection of its own and applies every delta.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::{JoinHandle, sleep, spawn};
use std::time::{Duration, Instant};

use arena_rules::{Arena, Input, Step};
use ecs::Mirror;
use ecs_gateway_client::{Client, Event, Message, Options, Outcome, Socket, WebSocket};
use serde_json::json;

use crate::Failure;

/// How many threads play them.
const THREADS: usize = 4;
/// A thread looks after its players so often.
const LOOK: Duration = Duration::from_millis(15);
/// How long players may wait for their last outcomes.
const LAST: Duration = Duration::from_secs(30);
/// A player is still if it has seen no tick for so long.
const STILL: Duration = Duration::from_millis(500);

static RECEIVED: AtomicU64 = AtomicU64::new(0);
static SENT: AtomicU64 = AtomicU64::new(0);

/// A socket whose bytes are counted.
struct Counted(WebSocket);

fn bytes_of(message: &Message) -> u64 {
    match message {
        Message::Text(text) => text.len() as u64,
        Message::Binary(bytes) => bytes.len() as u64,
        _ => 0,
    }
}

impl Socket for Counted {
    fn open(url: &str) -> Self {
        Self(WebSocket::open(url))
    }

    fn send(&mut self, message: Message) {
        SENT.fetch_add(bytes_of(&message), Ordering::Relaxed);
        self.0.send(message);
    }

    fn receive(&mut self) -> Option<Message> {
        let message = self.0.receive();
        RECEIVED.fetch_add(message.as_ref().map_or(0, bytes_of), Ordering::Relaxed);
        message
    }
}

/// What the crowd and its threads share.
struct Shared {
    url: String,
    pace: Duration,
    /// The name of each room, once it is open.
    rooms: Vec<OnceLock<String>>,
    start: Instant,
    /// Of each player.
    watches: Vec<Watch>,
    is_over: AtomicBool,
    lost_connections: AtomicU64,
    /// Times from an input to the delta that shows it, in microseconds.
    delays: Mutex<Vec<u32>>,
}

/// What a player sees. Times are microseconds since the start.
#[derive(Default)]
struct Watch {
    seen: AtomicU64,
    longest: AtomicU64,
}

/// What has become of the inputs of a player, by the numbers in them.
#[derive(Default)]
pub(crate) struct Record {
    /// The room, and the number of the player in it.
    pub(crate) room: String,
    pub(crate) player: u64,
    pub(crate) sent: u32,
    pub(crate) played: BTreeSet<u32>,
    pub(crate) rejected: Vec<(u32, String)>,
    /// Why it was thrown out, or could not see.
    pub(crate) troubles: Vec<String>,
}

/// The step with a number, which is in its aim.
fn step(number: u32, player: usize) -> Step {
    let way = (number / 5 + player as u32) * 73 % 8;
    let walk = [
        (100, 0),
        (70, 70),
        (0, 100),
        (-70, 70),
        (-100, 0),
        (-70, -70),
        (0, -100),
        (70, -70),
    ];
    Step {
        walk: walk[way as usize],
        aim: ((number % 255) as u8 as i8, (number / 255 % 127 + 1) as i8),
        shoots: number.is_multiple_of(3),
        weapon: None,
    }
}

/// The number of a step that [`step`] has made.
pub(crate) fn number_of(step: &Step) -> u32 {
    u32::from(step.aim.0 as u8) + 255 * (step.aim.1 as u32 - 1)
}

struct Player {
    place: usize,
    client: Client<Arena, Input, Counted>,
    game: Arena,
    mirror: Mirror<Arena>,
    tick: u64,
    next: Instant,
    /// Inputs that no delta has shown yet: their numbers for the client, and when they were sent.
    unseen: VecDeque<(u64, Instant)>,
    /// The number in each input, by the client's.
    steps: HashMap<u64, u32>,
    has_asked: bool,
    record: Record,
}

impl Player {
    fn new(shared: &Shared, place: usize) -> Self {
        Self {
            place,
            client: Client::new(Options::new(shared.url.clone())),
            game: Arena::new(),
            mirror: Mirror::new(),
            tick: 0,
            next: Instant::now(),
            unseen: VecDeque::new(),
            steps: HashMap::new(),
            has_asked: false,
            record: Record::default(),
        }
    }

    fn look(&mut self, shared: &Shared, plays: bool) {
        self.enter(shared);
        while let Some(event) = self.client.poll(shared.start.elapsed()) {
            self.obey(shared, event);
        }
        if plays && self.tick > 0 && self.next <= Instant::now() {
            self.next = (self.next + shared.pace).max(Instant::now() - shared.pace);
            let number = self.record.sent + 1;
            if let Some(input) = self.client.play(&Input::Step(step(number, self.place))) {
                self.record.sent = number;
                self.steps.insert(input, number);
                self.unseen.push_back((input, Instant::now()));
            }
        }
    }

    /// The first player of a room opens it.
    fn enter(&mut self, shared: &Shared) {
        let room = self.place % shared.rooms.len();
        if self.has_asked {
            return;
        }
        if let Some(name) = shared.rooms[room].get() {
            self.record.room.clone_from(name);
            self.client.join(name, false);
        } else if self.place == room {
            self.client.create(&json!({ "bots": 0, "seconds": 3_000 }));
        } else {
            return;
        }
        self.has_asked = true;
    }

    fn obey(&mut self, shared: &Shared, event: Event<Arena>) {
        match event {
            Event::Room(name) => {
                let _ = shared.rooms[self.place % shared.rooms.len()].set(name);
                self.has_asked = false;
            }
            Event::Joined { player, .. } => {
                self.record.player = player.unwrap_or(0);
            }
            Event::Delta {
                tick, input, delta, ..
            } => {
                if self.mirror.rebase(&mut self.game, &delta).is_err() {
                    return self.client.lost();
                }
                self.see(shared, tick, input);
            }
            Event::Outcome { input, outcome } => {
                let number = self.steps.remove(&input).unwrap_or(0);
                match outcome {
                    Outcome::Played { .. } => _ = self.record.played.insert(number),
                    Outcome::Rejected(reason) => self.record.rejected.push((number, reason)),
                    other => self
                        .record
                        .troubles
                        .push(format!("input {number}: {other}")),
                }
            }
            Event::Closed { again: true, .. } => {
                shared.lost_connections.fetch_add(1, Ordering::Relaxed);
            }
            Event::Closed { reason, .. } => self.record.troubles.push(reason),
            Event::Left { reason } => self.record.troubles.push(reason),
            Event::Error { text } => self.record.troubles.push(text),
            _ => {}
        }
    }

    fn see(&mut self, shared: &Shared, tick: u64, input: u64) {
        let now = shared.start.elapsed().as_micros() as u64;
        let watch = &shared.watches[self.place];
        if tick > self.tick {
            let before = watch.seen.swap(now, Ordering::Relaxed);
            if before > 0 {
                watch.longest.fetch_max(now - before, Ordering::Relaxed);
            }
        }
        self.tick = tick;
        let is_shown = |(number, _): &(u64, Instant)| *number <= input;
        let mut delays = Vec::new();
        while let Some((_, sent)) = self.unseen.front().filter(|unseen| is_shown(unseen)) {
            delays.push(sent.elapsed().as_micros() as u32);
            self.unseen.pop_front();
        }
        if !delays.is_empty() {
            shared.delays.lock().unwrap().extend(delays);
        }
    }
}

/// Plays every n-th player until it is over.
fn play(shared: &Shared, thread: usize) -> Vec<Record> {
    let places = (thread..shared.watches.len()).step_by(THREADS);
    let mut players: Vec<_> = places.map(|place| Player::new(shared, place)).collect();
    let mut there = 0;
    let mut over = None;
    loop {
        let start = Instant::now();
        there = (there + 1).min(players.len()); // they come one after the other
        let is_over = shared.is_over.load(Ordering::Relaxed);
        for player in &mut players[..there] {
            player.look(shared, !is_over);
        }
        if is_over {
            let since = *over.get_or_insert_with(Instant::now);
            let is_done = players.iter().all(|player| player.client.pending() == 0);
            if is_done || since.elapsed() > LAST {
                break;
            }
        }
        sleep(LOOK.saturating_sub(start.elapsed()));
    }
    let record = |player: Player| {
        let mut record = player.record;
        if player.client.pending() > 0 {
            let count = player.client.pending();
            record
                .troubles
                .push(format!("{count} inputs have no outcome"));
        }
        record
    };
    players.into_iter().map(record).collect()
}

/// All players.
pub(crate) struct Crowd {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<Vec<Record>>>,
}

impl Crowd {
    pub(crate) fn start(url: &str, clients: usize, rooms: usize, pace: Duration) -> Self {
        let shared = Arc::new(Shared {
            url: url.to_owned(),
            pace,
            rooms: (0..rooms).map(|_| OnceLock::new()).collect(),
            start: Instant::now(),
            watches: (0..clients).map(|_| Watch::default()).collect(),
            is_over: AtomicBool::new(false),
            lost_connections: AtomicU64::new(0),
            delays: Mutex::default(),
        });
        let start = |thread| {
            let shared = shared.clone();
            spawn(move || play(&shared, thread))
        };
        let threads = (0..THREADS).map(start).collect();
        Self { shared, threads }
    }

    /// The rooms that are open.
    pub(crate) fn rooms(&self) -> Vec<String> {
        self.shared
            .rooms
            .iter()
            .filter_map(|name| name.get().cloned())
            .collect()
    }

    /// Waits until all players see ticks.
    pub(crate) fn until_all_see(&self, patience: Duration) -> Result<(), Failure> {
        let start = Instant::now();
        while self.still() > 0 {
            if start.elapsed() > patience {
                let (still, all) = (self.still(), self.shared.watches.len());
                return Err(format!("{still} of {all} players see nothing move").into());
            }
            sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    /// How many players have seen no tick for half a second, or none at all.
    pub(crate) fn still(&self) -> usize {
        let now = self.shared.start.elapsed().as_micros() as u64;
        let is_still = |watch: &&Watch| {
            let seen = watch.seen.load(Ordering::Relaxed);
            seen == 0 || now.saturating_sub(seen) > STILL.as_micros() as u64
        };
        self.shared.watches.iter().filter(is_still).count()
    }

    /// Of each player the longest time between two ticks that it has seen since the last call, in seconds, sorted.
    pub(crate) fn silences(&self) -> Vec<f64> {
        let take = |watch: &Watch| watch.longest.swap(0, Ordering::Relaxed) as f64 / 1e6;
        let mut silences: Vec<_> = self.shared.watches.iter().map(take).collect();
        silences.sort_by(f64::total_cmp);
        silences
    }

    /// How many connections were lost since the last call, without a word of the gateway.
    pub(crate) fn lost_connections(&self) -> u64 {
        self.shared.lost_connections.swap(0, Ordering::Relaxed)
    }

    /// Times from inputs to the deltas that show them since the last call, in milliseconds, sorted.
    pub(crate) fn delays(&self) -> Vec<f64> {
        let delays = std::mem::take(&mut *self.shared.delays.lock().unwrap());
        let mut delays: Vec<_> = delays.into_iter().map(|it| f64::from(it) / 1e3).collect();
        delays.sort_by(f64::total_cmp);
        delays
    }

    /// Bytes that all clients have received and sent since the last call, without the frames around messages.
    pub(crate) fn bytes(&self) -> [u64; 2] {
        [&RECEIVED, &SENT].map(|bytes| bytes.swap(0, Ordering::Relaxed))
    }

    /// Sends no more inputs, and waits for the outcomes of all.
    pub(crate) fn stop(self) -> Vec<Record> {
        self.shared.is_over.store(true, Ordering::Relaxed);
        let join = |thread: JoinHandle<Vec<Record>>| thread.join().expect("it does not panic");
        self.threads.into_iter().flat_map(join).collect()
    }
}
