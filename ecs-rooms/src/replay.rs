//! Playing the log of a room again.

use crate::client::locate;
use crate::core::Common;
use crate::core::seat::{Action, Note, Seat};
use crate::core::wire::{self, Saved};
use crate::error::Error;
use crate::room::Room;
use crate::store::Store;

/// Plays a room again, from the first tick that the store still has to the last, and calls `each`
/// with the room after every tick. Returns how many ticks had the checksum that their marks say.
///
/// This verifies a log, and it is the debugger of crashes: the last call before an error is the state in
/// which the next tick failed. The room that is passed can be inspected.
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
    let mut seat = begin::<R>(store, name, key)?;
    let log = wire::log_name(seat.shard);
    let (mut ticks, mut is_found) = (0, false);
    loop {
        let records = match store.read(&log, seat.read_to, 256) {
            // The owner has forgotten records since it began.
            Err(Error::Forgotten { .. }) if ticks == 0 => {
                seat = begin(store, name, key)?;
                continue;
            }
            records => records?,
        };
        if records.is_empty() && is_found {
            return Ok(ticks);
        }
        if records.is_empty() {
            return Err(Error::Limit(format!("there is no room `{name}`")));
        }
        for record in records {
            seat.records(vec![record], false);
            let tick = Action::Note(Note::Replayed(1));
            let is_tick = seat.out.drain(..).any(|action| action == tick);
            if let Some(place) = seat.rooms.get_mut(name) {
                let room = place.room.as_mut().map_err(|error| error.clone())?;
                is_found = true;
                if is_tick {
                    ticks += 1;
                    each(place.progress.tick, &mut **room);
                }
            }
        }
    }
}

/// Returns a seat for one room. If the log is whole it needs no save, else it starts with the oldest save
/// that the log reaches back to.
fn begin<R: Room>(store: &dyn Store, name: &str, key: &[u8; 32]) -> Result<Seat<R>, Error> {
    let (shard, shards) = locate(store, name)?;
    let first = match store.read(&wire::log_name(shard), 0, 1) {
        Ok(_) => 1,
        Err(Error::Forgotten { first }) => first,
        Err(error) => return Err(error),
    };
    let mut saves = store.cells(&format!("{}{name}/", wire::saves_of(shard)))?;
    let is_reached = |saved: Saved| saved.progress.at + 1 >= first;
    saves.retain(|cell| {
        first > 1 && wire::unseal(key, &cell.key, &cell.value).is_some_and(is_reached)
    });
    saves.truncate(1);
    let common = Common {
        key: *key,
        build: wire::Build::of::<R>(),
        shards,
        ..Common::default()
    };
    let mut seat = Seat::new(common, shard, &saves, first);
    seat.only = Some(name.to_owned());
    Ok(seat)
}
