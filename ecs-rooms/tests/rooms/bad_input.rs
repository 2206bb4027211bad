//! What is broken, forged or out of bounds does not stop other rooms.

use std::time::Duration;

use ecs_rooms::{Error, Host, MemoryStore, Options, Player, RoomTime, Store};

use crate::race::{Order, Racing, SECRET, host, options, played, player, until};

#[test]
fn forged_and_broken_records_are_skipped() {
    let store = MemoryStore::new();
    let host = host(&store, "only");
    host.open("a", 1).unwrap();
    until("the room", || host.stats().rooms == 1);
    // Another player's key, and one made from another secret.
    let keys =
        [(SECRET, 2), ([9; 32], 1)].map(|(secret, of)| Player::<Racing>::key(&secret, "a", of));
    for key in keys {
        let forger = Player::<Racing>::new(store.clone(), "a", 1, key).unwrap();
        forger.send(&Order::Go(66)).unwrap();
    }
    for shard in 0..4 {
        for bytes in [vec![], vec![1], vec![0xff; 100], vec![0; 40]] {
            store.append(&format!("log/{shard}"), bytes, Box::new(|_| ()));
        }
    }
    player(&store, "a", 1).send(&Order::Go(1)).unwrap();
    until("the input", || played(&store, "a").unwrap().0[1] == [1]);
    until("the count", || host.stats().skipped == 2 * 3 + 16);
    assert_eq!(host.stats().failures, []);
}

#[test]
fn a_mark_without_the_secret_is_skipped() {
    let store = MemoryStore::new();
    let host = host(&store, "only");
    host.open("a", 1).unwrap();
    until("ticks", || host.stats().ticks > 5);
    // It is written if it follows the last mark, and then it is in the way of one tick.
    for shard in 0..4 {
        let log = format!("log/{shard}");
        for _ in 0..100 {
            let records = store.read(&log, 0, usize::MAX).unwrap_or_default();
            let last = records
                .iter()
                .rfind(|record| record.is_mark)
                .map_or(0, |record| record.number);
            store.mark(&log, last, b"forged".to_vec(), Box::new(|_| ()));
        }
    }
    player(&store, "a", 1).send(&Order::Go(1)).unwrap();
    until("the input", || played(&store, "a").unwrap().0[1] == [1]);
    assert!(host.stats().skipped >= 100);
}

#[test]
fn a_room_that_panics_is_named_and_the_others_go_on() {
    let store = MemoryStore::new();
    let first = host(&store, "first");
    (0..8).for_each(|room| _ = first.open(&format!("room{room}"), 1).unwrap());
    until("the rooms", || first.stats().rooms == 8);
    player(&store, "room3", 0).send(&Order::Panic).unwrap();
    let is_named = |host: &Host| {
        let failures = host.stats().failures;
        matches!(&failures[..], [Error::Panicked { room, .. }] if room == "room3")
    };
    until("the failure", || is_named(&first));
    let difference = played(&store, "room3").unwrap_err();
    assert!(matches!(difference, Error::Panicked { .. }), "{difference}");
    // The next owner gets the same result.
    let second = host(&store, "second");
    drop(first);
    until("take-over", || second.stats().shards == 4);
    (0..8).filter(|room| *room != 3).for_each(|room| {
        let room = format!("room{room}");
        player(&store, &room, 1).send(&Order::Go(5)).unwrap();
        until("the input", || played(&store, &room).unwrap().0[1] == [5]);
    });
    assert!(
        second
            .stats()
            .failures
            .iter()
            .all(|error| matches!(error, Error::Panicked { .. }))
    );
}

#[test]
fn a_room_that_has_panicked_is_closed_and_its_log_forgotten() {
    let store = MemoryStore::new();
    let host = host(&store, "only");
    host.open("a", 1).unwrap();
    until("the room", || host.stats().rooms == 1);
    player(&store, "a", 0).send(&Order::Panic).unwrap();
    until("the failure", || !host.stats().failures.is_empty());
    assert_eq!(host.stats().rooms, 1, "it can be replayed");
    until("the end", || {
        host.stats().rooms == 0 && store.cells("save/").unwrap().is_empty()
    });
    host.open("a", 2).unwrap(); // another room of that name
    until("the other room", || host.stats().rooms == 1);
    let is_forgotten = || (0..4).any(|shard| store.read(&format!("log/{shard}"), 100, 1).is_err());
    until("the log", is_forgotten);
    assert_eq!(host.stats().failures.len(), 1);
}

#[test]
fn a_damaged_save_falls_back_to_the_one_before() {
    let store = MemoryStore::new();
    let first = host(&store, "first");
    first.open("a", 1).unwrap();
    player(&store, "a", 1).send(&Order::Go(1)).unwrap();
    until("saves", || first.stats().saves > 3);
    drop(first);
    let damage = |cell: &ecs_rooms::Cell| {
        let mut value = cell.value.clone();
        value[30] ^= 1;
        store.put(&cell.key, None, value, Box::new(|_| ()));
    };
    let saves = store.cells("save/").unwrap();
    damage(saves.last().unwrap());
    let second = host(&store, "second");
    until("take-over", || second.stats().rooms == 1);
    let now = second.stats().saves;
    until("more saves", || second.stats().saves > now + 3);
    assert_eq!(second.stats().failures, []);
    drop(second);

    store.cells("save/").unwrap().iter().for_each(damage);
    let third = host(&store, "third");
    let is_named = |error: &Error| matches!(error, Error::NoSave { room, .. } if room == "a");
    until("the error", || third.stats().failures.iter().any(is_named));
    third.close("a").unwrap(); // the way out
    third.open("b", 1).unwrap();
    until("another room", || third.stats().rooms == 1);
}

#[test]
fn options_and_names_outside_their_limits_are_errors() {
    let store = MemoryStore::new();
    let bad: [fn(&mut Options); 5] = [
        |options| options.name = "a/b".to_owned(),
        |options| options.shards = 0,
        |options| options.tick = Duration::ZERO,
        |options| options.threads = 0,
        |options| options.patience = options.beat,
    ];
    for change in bad {
        let mut options = options("a");
        change(&mut options);
        let host = Host::run::<Racing>(store.clone(), options);
        assert!(matches!(host, Err(Error::Limit(_))));
    }
    let host = host(&store, "a");
    assert!(matches!(host.open("", 1), Err(Error::Limit(_))));
    assert!(matches!(host.open("a b", 1), Err(Error::Limit(_))));
    let other = Options {
        shards: 5,
        ..options("b")
    };
    let error = Host::run::<Racing>(store, other).unwrap_err();
    assert!(error.to_string().contains("divided"), "{error}");
}

#[test]
fn a_store_of_another_format_or_number_of_shards_is_rejected() {
    let rejection = |config: &[u8]| {
        let store = MemoryStore::new();
        store.put("config", None, config.to_vec(), Box::new(|_| ()));
        let host = Host::run::<Racing>(store, options("only"));
        host.map(drop).unwrap_err().to_string()
    };
    let format = rejection(&[1, 4]);
    assert!(
        format.contains("the store has format 1, this program format 9: use the version"),
        "{format}"
    );
    let shards = rejection(&[9, 5]);
    let expected = "the store is divided into 5 shards, the options say 4";
    assert!(shards.contains(expected), "{shards}");
}

#[test]
fn a_slow_room_is_named_with_its_times() {
    let store = MemoryStore::new();
    let options = Options {
        budget: Duration::from_millis(200),
        ..options("only")
    };
    let host = Host::run::<Racing>(store.clone(), options).unwrap();
    (0..4).for_each(|room| _ = host.open(&format!("room{room}"), 1).unwrap());
    until("ticks", || host.stats().ticks > 100);
    player(&store, "room2", 0).send(&Order::Sleep(400)).unwrap();
    let slow = Error::Slow {
        room: "room2".to_owned(),
    };
    until("the failure", || host.stats().failures.contains(&slow));
    let first = || host.stats().times.first().cloned();
    let is_slow = |time: RoomTime| time.room == "room2" && time.worst >= Duration::from_millis(400);
    until("the times", || first().is_some_and(is_slow));
    let (text, room) = (host.stats().to_prometheus(), first().unwrap().room);
    let line = format!("\nrooms_tick_seconds{{room=\"{room}\",quantile=\"1\"}} 0.");
    assert!(
        text.contains(&line) && text.contains("\nrooms_played 4\n"),
        "{text}"
    );
    let first = first().unwrap();
    assert!(first.median < Duration::from_millis(200), "{first:?}");
}
