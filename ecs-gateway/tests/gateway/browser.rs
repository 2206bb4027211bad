//! The client in plain JavaScript, in headless Chromium.

use std::sync::mpsc::channel;

use axum::Router;
use ecs::prelude::*;
use ecs_rooms::MemoryStore;
use serde_json::{Value, json};

use crate::chromium::{Browser, until};
use crate::client::Client;
use crate::game::{Input, Position};
use crate::pages::pages;
use crate::server::{Server, generous, run_host};

#[test]
fn a_page_numbers_inputs_as_its_gateway_expects() {
    let (sender, reports) = channel();
    let server = Server::with(MemoryStore::new(), generous(), pages(sender));
    let browser = Browser::open(&format!("http://{}/rules", server.address));
    until(&reports, |it| it["right"] == true);
    drop(browser);
}

#[test]
fn a_page_plays_and_moves_to_another_gateway_without_losing_an_input() {
    let (sender, reports) = channel();
    let store = MemoryStore::new();
    let host = run_host(&store);
    host.open("field", ecs_rooms::Opening::new(1).with(&"lake"))
        .unwrap();
    let server = Server::with(store.clone(), generous(), pages(sender));
    let origin = format!("http://{}", server.address);
    let other = Server::of(store, generous(), Router::new(), vec![origin.clone()]);

    let browser = Browser::open(&origin);
    let near = |report: &Value| report["walkers"].as_array().is_some_and(|it| it.len() > 15);
    let report = until(&reports, |it| it["own"]["Position"]["x"] == -3 && near(it));
    assert_eq!(
        (&report["own"]["Position"]["y"], &report["map"]),
        (&json!(40), &json!("lake"))
    );
    assert_eq!(
        (&report["own"]["Body"]["name"], &report["own"]["Purse"]),
        (&json!("Jö"), &json!(7))
    );
    let user = report["own"]["Body"]["player"].as_u64().unwrap();

    let url = format!("ws://{}/ws", other.address);
    server.runtime.block_on(server.gateway.drain(Some(url)));
    plays_on(&other, user);
    drop((browser, host, server));
}

/// Another client sees that a user plays on through a gateway.
fn plays_on(server: &Server, user: u64) {
    let mut client = Client::join(server.address, "field");
    client.play(&Input::Walk { x: 0, y: 40 });
    client.until("the user", |client| client.body(user).is_some());
    let inputs = |client: &Client| client.body(user).map_or(0, |body| body.inputs);
    let before = inputs(&client);
    client.until("inputs", |client| inputs(client) > before + 30);
    let body = client.body(user).unwrap();
    // All inputs after the first two add 1: none was lost before another.
    assert_eq!((body.sum, body.is_there), (body.inputs - 2, true));
    let at = |at: &&Position| (at.x, at.y) == (-3, 40);
    assert_eq!(
        client.field.query::<&Position>().iter().filter(at).count(),
        1
    );
    assert_eq!(server.metric("connections"), 2);
}
