//! Keys that expire and are revoked.

use std::time::{Duration, SystemTime};

use ecs_rooms::{Error, MemoryStore, Player, PlayerKey, Reason, Rooms};

use crate::race::{Order, Racing, SECRET, host, played, until};

fn session(epoch: u64, seconds: u64) -> PlayerKey {
    let expires = SystemTime::now() + Duration::from_secs(seconds);
    PlayerKey::session(&SECRET, "a", 1, epoch, expires)
}

fn player(store: &MemoryStore, key: PlayerKey) -> Result<Player<Racing>, Error> {
    Player::new(store.clone(), "a", 1, key)
}

/// Sends, and returns why that was not played.
fn rejected(player: &Player<Racing>, number: u64) -> Option<Reason> {
    let sent = player.send(&Order::Go(number));
    match sent.and_then(|_| player.wait(Duration::from_secs(10))) {
        Ok(()) => None,
        Err(Error::Rejected { reason, .. }) => Some(reason),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn inputs_are_rejected_once_a_key_has_expired() {
    let store = MemoryStore::new();
    let host = host(&store, "h1");
    host.open("a", 0).unwrap();
    assert!(matches!(
        player(&store, session(0, 0)),
        Err(Error::Rejected {
            reason: Reason::Expired,
            ..
        })
    ));
    let first = player(&store, session(0, 2)).unwrap();
    assert_eq!(rejected(&first, 1), None);
    until("the key to expire", || {
        rejected(&first, 2) == Some(Reason::Expired)
    });
    let second = player(&store, session(0, 60)).unwrap();
    assert_eq!(rejected(&second, 3), None);
    host.drain();
    let (sent, _) = played(&store, "a").unwrap();
    assert_eq!((sent[1].first(), sent[1].last()), (Some(&1), Some(&3)));
}

#[test]
fn keys_of_an_epoch_are_revoked_with_those_before() {
    let store = MemoryStore::new();
    let host = host(&store, "h1");
    host.open("a", 0).unwrap();
    let players = [session(6, 60), session(7, 60), session(8, 60)];
    let [old, present, next] = players.map(|key| player(&store, key).unwrap());
    assert_eq!(rejected(&present, 1), None);
    let rooms = Rooms::new(store.clone(), SECRET);
    rooms.revoke("a", 1, 7).unwrap();
    let list = || rooms.list(Duration::from_secs(10)).unwrap();
    until("the player to leave", || list()[0].players == 0);
    assert_eq!(rejected(&present, 2), Some(Reason::Revoked));
    assert_eq!(rejected(&present, 2), Some(Reason::Revoked), "at once");
    // A connection that is newer, but not good, takes over from none.
    assert_eq!(rejected(&next, 3), None);
    assert_eq!(rejected(&old, 4), Some(Reason::Revoked));
    assert_eq!(rejected(&next, 5), None);
    let without_end = Player::<Racing>::key(&SECRET, "a", 1);
    assert_eq!(
        rejected(&player(&store, without_end).unwrap(), 6),
        Some(Reason::Revoked)
    );
    host.drain();
    assert_eq!(played(&store, "a").unwrap().0[1], [1, 3, 5]);
}

#[test]
fn a_key_is_good_for_its_own_epoch_and_time_alone() {
    let store = MemoryStore::new();
    let host = host(&store, "h1");
    host.open("a", 0).unwrap();
    let mut bytes = postcard::to_allocvec(&session(3, 60)).unwrap();
    let at = bytes.iter().rposition(|byte| *byte == 3).unwrap();
    bytes[at] = 9; // another epoch
    let forged: PlayerKey = postcard::from_bytes(&bytes).unwrap();
    let player = player(&store, forged).unwrap();
    player.send(&Order::Go(1)).unwrap();
    until("the record to be skipped", || host.stats().skipped > 0);
    assert_eq!(host.stats().failures, []);
}
