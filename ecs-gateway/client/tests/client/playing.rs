//! Clients with real gateways, whose rooms are in memory.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use ecs::prelude::*;
use ecs_gateway_client::{Client, Event, Options, Outcome, WebSocket};
use ecs_prediction::Predicted;
use ecs_rooms::Game as _;

use crate::client::PATIENCE;
use crate::game::{Body, Field, Input};
use crate::server::{Server, generous};

struct Player {
    client: Client<Field, Input, WebSocket>,
    began: Instant,
    game: Field,
    mirror: Mirror<Field>,
    user: u64,
    /// How many times it has joined.
    joins: u64,
    /// The last input that a delta has shown.
    input: u64,
    played: BTreeMap<u64, u64>,
}

impl Player {
    fn join(address: &str) -> Self {
        let mut client = Client::new(Options::new(format!("ws://{address}/ws")));
        client.join("field", false);
        Self {
            client,
            began: Instant::now(),
            game: Field::new(),
            mirror: Mirror::new(),
            user: 0,
            joins: 0,
            input: 0,
            played: BTreeMap::new(),
        }
    }

    fn frame(&mut self) {
        while let Some(event) = self.client.poll(self.began.elapsed()) {
            match event {
                Event::Welcome { user, .. } => {
                    assert!([0, user].contains(&self.user), "another user");
                    self.user = user;
                }
                Event::Joined { .. } => self.joins += 1,
                Event::Delta { input, delta, .. } => {
                    self.mirror.rebase(&mut self.game, &delta).unwrap();
                    assert!(input >= self.input);
                    self.input = input;
                }
                Event::Outcome { input, outcome } => match outcome {
                    Outcome::Played { tick } => {
                        let before = self.played.insert(input, tick);
                        assert_eq!(before, None, "input {input} is played twice");
                    }
                    other => panic!("input {input}: {other}"),
                },
                Event::Closed { again, .. } => assert!(again),
                other => panic!("{other:?}"),
            }
        }
    }

    #[track_caller]
    fn until(&mut self, what: &str, is_so: impl Fn(&Self) -> bool) {
        while !is_so(self) {
            let (time, played) = (self.began.elapsed(), &self.played);
            assert!(time < PATIENCE, "{what}: {:?}, {played:?}", self.client);
            self.frame();
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn body(&self, user: u64) -> Option<&Body> {
        let body = self.game.entity_with_body(&user)?;
        Some(body.body())
    }

    /// Waits until this many inputs `Add(1)` were played, in order, each once.
    #[track_caller]
    fn until_played(&mut self, count: u64) {
        self.until("outcomes", |it| it.played.len() as u64 == count);
        let ticks: Vec<_> = self.played.values().collect();
        assert!(ticks.is_sorted());
        self.until("the last delta", |it| it.input == count);
        let body = self.body(self.user).unwrap();
        assert_eq!((body.sum, body.inputs, body.is_there), (count, count, true));
    }
}

#[test]
fn two_players_see_each_other_move() {
    let server = Server::start(generous());
    let address = server.address.to_string();
    let mut players = [Player::join(&address), Player::join(&address)];
    for (player, x) in players.iter_mut().zip([3, 4]) {
        player.until("the room", |it| it.joins == 1);
        assert_eq!(player.client.play(&Input::Walk { x, y: 5 }), Some(1));
    }
    let users = [players[1].user, players[0].user];
    for (at, other) in users.into_iter().enumerate() {
        for _ in 0..2 {
            players[1 - at].frame(); // it stays connected
        }
        let x = 4 - at as i32;
        players[at].until("the other one", |it| {
            let body = it.game.entity_with_body(&other);
            body.and_then(|it| it.get_position().copied())
                .is_some_and(|it| (it.x, it.y) == (x, 5))
        });
    }
}

#[test]
#[cfg(not(feature = "tls"))]
fn a_url_that_needs_tls_says_which_feature_is_missing() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("wss://{}/ws", listener.local_addr().unwrap());
    let (mut client, began) = (
        Client::<Field, Input, WebSocket>::new(Options::new(url)),
        Instant::now(),
    );
    let event = loop {
        match client.poll(began.elapsed()) {
            Some(event) => break event,
            None => std::thread::sleep(Duration::from_millis(1)),
        }
        assert!(began.elapsed() < PATIENCE);
    };
    let Event::Closed { reason, .. } = event else {
        panic!("{event:?}");
    };
    assert!(reason.contains("the feature `tls`"), "{reason}");
}

/// Passes bytes on to a gateway. Returns the address, and both ends of each connection.
fn proxy(to: SocketAddr) -> (SocketAddr, Receiver<[TcpStream; 2]>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let (sender, connections) = channel();
    std::thread::spawn(move || {
        for from in listener.incoming() {
            let ends = [from.unwrap(), TcpStream::connect(to).unwrap()];
            for (from, to) in [(0, 1), (1, 0)] {
                let [mut from, mut to] = [from, to].map(|it| ends[it].try_clone().unwrap());
                std::thread::spawn(move || {
                    let mut bytes = [0; 4096];
                    while let Ok(count @ 1..) = from.read(&mut bytes) {
                        if to.write_all(&bytes[..count]).is_err() {
                            break;
                        }
                    }
                    let _ = to.shutdown(Shutdown::Both);
                });
            }
            if sender.send(ends).is_err() {
                return;
            }
        }
    });
    (address, connections)
}

#[test]
fn a_player_loses_its_connection_and_no_input() {
    let server = Server::start(generous());
    let (address, connections) = proxy(server.address);
    let mut player = Player::join(&address.to_string());
    player.until("the room", |it| it.joins == 1);
    for round in 1..=3 {
        for number in round * 30 - 29..=round * 30 {
            assert_eq!(player.client.play(&Input::Add(1)), Some(number));
            if number % 30 == 15 {
                player.until("some outcomes", |it| !it.played.is_empty());
                for end in connections.recv().unwrap() {
                    let _ = end.shutdown(Shutdown::Both);
                }
            }
        }
        player.until("the room again", |it| it.joins == round + 1);
    }
    player.until("all", |it| it.client.pending() == 0 && it.input == 90);
    let body = player.body(player.user).unwrap();
    assert_eq!((body.sum, body.inputs, body.is_there), (90, 90, true));
}

#[test]
fn a_drain_moves_a_player_to_another_gateway() {
    let server = Server::start(generous());
    let other = Server::with(server.store.clone(), generous(), axum::Router::new());
    let url = format!("ws://{}/ws", other.address);
    let mut player = Player::join(&server.address.to_string());
    player.until("the room", |it| it.joins == 1);
    let gateway = server.gateway.clone();
    for number in 1..=20 {
        assert_eq!(player.client.play(&Input::Add(1)), Some(number));
    }
    let drained = server
        .runtime
        .spawn(async move { gateway.drain(Some(url)).await });
    for number in 21.. {
        assert_eq!(player.client.play(&Input::Add(1)), Some(number));
        player.frame();
        if player.joins == 2 && number > 60 {
            player.until_played(number);
            break;
        }
        assert!(player.began.elapsed() < PATIENCE);
        std::thread::sleep(Duration::from_millis(5));
    }
    server.runtime.block_on(drained).unwrap();
    assert_eq!(other.metric("connections"), 1);
    assert!(other.metric("inputs_total") > 0);
}

#[test]
fn own_moves_show_at_once_and_converge() {
    let server = Server::start(generous());
    let (address, connections) = proxy(server.address);
    let mut client =
        Client::<Field, Input, WebSocket>::new(Options::new(format!("ws://{address}/ws")));
    client.join("field", false);
    let mut game = Field::new();
    let mut predicted = Predicted::new(&mut game);
    let (began, mut me, mut moves, mut shown) = (Instant::now(), 0, 0, 0);
    let mut is_there = false;
    while shown < 60 {
        assert!(began.elapsed() < PATIENCE, "{client:?}, {predicted:?}");
        while let Some(event) = client.poll(began.elapsed()) {
            match event {
                Event::Welcome { user, .. } => me = user,
                Event::Delta { input, delta, .. } => {
                    let step = |game: &mut Field, input: &Input| game.input(me, input.clone());
                    let corrected = predicted.rebase(&mut game, &delta, input, step);
                    assert!(corrected.is_ok(), "{corrected:?}");
                    assert_eq!(predicted.pending().len() as u64, moves - input);
                    (shown, is_there) = (input, true);
                }
                _ => {}
            }
        }
        if is_there && moves < 60 {
            let step = |game: &mut Field, input: &Input| game.input(me, input.clone());
            if predicted.tick(&mut game, Input::Add(1), step).is_ok() {
                moves += 1;
                assert_eq!(client.play(&Input::Add(1)), Some(moves));
                if moves == 30 {
                    for end in connections.recv().unwrap() {
                        let _ = end.shutdown(Shutdown::Both);
                    }
                }
            }
        }
        if moves > 0 {
            let body = game.entity_with_body(&me).unwrap();
            assert_eq!((body.body().sum, body.body().inputs), (moves, moves));
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    assert_eq!(predicted.pending().len(), 0);
}
