//! Clients that keep to the protocol: inputs, outcomes, deltas.

use std::time::Duration;

use ecs::prelude::*;
use ecs_gateway::Limits;
use ecs_rooms::{Rooms, Session};
use serde_json::json;

use crate::client::{Client, packet};
use crate::game::{Field, Input, Position, Purse, SIGHT, WALKERS};
use crate::server::{SECRET, Server, TICK, generous};

#[test]
fn inputs_are_played_in_order_and_their_outcomes_come_back() {
    let server = Server::start(Limits::default());
    let mut client = Client::join(server.address, "field");
    for number in 1..=50 {
        assert_eq!(client.play(&Input::Add(number)), number);
        client.take();
    }
    client.until("outcomes", |client| client.played.len() == 50);
    let ticks: Vec<_> = client.played.values().collect();
    assert!(ticks.is_sorted() && client.rejected.is_empty());
    let user = client.user;
    client.until("the sum", |client| {
        client.body(user).is_some_and(|it| it.sum == 51 * 25)
    });
    assert_eq!(server.metric("inputs_total"), 50);
}

#[test]
fn a_delta_names_the_last_input_that_it_shows() {
    let server = Server::start(Limits::default());
    let mut client = Client::join(server.address, "field");
    let user = client.user;
    for number in 1..=40 {
        client.play(&Input::Add(1));
        client.until("a delta", |client| client.tick > number * 2);
        let shown = client.body(user).map_or(0, |body| body.inputs);
        assert!(
            client.input <= shown,
            "{} is not shown, {shown} are",
            client.input
        );
    }
    client.until("the last", |client| client.input == 40);
    assert_eq!(client.body(user).unwrap().inputs, 40);
}

#[test]
fn each_client_sees_what_its_player_may_see() {
    let server = Server::start(Limits::default());
    let (mut ann, mut eve) = [(); 2]
        .map(|()| Client::join(server.address, "field"))
        .into();
    ann.play(&Input::Walk { x: 0, y: 0 });
    eve.play(&Input::Walk { x: 500, y: 0 });
    let (a, e) = (ann.user, eve.user);
    for client in [&mut ann, &mut eve] {
        let both = |client: &Client| client.body(a).is_some() && client.body(e).is_some();
        client.until("both bodies", both);
        client.until("the purse", |client| {
            client.field.query::<&Purse>().iter().count() == 1
        });
    }
    eve.until("far away", |eve| {
        eve.field.query::<&Position>().iter().count() == 1
    });
    ann.until("near", |ann| {
        ann.field.query::<&Position>().iter().count() > 10
    });
    ann.until("tick", |ann| ann.tick > 100);
    let mut seen = ann.field.query::<&Position>().iter();
    assert!(seen.all(|at| at.x * at.x + at.y * at.y <= SIGHT * SIGHT));
    eve.play(&Input::Walk { x: 3, y: 3 });
    let met = |ann: &Client| {
        ann.field
            .query::<&Position>()
            .iter()
            .any(|at| (at.x, at.y) == (3, 3))
    };
    ann.until("eve comes near", met);
}

#[test]
fn a_client_joins_late_spectates_and_leaves() {
    let server = Server::start(generous());
    let mut player = Client::join(server.address, "field");
    player.play(&Input::Enter {
        name: "Ann".to_owned(),
    });
    let ann = player.user;
    player.until("tick", |player| player.tick > 50);

    let mut spectator = Client::greet(server.address, None);
    spectator.say(&json!({"type": "join", "room": "field", "spectate": true}));
    assert_eq!(spectator.expect("joined")["player"], json!(null));
    spectator.until("Ann", |it| {
        it.body(ann).is_some_and(|body| body.name == "Ann")
    });
    assert!(spectator.tick > 50);
    assert_eq!(spectator.field.query::<&Purse>().iter().count(), 0);

    player.say(&json!({"type": "leave"}));
    player.expect("left");
    spectator.until("absence", |it| {
        it.body(ann).is_some_and(|body| !body.is_there)
    });
    player.enter("field");
    player.play(&Input::Add(1));
    spectator.until("presence", |it| {
        it.body(ann).is_some_and(|body| body.is_there)
    });
    player.say(&json!({"type": "join", "room": "field", "spectate": true}));
    spectator.until("absence", |it| {
        it.body(ann).is_some_and(|body| !body.is_there)
    });
}

#[test]
fn a_client_that_asks_gets_everything_again() {
    let server = Server::start(generous());
    let mut client = Client::join(server.address, "field");
    client.until("deltas", |client| client.deltas > 5);
    client.field = Field::new();
    client.mirror = ecs::Mirror::new();
    client.say(&json!({"type": "lost"}));
    // Until then deltas cannot be applied.
    let everything = loop {
        if let Ok(tungstenite::Message::Binary(bytes)) = client.socket.read() {
            let read = postcard::from_bytes::<(u8, u64, u64, u64, ecs::Delta<Field>)>(&bytes);
            let (_, _, number, _, delta) = read.unwrap();
            client.send(packet(2, number, &[0]));
            if delta.is_everything() {
                break delta;
            }
        }
    };
    client.mirror.apply(&mut client.field, &everything).unwrap();
    client.until("deltas", |client| client.deltas > 20);
    assert!(client.field.get_map().is_some_and(|map| map.0.is_empty()));
}

#[test]
fn with_baselines_a_client_may_skip_deltas() {
    let server = Server::start(generous());
    let mut client = Client::greet(server.address, None);
    client.say(&json!({"type": "join", "room": "field", "baselines": true}));
    client.expect("joined");
    client.play(&Input::Walk { x: 0, y: 0 });
    client.until("walkers", |client| {
        client.field.query::<&Position>().iter().count() > 5
    });
    for _ in 0..5 {
        for _ in 0..3 {
            let _ = client.socket.read(); // skipped
        }
        let tick = client.tick;
        client.until("a delta after that", |client| client.tick > tick + 3);
    }
}

#[test]
fn a_user_comes_back_with_its_token_and_no_input_is_played_twice() {
    let server = Server::start(generous());
    let mut client = Client::join(server.address, "field");
    for number in 1..=30 {
        client.play(&Input::Add(number));
    }
    let (user, token, connection) = (client.user, client.token.clone(), client.connection);
    client.until("some", |client| client.deltas > 3);
    let known = client.played.len();
    drop(client); // without a word

    let mut client = Client::greet(server.address, Some(&token));
    assert_eq!(client.user, user);
    client.go_on("field", connection, 0, 30);
    assert!(client.sent <= 30 && known as u64 <= client.sent);
    assert_eq!(client.connection, connection);
    client.sent = 0;
    for number in 1..=40 {
        client.play(&Input::Add(number)); // again, and the rest
    }
    client.until("all", |client| client.played.contains_key(&40));
    let sum = |client: &Client| client.body(user).map(|body| (body.sum, body.inputs));
    client.until("the sum", |client| sum(client) == Some((41 * 20, 40)));
    assert!(client.body(user).unwrap().is_there);
    server.wait_for("connections", 1);
}

#[test]
fn a_player_who_does_not_come_back_leaves_the_room() {
    let absence = Duration::from_millis(300);
    let server = Server::start(Limits {
        absence,
        ..generous()
    });
    let (mut ann, mut eve) = [(); 2]
        .map(|()| Client::join(server.address, "field"))
        .into();
    let user = ann.user;
    ann.play(&Input::Add(1));
    let is_there = |eve: &Client| eve.body(user).map(|body| body.is_there);
    eve.until("presence", |eve| is_there(eve) == Some(true));
    drop(ann);
    eve.until("absence", |eve| is_there(eve) == Some(false));
    server.wait_for("users", 1);
}

#[test]
fn two_gateways_show_the_same_room() {
    let server = Server::start(Limits::default());
    let other = Server::with(server.store.clone(), Limits::default(), axum::Router::new());
    let (mut ann, mut eve) = (
        Client::join(server.address, "field"),
        Client::join(other.address, "field"),
    );
    ann.play(&Input::Enter {
        name: "Ann".to_owned(),
    });
    let user = ann.user;
    eve.until("Ann", |eve| {
        eve.body(user).is_some_and(|body| body.name == "Ann")
    });
    // A token of one is good for the other, which takes over with the first input.
    let mut again = Client::greet(other.address, Some(&ann.token));
    again.enter("field");
    again.play(&Input::Add(5));
    again.until("outcome", |again| again.played.len() == 1);
    ann.play(&Input::Add(6));
    assert_eq!(ann.end(), 4005);
    again.until("sum", |again| {
        again.body(user).is_some_and(|body| body.sum == 5)
    });
}

#[test]
fn a_closed_room_sends_its_clients_to_the_lobby() {
    let server = Server::start(generous());
    let mut client = Client::join(server.address, "field");
    client.until("deltas", |client| client.deltas > 3);
    Rooms::new(server.store.clone(), SECRET)
        .close("field")
        .unwrap();
    client.expect("left");
    client.say(&json!({"type": "join", "room": "nowhere"}));
    assert_eq!(client.expect("left")["reason"], "there is no such room");
    client.say(&json!({"type": "join", "room": "no name"}));
    assert_ne!(client.expect("left")["reason"], "there is no such room");
    client.say(&json!({"type": "list"}));
    assert_eq!(client.expect("rooms")["rooms"], json!([]));
    server.wait_for("rooms", 0);
}

#[test]
fn deltas_are_small_and_a_replay_agrees() {
    let server = Server::start(generous());
    let mut client = Client::join(server.address, "field");
    client.play(&Input::Walk { x: 5_000, y: 0 }); // nothing is near
    client.until("far away", |client| {
        client.field.query::<&Position>().iter().count() == 1
    });
    let (bytes, deltas) = (client.bytes, client.deltas);
    client.until("deltas", |client| client.deltas > deltas + 50);
    let each = (client.bytes - bytes) as f64 / (client.deltas - deltas) as f64;
    assert!(
        each < 12.0,
        "an empty delta with its header has {each} bytes"
    );
    let ticks = u64::from(TICK.subsec_millis());
    println!("an empty delta: {each:.1} bytes, every {ticks} ms; {WALKERS} walkers");
    std::thread::sleep(TICK * 5);
    let Server { host, store, .. } = server;
    host.unwrap().drain();
    assert!(ecs_rooms::replay::<Session<Field>>(&store, "field", &SECRET, |_, _| ()).unwrap() > 0);
}

#[test]
fn outcomes_that_a_lost_connection_has_not_read_come_on_the_next_one() {
    let server = Server::start(Limits::default());
    let mut client = Client::join(server.address, "field");
    client.acknowledges = false; // what was sent before them may not have arrived
    (1..=5).for_each(|number| assert_eq!(client.play(&Input::Add(1)), number));
    client.until("outcomes", |client| client.played.len() == 5);
    let (ticks, token, connection) = (
        client.played.clone(),
        client.token.clone(),
        client.connection,
    );
    drop(client);

    let mut client = Client::greet(server.address, Some(&token));
    client.go_on("field", connection, 0, 5);
    assert_eq!(client.sent, 5);
    client.until("the same outcomes", |client| client.played == ticks);
    client.until("later deltas", |client| client.deltas > 3);
    drop(client);
    let mut client = Client::greet(server.address, Some(&token));
    client.go_on("field", connection, 5, 5);
    let number = client.play(&Input::Add(1));
    client.until("one", |client| client.played.contains_key(&number));
    assert_eq!(
        (number, client.played.len()),
        (6, 1),
        "each of the others is known"
    );
}
