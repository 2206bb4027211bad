//! Rooms: a hundred games on one machine, their players, and hosts that die, leave and join.
//!
//! ```text
//! cargo run --release -p rooms-demo
//! cargo run --release -p rooms-demo -- --seconds 5                  prints one line at the end
//! cargo run --release -p rooms-demo -- --store file:rooms.redb      survives a kill
//! cargo run --release -p rooms-demo -- --inspect room7              shows a running room in a browser
//! cargo run --release -p rooms-demo -- chaos                        processes on a NATS server that are killed
//! cargo run --release -p rooms-demo -- upgrade                      a new version takes over under load
//! ```
//!
//! Three hosts share the rooms. One dies after 40 % of the time, one leaves after 60 %, and one joins
//! after 80 %. At the end all logs are replayed tick by tick; with a file, only what the last saves
//! need of them.

mod bots;
mod chaos;
mod game;

use std::io::{IsTerminal as _, Write as _};
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use ecs_inspector::Inspector;
use ecs_rooms::{Error, FileStore, Host, MemoryStore, Options, Session, Store, follow};

use self::bots::{Bots, inputs_of};
use self::game::{Arena, SHIPS};

/// The secret shared by all hosts. A real deployment keeps it elsewhere.
const SECRET: [u8; 32] = *b"a secret of the server, 32 bytes";

struct Arguments {
    rooms: u64,
    seconds: u64,
    file: Option<String>,
    inspect: Option<String>,
}

impl Arguments {
    fn read() -> Result<Self, String> {
        let mut read = Self {
            rooms: 100,
            seconds: 30,
            file: None,
            inspect: None,
        };
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            let value = words.next().ok_or(format!("`{word}` needs a value"))?;
            let number = || value.parse().map_err(|_| format!("`{value}` is no number"));
            match &word[..] {
                "--rooms" => read.rooms = number()?,
                "--inspect" => read.inspect = Some(value),
                "--seconds" => read.seconds = number()?,
                "--store" if value == "memory" => read.file = None,
                "--store" => {
                    let file = value
                        .strip_prefix("file:")
                        .ok_or("the store is `memory` or `file:PATH`")?;
                    read.file = Some(file.to_owned());
                }
                _ => {
                    return Err(format!(
                        "unknown: `{word}`; there are --rooms, --seconds, --store, --inspect, and `chaos` or `upgrade` as the first word"
                    ));
                }
            }
        }
        Ok(read)
    }
}

fn main() -> ExitCode {
    let words: Vec<_> = std::env::args().skip(1).collect();
    match words.split_first().map(|(first, rest)| (&first[..], rest)) {
        Some(("chaos", rest)) => return chaos::run(rest),
        Some(("upgrade", _)) => return chaos::run(&words),
        _ => {}
    }
    let played = Arguments::read().and_then(|arguments| {
        let played = match &arguments.file {
            None => play(MemoryStore::new(), &arguments),
            Some(file) => FileStore::open(file).and_then(|store| play(store, &arguments)),
        };
        played.map_err(|error| error.to_string())
    });
    match played {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("rooms-demo: {error}");
            ExitCode::FAILURE
        }
    }
}

/// A host and its state, also after it has died or left.
struct Seat {
    name: &'static str,
    state: &'static str,
    host: Option<Host>,
    stats: ecs_rooms::Stats,
}

impl Seat {
    fn start(
        store: &(impl Store + Clone),
        name: &'static str,
        keep_log: bool,
    ) -> Result<Self, Error> {
        let options = Options {
            name: format!("{name}-{}", std::process::id()),
            threads: 2,
            keep_log,
            ..Options::new(SECRET)
        };
        let host = Some(Host::run::<Session<Arena>>(store.clone(), options)?);
        Ok(Self {
            name,
            state: "plays",
            host,
            stats: ecs_rooms::Stats::default(),
        })
    }

    fn look(&mut self) {
        if let Some(host) = &self.host {
            self.stats = host.stats();
        }
    }

    fn end(&mut self, state: &'static str, end: impl FnOnce(Host)) {
        self.look();
        self.state = state;
        (self.stats.rooms, self.stats.shards) = (0, 0);
        if let Some(host) = self.host.take() {
            end(host);
        }
    }
}

/// Plays for a while, then verifies the logs. Returns whether everything was right.
fn play(store: impl Store + Clone, arguments: &Arguments) -> Result<bool, Error> {
    let mut seats = Vec::new();
    let keep_log = arguments.file.is_none(); // a file would grow
    for name in ["ada", "bob", "cyd"] {
        seats.push(Seat::start(&store, name, keep_log)?);
    }
    let rooms: Vec<_> = (0..arguments.rooms)
        .map(|room| format!("room{room}"))
        .collect();
    if let Some(host) = &seats[0].host {
        for (seed, room) in rooms.iter().enumerate() {
            host.open(room, seed as u64)?;
        }
    }
    if let Some(room) = arguments.inspect.clone() {
        let store = store.clone();
        std::thread::spawn(move || {
            inspect(&store, &room).unwrap_or_else(|error| eprintln!("inspect: {error}"));
        });
    }
    // Inputs left by an earlier run are played first.
    let start = Instant::now();
    let is_played = |seats: &mut [Seat]| {
        seats.iter_mut().for_each(Seat::look);
        seats.iter().map(|seat| seat.stats.rooms).sum::<u64>() == arguments.rooms
    };
    while !is_played(&mut seats) && start.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(20));
    }
    let before: Vec<_> = rooms.iter().map(|room| inputs_of(&store, room)).collect();
    let bots = Bots::start(&store, &rooms)?;
    let (start, time) = (Instant::now(), Duration::from_secs(arguments.seconds));
    let mut next = 0;
    while start.elapsed() < time {
        let percent = start.elapsed().as_millis() * 100 / time.as_millis().max(1);
        match (next, percent) {
            (0, 40..) => seats[1].end("died", drop),
            (1, 60..) => seats[2].end("left", Host::drain),
            (2, 80..) => seats.push(Seat::start(&store, "dot", keep_log)?),
            _ => next -= 1,
        }
        next += 1;
        seats.iter_mut().for_each(Seat::look);
        show(&seats, start.elapsed(), bots.sent());
        std::thread::sleep(Duration::from_millis(200));
    }
    let acknowledged = u64::from(bots.stop()?) * SHIPS; // in each room
    std::thread::sleep(Duration::from_millis(300)); // the last inputs are played
    seats
        .iter_mut()
        .for_each(|seat| seat.end("done", Host::drain));
    verify(&store, &rooms, (&before, acknowledged), &seats)
}

/// Shows a room in a browser: a copy of it follows the log, whichever host plays it.
fn inspect(store: &impl Store, room: &str) -> Result<(), Box<dyn std::error::Error>> {
    let inspector = Inspector::builder().title(room).read_only(true);
    let mut inspector = inspector.serve("127.0.0.1:0")?;
    println!("{room}: {}", inspector.url().unwrap_or_default());
    follow::<Session<Arena>>(store, room, &SECRET, |_, session| {
        inspector.update(&mut session.game, &mut session.systems);
        ControlFlow::Continue(())
    })?;
    Ok(())
}

fn show(seats: &[Seat], time: Duration, inputs: u64) {
    if !std::io::stdout().is_terminal() {
        return;
    }
    let mut text = format!(
        "\x1b[H\x1b[J{:.1} s, {inputs} inputs sent\n\n",
        time.as_secs_f64()
    );
    text +=
        "host  state  shards  rooms     ticks  replayed  taken over  lost  rejected  failures\n";
    for Seat {
        name, state, stats, ..
    } in seats
    {
        text += &format!(
            "{name:4}  {state:5}  {:6}  {:5}  {:8}  {:8}  {:10}  {:4}  {:8}  {:8}\n",
            stats.shards,
            stats.rooms,
            stats.ticks,
            stats.replayed,
            stats.taken_over,
            stats.lost,
            stats.rejected,
            stats.failures.len(),
        );
    }
    let _ = std::io::stdout().write_all(text.as_bytes());
    let _ = std::io::stdout().flush();
}

/// Replays all logs, and compares the played inputs with the acknowledged ones.
fn verify(
    store: &dyn Store,
    rooms: &[String],
    inputs: (&[u64], u64),
    seats: &[Seat],
) -> Result<bool, Error> {
    let (mut verified, mut lost, mut twice) = (0, 0, 0);
    for (place, room) in rooms.iter().enumerate() {
        let mut played = 0;
        verified += ecs_rooms::replay::<Session<Arena>>(store, room, &SECRET, |_, session| {
            played = bots::inputs(&session.game);
        })?;
        let (before, acknowledged) = (inputs.0[place], inputs.1);
        lost += (before + acknowledged).saturating_sub(played);
        twice += played.saturating_sub(before + acknowledged);
    }
    let sum =
        |of: fn(&ecs_rooms::Stats) -> u64| seats.iter().map(|seat| of(&seat.stats)).sum::<u64>();
    let failures = sum(|stats| stats.failures.len() as u64);
    println!(
        "{} rooms, {} ticks, {} replayed by other hosts, {} shards taken over, {} ticks of the logs verified, \
         {} inputs acknowledged, {lost} lost, {twice} twice, {} late marks rejected, {failures} failures",
        rooms.len(),
        sum(|stats| stats.ticks),
        sum(|stats| stats.replayed),
        sum(|stats| stats.taken_over),
        verified,
        inputs.1 * rooms.len() as u64,
        sum(|stats| stats.rejected),
    );
    Ok(lost + twice + failures == 0)
}
