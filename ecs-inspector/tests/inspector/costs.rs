//! What `update` costs, without a client and with a page open on a long list.

use std::time::{Duration, Instant};

use ecs::prelude::*;
use ecs_inspector::Inspector;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::client::Socket;
use crate::program::{Game, Position, Velocity, systems};
use crate::stage::{Stage as Small, Ui, UiEntity, UiEntityMut};

/// The allowed factor without optimization and on a busy machine.
const SLOW: u32 = if cfg!(debug_assertions) { 40 } else { 1 };

fn crowd() -> Game {
    let mut game = Game::new();
    game.set_frames(0);
    game.set_seen(0);
    let walker = |nth| {
        (
            Position {
                x: nth as f32,
                y: 0.0,
            },
            Velocity { dx: 1.0, dy: 0.0 },
        )
    };
    game.create_many((0..100_000).map(walker));
    game
}

/// A program that runs only the frames of its inspector.
struct Stage {
    game: Game,
    systems: Systems<Game>,
    inspector: Inspector,
}

impl Stage {
    fn new() -> Self {
        let mut game = crowd();
        let mut systems = systems(&mut game);
        systems.initialize(&mut game);
        let inspector = Inspector::serve("127.0.0.1:0").unwrap();
        Self {
            game,
            systems,
            inspector,
        }
    }

    /// Returns how long a frame of the inspector takes.
    fn frame(&mut self) -> Duration {
        let start = Instant::now();
        self.inspector.update(&mut self.game, &mut self.systems);
        start.elapsed()
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

#[test]
fn without_a_client_a_frame_costs_less_than_a_microsecond() {
    let mut stage = Stage::new();
    let update = median((0..10_001).map(|_| stage.frame()).collect());
    println!("update without a client: {update:?}");
    assert!(update < SLOW * Duration::from_micros(1), "{update:?}");
}

#[test]
fn with_a_page_on_a_long_list_a_frame_costs_less_than_200_microseconds() {
    let mut stage = Stage::new();
    let address = stage.inspector.address().unwrap();
    let mut socket = Socket::open(address, &format!("ws://{address}/ws")).unwrap();
    let columns = ["Position", "Velocity"];
    let list = json!({"all": columns, "none": ["Frozen"], "from": 90_000, "columns": columns});
    socket.send(json!({"id": 1, "watch": "entities", "params": list}));
    let reader = std::thread::spawn(move || (0..).take_while(|_| socket.0.read().is_ok()).count());
    std::thread::sleep(Duration::from_millis(200));
    let shown = Game::all_of::<Position>()
        .ids(&stage.game)
        .nth(90_010)
        .unwrap();
    let frames = (0..501).map(|_| {
        stage
            .game
            .entity_mut(shown)
            .update_position(|position| position.y += 1.0);
        std::thread::sleep(Duration::from_millis(2));
        stage.frame()
    });
    let update = median(frames.collect());
    drop(stage);
    let messages = reader.join().unwrap();
    println!("update with a page on 100,000 entities: {update:?}, {messages} messages");
    assert!(messages > 300, "{messages} messages");
    assert!(update < SLOW * Duration::from_micros(200), "{update:?}");
}

#[test]
fn a_change_that_finds_no_place_in_the_log_costs_less_than_200_nanoseconds() {
    let mut stage = Stage::new();
    let address = stage.inspector.address().unwrap();
    let mut socket = Socket::open(address, &format!("ws://{address}/ws")).unwrap();
    let step = |stage: &mut Stage| {
        let start = Instant::now();
        stage
            .game
            .query_mut::<&mut Position>()
            .for_each(|position| position.y += 1.0);
        let changes = start.elapsed();
        stage.frame();
        changes
    };
    let unwatched = median((0..21).map(|_| step(&mut stage)).collect());
    socket.send(json!({"id": 1, "watch": "log", "params": {"components": ["Position"]}}));
    let reader = std::thread::spawn(move || (0..).take_while(|_| socket.0.read().is_ok()).count());
    std::thread::sleep(Duration::from_millis(200));
    step(&mut stage);
    let watched = median((0..21).map(|_| step(&mut stage)).collect());
    drop(stage);
    assert!(reader.join().unwrap() > 10);
    let each = watched / 100_000;
    println!("a change of 100,000 that are followed: {each:?}; all, unfollowed: {unwatched:?}");
    assert!(watched > unwatched, "the log follows them");
    assert!(each < SLOW * Duration::from_nanos(200), "{each:?}");
}

#[derive(Component, Clone, Debug, Serialize, Deserialize)]
#[component(context = Ui)]
struct Bytes(Vec<u8>);

/// Has `Debug` but not `Serialize`.
#[derive(Component, Clone, Debug)]
#[component(context = Ui)]
struct Printed(Vec<u8>);

/// Returns the median and the maximum time of frames in which values of this size are shown, searched
/// and set.
fn frames_with(bytes: usize) -> (Duration, Duration) {
    let mut stage = Small::new();
    let ui = &mut stage.world.ui;
    ui.create_with((Bytes(vec![200; bytes]), Printed(vec![200; bytes])));
    let columns = ["Bytes", "Printed"];
    for (id, query, params) in [
        (1, "entity", json!({"context": "Ui", "entity": "1v1"})),
        (2, "entities", json!({"context": "Ui", "columns": columns})),
        (3, "entities", json!({"context": "Ui", "text": "nowhere"})),
        (
            4,
            "value",
            json!({"context": "Ui", "entity": "1v1", "component": "Bytes", "from": 9000}),
        ),
        (5, "log", json!({"context": "Ui"})),
    ] {
        stage.send(&json!({"id": id, "watch": query, "params": params}));
    }
    let place =
        json!({"context": "Ui", "entity": "1v1", "component": "Bytes", "path": "/5", "value": 7});
    let mut frames: Vec<_> = (0..150)
        .map(|id| {
            if id % 3 == 0 {
                stage.send(&json!({"id": 100 + id, "do": "set", "params": place}));
            }
            std::thread::sleep(Duration::from_millis(1));
            let start = Instant::now();
            stage.inspector.update(&mut stage.world, &mut stage.systems);
            start.elapsed()
        })
        .collect();
    frames.sort_unstable();
    (frames[75], frames[149])
}

#[test]
fn large_values_do_not_hold_up_frames() {
    let (small, longest) = frames_with(80_000);
    println!("frames with values of 80 kB: {small:?}, at most {longest:?}");
    let (large, longest) = frames_with(8_000_000);
    println!("frames with values of 8 MB: {large:?}, at most {longest:?}");
    assert!(
        large < 4 * small.max(Duration::from_micros(50)),
        "{large:?}, of 80 kB {small:?}"
    );
}
