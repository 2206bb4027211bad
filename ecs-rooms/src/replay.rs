//! Playing the log of a room again.

use crate::client::locate;
use crate::core::Common;
use crate::core::seat::{Action, Note, Seat};
use crate::core::wire::{self, Saved};
use crate::error::Error;
use crate::room::Room;
use crate::store::{Cell, Store};

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
/// [`Error::Limit`] that there is no such room.
///
/// # Examples
///
/// See [`Host`](crate::Host).
///
/// ```
/// # struct Sum(u64);
/// # impl ecs_rooms::Room for Sum {
/// #     type Input = u64;
/// #     fn new(seed: u64) -> Self { Self(seed) }
/// #     fn load(bytes: &[u8]) -> Result<Self, Box<dyn std::error::Error>> { Ok(Self(u64::from_le_bytes(bytes.try_into()?))) }
/// #     fn save(&mut self) -> Result<Vec<u8>, Box<dyn std::error::Error>> { Ok(self.0.to_le_bytes().into()) }
/// #     fn tick(&mut self, inputs: Vec<(u64, u64)>) { self.0 += 1; }
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
/// assert_eq!(sums[..2], [(1, 41), (2, 42)]);
/// # Ok(()) }
/// ```
pub fn replay<R: Room>(
    store: &dyn Store,
    name: &str,
    key: &[u8; 32],
    mut each: impl FnMut(u64, &mut R),
) -> Result<u64, Error> {
    let mut last = Err(Error::Limit(format!("there is no room `{name}`")));
    for save in starts(store, name, key)? {
        last = play(store, (name, key), save, &mut each);
        let is_other =
            |error: &Error| matches!(error, Error::OtherVersion { .. } | Error::LogGone { .. });
        if !last.as_ref().is_err_and(is_other) {
            break;
        }
    }
    last
}

fn play<R: Room>(
    store: &dyn Store,
    (name, key): (&str, &[u8; 32]),
    save: Option<Cell>,
    each: &mut impl FnMut(u64, &mut R),
) -> Result<u64, Error> {
    let (mut seat, mut ticks, mut is_found) = (begin::<R>(store, name, key, save)?, 0, false);
    let log = wire::log_name(seat.shard);
    loop {
        let records = match store.read(&log, seat.read_to, 256) {
            // The owner has forgotten records since it began.
            Err(Error::Forgotten { .. }) if ticks == 0 => {
                let save = starts(store, name, key)?.into_iter().next().flatten();
                seat = begin(store, name, key, save)?;
                continue;
            }
            records => records?,
        };
        if records.is_empty() {
            let none = || Error::Limit(format!("there is no room `{name}`"));
            let stale = seat.rooms.get(name).and_then(|place| place.stale.clone());
            stale.map_or(Ok(()), Err)?;
            return is_found.then_some(ticks).ok_or_else(none);
        }
        for record in records {
            seat.records(vec![record], false);
            let actions: Vec<_> = seat.out.drain(..).collect();
            if let Some(Action::Note(Note::Ended(_))) = actions.last() {
                return Ok(ticks); // a newer version goes on
            }
            if let Some(place) = seat.rooms.get_mut(name) {
                if let Some(error @ Error::Differs { .. }) = &place.stale {
                    return Err(error.clone());
                }
                let room = place.room.as_mut().map_err(|error| error.clone())?;
                is_found = true;
                if actions.contains(&Action::Note(Note::Replayed(1))) {
                    ticks += 1;
                    each(place.progress.tick, &mut **room);
                }
            }
        }
    }
}

/// Where a replay may start: with the log if it is whole, else with the saves that it reaches back to, oldest
/// first. Those of a newer version cannot be loaded; before one of an older version come ticks that cannot be
/// played.
fn starts(store: &dyn Store, name: &str, key: &[u8; 32]) -> Result<Vec<Option<Cell>>, Error> {
    let (shard, _) = locate(store, name)?;
    let first = match store.read(&wire::log_name(shard), 0, 1) {
        Ok(_) => 1,
        Err(Error::Forgotten { first }) => first,
        Err(error) => return Err(error),
    };
    let saves = store.cells(&format!("{}{name}/", wire::saves_of(shard)))?;
    let is_reached = |cell: &Cell| {
        let saved: Option<Saved> = wire::unseal(key, &cell.key, &cell.value);
        saved.is_some_and(|saved| saved.progress.at + 1 >= first)
    };
    let saves: Vec<_> = saves.into_iter().filter(is_reached).map(Some).collect();
    let whole = (first == 1 || saves.is_empty()).then_some(None);
    Ok(whole.into_iter().chain(saves).collect())
}

/// Returns a seat for one room.
fn begin<R: Room>(
    store: &dyn Store,
    name: &str,
    key: &[u8; 32],
    save: Option<Cell>,
) -> Result<Seat<R>, Error> {
    let (shard, shards) = locate(store, name)?;
    let first = match store.read(&wire::log_name(shard), 0, 1) {
        Err(Error::Forgotten { first }) => first,
        _ => 1,
    };
    let common = Common {
        key: *key,
        build: wire::Build::of::<R>(),
        shards,
        ..Common::default()
    };
    let mut seat = Seat::new(common, shard, save.as_slice(), first);
    seat.only = Some(name.to_owned());
    Ok(seat)
}
