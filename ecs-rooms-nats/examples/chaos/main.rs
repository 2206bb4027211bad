//! A hundred rooms on three processes and a real server: one is killed, one paused, one drained, one added.
//!
//! ```text
//! cargo run --release --manifest-path ecs-rooms-nats/Cargo.toml --example chaos
//! cargo run --release --manifest-path ecs-rooms-nats/Cargo.toml --example chaos -- 20     20 runs
//! ```
//!
//! Needs `nats-server` in the path, or `NATS_SERVER`. In the end all logs are played again in this process,
//! which has played none of the rooms.

#[allow(dead_code, reason = "another example needs the rest")]
#[path = "../../../examples/rooms/bots.rs"]
mod bots;
#[path = "../../../examples/rooms/game.rs"]
mod game;
#[allow(dead_code, reason = "tests need the rest")]
#[path = "../../tests/nats/server.rs"]
mod server;

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use ecs_rooms::{Error, Host, Options, Session, Stats, Store as _, Viewer, replay};
use ecs_rooms_nats::NatsStore;

use self::bots::Bots;
use self::game::Arena;
use self::server::Server;

const SECRET: [u8; 32] = *b"a secret of the server, 32 bytes";
const ROOMS: usize = 100;

fn main() -> ExitCode {
    let words: Vec<_> = std::env::args().skip(1).collect();
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    let is_right = match words[..] {
        ["worker", name, url, rooms] => work(name, url, rooms.parse().unwrap_or(0)).map(|()| true),
        _ => {
            let runs = words
                .first()
                .and_then(|runs| runs.parse().ok())
                .unwrap_or(1);
            (0..runs).try_fold(true, |is_right, _| Ok(is_right & run()?))
        }
    };
    match is_right {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("chaos: {error}");
            ExitCode::FAILURE
        }
    }
}

fn room(number: usize) -> String {
    format!("room{number}")
}

/// Plays rooms until SIGTERM has drained the host, and prints what it has done.
fn work(name: &str, url: &str, rooms: usize) -> Result<(), Error> {
    let store = NatsStore::connect(url, "test", 1)?;
    let options = Options {
        name: name.to_owned(),
        threads: 2,
        keep_log: true,
        ..Options::new(SECRET)
    };
    let host = Host::run::<Session<Arena>>(store, options)?;
    (0..rooms).try_for_each(|number| host.open(&room(number), number as u64))?;
    let mut is_running = true;
    while is_running {
        is_running = host.is_running();
        let Stats {
            ticks,
            replayed,
            taken_over,
            rejected,
            lost,
            failures,
            ..
        } = host.stats();
        println!(
            "{ticks} {replayed} {taken_over} {rejected} {lost} {}",
            failures.len()
        );
        failures
            .iter()
            .for_each(|failure| eprintln!("{name}: {failure}"));
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

struct Worker {
    process: Child,
    /// Ticks, replayed, taken over, rejected, lost, failures.
    figures: Arc<Mutex<[u64; 6]>>,
}

impl Worker {
    fn start(url: &str, name: &str, rooms: usize) -> Self {
        let mut command = Command::new(std::env::current_exe().expect("a program"));
        command
            .args(["worker", name, url, &rooms.to_string()])
            .stdout(Stdio::piped());
        let mut process = command.spawn().expect("it starts again");
        let lines = BufReader::new(process.stdout.take().expect("it is piped")).lines();
        let figures = Arc::new(Mutex::new([0; 6]));
        let to = figures.clone();
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                let mut numbers = line.split(' ').filter_map(|number| number.parse().ok());
                *to.lock().unwrap() = [(); 6].map(|()| numbers.next().unwrap_or(0));
            }
        });
        Self { process, figures }
    }

    fn signal(&self, signal: &str) {
        let id = self.process.id().to_string();
        let _ = Command::new("kill")
            .args([&format!("-{signal}"), &id])
            .status();
    }

    fn figures(&self) -> [u64; 6] {
        *self.figures.lock().unwrap()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Looks at all rooms.
struct Views {
    viewers: Vec<(Viewer<Arena>, Arena, Instant)>,
}

impl Views {
    fn new(store: &NatsStore) -> Result<Self, Error> {
        let viewer = |number| {
            Ok((
                Viewer::new(store.clone(), &room(number))?,
                Arena::new(),
                Instant::now(),
            ))
        };
        Ok(Self {
            viewers: (0..ROOMS).map(viewer).collect::<Result<_, Error>>()?,
        })
    }

    /// Looks for a while. Prints for how long rooms were not seen to move.
    fn look(&mut self, what: &str, time: Duration) {
        let start = Instant::now();
        let mut silences = vec![Duration::ZERO; ROOMS];
        while start.elapsed() < time {
            for ((viewer, copy, seen), silence) in self.viewers.iter_mut().zip(&mut silences) {
                if viewer.update(copy) > 0 {
                    *silence = (*silence).max(seen.elapsed());
                    *seen = Instant::now();
                }
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        silences.retain(|silence| *silence > Duration::from_millis(200));
        silences.sort();
        match silences[..] {
            [] => println!("{what:14} no room was silent for more than 0.2 s"),
            [.., longest] => {
                let median = silences[silences.len() / 2];
                println!(
                    "{what:14} {} rooms silent, median {median:.2?}, longest {longest:.2?}",
                    silences.len()
                );
            }
        }
    }
}

fn run() -> Result<bool, Error> {
    let server = Server::start();
    let (url, store) = (server.url(), server.connect());
    let start = |name, rooms| Worker::start(&url, name, rooms);
    let mut workers = vec![start("ada", ROOMS), start("bob", 0), start("cyd", 0)];
    while store.cells("config")?.is_empty() {
        std::thread::sleep(Duration::from_millis(50));
    }
    std::thread::sleep(Duration::from_secs(3));
    let rooms: Vec<_> = (0..ROOMS).map(room).collect();
    let bots = Bots::start(&store, &rooms)?;
    let mut views = Views::new(&store)?;
    let look =
        |views: &mut Views, what: &str, seconds| views.look(what, Duration::from_secs(seconds));
    look(&mut views, "(begins)", 3);
    look(&mut views, "undisturbed", 3);
    workers[0].signal("KILL");
    look(&mut views, "kill -9", 4);
    workers[1].signal("STOP");
    look(&mut views, "paused", 4);
    workers[1].signal("CONT");
    look(&mut views, "resumed", 3);
    workers.push(start("dot", 0));
    look(&mut views, "one joins", 4);
    workers[2].signal("TERM");
    look(&mut views, "one drains", 3);
    let acknowledged = bots.stop()?;
    look(&mut views, "undisturbed", 1);
    workers.iter().for_each(|worker| worker.signal("TERM"));
    workers
        .iter_mut()
        .skip(1)
        .for_each(|worker| _ = worker.process.wait());
    verify(&store, &rooms, &acknowledged, &workers)
}

fn verify(
    store: &NatsStore,
    rooms: &[String],
    acknowledged: &[u64],
    workers: &[Worker],
) -> Result<bool, Error> {
    let (mut verified, mut lost, mut twice) = (0, 0, 0);
    for (room, acknowledged) in rooms.iter().zip(acknowledged) {
        let mut played = 0;
        verified += replay::<Session<Arena>>(store, room, &SECRET, |_, session| {
            played = bots::inputs(&session.game)
        })?;
        lost += acknowledged.saturating_sub(played);
        twice += played.saturating_sub(*acknowledged);
    }
    let sum = |at: usize| {
        workers
            .iter()
            .map(|worker| worker.figures()[at])
            .sum::<u64>()
    };
    println!(
        "{} rooms, {verified} ticks of the logs verified, {} played by owners, {} replayed, {} shards taken over, {} \
         lost to others, {} late marks rejected, {} inputs acknowledged, {lost} lost, {twice} twice, {} failures",
        rooms.len(),
        sum(0),
        sum(1),
        sum(2),
        sum(4),
        sum(3),
        acknowledged.iter().sum::<u64>(),
        sum(5),
    );
    Ok(lost + twice + sum(5) == 0)
}
