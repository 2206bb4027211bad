//! Counts the instructions of one call of each kind under callgrind, and prints them as
//! a table: the same on every run of one build, however busy the machine is.
//! `--write` puts it into `BENCHMARKS.md`.
//!
//! The program runs itself under valgrind, twice for each kind: `--count add 4096`
//! prepares a context and makes so many calls, `--count add 0` prepares the same and
//! makes none. What is left between the two is the calls. Everything has happened once
//! before that: memory is there, and what a change does has been worked out.

use std::hint::black_box;
use std::process::Command;

use ecs::{Collector, EntityId, Matcher};
use ecs_benches::report::{self, rule};
use ecs_benches::types::{B, Game, Position, position, velocity};

/// How many calls are prepared for, and the most that can be made.
const CALLS: usize = 4096;

/// A context in which calls are made, for [`CALLS`] entities.
struct Scene {
    game: Game,
    ids: Vec<EntityId<Game>>,
    collector: Option<Collector<Game>>,
    changed: Vec<EntityId<Game>>,
}

/// What is done before the calls, and the calls, for so many of the entities.
type Kind = (&'static str, fn() -> Scene, fn(&mut Scene, usize));

const KINDS: &[Kind] = &[
    ("loop", Scene::new, nothing),
    ("has", Scene::new, has),
    ("get", Scene::new, get),
    ("add", Scene::new, add),
    ("remove", Scene::with_b, remove),
    ("replace", Scene::new, replace),
    ("update", Scene::new, update),
    ("add, a group entered", Scene::grouped, add),
    (
        "add, a group entered and collected",
        Scene::collecting_entered,
        add,
    ),
    ("replace, collected", Scene::collecting, replace),
    ("drain, an id", Scene::collected, drain),
    ("replace, an observer told", Scene::observed, replace),
    ("create", Scene::emptied, create),
    ("create with two", Scene::emptied, create_with),
    ("destroy", Scene::bare, destroy),
    ("destroy with two", Scene::new, destroy),
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        [] => println!("{}", table()),
        ["--write"] => {
            let table = table();
            println!("{table}");
            report::write("counts", &table);
        }
        ["--count", kind, calls] => make_calls(kind, calls.parse().expect("a number")),
        _ => panic!("there is no option but --write"),
    }
}

fn make_calls(kind: &str, calls: usize) {
    let known = KINDS.iter().find(|(name, ..)| *name == kind);
    let (_, prepare, call) = known.unwrap_or_else(|| panic!("there is no {kind}"));
    let mut scene = prepare();
    call(&mut scene, calls);
    // Not dropped: that would be counted, and depends on what was done.
    std::mem::forget(scene);
}

fn table() -> String {
    let lines = KINDS.iter().map(|(kind, ..)| {
        let calls = instructions(kind, CALLS) - instructions(kind, 0);
        format!("| {kind} | {:.1} |\n", calls as f64 / CALLS as f64)
    });
    format!("| call | instructions |\n{}", rule(1, 1)) + &lines.collect::<String>()
}

/// The instructions of a whole process that makes so many calls of a kind.
fn instructions(kind: &str, calls: usize) -> i64 {
    let program = std::env::current_exe().expect("the path of this program");
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args(["--count", kind, &calls.to_string()])
        .output()
        .expect("valgrind is installed");
    let text = String::from_utf8_lossy(&output.stderr);
    let count = text
        .lines()
        .find_map(|line| line.split_once("Collected : "));
    let count = count.and_then(|(_, number)| number.trim().parse().ok());
    count.unwrap_or_else(|| panic!("valgrind did not count {kind}: {text}"))
}

impl Scene {
    /// Entities with Position and Velocity.
    fn new() -> Self {
        let mut game = Game::new();
        let ids = game.create_many((0..CALLS).map(|index| (position(index), velocity())));
        let mut scene = Self {
            game,
            ids,
            collector: None,
            changed: Vec::new(),
        };
        scene.warm();
        scene
    }

    /// Does everything once and undoes it.
    fn warm(&mut self) {
        add(self, CALLS);
        remove(self, CALLS);
        replace(self, CALLS);
        update(self, CALLS);
        drain(self, CALLS);
    }

    fn with_b() -> Self {
        let mut scene = Self::new();
        add(&mut scene, CALLS);
        scene
    }

    /// Adding B enters a group.
    fn grouped() -> Self {
        let mut scene = Self::new();
        scene.game.group(Matcher::all_of::<(Position, B)>());
        scene.warm();
        scene
    }

    /// Adding B enters a group, which a collector hears.
    fn collecting_entered() -> Self {
        let mut scene = Self::new();
        let entered = Matcher::all_of::<(Position, B)>().entered();
        scene.collector = Some(scene.game.collector(entered));
        scene.warm();
        scene
    }

    /// A collector hears updates of Position.
    fn collecting() -> Self {
        let mut scene = Self::new();
        let updated = Matcher::all_of::<Position>().updated();
        scene.collector = Some(scene.game.collector(updated));
        scene.warm();
        scene
    }

    fn collected() -> Self {
        let mut scene = Self::collecting();
        replace(&mut scene, CALLS);
        scene
    }

    /// An observer hears updates of Position.
    fn observed() -> Self {
        let mut scene = Self::new();
        let positions = scene.game.group(Matcher::all_of::<Position>());
        positions.on_updated(&mut scene.game, |_, change| _ = black_box(change.entity()));
        scene.warm();
        scene
    }

    /// Entities without components.
    fn bare() -> Self {
        let mut scene = Self::emptied();
        create(&mut scene, CALLS);
        destroy(&mut scene, CALLS);
        scene.ids.clear();
        create(&mut scene, CALLS);
        scene
    }

    /// No entities, but the memory of as many as are to be created.
    fn emptied() -> Self {
        let mut scene = Self::new();
        destroy(&mut scene, CALLS);
        scene.ids.clear();
        scene
    }
}

fn nothing(scene: &mut Scene, calls: usize) {
    for &id in &scene.ids[..calls] {
        black_box(id);
    }
}

fn has(scene: &mut Scene, calls: usize) {
    for &id in &scene.ids[..calls] {
        black_box(scene.game.entity(id).has_position());
    }
}

fn get(scene: &mut Scene, calls: usize) {
    for &id in &scene.ids[..calls] {
        black_box(scene.game.entity(id).position());
    }
}

fn add(scene: &mut Scene, calls: usize) {
    for &id in &scene.ids[..calls] {
        scene.game.entity_mut(id).add_b(1.0);
    }
}

fn remove(scene: &mut Scene, calls: usize) {
    for &id in &scene.ids[..calls] {
        scene.game.entity_mut(id).remove_b();
    }
}

fn replace(scene: &mut Scene, calls: usize) {
    for &id in &scene.ids[..calls] {
        scene.game.entity_mut(id).replace_position([1.0; 3]);
    }
}

fn update(scene: &mut Scene, calls: usize) {
    for &id in &scene.ids[..calls] {
        let mut entity = scene.game.entity_mut(id);
        entity.update_position(|position| position.0[0] += 1.0);
    }
}

fn drain(scene: &mut Scene, calls: usize) {
    if calls > 0
        && let Some(collector) = &scene.collector
    {
        collector.drain_into(&mut scene.game, &mut scene.changed);
    }
}

fn create(scene: &mut Scene, calls: usize) {
    for _ in 0..calls {
        let id = scene.game.create_entity().id();
        scene.ids.push(id);
    }
}

fn create_with(scene: &mut Scene, calls: usize) {
    for index in 0..calls {
        let entity = scene.game.create_with((position(index), velocity()));
        scene.ids.push(entity.id());
    }
}

fn destroy(scene: &mut Scene, calls: usize) {
    for &id in &scene.ids[..calls] {
        scene.game.destroy(id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_can_be_called_for_none_and_for_all() {
        for (kind, ..) in KINDS {
            make_calls(kind, 0);
            make_calls(kind, CALLS);
        }
    }

    #[test]
    fn all_that_is_counted_happens() {
        let mut scene = Scene::collected();
        drain(&mut scene, CALLS);
        assert_eq!(scene.changed, scene.ids);
        let mut scene = Scene::emptied();
        create(&mut scene, CALLS);
        assert_eq!((scene.game.len(), scene.ids.len()), (CALLS, CALLS));
        let mut scene = Scene::with_b();
        remove(&mut scene, CALLS);
        assert!(!scene.ids.iter().any(|&id| scene.game.entity(id).has_b()));
    }
}
