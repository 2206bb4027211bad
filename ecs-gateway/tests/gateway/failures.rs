//! Hosts and gateways that end while clients play.

use std::time::{Duration, Instant};

use ecs_gateway::Limits;
use ecs_rooms::Rooms;
use serde_json::json;

use crate::client::Client;
use crate::game::Input;
use crate::server::{SECRET, Server, generous, run_host};

#[test]
fn a_host_dies_and_the_client_plays_on() {
    let mut server = Server::start(generous());
    let mut client = Client::join(server.address, "field");
    let user = client.user;
    for number in 1..=60 {
        client.play(&Input::Add(number));
        if number == 20 {
            server.host = None; // as if the process had died
        }
        if number == 40 {
            server.host = Some(run_host(&server.store));
        }
        let _ = client.take();
    }
    client.until("outcomes", |client| client.played.len() == 60);
    let sum = |client: &Client| client.body(user).map(|body| (body.sum, body.inputs));
    client.until("the sum", |client| sum(client) == Some((61 * 30, 60)));
    let tick = client.tick;
    client.until("ticks", |client| client.tick > tick + 20);
}

#[test]
fn a_gateway_is_drained_and_no_input_is_lost() {
    let server = Server::start(generous());
    let other = Server::with(server.store.clone(), generous(), axum::Router::new());
    let elsewhere = format!("ws://{}/ws", other.address);
    let mut clients: Vec<_> = (0..5)
        .map(|_| Client::join(server.address, "field"))
        .collect();
    for client in &mut clients {
        for number in 1..=20 {
            client.play(&Input::Add(number));
        }
    }
    let (gateway, url) = (server.gateway.clone(), elsewhere.clone());
    let drained = server
        .runtime
        .spawn(async move { gateway.drain(Some(url)).await });
    for client in &mut clients {
        let reconnect = client.expect("reconnect");
        assert_eq!(reconnect["url"], json!(elsewhere));
        client.play(&Input::Add(21)); // it still accepts inputs
        client.until("outcomes", |client| client.played.len() == 21);
        let (token, connection) = (client.token.clone(), client.connection);
        let mut next = Client::greet(other.address, Some(&token));
        next.go_on("field", connection, 21, 21);
        assert_eq!((next.user, next.sent), (client.user, 21));
        for number in 22..=40 {
            next.play(&Input::Add(number));
        }
        next.until("outcomes", |next| next.played.len() == 19);
        let user = next.user;
        let sum = |next: &Client| next.body(user).map(|body| (body.sum, body.inputs));
        next.until("the sum", |next| sum(next) == Some((41 * 20, 40)));
        assert!(next.body(user).unwrap().is_there);
        *client = next; // closes the other one
    }
    server.runtime.block_on(drained).unwrap();
    let is_open = || std::net::TcpStream::connect(server.address).is_ok();
    let start = Instant::now();
    while is_open() {
        assert!(start.elapsed() < Duration::from_secs(10)); // the listener is closed by another thread
        std::thread::sleep(Duration::from_millis(10));
    }
    // The players are still there.
    let tick = clients[0].tick;
    clients[0].until("ticks", |client| client.tick > tick + 20);
    let users: Vec<_> = clients.iter().map(|client| client.user).collect();
    let is_there = |user: &u64| clients[0].body(*user).is_some_and(|body| body.is_there);
    assert!(users.iter().all(is_there));
}

/// Its clients do not know of which inputs the outcomes were lost with it.
#[test]
fn a_gateway_dies_and_each_input_is_played_once() {
    let server = Server::start(generous());
    let other = Server::with(server.store.clone(), generous(), axum::Router::new());
    for round in 0..10 {
        let mut client = Client::join(server.address, "field");
        (1..=30).for_each(|number| _ = client.play(&Input::Add(number)));
        client.until("some outcomes", |client| client.played.len() > round);
        let (token, connection) = (client.token.clone(), client.connection);
        drop(client);
        let mut client = Client::greet(other.address, Some(&token));
        client.go_on("field", connection, 0, 30);
        client.sent = 0;
        (1..=40).for_each(|number| _ = client.play(&Input::Add(number)));
        client.until("all", |client| client.played.len() == 40);
        let user = client.user;
        let sum = |it: &Client| it.body(user).map(|body| (body.sum, body.inputs));
        client.until("the sum", |it| sum(it) == Some((41 * 20, 40)));
        let ticks: Vec<_> = client.played.values().collect();
        assert!(ticks.is_sorted());
    }
}

#[test]
fn a_connection_that_a_room_does_not_know_is_followed_by_a_new_one() {
    let server = Server::start(generous());
    let mut client = Client::join(server.address, "field");
    client.play(&Input::Add(1));
    client.until("outcome", |client| client.played.len() == 1);
    let (token, connection) = (client.token.clone(), client.connection);
    drop(client);
    // Another room of the name was opened since.
    let rooms = Rooms::new(server.store.clone(), SECRET);
    rooms.close("field").unwrap();
    server.wait_for("rooms", 0);
    rooms.open("field", 1).unwrap();
    let mut client = Client::greet(server.address, Some(&token));
    client.go_on("field", connection, 0, 1);
    client.sent = 1;
    client.play(&Input::Add(1));
    assert_eq!(client.end(), 4007);
    assert!(client.rejected.is_empty(), "it may have been played before");
    let mut client = Client::greet(server.address, Some(&token));
    client.go_on("field", 0, 2, 2);
    assert_eq!((client.sent, client.play(&Input::Add(1))), (2, 3));
    client.until("outcome", |client| client.played.contains_key(&3));
}

/// It goes to another gateway and back, where its first seat is still, and does nothing.
#[test]
fn a_player_that_comes_back_to_a_gateway_stays_in_the_room() {
    let absence = Duration::from_millis(700);
    let limits = || Limits {
        absence,
        ..generous()
    };
    let server = Server::start(limits());
    let other = Server::with(server.store.clone(), limits(), axum::Router::new());
    let mut watcher = Client::join(server.address, "field");
    let mut client = Client::join(server.address, "field");
    client.play(&Input::Add(1));
    client.until("outcome", |client| client.played.len() == 1);
    let (user, token, connection) = (client.user, client.token.clone(), client.connection);
    for address in [other.address, server.address] {
        drop(client);
        client = Client::greet(address, Some(&token));
        client.go_on("field", connection, 1, 1);
        assert_eq!((client.connection, client.sent), (connection, 1));
        client.until("a delta", |client| client.deltas > 0);
    }
    let start = Instant::now();
    while start.elapsed() < absence * 4 {
        client.take();
        watcher.take();
        let body = watcher.body(user);
        assert!(
            body.is_none_or(|body| body.is_there),
            "{:?}",
            start.elapsed()
        );
    }
    // It leaves by one gateway, and the seat at the other one does not bring it back.
    drop(client);
    let mut client = Client::greet(other.address, Some(&token));
    client.go_on("field", connection, 1, 1);
    client.say(&json!({"type": "leave"}));
    client.expect("left");
    let is_there = |client: &Client| client.body(user).is_some_and(|body| body.is_there);
    watcher.until("absence", |watcher| !is_there(watcher));
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(6) {
        watcher.take();
        client.take();
        assert!(!is_there(&watcher), "{:?}", start.elapsed());
    }
}

#[test]
fn clients_that_do_not_move_are_closed_at_the_end_of_a_drain() {
    let drain = Duration::from_millis(300);
    let server = Server::start(Limits {
        drain,
        ..generous()
    });
    let mut client = Client::join(server.address, "field");
    client.until("ticks", |client| client.deltas > 0);
    server.runtime.block_on(async {
        let gateway = server.gateway.clone();
        tokio::spawn(async move { gateway.drain(None).await })
            .await
            .unwrap();
    });
    assert_eq!(client.expect("reconnect")["url"], json!(null));
    assert_eq!(client.end(), 1001);
}

#[test]
fn a_room_that_panics_sends_its_clients_to_the_lobby() {
    let server = Server::start(generous());
    Rooms::new(server.store.clone(), SECRET)
        .open("other", 1)
        .unwrap();
    let mut other = Client::join(server.address, "other");
    let mut client = Client::join(server.address, "field");
    client.until("ticks", |client| client.deltas > 0);
    client.play(&Input::Panic);
    let left = client.expect("left");
    assert_eq!(left["reason"], "the room has panicked");
    let tick = other.tick;
    other.until("ticks", |other| other.tick > tick + 20);
    client.enter("other");
    client.until("ticks", |client| client.deltas > 0);
}
