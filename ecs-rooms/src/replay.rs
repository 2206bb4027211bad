//! Playing the log of a room again.

use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TrySendError, sync_channel};
use std::time::{Duration, Instant};

use crate::client::locate;
use crate::core::Common;
use crate::core::seat::{Action, Note, Seat};
use crate::core::wire::{self, Saved};
use crate::error::Error;
use crate::host::Options;
use crate::room::Room;
use crate::store::{Cell, Record, Store};

/// How long a follower waits for a tick before it is called again.
const AGAIN: Duration = Duration::from_millis(500);
/// How many times it waits for a host to open the room.
const MOST_WAITS: u32 = 10;

/// Plays a room again, from the first tick that the store still has to the last, and calls `each`
/// with the room after every tick. Returns how many ticks had the checksum that their marks say.
///
/// This verifies a log, and it is the debugger of crashes: the last call before an error is the state in
/// which the next tick failed. The room that is passed can be inspected.
///
/// Ticks of other [versions](Room::VERSION) are not played: it starts after the last tick of an older version, and ends
/// before the first of a newer one.
///
/// # Errors
///
/// [`Error::Differs`] names the first tick whose checksum is another one, [`Error::Panicked`] a tick in
/// which the room panics; [`Error::NoSave`] and [`Error::LogGone`] say that the store lacks what is needed;
/// [`Error::Limit`] that there is no such room; [`Error::Forgotten`] that the log of a room that is still played
/// was forgotten faster than this reads it.
///
/// # Examples
///
/// See [`Host`](crate::Host).
///
/// ```
/// # struct Sum(u64);
/// # impl ecs_rooms::Room for Sum {
/// #     type Input = u64;
/// #     fn new(opening: &ecs_rooms::Opening) -> Self { Self(opening.seed) }
/// #     fn load(bytes: &[u8]) -> Result<Self, Box<dyn std::error::Error>> { Ok(Self(u64::from_le_bytes(bytes.try_into()?))) }
/// #     fn save(&mut self) -> Result<Vec<u8>, Box<dyn std::error::Error>> { Ok(self.0.to_le_bytes().into()) }
/// #     fn tick(&mut self, _: ecs_rooms::Turn<u64>) { self.0 += 1; }
/// #     fn checksum(&mut self) -> u64 { self.0 }
/// #     fn delta(&mut self, _: bool) -> Result<Vec<u8>, Box<dyn std::error::Error>> { self.save() }
/// # }
/// use std::{thread, time::Duration};
/// use ecs_rooms::{Host, MemoryStore, Options, replay};
///
/// # fn main() -> Result<(), ecs_rooms::Error> {
/// let store = MemoryStore::new();
/// let host = Host::run::<Sum>(store.clone(), Options::new([7; 32]))?;
/// host.open("room", 40)?;
/// while host.stats().ticks < 3 { thread::sleep(Duration::from_millis(5)); }
/// host.drain();
///
/// let mut sums = Vec::new();
/// let ticks = replay::<Sum>(&store, "room", &[7; 32], |tick, room| sums.push((tick, room.0)))?;
/// assert_eq!(ticks as usize, sums.len());
/// assert_eq!(sums[..2], [(2, 41), (3, 42)]); // tick 1 has opened it
/// # Ok(()) }
/// ```
pub fn replay<R: Room>(
    store: &dyn Store,
    name: &str,
    key: &[u8; 32],
    mut each: impl FnMut(u64, &mut R),
) -> Result<u64, Error> {
    let mut each = |tick, room: &mut R| {
        each(tick, room);
        ControlFlow::Continue(())
    };
    play_from(store, (name, key), |start| start, None, &mut each)
}

/// Follows a room: plays it again from its last save on, and then each tick as its host plays it, until `each` breaks.
/// The copy that is passed is for looking, such as with an inspector: a change of it is no change of the room. If the owner
/// [goes on from a save](crate::Options::resume_differing), so does the copy. While no host plays the room, `each` is called
/// with the same tick every half second, so that it can break; if none opens it for five seconds, there is no room. Returns
/// how many ticks had the checksum that their marks say.
///
/// # Errors
///
/// As [`replay`]; [`Error::Forgotten`] if it is so slow that the log was forgotten meanwhile.
///
/// # Examples
///
/// ```
/// # struct Sum(u64);
/// # impl ecs_rooms::Room for Sum {
/// #     type Input = u64;
/// #     fn new(opening: &ecs_rooms::Opening) -> Self { Self(opening.seed) }
/// #     fn load(bytes: &[u8]) -> Result<Self, Box<dyn std::error::Error>> { Ok(Self(u64::from_le_bytes(bytes.try_into()?))) }
/// #     fn save(&mut self) -> Result<Vec<u8>, Box<dyn std::error::Error>> { Ok(self.0.to_le_bytes().into()) }
/// #     fn tick(&mut self, _: ecs_rooms::Turn<u64>) { self.0 += 1; }
/// #     fn checksum(&mut self) -> u64 { self.0 }
/// #     fn delta(&mut self, _: bool) -> Result<Vec<u8>, Box<dyn std::error::Error>> { self.save() }
/// # }
/// use std::ops::ControlFlow;
/// use ecs_rooms::{Host, MemoryStore, Options, follow};
///
/// # fn main() -> Result<(), ecs_rooms::Error> {
/// let store = MemoryStore::new();
/// let host = Host::run::<Sum>(store.clone(), Options::new([7; 32]))?;
/// host.open("room", 40)?;
/// let ticks = follow::<Sum>(&store, "room", &[7; 32], |tick, room| {
///     assert_eq!(room.0, 39 + tick); // tick 1 has opened it
///     if tick < 5 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
/// })?;
/// assert_eq!(ticks, 4);
/// # Ok(()) }
/// ```
pub fn follow<R: Room>(
    store: &dyn Store,
    name: &str,
    key: &[u8; 32],
    mut each: impl FnMut(u64, &mut R) -> ControlFlow<()>,
) -> Result<u64, Error> {
    let (sender, records) = sync_channel(1);
    let wake = move || !matches!(sender.try_send(()), Err(TrySendError::Disconnected(())));
    store.watch(&wire::log_name(locate(store, name)?.0), Box::new(wake));
    let newest = |mut start: Start| {
        start.saves.drain(..start.saves.len() - 1);
        start
    };
    play_from(store, (name, key), newest, Some(&records), &mut each)
}

fn no_room(name: &str) -> Error {
    Error::Limit(format!("there is no room `{name}`"))
}

/// Plays a log from the first save that has ticks of this version. Starts again if its owner has forgotten what this
/// needs before a tick was played.
fn play_from<R: Room>(
    store: &dyn Store,
    (name, key): (&str, &[u8; 32]),
    choose: impl Fn(Start) -> Start,
    more: Option<&Receiver<()>>,
    each: &mut dyn FnMut(u64, &mut R) -> ControlFlow<()>,
) -> Result<u64, Error> {
    let mut is_played = false;
    loop {
        let Start { first, saves } = choose(starts(store, name, key)?);
        let mut last = Err(no_room(name));
        for save in saves {
            let seat = begin(store, (name, key), save, first)?;
            last = play(seat, store, name, more, &mut |tick, room| {
                is_played = true;
                each(tick, room)
            });
            if !matches!(
                last,
                Err(Error::OtherVersion { .. } | Error::LogGone { .. })
            ) {
                break;
            }
        }
        match last {
            Err(Error::Forgotten { .. }) if !is_played => {}
            last => return last,
        }
    }
}

/// Plays a log; also what comes later, if there is a channel that says so.
fn play<R: Room>(
    mut seat: Seat<R>,
    store: &dyn Store,
    name: &str,
    more: Option<&Receiver<()>>,
    each: &mut dyn FnMut(u64, &mut R) -> ControlFlow<()>,
) -> Result<u64, Error> {
    let (mut ticks, mut waits, mut is_found, mut resumes) = (0, 0, false, false);
    let mut called = Instant::now();
    loop {
        let records = read(&mut seat, store, name, resumes)?;
        resumes = false;
        let more = more.filter(|_| waits < MOST_WAITS);
        if records.is_empty() && !wait(more.filter(|_| is_there(&seat, name))) {
            let is_found = is_found && waits < MOST_WAITS;
            return end(&seat, name, is_found.then_some(ticks));
        }
        // Other rooms of the log, and players of this one, may write while no host plays.
        if more.is_some() && called.elapsed() >= AGAIN {
            called = Instant::now();
            match current(&mut seat, name) {
                Some((tick, room)) => {
                    if each(tick, room).is_break() {
                        return Ok(ticks);
                    }
                }
                None => waits += 1,
            }
        }
        for record in records {
            if take(&mut seat, record, name)? {
                return Ok(ticks); // a newer version goes on
            }
            is_found |= is_there(&seat, name);
            if let Some((tick, room)) = played(&mut seat, name) {
                (ticks, waits, called) = (ticks + 1, 0, Instant::now());
                if each(tick, room).is_break() {
                    return Ok(ticks);
                }
            }
            if seat.out.contains(&Action::Reload) {
                resume(&mut seat, store, name, 0)?;
                resumes = true;
                break;
            }
        }
    }
}

/// Waits for more records; returns whether there may be some.
fn wait(more: Option<&Receiver<()>>) -> bool {
    let waited = more.map(|more| more.recv_timeout(AGAIN));
    matches!(waited, Some(Ok(()) | Err(RecvTimeoutError::Timeout)))
}

/// Reads on. If the seat has just resumed from a save, it learns here where the log starts.
fn read<R: Room>(
    seat: &mut Seat<R>,
    store: &dyn Store,
    name: &str,
    resumes: bool,
) -> Result<Vec<Record>, Error> {
    loop {
        match store.read(&wire::log_name(seat.shard), seat.read_to, 256) {
            Err(Error::Forgotten { first }) if resumes => resume(seat, store, name, first)?,
            records => return records,
        }
    }
}

/// Whether there is the room, or will be with the next mark.
fn is_there<R: Room>(seat: &Seat<R>, name: &str) -> bool {
    seat.rooms.contains_key(name) || seat.opens(name)
}

/// The owner has gone on from a save: so does the seat, or from a later one if that is gone. The log starts with
/// record `first`; 0 if that is not known.
fn resume<R: Room>(
    seat: &mut Seat<R>,
    store: &dyn Store,
    name: &str,
    first: u64,
) -> Result<(), Error> {
    let saves = store.cells(&wire::saves_of_room(seat.shard, name))?;
    let is_read = |cell: &&Cell| {
        let key = wire::of_save_key(&cell.key);
        key.is_some_and(|(_, _, at)| at < seat.read_to)
    };
    let read: Vec<_> = saves.iter().filter(is_read).cloned().collect();
    seat.reload(if read.is_empty() { &saves } else { &read }, first);
    Ok(())
}

/// How many ticks were played until the log ends, or why it has more.
fn end<R: Room>(seat: &Seat<R>, name: &str, ticks: Option<u64>) -> Result<u64, Error> {
    let stale = seat.rooms.get(name).and_then(|place| place.stale.clone());
    stale.map_or_else(|| ticks.ok_or_else(|| no_room(name)), Err)
}

/// The room and its tick, if the last record was a mark with which it was played.
fn played<'a, R: Room>(seat: &'a mut Seat<R>, name: &str) -> Option<(u64, &'a mut R)> {
    let is_played = seat.out.contains(&Action::Note(Note::Replayed(1)));
    current(seat, name).filter(|_| is_played)
}

/// The room and its tick.
fn current<'a, R: Room>(seat: &'a mut Seat<R>, name: &str) -> Option<(u64, &'a mut R)> {
    let place = seat.rooms.get_mut(name)?;
    Some((place.progress.tick, place.room.as_mut().ok()?))
}

/// Plays a record. Returns whether the seat has ended.
fn take<R: Room>(seat: &mut Seat<R>, record: Record, name: &str) -> Result<bool, Error> {
    seat.out.clear();
    seat.records(vec![record], false);
    let differs = |action: &Action| match action {
        Action::Note(Note::Failed(error @ Error::Differs { .. })) => Some(error.clone()),
        _ => None,
    };
    let place = seat.rooms.get(name);
    let broken = place.and_then(|place| place.room.as_ref().err().cloned());
    let error = broken.or_else(|| seat.out.iter().find_map(differs));
    let has_ended = matches!(seat.out.last(), Some(Action::Note(Note::Ended(_))));
    error.filter(|_| !has_ended).map_or(Ok(has_ended), Err)
}

/// Where a replay may start.
struct Start {
    /// The first record of the log. What is read later may begin later: its owner forgets records meanwhile.
    first: u64,
    /// The beginning of the log if it is whole, else the saves that it reaches back to, oldest first. Those of a
    /// newer version cannot be loaded; before one of an older version come ticks that cannot be played.
    saves: Vec<Option<Cell>>,
}

fn starts(store: &dyn Store, name: &str, key: &[u8; 32]) -> Result<Start, Error> {
    let (shard, _) = locate(store, name)?;
    let first = match store.read(&wire::log_name(shard), 0, 1) {
        Ok(_) => 1,
        Err(Error::Forgotten { first }) => first,
        Err(error) => return Err(error),
    };
    let saves = store.cells(&wire::saves_of_room(shard, name))?;
    let is_reached = |cell: &Cell| {
        let saved: Option<Saved> = wire::unseal(key, &cell.key, &cell.value);
        saved.is_some_and(|saved| saved.progress.at + 1 >= first)
    };
    let saves: Vec<_> = saves.into_iter().filter(is_reached).map(Some).collect();
    let whole = (first == 1 || saves.is_empty()).then_some(None);
    let saves = whole.into_iter().chain(saves).collect();
    Ok(Start { first, saves })
}

/// Returns a seat for one room.
fn begin<R: Room>(
    store: &dyn Store,
    (name, key): (&str, &[u8; 32]),
    save: Option<Cell>,
    first: u64,
) -> Result<Seat<R>, Error> {
    let (shard, shards) = locate(store, name)?;
    let options = Options {
        shards,
        ..Options::new(*key)
    };
    let common = Common::new(options, wire::Build::of::<R>());
    let mut seat = Seat::new(common, shard, save.as_slice(), first);
    seat.only = Some(name.to_owned());
    Ok(seat)
}
