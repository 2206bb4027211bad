//! Measures saving and loading 100,000 entities with three components, compared with serde on a `Vec` of
//! structs with the same fields and with `hecs`: a row for each format and direction.

mod peer;

use std::hint::black_box;
use std::time::Instant;

use ecs::prelude::*;
use ecs_benches::{allocator, report};
use serde::{Deserialize, Serialize};

#[ecs::context]
struct Game;

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Game)]
struct Position {
    x: f32,
    y: f32,
    z: f32,
}

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Game)]
struct Velocity {
    x: f32,
    y: f32,
    z: f32,
}

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Game)]
struct Health(u32);

/// An entity by hand.
#[derive(Serialize, Deserialize)]
struct Row {
    position: Position,
    velocity: Velocity,
    health: Health,
}

const ENTITIES: u32 = 100_000;

/// The number of turns of each.
const TURNS: usize = 31;

fn values(at: u32) -> (Position, Velocity, Health) {
    let x = at as f32;
    let position = Position {
        x: x * 0.37,
        y: 1.5,
        z: -x,
    };
    let velocity = Velocity {
        x: x * 0.1,
        y: 2.0,
        z: 3.25,
    };
    (position, velocity, Health(at % 1000))
}

fn row(at: u32) -> Row {
    let (position, velocity, health) = values(at);
    Row {
        position,
        velocity,
        health,
    }
}

/// Returns the milliseconds of one call, without dropping its result.
fn time<R>(call: impl FnOnce() -> R) -> f64 {
    let start = Instant::now();
    let result = black_box(call());
    let time = start.elapsed().as_secs_f64() * 1e3;
    drop(result);
    time
}

/// Prints the medians of all three, measured in turns.
fn compare<A, B, C>(
    name: &str,
    ours: impl Fn() -> A,
    by_hand: impl Fn() -> B,
    peer: impl Fn() -> C,
) {
    let mut all = [const { Vec::new() }; 3];
    for _ in 0..TURNS {
        all[0].push(time(&ours));
        all[1].push(time(&by_hand));
        all[2].push(time(&peer));
    }
    let [ours, by_hand, peer] = all.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    });
    println!(
        "| {name} | {ours:.2} | {by_hand:.2} | {:.2} | {peer:.2} | {:.2} |",
        ours / by_hand,
        ours / peer
    );
}

fn main() {
    allocator::keep_memory();
    let mut game = Game::new();
    game.create_many((0..ENTITIES).map(values));
    let rows: Vec<Row> = (0..ENTITIES).map(row).collect();
    let json = serde_json::to_string(&game.save()).expect("all of it can be saved");
    let json_rows = serde_json::to_string(&rows).expect("plain structs");
    let bytes = postcard::to_stdvec(&game.save()).expect("all of it can be saved");
    let byte_rows = postcard::to_stdvec(&rows).expect("plain structs");
    let world = peer::world(ENTITIES);
    let json_world = serde_json::to_string(&peer::Saved(&world)).expect("all can be saved");
    let byte_world = postcard::to_stdvec(&peer::Saved(&world)).expect("all can be saved");
    println!("{}, {}.\n", report::machine(), allocator::SETTINGS);
    println!("| | ms | `Vec` of structs | ratio | hecs | ratio |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: |");
    compare(
        "JSON, save",
        || serde_json::to_string(&game.save()),
        || serde_json::to_string(&rows),
        || serde_json::to_string(&peer::Saved(&world)),
    );
    compare(
        "JSON, load",
        || Game::load(&mut serde_json::Deserializer::from_str(&json)),
        || serde_json::from_str::<Vec<Row>>(&json_rows),
        || peer::load(&mut serde_json::Deserializer::from_str(&json_world)),
    );
    compare(
        "postcard, save",
        || postcard::to_stdvec(&game.save()),
        || postcard::to_stdvec(&rows),
        || postcard::to_stdvec(&peer::Saved(&world)),
    );
    compare(
        "postcard, load",
        || Game::load(&mut postcard::Deserializer::from_bytes(&bytes)),
        || postcard::from_bytes::<Vec<Row>>(&byte_rows),
        || peer::load(&mut postcard::Deserializer::from_bytes(&byte_world)),
    );
    let sizes = [&json, &json_rows, &json_world].map(|text| text.len() / 1000);
    let byte_sizes = [&bytes, &byte_rows, &byte_world].map(|bytes| bytes.len() / 1000);
    println!("\nkB in JSON, as rows, and of hecs: {sizes:?}; in postcard: {byte_sizes:?}");
}
