//! A process that plays all logs again, and looks for inputs that were not played, or twice.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use ecs_rooms::{Game, Opening, Options, Room, Session, Store as _, Turn, replay};
use ecs_rooms_nats::NatsStore;

use crate::game::{Arena, Steer};
use crate::next::{self, Order};
use crate::{Failure, SECRET, room};

/// A session that tells which inputs its last tick has played.
struct Witness<G: Game> {
    session: Session<G>,
    /// Player and number.
    played: Vec<(u64, u32)>,
}

/// A game whose inputs are numbered.
trait Numbered: Game {
    fn number(input: &Self::Input) -> u32;
}

impl Numbered for Arena {
    fn number(input: &Steer) -> u32 {
        input.number
    }
}

impl Numbered for next::Arena {
    fn number(input: &Order) -> u32 {
        input.number()
    }
}

impl<G: Game> From<Session<G>> for Witness<G> {
    fn from(session: Session<G>) -> Self {
        let played = Vec::new();
        Self { session, played }
    }
}

impl<G: Numbered> Room for Witness<G> {
    const NAME: &'static str = <Session<G> as Room>::NAME;
    const VERSION: u32 = <Session<G> as Room>::VERSION;

    type Input = G::Input;

    fn upgrade(version: u32, bytes: &[u8]) -> Option<G::Input> {
        <Session<G> as Room>::upgrade(version, bytes)
    }

    fn new(opening: &Opening) -> Self {
        Session::new(opening).into()
    }

    fn load(bytes: &[u8]) -> Result<Self, Box<dyn Error>> {
        Session::load(bytes).map(Self::from)
    }

    fn migrate(version: u32, bytes: &[u8]) -> Result<Self, Box<dyn Error>> {
        Session::migrate(version, bytes).map(Self::from)
    }

    fn save(&mut self) -> Result<Vec<u8>, Box<dyn Error>> {
        self.session.save()
    }

    fn tick(&mut self, turn: Turn<G::Input>) {
        let numbers = turn
            .inputs
            .iter()
            .map(|(player, input)| (*player, G::number(input)));
        self.played.extend(numbers);
        self.session.tick(turn);
    }

    fn checksum(&mut self) -> u64 {
        self.session.checksum()
    }

    fn delta(&mut self, everything: bool) -> Result<Vec<u8>, Box<dyn Error>> {
        self.session.delta(everything)
    }
}

/// What the process has found.
#[derive(Clone, Copy, Default)]
pub(crate) struct Verdict {
    pub(crate) ticks: u64,
    pub(crate) played: u64,
    pub(crate) lost: u64,
    pub(crate) doubled: u64,
}

/// Starts the process, for logs of so many versions of the game. Each player of each room has sent `inputs`, which
/// were acknowledged.
pub(crate) fn start(
    url: &str,
    folder: &Path,
    (versions, rooms, players): (u32, usize, u64),
    inputs: u32,
) -> Result<Verdict, Failure> {
    std::fs::write(
        folder.join("acknowledged.txt"),
        format!(
            "{versions} versions, {rooms} rooms, {players} players each, {inputs} inputs of each player\n"
        ),
    )?;
    let mut command = Command::new(std::env::current_exe()?);
    command
        .args(["verify", url])
        .arg(folder)
        .stderr(Stdio::inherit());
    let output = command.output()?;
    if !output.status.success() {
        return Err("the logs cannot be verified".into());
    }
    let text = String::from_utf8(output.stdout)?;
    let mut numbers = text.split_whitespace().map(str::parse);
    let mut number = || numbers.next().ok_or("the process says too little");
    Ok(Verdict {
        ticks: number()??,
        played: number()??,
        lost: number()??,
        doubled: number()??,
    })
}

/// Verifies all logs. Inputs that were not played are listed in the folder, in `unplayed.txt`.
pub(crate) fn verify(url: &str, folder: &Path) -> Result<(), Failure> {
    let text = std::fs::read_to_string(folder.join("acknowledged.txt"))?;
    let numbers: Vec<u32> = text
        .split(' ')
        .filter_map(|word| word.parse().ok())
        .collect();
    let [versions, rooms, players, inputs] = numbers[..] else {
        return Err("acknowledged.txt has four numbers".into());
    };
    let store = NatsStore::connect(url, "test", 1)?;
    let mut verdict = Verdict::default();
    let mut lost = BTreeMap::new();
    for name in (0..rooms as usize).map(room) {
        let mut played: BTreeMap<(u64, u32), u64> = BTreeMap::new();
        verdict.ticks += play::<Arena>(&store, &name, &mut played)?;
        if versions > 1 {
            verdict.ticks += match play::<next::Arena>(&store, &name, &mut played) {
                Err(ecs_rooms::Error::OtherVersion { version: 1, .. }) => 0, // it was never played
                ticks => ticks?,
            };
        }
        let players = 0..u64::from(players);
        let all = players.flat_map(|player| (1..=inputs).map(move |number| (player, number)));
        let missing: BTreeSet<_> = all.filter(|input| !played.contains_key(input)).collect();
        verdict.played += played.len() as u64;
        verdict.lost += missing.len() as u64;
        verdict.doubled += played.values().filter(|times| **times > 1).count() as u64;
        if !missing.is_empty() {
            lost.insert(name, missing);
        }
    }
    let list = folder.join("unplayed.txt");
    let _ = std::fs::remove_file(&list);
    if !lost.is_empty() {
        std::fs::write(list, describe(&store, &lost)?)?;
    }
    let Verdict {
        ticks,
        played,
        lost,
        doubled,
    } = verdict;
    println!("{ticks} {played} {lost} {doubled}");
    Ok(())
}

/// Plays the ticks of a version again, and counts how often each input was played.
fn play<G: Numbered>(
    store: &NatsStore,
    name: &str,
    played: &mut BTreeMap<(u64, u32), u64>,
) -> Result<u64, ecs_rooms::Error> {
    replay::<Witness<G>>(store, name, &SECRET, |_, witness| {
        for input in witness.played.drain(..) {
            *played.entry(input).or_default() += 1;
        }
    })
}

/// Lists the inputs that were not played, and how many records no mark follows yet.
fn describe(
    store: &NatsStore,
    lost: &BTreeMap<String, BTreeSet<(u64, u32)>>,
) -> Result<String, Failure> {
    let options = Options::new(SECRET);
    let mut text = String::new();
    for (room, missing) in lost {
        let shard = options.shard_of(room);
        let records = store.read(&format!("log/{shard}"), 0, usize::MAX)?;
        let waiting = records.iter().rev().take_while(|record| !record.is_mark);
        let waiting = waiting.count();
        writeln!(
            text,
            "{room} (log {shard}, {waiting} records after the last mark):"
        )?;
        for (player, number) in missing {
            writeln!(text, "  player {player}, input {number}")?;
        }
    }
    Ok(text)
}
