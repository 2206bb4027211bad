//! A process that plays rooms, and the end of it that the chaos run holds.
//!
//! ```text
//! worker ──► run    `stats 9 …` counters, `mark 3 …` a mark of shard 3 was accepted, `late 9 9`,
//!                   `failure …` in words
//! run ──► worker    `late`: write marks for all shards that you have ever played
//! ```

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ecs_rooms::{Cell, Error, Host, Options, Record, Room, Session, Stats, Store};
use ecs_rooms_nats::NatsStore;

use crate::game::Arena;
use crate::timeline::Mark;
use crate::{Failure, SECRET, next, room};

type Done = Box<dyn FnOnce(Result<u64, Error>) + Send>;

/// How often a host that was paused writes a late mark to each shard.
const LATE: usize = 10;

pub(crate) fn now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |now| now.as_micros() as u64)
}

/// Of each log the last mark that this process has written.
type Written = Arc<Mutex<BTreeMap<String, (u64, Vec<u8>)>>>;

/// A store that prints which marks were accepted.
#[derive(Clone)]
struct Witness {
    store: NatsStore,
    written: Written,
}

impl Witness {
    /// Writes marks as an owner does that has not noticed that others play its rooms. Returns how many
    /// were tried, and how many rejected.
    fn write_late(&self) -> (usize, usize) {
        let written = self.written.lock().unwrap().clone();
        let (sender, outcomes) = channel();
        for _ in 0..LATE {
            for (log, (last, bytes)) in &written {
                let sender: Sender<_> = sender.clone();
                let done = Box::new(move |outcome| _ = sender.send(outcome));
                self.store.mark(log, *last, bytes.clone(), done);
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        drop(sender);
        let is_rejected = |outcome: &Result<u64, Error>| *outcome == Err(Error::Conflict);
        let tried = LATE * written.len();
        (tried, outcomes.iter().filter(is_rejected).count())
    }
}

impl Store for Witness {
    fn mark(&self, log: &str, after: u64, bytes: Vec<u8>, done: Done) {
        let (written, name, copy) = (self.written.clone(), log.to_owned(), bytes.clone());
        let witness = move |outcome| {
            if let Ok(number) = outcome {
                let shard = name.trim_start_matches("log/");
                println!("mark {shard} {}", now());
                written.lock().unwrap().insert(name, (number, copy));
            }
            done(outcome);
        };
        self.store.mark(log, after, bytes, Box::new(witness));
    }

    fn append(&self, log: &str, bytes: Vec<u8>, done: Done) {
        self.store.append(log, bytes, done);
    }

    fn read(&self, log: &str, after: u64, count: usize) -> Result<Vec<Record>, Error> {
        self.store.read(log, after, count)
    }

    fn forget(&self, log: &str, before: u64) {
        self.store.forget(log, before);
    }

    fn put(&self, key: &str, revision: Option<u64>, value: Vec<u8>, done: Done) {
        self.store.put(key, revision, value, done);
    }

    fn cells(&self, prefix: &str) -> Result<Vec<Cell>, Error> {
        self.store.cells(prefix)
    }

    fn watch(&self, name: &str, wake: Box<dyn Fn() -> bool + Send + Sync>) {
        self.store.watch(name, wake);
    }

    fn tell(&self, topic: &str, bytes: &[u8]) {
        self.store.tell(topic, bytes);
    }

    fn listen(&self, topic: &str, hear: Box<dyn FnMut(&[u8]) -> bool + Send>) {
        self.store.listen(topic, hear);
    }
}

/// What a worker plays.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Chaos,
    /// As that, with standbys.
    Standby,
    /// The first version of the game, with standbys.
    Old,
    /// The next version.
    New,
}

/// Plays rooms of a kind, as [`Worker::start`] says.
pub(crate) fn run(kind: &str, name: &str, url: &str, rooms: &str) -> Result<(), Failure> {
    let standby = Some(Duration::from_millis(200));
    match kind {
        "Chaos" => play::<Session<Arena>>(name, url, rooms, None),
        "Old" | "Standby" => play::<Session<Arena>>(name, url, rooms, standby),
        _ => play::<Session<next::Arena>>(name, url, rooms, standby),
    }
}

/// Plays rooms until SIGTERM has drained the host.
fn play<R: Room>(
    name: &str,
    url: &str,
    rooms: &str,
    standby: Option<Duration>,
) -> Result<(), Failure> {
    let store = Witness {
        store: NatsStore::connect(url, "test", 1)?,
        written: Arc::default(),
    };
    let options = Options {
        name: name.to_owned(),
        threads: 2,
        keep_log: true,
        budget: Duration::MAX, // a process may be paused in the middle of a tick
        standby,
        ..Options::new(SECRET)
    };
    let host = Host::run::<R>(store.clone(), options)?;
    let rooms: usize = rooms.parse()?;
    (0..rooms).try_for_each(|number| host.open(&room(number), number as u64).map(drop))?;
    std::thread::spawn(move || {
        for _ in std::io::stdin().lines().map_while(Result::ok) {
            let (tried, rejected) = store.write_late();
            println!("late {tried} {rejected}");
        }
    });
    let mut failures = Vec::new();
    let mut is_running = true;
    while is_running {
        is_running = host.is_running();
        let stats: Stats = host.stats();
        println!(
            "stats {} {} {} {}",
            stats.ticks, stats.replayed, stats.rejected, stats.lost
        );
        for failure in stats.failures {
            if !failures.contains(&failure) {
                println!("failure {name}: {failure}");
                failures.push(failure);
            }
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

/// What a worker has said.
#[derive(Clone, Default)]
pub(crate) struct Said {
    pub(crate) marks: Vec<Mark>,
    /// Ticks, replayed, marks rejected, shards lost.
    pub(crate) stats: [u64; 4],
    pub(crate) failures: Vec<String>,
    /// Late marks that were tried and rejected.
    pub(crate) late: [u64; 2],
}

impl Said {
    fn hear(&mut self, line: &str, owner: usize) {
        if let Some(failure) = line.strip_prefix("failure ") {
            self.failures.push(failure.to_owned());
        }
        let mut words = line.split(' ');
        let what = words.next();
        let mut number = || words.next().and_then(|word| word.parse().ok()).unwrap_or(0);
        match what {
            Some("mark") => {
                let (shard, time) = (number() as u32, number());
                self.marks.push(Mark { time, shard, owner });
            }
            Some("stats") => self.stats = [(); 4].map(|()| number()),
            Some("late") => self.late = [(); 2].map(|()| number()),
            _ => {}
        }
    }
}

pub(crate) struct Worker {
    pub(crate) process: Child,
    input: ChildStdin,
    said: Arc<Mutex<Said>>,
}

impl Worker {
    pub(crate) fn start(
        kind: Kind,
        (owner, name): (usize, &'static str),
        url: &str,
        rooms: usize,
        folder: &Path,
    ) -> Result<Self, Failure> {
        let mut command = Command::new(std::env::current_exe()?);
        command
            .args([
                "worker",
                &format!("{kind:?}"),
                name,
                url,
                &rooms.to_string(),
            ])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(File::create(folder.join(format!("{name}.log")))?);
        let mut process = command.spawn()?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err("a worker has no pipes".into());
        };
        let mut copy = File::create(folder.join(format!("{name}.out")))?;
        let said = Arc::new(Mutex::new(Said::default()));
        let to = said.clone();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                let _ = writeln!(copy, "{line}");
                to.lock().unwrap().hear(&line, owner);
            }
        });
        Ok(Self {
            process,
            input,
            said,
        })
    }

    /// Sends a signal, unless the process has ended.
    pub(crate) fn signal(&mut self, signal: &str) {
        if matches!(self.process.try_wait(), Ok(None)) {
            let id = self.process.id().to_string();
            let _ = Command::new("kill")
                .args([&format!("-{signal}"), &id])
                .status();
        }
    }

    /// Has it write late marks, as soon as it runs.
    pub(crate) fn write_late(&mut self) {
        let _ = writeln!(self.input, "late");
    }

    pub(crate) fn said(&self) -> Said {
        self.said.lock().unwrap().clone()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
