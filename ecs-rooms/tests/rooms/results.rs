//! Rooms that end themselves.

use std::error::Error as Anything;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use ecs_rooms::{Host, MemoryStore, Opening, Player, Reason, Room, RoomResult, Rooms, Store, Turn};

use crate::race::{SECRET, options, until};

/// Ends once the sum of all inputs is 100.
struct Sum(u64);

impl Room for Sum {
    type Input = u64;

    fn new(opening: &Opening) -> Self {
        Self(opening.seed)
    }

    fn load(bytes: &[u8]) -> Result<Self, Box<dyn Anything>> {
        Ok(Self(u64::from_le_bytes(bytes.try_into()?)))
    }

    fn save(&mut self) -> Result<Vec<u8>, Box<dyn Anything>> {
        Ok(self.0.to_le_bytes().into())
    }

    fn tick(&mut self, turn: Turn<u64>) {
        assert!(self.0 < 100, "it is over");
        turn.inputs.iter().for_each(|(_, input)| self.0 += input);
    }

    fn checksum(&mut self) -> u64 {
        self.0
    }

    fn result(&mut self) -> Option<Vec<u8>> {
        (self.0 >= 100).then(|| self.0.to_le_bytes().into())
    }

    fn delta(&mut self, _: bool) -> Result<Vec<u8>, Box<dyn Anything>> {
        self.save()
    }
}

fn host(store: &MemoryStore, name: &str) -> Host {
    Host::run::<Sum>(store.clone(), options(name)).unwrap()
}

fn player(store: &MemoryStore, room: &str) -> Player<Sum> {
    let key = Player::<Sum>::key(&SECRET, room, 1);
    Player::new(store.clone(), room, 1, key).unwrap()
}

fn results(rooms: &Rooms) -> Receiver<RoomResult> {
    let (sender, results) = channel();
    rooms
        .on_result(move |result| _ = sender.send(result))
        .unwrap();
    results
}

fn next(results: &Receiver<RoomResult>) -> (String, u64, u64) {
    let RoomResult {
        room,
        number,
        result,
        ..
    } = results.recv_timeout(Duration::from_secs(10)).unwrap();
    (room, number, u64::from_le_bytes(result.try_into().unwrap()))
}

#[test]
fn a_room_that_is_over_tells_its_result_once_and_is_closed() {
    let store = MemoryStore::new();
    let host = host(&store, "h1");
    let results = results(&host);
    let number = host.open("a", 40).unwrap();
    let player = player(&store, "a");
    for input in [10, 50] {
        player.send(&input).unwrap();
        player.wait(Duration::from_secs(10)).unwrap();
    }
    assert_eq!(next(&results), ("a".to_owned(), number, 100));
    until("the room to be closed", || host.stats().rooms == 0);
    let late = player
        .send(&1)
        .and_then(|_| player.wait(Duration::from_secs(10)));
    let is_closed = |reason| matches!(reason, Reason::Closed | Reason::NoRoom);
    assert!(matches!(late, Err(ecs_rooms::Error::Rejected { reason, .. }) if is_closed(reason)));
    // Another room of the same name is another one.
    let again = host.open("a", 100).unwrap();
    assert_eq!(next(&results), ("a".to_owned(), again, 100));
    assert!(results.recv_timeout(Duration::from_millis(600)).is_err());
    until("the result to be taken", || {
        store.cells("result/").unwrap().is_empty()
    });
    assert_eq!(host.stats().failures, []);
    host.drain();
    assert_eq!(store.cells("save/").unwrap(), []);
}

#[test]
fn a_result_waits_for_a_program_that_takes_it() {
    let store = MemoryStore::new();
    let host = host(&store, "h1");
    let number = host.open("a", 200).unwrap();
    until("the result", || store.cells("result/").unwrap().len() == 1);
    drop(host);
    let rooms = Rooms::new(store.clone(), SECRET);
    assert_eq!(next(&results(&rooms)), ("a".to_owned(), number, 200));
}

/// One host after the other dies at some moment around the end of a room.
#[test]
fn a_result_is_reported_once_if_hosts_die() {
    let store = MemoryStore::new();
    let rooms = Rooms::new(store.clone(), SECRET);
    let results = results(&rooms);
    let mut hosts = vec![host(&store, "h0")];
    let mut numbers = Vec::new();
    for round in 1..9 {
        numbers.push(rooms.open("a", 90).unwrap());
        let player = player(&store, "a");
        player.send(&10).unwrap();
        std::thread::sleep(Duration::from_millis(4 * round));
        hosts.push(host(&store, &format!("h{round}")));
        drop(hosts.remove(0)); // as if its process had died
        let (_, number, result) = next(&results);
        assert_eq!((number, result), (*numbers.last().unwrap(), 100));
        until("the room to be closed", || {
            hosts[0].stats().shards == 4 && hosts[0].stats().rooms == 0
        });
    }
    assert!(results.recv_timeout(Duration::from_millis(600)).is_err());
}
