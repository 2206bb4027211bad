//! F45: a program behaves the same with and without a client: the same changes, the same notifications
//! in the same order, the same entities. This also holds after a client has disconnected.

use std::sync::{Arc, Mutex};

use ecs::prelude::*;
use ecs_inspector::Inspector;
use serde_json::{Value, json};
use tungstenite::Message;

use crate::client::Socket;
use crate::program::{Frozen, Game, GameEntityMut, Name, Parent, Position, Seen, Velocity, game};

type Id = EntityId<Game>;

/// What observers, collectors and systems have been notified of.
#[derive(Clone, Default)]
struct Notes(Arc<Mutex<Vec<String>>>);

impl Notes {
    fn note(&self, line: String) {
        self.0.lock().unwrap().push(line);
    }
}

/// Records every notification that a program can get.
fn observe(game: &mut Game, notes: &Notes) {
    let matchers = [
        Game::all_of::<Position>(),
        Game::all_of::<(Position, Velocity)>().none_of::<Frozen>(),
        Game::any_of::<(Name, Parent)>(),
    ];
    for (nth, matcher) in matchers.into_iter().enumerate() {
        let group = game.group(matcher);
        let note = |what: &'static str| {
            let notes = notes.clone();
            move |game: &mut Game, change: &Change<'_, Game>| {
                let line = format!("{nth} {what} {} of {}", change.entity(), game.len());
                notes.note(line);
            }
        };
        group.on_entered(game, note("entered"));
        group.on_left(game, note("left"));
        group.on_updated(game, note("updated"));
    }
    let (created, destroyed, named) = (notes.clone(), notes.clone(), notes.clone());
    let tell = move |_: &mut Game, id| created.note(format!("created {id}"));
    game.observers().on_created(tell);
    let tell = move |_: &mut Game, id| destroyed.note(format!("destroyed {id}"));
    game.observers().on_destroyed(tell);
    let tell = move |it: GameEntityMut<'_>| named.note(format!("named {}", it.id()));
    game.events().on_set::<Name>(tell);
}

/// Returns one of the entities that have a position.
fn some(game: &Game, nth: u64) -> Id {
    let ids: Vec<_> = Game::all_of::<Position>().ids(game).collect();
    ids[nth as usize % ids.len()]
}

/// Creates, changes and destroys entities, depending on the number of the frame.
fn step(game: &mut Game) {
    let n = game.frames().0;
    game.update_frames(|frames| frames.0 += 1);
    let position = Position {
        x: n as f32,
        y: 0.0,
    };
    let velocity = Velocity { dx: 1.0, dy: 0.0 };
    let id = game.create_with((position, velocity)).id();
    let other = some(game, n * 5);
    game.entity_mut(other).set_frozen(n.is_multiple_of(2));
    if n.is_multiple_of(3) && id != other {
        game.entity_mut(id).replace(Parent { id: other });
    }
    if n.is_multiple_of(5) {
        game.entity_mut(id).add_name(n.to_string());
    }
    let moved = game.query_mut::<(&mut Position, &Velocity)>();
    moved.for_each(|(position, velocity)| position.x += velocity.dx);
    if n % 4 > 1 {
        game.destroy(some(game, n * 7));
    }
    game.events().deliver();
}

/// Makes changes that a recorded context does not allow.
fn unrecorded(game: &mut Game) {
    let positions = game.query_mut::<&mut Position>().untracked();
    positions.for_each(|position| position.y += 1.0);
    game.storage_mut().defragment_for(5);
}

/// A program that can be inspected.
struct Run {
    game: Game,
    systems: Systems<Game>,
    inspector: Option<Inspector>,
    lost: Collector<Game>,
    notes: Notes,
}

impl Run {
    fn new(is_recorded: bool, inspector: Option<Inspector>) -> Self {
        let (mut game, notes) = (game(), Notes::default());
        observe(&mut game, &notes);
        let notified = notes.clone();
        let changed = Game::all_of::<Velocity>().entered_or_updated();
        let react = move |game: &mut Game, id| {
            notified.note(format!("changed {id}"));
            game.update_seen(|Seen(seen)| *seen += 1);
        };
        let systems = Systems::new().add(step).named("Step");
        let mut systems = systems.for_each_changed(&mut game, changed, react);
        if !is_recorded {
            systems.push(unrecorded);
        }
        let lost = game.collector(Game::all_of::<Position>().left_or_updated());
        Self {
            game,
            systems,
            inspector,
            lost,
            notes,
        }
    }

    fn frame(&mut self) {
        self.systems.execute(&mut self.game);
        self.systems.cleanup(&mut self.game);
        if self.game.frames().0.is_multiple_of(3) {
            let lost = self.lost.drain(&mut self.game);
            self.notes.note(format!("lost {lost:?}"));
        }
        self.look();
    }

    /// Updates the inspector.
    fn look(&mut self) {
        if let Some(inspector) = &mut self.inspector {
            inspector.update(&mut self.game, &mut self.systems);
        }
    }

    /// All notifications, and the final state.
    fn outcome(self) -> (Vec<String>, Vec<String>, String) {
        self.game.storage().check_invariants();
        let order = self.game.query::<(Id, &Position)>();
        let order = order.iter().map(|each| format!("{each:?}")).collect();
        let save = serde_json::to_string(&self.game.save()).unwrap();
        let notes = self.notes.0.lock().unwrap().clone();
        (notes, order, save)
    }

    fn counts(&self) -> [usize; 3] {
        let memory = self.game.storage().memory();
        [memory.observers, memory.collectors, memory.history]
    }
}

const FRAMES: usize = 60;

/// The outcome of a program without a client.
fn alone(is_recorded: bool) -> (Vec<String>, Vec<String>, String) {
    let mut run = Run::new(is_recorded, None);
    (0..FRAMES).for_each(|_| run.frame());
    let outcome = run.outcome();
    assert!(outcome.0.len() > 20 * FRAMES, "{}", outcome.0.len());
    outcome
}

/// A program, and a client that reads only when asked to.
struct Watched {
    run: Run,
    client: Socket,
}

impl Watched {
    fn new(is_recorded: bool) -> Self {
        let inspector = Inspector::serve("127.0.0.1:0").unwrap();
        let address = inspector.address().unwrap();
        let run = Run::new(is_recorded, Some(inspector));
        let client = Socket::open(address, &format!("ws://{address}/ws")).unwrap();
        Self { run, client }
    }

    /// Sends a request and waits for the answer, without running the program.
    fn ask(&mut self, id: u64, kind: &str, name: &str, params: Value) -> Value {
        self.client
            .send(json!({ "id": id, kind: name, "params": params }));
        self.answer(id)
    }

    fn answer(&mut self, id: u64) -> Value {
        let stream = self.client.0.get_ref();
        let timeout = Some(std::time::Duration::from_millis(1));
        stream.set_read_timeout(timeout).unwrap();
        for _ in 0..5_000 {
            self.run.look();
            if let Ok(Message::Text(text)) = self.client.0.read() {
                let message: Value = serde_json::from_str(&text).unwrap();
                if message["id"] == id {
                    assert_eq!(message["error"], Value::Null);
                    return message["data"].clone();
                }
            }
        }
        panic!("no answer");
    }

    /// Watches everything that can be watched.
    fn watch_all(&mut self) {
        let list = json!({"columns": ["Position", "Velocity", "Parent"], "count": 100});
        let text = json!({"text": "1"});
        self.ask(1, "watch", "log", json!({}));
        self.ask(
            2,
            "watch",
            "log",
            json!({"components": ["Name"], "entity": "1v1"}),
        );
        self.ask(3, "watch", "entities", list);
        self.ask(4, "watch", "entities", text);
        self.ask(5, "watch", "entity", json!({"entity": "0v1"}));
        for (id, name) in (6..).zip(["counts", "systems", "memory", "history", "world"]) {
            self.ask(id, "watch", name, json!({}));
        }
    }
}

#[test]
fn a_program_that_is_watched_does_the_same() {
    let mut watched = Watched::new(false);
    watched.watch_all();
    watched.ask(20, "do", "log", json!({"on": true}));
    for frame in 0..FRAMES {
        watched.run.frame();
        if frame.is_multiple_of(7) {
            watched.ask(
                21,
                "get",
                "tree",
                json!({"entity": "0v1", "relation": "Parent"}),
            );
        }
    }
    let log = watched.ask(22, "get", "log", json!({"count": 500}));
    assert_eq!(
        log["entries"].as_array().unwrap().len(),
        500,
        "it was followed"
    );
    assert_eq!(watched.run.outcome(), alone(false));
}

#[test]
fn a_program_that_is_recorded_does_the_same() {
    let mut watched = Watched::new(true);
    watched.watch_all();
    watched.ask(20, "do", "record", json!({"on": true}));
    (0..FRAMES).for_each(|_| watched.run.frame());
    let history = watched.ask(21, "get", "history", json!({}));
    assert!(
        history["last"].as_u64() >= Some(FRAMES as u64),
        "it was recorded"
    );
    watched.ask(22, "do", "record", json!({"on": false}));
    assert_eq!(watched.run.outcome(), alone(true));
}

/// Each client disconnects between two frames, without a message, and another one connects.
#[test]
fn clients_that_come_and_are_cut_off_change_nothing() {
    let mut watched = Watched::new(false);
    for _ in 0..FRAMES / 6 {
        watched.watch_all();
        (0..3).for_each(|_| watched.run.frame());
        let address = watched.run.inspector.as_ref().unwrap().address().unwrap();
        let next = Socket::open(address, &format!("ws://{address}/ws")).unwrap();
        drop(std::mem::replace(&mut watched.client, next));
        (0..3).for_each(|_| watched.run.frame());
    }
    assert_eq!(watched.run.outcome(), alone(false));
}

#[test]
fn the_watches_of_a_client_that_is_cut_off_go_with_it() {
    let mut watched = Watched::new(false);
    (0..5).for_each(|_| watched.run.frame());
    watched.ask(1, "get", "world", json!({}));
    let before = watched.run.counts();
    watched.watch_all();
    (0..5).for_each(|_| watched.run.frame());
    assert!(watched.run.counts() > before, "{before:?}");
    let address = watched.run.inspector.as_ref().unwrap().address().unwrap();
    let next = Socket::open(address, &format!("ws://{address}/ws")).unwrap();
    drop(std::mem::replace(&mut watched.client, next));
    crate::client::eventually(|| {
        watched.run.look();
        watched.run.game.storage_mut().shrink_to_fit();
        watched.run.counts()[0] <= before[0]
    });
}
