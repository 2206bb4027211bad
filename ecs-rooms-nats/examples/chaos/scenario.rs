//! One run: what happens, and what came of it.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use ecs_rooms::{Options, Store as _};
use ecs_rooms_nats::NatsStore;

use crate::bots::Bots;
use crate::game::SHIPS;
use crate::server::Server;
use crate::timeline::{Event, Mark, Moves, median_and_last, moves};
use crate::verify::{self, Verdict};
use crate::views::Views;
use crate::worker::{Kind, Said, Worker, now};
use crate::{Failure, SECRET, picture, room};

pub(crate) const NAMES: [&str; 5] = ["ada", "bob", "cyd", "dot", "eve"];

/// What came of a run.
pub(crate) struct Outcome {
    version: String,
    rooms: usize,
    /// What moved after each event, and for how long viewers saw a room stand still.
    events: Vec<(&'static str, Moves, f64)>,
    verdict: Verdict,
    acknowledged: u64,
    /// Late marks that were tried and rejected.
    late: [u64; 2],
    /// Ticks, replayed, marks rejected, shards lost.
    stats: [u64; 4],
    failures: Vec<String>,
}

struct Run<'a> {
    kind: Kind,
    url: String,
    folder: &'a Path,
    started: u64,
    workers: Vec<Worker>,
    events: Vec<Event>,
    views: Views,
}

impl Run<'_> {
    /// Starts one more worker.
    fn start(&mut self, rooms: usize) -> Result<(), Failure> {
        let number = self.workers.len();
        let worker = Worker::start(
            self.kind,
            (number, NAMES[number]),
            &self.url,
            rooms,
            self.folder,
        )?;
        self.workers.push(worker);
        Ok(())
    }

    /// Lets something happen to a worker, and looks at the rooms for a while.
    fn event(
        &mut self,
        name: &'static str,
        worker: usize,
        seconds: u64,
        happen: impl FnOnce(&mut Self) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let time = now();
        happen(self)?;
        let seconds_since = (time - self.started) as f64 / 1e6;
        if name != "play" {
            println!("{seconds_since:5.1} s  {name} {}", NAMES[worker]);
        }
        let unseen = self.views.look(Duration::from_secs(seconds))?;
        self.events.push(Event {
            name,
            worker: NAMES[worker],
            time,
            unseen: unseen.as_secs_f64(),
        });
        Ok(())
    }

    fn signal(
        &mut self,
        name: &'static str,
        worker: usize,
        signal: &str,
        seconds: u64,
    ) -> Result<(), Failure> {
        self.event(name, worker, seconds, |run| {
            run.workers[worker].signal(signal);
            Ok(())
        })
    }

    /// Drains all workers that are still there.
    fn end(&mut self) -> Result<(), Failure> {
        for worker in &mut self.workers {
            worker.signal("TERM");
        }
        for worker in &mut self.workers {
            worker.process.wait()?;
        }
        std::thread::sleep(Duration::from_millis(100)); // their last lines are read
        Ok(())
    }
}

/// Plays a run in a folder, which stays if something was wrong. In each run another host is killed, paused and drained.
/// Returns a picture, too.
pub(crate) fn run(
    kind: Kind,
    (number, rooms): (usize, usize),
    folder: &Path,
    keep: bool,
) -> Result<(Outcome, String), Failure> {
    let mut server = Server::start_in(folder)?;
    server.is_kept = true; // until all is known to be right
    let store = server.connect();
    let mut run = begin(kind, &server, &store, rooms, folder)?;
    let names: Vec<_> = (0..rooms).map(room).collect();
    let bots = Bots::start(&store, &names)?;
    run.views.look(Duration::from_secs(1))?; // the first pictures
    run.started = now();
    println!("  0.0 s  {rooms} rooms on {}", Server::version());
    run.event("play", 0, 3, |_| Ok(()))?;
    let [killed, paused, drained] = [0, 1, 2].map(|host| (host + number) % 3);
    run.signal("kill -9", killed, "KILL", 4)?;
    run.signal("pause", paused, "STOP", 4)?;
    run.event("resume", paused, 3, |run| {
        run.workers[paused].write_late();
        run.workers[paused].signal("CONT");
        Ok(())
    })?;
    run.event("join", 3, 5, |run| run.start(0))?;
    run.signal("drain", drained, "TERM", 3)?;
    let inputs = bots.stop()?;
    run.views.look(Duration::from_secs(1))?;
    let ended = now();
    run.end()?;
    let mut verdict = verify::start(&run.url, folder, (1, rooms, SHIPS), inputs)?;
    if verdict.lost > 0 {
        println!(
            "{} acknowledged inputs were not played; another process plays on",
            verdict.lost
        );
        let list = folder.join("unplayed.txt");
        std::fs::copy(&list, folder.join("unplayed-at-first.txt"))?;
        run.start(0)?;
        std::thread::sleep(Duration::from_secs(5));
        run.end()?;
        let again = verify::start(&run.url, folder, (1, rooms, SHIPS), inputs)?;
        println!("then {} were not played", again.lost);
        verdict.ticks = again.ticks;
    }
    let options = Options::new(SECRET);
    let shards: Vec<_> = names.iter().map(|name| options.shard_of(name)).collect();
    let said: Vec<_> = run.workers.iter().map(Worker::said).collect();
    let mut marks: Vec<Mark> = said.iter().flat_map(|said| said.marks.clone()).collect();
    marks.sort_by_key(|mark| mark.time);
    let svg = picture::draw(&marks, &shards, &run.events, run.started..ended);
    let acknowledged = u64::from(inputs) * SHIPS * rooms as u64;
    let outcome = Outcome {
        version: Server::version(),
        rooms,
        events: count_moves(&run, &marks, &shards, ended),
        verdict,
        acknowledged,
        late: sum(&said, |said| said.late),
        stats: sum(&said, |said| said.stats),
        failures: said.iter().flat_map(|said| said.failures.clone()).collect(),
    };
    server.is_kept = keep || !outcome.is_right();
    if server.is_kept {
        std::fs::write(folder.join("rooms.svg"), &svg)?;
        println!("the logs of this run are in {}", folder.display());
    }
    Ok((outcome, svg))
}

/// Starts three workers and opens the rooms.
fn begin<'a>(
    kind: Kind,
    server: &Server,
    store: &NatsStore,
    rooms: usize,
    folder: &'a Path,
) -> Result<Run<'a>, Failure> {
    let url = server.url();
    let first = Worker::start(kind, (0, NAMES[0]), &url, rooms, folder)?;
    while store.cells("config")?.is_empty() {
        std::thread::sleep(Duration::from_millis(50));
    }
    let mut run = Run {
        kind,
        url,
        folder,
        started: now(),
        workers: vec![first],
        events: Vec::new(),
        views: Views::new(store, rooms)?,
    };
    run.start(0)?;
    run.start(0)?;
    run.views.look(Duration::from_secs(5))?; // until the rooms are shared out
    Ok(run)
}

fn count_moves(
    run: &Run<'_>,
    marks: &[Mark],
    shards: &[u32],
    ended: u64,
) -> Vec<(&'static str, Moves, f64)> {
    let mut rooms = BTreeMap::new();
    shards
        .iter()
        .for_each(|shard| *rooms.entry(*shard).or_default() += 1);
    let ends = run.events.iter().skip(1).map(|event| event.time);
    let events = run.events.iter().zip(ends.chain([ended]));
    let count = |(event, end): (&Event, u64)| {
        let who = NAMES.iter().position(|name| *name == event.worker);
        let moves = moves(marks, &rooms, who.unwrap_or(0), event.time..end);
        (event.name, moves, event.unseen)
    };
    events.map(count).collect()
}

fn sum<const N: usize>(said: &[Said], of: fn(&Said) -> [u64; N]) -> [u64; N] {
    std::array::from_fn(|at| said.iter().map(|said| of(said)[at]).sum())
}

fn times(times: &[f64]) -> String {
    match median_and_last(times) {
        Some((median, last)) => format!("{median:6.2}  {last:6.2}"),
        None => format!("{:>6}  {:>6}", "-", "-"),
    }
}

impl Outcome {
    pub(crate) fn is_right(&self) -> bool {
        let Verdict { lost, doubled, .. } = self.verdict;
        let [tried, rejected] = self.late;
        lost + doubled == 0 && self.failures.is_empty() && tried == rejected && tried > 0
    }

    pub(crate) fn print(&self) {
        println!("\n{}, {} rooms; times in seconds", self.version, self.rooms);
        println!("                 first tick of     without          longest time that");
        println!("          rooms  the next owner    any tick         viewers saw nothing");
        println!("event     moved  median    last    median    last    from a room");
        for (name, moves, unseen) in &self.events {
            println!(
                "{name:8}  {:5}  {}    {}    {unseen:11.2}",
                moves.after.len(),
                times(&moves.after),
                times(&moves.gaps)
            );
        }
        let Verdict {
            ticks,
            played,
            lost,
            doubled,
        } = self.verdict;
        let [tried, rejected] = self.late;
        let [owned, replayed, noticed, given_up] = self.stats;
        println!("\nticks       {ticks} verified, {owned} played by owners, {replayed} replayed");
        println!(
            "inputs      {} acknowledged, {played} played, {lost} lost, {doubled} doubled",
            self.acknowledged
        );
        println!(
            "late marks  {tried} tried, {rejected} rejected; {noticed} more by hosts on their own"
        );
        println!(
            "hosts       {given_up} shards lost to others, {} failures: {}\n",
            self.failures.len(),
            if self.is_right() { "right" } else { "WRONG" }
        );
        self.failures
            .iter()
            .for_each(|failure| println!("failure {failure}"));
    }

    /// Prints a table of many runs.
    pub(crate) fn print_all(outcomes: &[Self]) {
        println!("take-over in seconds, median and last room; drain and join: time without a tick");
        println!(
            "run   kill -9         pause           drain           join               ticks    inputs   lost  doubled  late, rejected"
        );
        let of = |outcome: &Self, name: &str| {
            let is_meant = |event: &&(&str, Moves, f64)| event.0 == name;
            let event = outcome.events.iter().find(is_meant);
            event.map(|event| event.1.clone()).unwrap_or_default()
        };
        let row = |outcomes: &[Self], label: &str| {
            let all = |name: &str, gaps: bool| {
                let moves = outcomes.iter().map(|outcome| of(outcome, name));
                let mut all: Vec<f64> = moves
                    .flat_map(|moves| if gaps { moves.gaps } else { moves.after })
                    .collect();
                all.sort_by(f64::total_cmp);
                times(&all)
            };
            let sum = |of: fn(&Self) -> u64| outcomes.iter().map(of).sum::<u64>();
            println!(
                "{label:3} {}  {}  {}  {}  {:8}  {:8}  {:5}  {:7}  {:4}, {:8}",
                all("kill -9", false),
                all("pause", false),
                all("drain", true),
                all("join", true),
                sum(|it| it.verdict.ticks),
                sum(|it| it.acknowledged),
                sum(|it| it.verdict.lost),
                sum(|it| it.verdict.doubled),
                sum(|it| it.late[0]),
                sum(|it| it.late[1]),
            );
        };
        for (number, outcome) in outcomes.iter().enumerate() {
            row(std::slice::from_ref(outcome), &(number + 1).to_string());
        }
        row(outcomes, "all");
    }
}
