//! A new version of the game takes over, host by host, while 200 players play; one of the old hosts is killed.

use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use ecs_rooms::{Store as _, Viewer};
use ecs_rooms_nats::NatsStore;

use crate::crowd::{Crowd, PLAYERS};
use crate::game::Arena;
use crate::server::Server;
use crate::timeline::median_and_last;
use crate::verify::{self, Verdict};
use crate::worker::{Kind, Worker};
use crate::{Failure, SECRET, next, room};

/// The longest time in which a room may not be seen to move, in seconds: median and most.
const MOST: (f64, f64) = (0.5, 1.5);

/// How long it may take until all rooms move again, in seconds.
const PATIENCE: f64 = 60.0;

/// What came of a run.
pub(crate) struct Outcome {
    verdict: Verdict,
    sent: u64,
    played: u64,
    rejected: Vec<String>,
    /// Of each room the longest time between two ticks that viewers got, sorted.
    silences: Vec<f64>,
    failures: Vec<String>,
}

/// When each room was last seen to move, and the longest time in which it was not.
type Seen = Arc<Mutex<(Instant, Duration)>>;

/// Watches the rooms with viewers of both versions.
struct Watch {
    seen: Vec<Seen>,
    old: Vec<(Viewer<Arena>, Arena)>,
    new: Vec<(Viewer<next::Arena>, next::Arena)>,
}

impl Watch {
    fn start(store: &NatsStore, rooms: usize) -> Result<Self, Failure> {
        let mut watch = Self {
            seen: Vec::new(),
            old: Vec::new(),
            new: Vec::new(),
        };
        for name in (0..rooms).map(room) {
            let seen: Seen = Arc::new(Mutex::new((Instant::now(), Duration::ZERO)));
            watch.seen.push(seen.clone());
            let hear = move |_: &[u8]| {
                let mut seen = seen.lock().unwrap();
                *seen = (Instant::now(), seen.1.max(seen.0.elapsed()));
                true
            };
            store.listen(&format!("view/{name}"), Box::new(hear));
            let key = Viewer::<Arena>::key(&SECRET, &name);
            let old = Viewer::new(store.clone(), &name, key)?;
            let new = Viewer::new(store.clone(), &name, key)?;
            watch.old.push((old, Arena::new()));
            watch.new.push((new, next::Arena::new()));
        }
        Ok(watch)
    }

    fn look(&mut self, seconds: f64) {
        let start = Instant::now();
        while start.elapsed().as_secs_f64() < seconds {
            for (viewer, copy) in &mut self.old {
                viewer.update(copy);
            }
            for (viewer, copy) in &mut self.new {
                viewer.update(copy);
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Looks until all rooms have moved since now.
    fn look_until_all_move(&mut self) -> Result<(), Failure> {
        let start = Instant::now();
        let rests = |seen: &Seen| seen.lock().unwrap().0 <= start;
        while self.seen.iter().any(rests) {
            if start.elapsed().as_secs_f64() > PATIENCE {
                return Err("some rooms do not move any more".into());
            }
            self.look(0.1);
        }
        Ok(())
    }

    /// Forgets what was before.
    fn reset(&self) {
        for seen in &self.seen {
            *seen.lock().unwrap() = (Instant::now(), Duration::ZERO);
        }
    }

    fn silences(&self) -> Vec<f64> {
        let longest = |seen: &Seen| seen.lock().unwrap().1.as_secs_f64();
        let mut silences: Vec<_> = self.seen.iter().map(longest).collect();
        silences.sort_by(f64::total_cmp);
        silences
    }

    /// How many rooms the new viewers show.
    fn live(&self) -> usize {
        let is_live =
            |(viewer, _): &&(Viewer<next::Arena>, _)| viewer.state() == ecs_rooms::State::Live;
        self.new.iter().filter(is_live).count()
    }
}

/// Plays a run in a folder, which stays if something was wrong.
pub(crate) fn run(rooms: usize, folder: &Path, keep: bool) -> Result<Outcome, Failure> {
    let mut server = Server::start_in(folder)?;
    server.is_kept = true; // until all is known to be right
    let (store, url, start) = (server.connect(), server.url(), Instant::now());
    let say = |what: &str| println!("{:5.1} s  {what}", start.elapsed().as_secs_f64());
    let begin =
        |kind, number, name, rooms| Worker::start(kind, (number, name), &url, rooms, folder);
    let mut ada = begin(Kind::Old, 0, "ada", rooms)?;
    while store.cells("config")?.is_empty() {
        std::thread::sleep(Duration::from_millis(50));
    }
    let mut bob = begin(Kind::Old, 1, "bob", 0)?;
    let mut cyd = begin(Kind::Old, 2, "cyd", 0)?;
    let mut watch = Watch::start(&store, rooms)?;
    watch.look(4.0);
    let crowd = Crowd::start(&store, rooms);
    watch.look(1.0);
    watch.reset();
    say(&format!(
        "{rooms} rooms on three hosts of version 1, {}",
        Server::version()
    ));
    watch.look(2.0);
    let dot = begin(Kind::New, 3, "dot", 0)?;
    watch.look(2.0);
    say("dot has joined, of version 2; drain ada");
    ada.signal("TERM");
    watch.look(0.1);
    say("kill -9 bob");
    bob.signal("KILL");
    watch.look(3.0);
    let eve = begin(Kind::New, 4, "eve", 0)?;
    watch.look(2.0);
    // Once the last host of version 1 leaves, no other one can take over what bob has left.
    watch.look_until_all_move()?;
    say("eve has joined, of version 2; drain cyd");
    cyd.signal("TERM");
    watch.look(3.0);
    cyd.process.wait()?;
    watch.look_until_all_move()?;
    say("one player of each room gets the new program");
    crowd.renew();
    watch.look(4.0);
    let silences = watch.silences();
    let live = watch.live();
    let outcomes = crowd.outcomes.clone();
    let inputs = crowd.stop()?;
    let mut workers = [ada, bob, cyd, dot, eve];
    for worker in &mut workers {
        worker.signal("TERM");
        worker.process.wait()?;
    }
    say("all have ended; verify the logs");
    let verdict = verify::start(&url, folder, (2, rooms, PLAYERS), inputs)?;
    let mut rejected = outcomes.rejected.lock().unwrap().clone();
    if live < rooms {
        rejected.push(format!("{} viewers do not see their room", rooms - live));
    }
    let outcome = Outcome {
        verdict,
        sent: u64::from(inputs) * rooms as u64 * PLAYERS,
        played: outcomes.played.load(Ordering::Relaxed),
        rejected,
        silences,
        failures: workers
            .iter()
            .flat_map(|worker| worker.said().failures)
            .collect(),
    };
    server.is_kept = keep || !outcome.is_right();
    if server.is_kept {
        println!("the logs of this run are in {}", folder.display());
    }
    Ok(outcome)
}

impl Outcome {
    pub(crate) fn is_right(&self) -> bool {
        let Verdict { lost, doubled, .. } = self.verdict;
        let (median, most) = median_and_last(&self.silences).unwrap_or_default();
        let is_short = median <= MOST.0 && most <= MOST.1;
        lost + doubled == 0 && self.failures.is_empty() && self.rejected.is_empty() && is_short
    }

    pub(crate) fn print(&self) {
        let Verdict {
            ticks,
            played,
            lost,
            doubled,
        } = self.verdict;
        let (median, most) = median_and_last(&self.silences).unwrap_or_default();
        println!(
            "\ninputs   {} sent, {} known to be played, {played} played, {lost} lost, {doubled} doubled, {} rejected",
            self.sent,
            self.played,
            self.rejected.len()
        );
        println!("ticks    {ticks} verified, by both versions");
        println!("silence  {median:.2} s (median of the rooms), {most:.2} s at most");
        let verdict = if self.is_right() { "right" } else { "WRONG" };
        println!("hosts    {} failures: {verdict}\n", self.failures.len());
        self.failures
            .iter()
            .for_each(|failure| println!("failure {failure}"));
        for line in self.rejected.iter().take(10) {
            println!("  {line}");
        }
    }
}
