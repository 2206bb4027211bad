//! What players learn of their inputs.

use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use ecs_rooms::{Error, Host, MemoryStore, Opening, Outcome, Player, Reason, Room, Turn};
use serde::{Deserialize, Serialize};

use crate::race::{Order, Racing, SECRET, host, options, played, player, replayed, until};

const SOON: Duration = Duration::from_secs(10);

fn outcomes<R: Room>(player: &Player<R>) -> Receiver<(u64, Outcome)> {
    let (sender, outcomes) = channel();
    player.on_outcome(move |number, outcome| _ = sender.send((number, outcome)));
    outcomes
}

fn rejected(reason: Reason) -> Result<(u64, Outcome), std::sync::mpsc::RecvTimeoutError> {
    Ok((1, Outcome::Rejected(reason)))
}

#[test]
fn a_player_learns_in_which_tick_each_input_was_played() {
    let store = MemoryStore::new();
    let host = host(&store, "only");
    host.open("a", 1).unwrap();
    let player = player(&store, "a", 1);
    let outcomes = outcomes(&player);
    let numbers: Vec<_> = (0..200)
        .map(|number| player.send(&Order::Go(number)).unwrap())
        .collect();
    player.wait(SOON).unwrap();
    let outcomes: Vec<_> = outcomes.try_iter().collect();
    assert!(outcomes.iter().map(|(number, _)| *number).eq(numbers));
    let tick = |(_, outcome): &(u64, Outcome)| match outcome {
        Outcome::Played { tick } => *tick,
        Outcome::Rejected(reason) => panic!("{reason}"),
    };
    assert!(outcomes.iter().map(tick).is_sorted());
    let (sent, _) = played(&store, "a").unwrap();
    assert!(
        sent[1].iter().copied().eq(0..200),
        "acknowledged and played"
    );
}

#[test]
fn inputs_of_unknown_closed_and_broken_rooms_are_rejected() {
    let store = MemoryStore::new();
    let host = host(&store, "only");
    let early = player(&store, "a", 1);
    let early_outcomes = outcomes(&early);
    early.send(&Order::Go(1)).unwrap();
    assert_eq!(early_outcomes.recv_timeout(SOON), rejected(Reason::NoRoom));
    let number = 1;
    let reason = Reason::NoRoom;
    assert_eq!(early.wait(SOON), Err(Error::Rejected { number, reason }));
    // The same player can play as soon as there is one.
    host.open("a", 1).unwrap();
    early.send(&Order::Go(2)).unwrap();
    early.wait(SOON).unwrap();
    host.close("a").unwrap();
    early.send(&Order::Go(3)).unwrap();
    assert!(matches!(
        early.wait(SOON),
        Err(Error::Rejected { number: 3, .. })
    ));

    host.open("b", 1).unwrap();
    let panics = player(&store, "b", 1);
    panics.send(&Order::Panic).unwrap();
    panics.send(&Order::Go(1)).unwrap();
    let reason = Reason::Panicked;
    assert_eq!(panics.wait(SOON), Err(Error::Rejected { number, reason }));
}

#[test]
fn of_two_devices_the_newer_one_wins() {
    let store = MemoryStore::new();
    let host = host(&store, "only");
    host.open("a", 1).unwrap();
    let (first, second) = (player(&store, "a", 1), player(&store, "a", 1));
    first.send(&Order::Go(1)).unwrap();
    first.wait(SOON).unwrap();
    second.send(&Order::Go(2)).unwrap();
    second.wait(SOON).unwrap();
    until("the other device", || match first.send(&Order::Go(3)) {
        Err(Error::Rejected { reason, .. }) => reason == Reason::TakenOver,
        _ => first.wait(SOON).is_ok(),
    });
    second.send(&Order::Go(4)).unwrap();
    second.wait(SOON).unwrap();
    assert_eq!(played(&store, "a").unwrap().0[1], [1, 2, 4]);
    // The first device connects again.
    let third = player(&store, "a", 1);
    third.send(&Order::Go(5)).unwrap();
    third.wait(SOON).unwrap();
    assert_eq!(played(&store, "a").unwrap().0[1], [1, 2, 4, 5]);
}

/// A room of numbers. `V` is its version.
struct Sum<const V: u32>(u64);

impl<const V: u32> Room for Sum<V> {
    const NAME: &'static str = "sum";
    const VERSION: u32 = V;
    type Input = u64;

    fn new(opening: &Opening) -> Self {
        Self(opening.seed)
    }
    fn load(bytes: &[u8]) -> Result<Self, Box<dyn std::error::Error>> {
        Ok(Self(u64::from_le_bytes(bytes.try_into()?)))
    }
    fn save(&mut self) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
        Ok(self.0.to_le_bytes().into())
    }
    fn tick(&mut self, turn: Turn<u64>) {
        turn.inputs.iter().for_each(|(_, input)| self.0 += input);
    }
    fn checksum(&mut self) -> u64 {
        self.0
    }
    fn delta(&mut self, _: bool) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
        self.save()
    }
}

/// Is of the same name and version, but sends something else.
struct Other<T>(T);

impl<T: Serialize + for<'a> Deserialize<'a> + Send + 'static> Room for Other<T> {
    const NAME: &'static str = "sum";
    type Input = T;

    fn new(_: &Opening) -> Self {
        unreachable!()
    }
    fn load(_: &[u8]) -> Result<Self, Box<dyn std::error::Error>> {
        unreachable!()
    }
    fn save(&mut self) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
        unreachable!()
    }
    fn tick(&mut self, _: Turn<T>) {}
    fn checksum(&mut self) -> u64 {
        0
    }
    fn delta(&mut self, _: bool) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
        unreachable!()
    }
}

#[test]
fn inputs_of_another_type_game_or_version_are_rejected() {
    fn reason<R: Room>(store: &MemoryStore, input: &R::Input) -> Result<(), Error> {
        let key = Player::<R>::key(&SECRET, "a", 1);
        let player = Player::<R>::new(store.clone(), "a", 1, key).unwrap();
        player.send(input).unwrap();
        player.wait(SOON)
    }
    let rejected = |reason| Err(Error::Rejected { number: 1, reason });
    let store = MemoryStore::new();
    let host = Host::run::<Sum<1>>(store.clone(), options("only")).unwrap();
    host.open("a", 1).unwrap();
    assert_eq!(reason::<Sum<1>>(&store, &20), Ok(()));
    let text = (1_000, "hello".to_owned());
    let misread = reason::<Other<(u64, String)>>(&store, &text);
    assert_eq!(misread, rejected(Reason::Unreadable));
    assert_eq!(reason::<Sum<2>>(&store, &3), rejected(Reason::OtherVersion));
    let order = reason::<Racing>(&store, &Order::Go(3));
    assert_eq!(order, rejected(Reason::OtherGame));
    let mut last = 0;
    replayed::<Sum<1>>(&store, "a", |_, sum| last = sum.0).unwrap();
    assert_eq!(last, 21);
}

/// Commands that contain themselves.
#[derive(Serialize, Deserialize)]
enum Plan {
    Stop,
    Then(Box<Plan>),
}

struct Planned;

impl Room for Planned {
    type Input = Plan;

    fn new(_: &Opening) -> Self {
        Self
    }
    fn load(_: &[u8]) -> Result<Self, Box<dyn std::error::Error>> {
        Ok(Self)
    }
    fn save(&mut self) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
        Ok(vec![0])
    }
    fn tick(&mut self, _: Turn<Plan>) {}
    fn checksum(&mut self) -> u64 {
        7
    }
    fn delta(&mut self, _: bool) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
        self.save()
    }
}

#[test]
fn an_input_that_is_nested_too_deeply_is_rejected_by_all() {
    let store = MemoryStore::new();
    let host = Host::run::<Planned>(store.clone(), options("only")).unwrap();
    host.open("a", 1).unwrap();
    let key = Player::<Planned>::key(&SECRET, "a", 1);
    let player = Player::<Planned>::new(store.clone(), "a", 1, key).unwrap();
    let plan = |depth| (0..depth).fold(Plan::Stop, |plan, _| Plan::Then(Box::new(plan)));
    player.send(&plan(20)).unwrap();
    player.wait(SOON).unwrap();
    player.send(&plan(1_000)).unwrap();
    let named = Error::Rejected {
        number: 2,
        reason: Reason::Unreadable,
    };
    assert_eq!(player.wait(SOON), Err(named));
    assert!(replayed::<Planned>(&store, "a", |_, _| ()).unwrap() > 0);
}
