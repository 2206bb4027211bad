//! Measures saving and loading 100,000 entities with three components, beside serde on a `Vec` of
//! structs with the same fields: a row for each format and direction.

use std::hint::black_box;
use std::time::Instant;

use ecs::prelude::*;
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

/// How often each has its turn.
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

/// Milliseconds of one call, without dropping what it returns.
fn time<R>(call: impl FnOnce() -> R) -> f64 {
    let start = Instant::now();
    let result = black_box(call());
    let time = start.elapsed().as_secs_f64() * 1e3;
    drop(result);
    time
}

/// Prints the medians of both, which take turns.
fn compare<A, B>(name: &str, ours: impl Fn() -> A, by_hand: impl Fn() -> B) {
    let (mut all_ours, mut all_by_hand) = (Vec::new(), Vec::new());
    for _ in 0..TURNS {
        all_ours.push(time(&ours));
        all_by_hand.push(time(&by_hand));
    }
    let [ours, by_hand] = [all_ours, all_by_hand].map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    });
    println!(
        "| {name} | {ours:.2} | {by_hand:.2} | {:.2} |",
        ours / by_hand
    );
}

fn main() {
    let mut game = Game::new();
    game.create_many((0..ENTITIES).map(values));
    let rows: Vec<Row> = (0..ENTITIES).map(row).collect();
    let json = serde_json::to_string(&game.save()).expect("all of it can be saved");
    let json_rows = serde_json::to_string(&rows).expect("plain structs");
    let bytes = postcard::to_stdvec(&game.save()).expect("all of it can be saved");
    let byte_rows = postcard::to_stdvec(&rows).expect("plain structs");
    println!("| | ms | `Vec` of structs | ratio |\n| --- | ---: | ---: | ---: |");
    compare(
        "JSON, save",
        || serde_json::to_string(&game.save()),
        || serde_json::to_string(&rows),
    );
    compare(
        "JSON, load",
        || Game::load(&mut serde_json::Deserializer::from_str(&json)),
        || serde_json::from_str::<Vec<Row>>(&json_rows),
    );
    compare(
        "postcard, save",
        || postcard::to_stdvec(&game.save()),
        || postcard::to_stdvec(&rows),
    );
    compare(
        "postcard, load",
        || Game::load(&mut postcard::Deserializer::from_bytes(&bytes)),
        || postcard::from_bytes::<Vec<Row>>(&byte_rows),
    );
    let sizes = [&json, &json_rows].map(|text| text.len() / 1000);
    let byte_sizes = [&bytes, &byte_rows].map(|bytes| bytes.len() / 1000);
    println!("\nkB in JSON, and as rows: {sizes:?}; in postcard: {byte_sizes:?}");
}
