//! Counts the instructions of one call of each kind, and of one item of each row that consists of such
//! calls, under callgrind. The counts of a build are the same on every run, however busy the machine is.
//! `--write` writes the two tables to `results/counts.md`.
//!
//! The program runs itself under valgrind, twice for each kind: `--count add 4096` prepares a context
//! and makes this many calls, `--count add 0` prepares the same and makes none. The difference is the
//! calls. `--row W4 2` and `--row W4 0` do the same with runs of a row. Everything is done once before
//! that, so that memory is allocated and effects are cached.

use std::hint::black_box;

use ecs::{Collector, Context as _, EntityId};
use ecs_benches::instructions::{Counts, executed};
use ecs_benches::report::{self, rule};
use ecs_benches::rows::{Id, ROWS};
use ecs_benches::systems::ours;
use ecs_benches::types::{B, Game, Position, position, velocity};

/// The number of entities that are prepared, and the maximum number of calls.
const CALLS: usize = 4096;

/// A context in which calls are made, for [`CALLS`] entities.
struct Scene {
    game: Game,
    ids: Vec<EntityId<Game>>,
    collector: Option<Collector<Game>>,
    changed: Vec<EntityId<Game>>,
}

/// A kind of call: its name, the preparation, and the calls for a number of entities.
type Kind = (&'static str, fn() -> Scene, fn(&mut Scene, usize));

/// The rows that consist of calls for one entity. W13 is the same work by queries.
const MEASURED: [Id; 11] = [
    Id::W4,
    Id::W4w,
    Id::W5s,
    Id::W6,
    Id::W8,
    Id::W8e,
    Id::W9,
    Id::W10,
    Id::W10d,
    Id::W13a,
    Id::W13,
];

/// The number of counted runs of a row.
const RUNS: usize = 2;

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
    ("replace, observed", Scene::observed, replace),
    ("create", Scene::emptied, create),
    ("create with two", Scene::emptied, create_with),
    ("destroy", Scene::bare, destroy),
    ("destroy with two", Scene::new, destroy),
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        [] => println!("{}", tables()),
        ["--write"] => {
            let tables = tables();
            println!("{tables}");
            report::write("counts", &tables);
        }
        ["--count", kind, calls] => make_calls(kind, calls.parse().expect("a number")),
        ["--row", row, runs] => make_runs(row, runs.parse().expect("a number")),
        _ => panic!("there is no option but --write"),
    }
}

fn make_calls(kind: &str, calls: usize) {
    let known = KINDS.iter().find(|(name, ..)| *name == kind);
    let (_, prepare, call) = known.unwrap_or_else(|| panic!("there is no {kind}"));
    let mut scene = prepare();
    call(&mut scene, calls);
    // Not dropped, because that would be counted and depends on the calls.
    std::mem::forget(scene);
}

/// Makes `runs` runs of a row after two that warm up.
fn make_runs(row: &str, runs: u64) {
    let known = ROWS.iter().find(|known| format!("{:?}", known.id) == row);
    let row = known.unwrap_or_else(|| panic!("there is no {row}"));
    let workload = ours::workload(row.id, row.items);
    let mut workload = workload.expect("ours can do every row");
    workload.time(2);
    workload.time(runs);
    std::mem::forget(workload);
}

fn tables() -> String {
    let calls = KINDS.iter().map(|(kind, ..)| {
        let counts = counted("--count", kind, CALLS);
        line(kind, counts, CALLS)
    });
    let calls = table("call", calls.collect());
    let rows = ROWS.iter().filter(|row| MEASURED.contains(&row.id));
    let rows = rows.map(|row| {
        let counts = counted("--row", &format!("{:?}", row.id), RUNS);
        line(
            &format!("{:?}, a {}", row.id, row.item),
            counts,
            row.items * RUNS,
        )
    });
    calls + "\n" + &table("row, item", rows.collect())
}

/// Returns the difference in instructions between a process with `times` calls and one without.
fn counted(option: &str, name: &str, times: usize) -> Counts {
    let [some, none] = [times, 0].map(|times| executed(&[option, name, &times.to_string()]));
    some - none
}

fn table(of: &str, lines: String) -> String {
    let rule = rule(1, 3);
    format!("| {of} | instructions | branches | shifts |\n{rule}{lines}")
}

/// Returns a line of a table: the instructions of one of `items` items.
fn line(name: &str, counts: Counts, items: usize) -> String {
    let cell = |count: i64| format!(" {:.1} |", count as f64 / items as f64);
    let of = [counts.instructions, counts.branches, counts.shifts].map(cell);
    let line = format!("| {name} |{}\n", of.concat());
    eprint!("{line}");
    line
}

impl Scene {
    /// Creates entities with Position and Velocity.
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

    /// Does everything once and reverts it.
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
        scene.game.group(Game::all_of::<(Position, B)>());
        scene.warm();
        scene
    }

    /// Adding B enters a group, which a collector collects.
    fn collecting_entered() -> Self {
        let mut scene = Self::new();
        let entered = Game::all_of::<(Position, B)>().entered();
        scene.collector = Some(scene.game.collector(entered));
        scene.warm();
        scene
    }

    /// A collector collects updates of Position.
    fn collecting() -> Self {
        let mut scene = Self::new();
        let updated = Game::all_of::<Position>().updated();
        scene.collector = Some(scene.game.collector(updated));
        scene.warm();
        scene
    }

    fn collected() -> Self {
        let mut scene = Self::collecting();
        replace(&mut scene, CALLS);
        scene
    }

    /// An observer is notified of updates of Position.
    fn observed() -> Self {
        let mut scene = Self::new();
        let positions = scene.game.group(Game::all_of::<Position>());
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

    /// No entities, but the memory for those to be created.
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
    fn each_row_that_is_counted_runs() {
        for row in MEASURED {
            make_runs(&format!("{row:?}"), 1);
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
