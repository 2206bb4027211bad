//! F01: panicking drops in bulk destroys and removes.

use ecs::RemovedValues;
use ecs::prelude::*;
use support::attempt;

use crate::game::{Alpha, Beta, Game, Ledger, assert_sound};

type Id = EntityId<Game>;

/// The subscriber to the entities.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Subscriber {
    None,
    Observer,
    RemovedValues,
}

/// Entities with values, some of whose drops panic.
struct World {
    game: Game,
    ledger: Ledger,
    ids: Vec<Id>,
    group: Group<Game>,
    lost: Option<RemovedValues<Game, Alpha>>,
}

impl World {
    /// Creates entities of two signatures; the drop of `Alpha` panics at these positions.
    fn new(count: usize, bombs: &[usize], subscriber: Subscriber) -> Self {
        let (mut game, ledger) = (Game::new(), Ledger::default());
        let group = game.group(Game::all_of::<Alpha>());
        if subscriber == Subscriber::Observer {
            group.on_left(&mut game, |_, _| {});
        }
        let lost = (subscriber == Subscriber::RemovedValues).then(|| game.removed_values());
        let mut ids = Vec::new();
        for place in 0..count {
            let is_bomb = bombs.contains(&place);
            let token = if is_bomb {
                ledger.bomb()
            } else {
                ledger.token()
            };
            let mut entity = game.create_with(Alpha(token));
            if place % 2 == 0 {
                entity.add(Beta(ledger.token()));
            }
            ids.push(entity.id());
        }
        Self {
            game,
            ledger,
            ids,
            group,
            lost,
        }
    }

    /// The living entities with an `Alpha`.
    fn left(&self) -> Vec<Id> {
        let ids = self.ids.iter().copied();
        ids.filter(|&id| self.group.contains(&self.game, id))
            .collect()
    }

    /// Checks the invariants, and that each value not dropped is reachable.
    #[track_caller]
    fn check(&self) {
        self.game.storage().check_invariants();
        self.ledger.assert_none_dropped_twice();
        let in_columns =
            self.game.query::<&Alpha>().iter().count() + self.game.query::<&Beta>().iter().count();
        let lost = self.lost.as_ref().map_or(0, |lost| lost.len(&self.game));
        assert_eq!(self.ledger.alive(), in_columns + lost);
    }
}

/// An operation on the remaining entities.
struct Operation {
    name: &'static str,
    run: fn(&mut World, &[Id]),
    destroys: bool,
}

const OPERATIONS: [Operation; 6] = [
    Operation {
        name: "destroy_all",
        run: |world, _| world.game.destroy_all(),
        destroys: true,
    },
    Operation {
        name: "reset",
        run: |world, _| world.game.reset(),
        destroys: true,
    },
    Operation {
        name: "Many::destroy",
        run: |world, left| world.game.many(left).destroy(),
        destroys: true,
    },
    Operation {
        name: "Group::destroy_all",
        run: |world, _| _ = world.group.destroy_all(&mut world.game),
        destroys: true,
    },
    Operation {
        name: "Many::remove",
        run: |world, left| world.game.many(left).remove::<Alpha>(),
        destroys: false,
    },
    Operation {
        name: "Group::remove_from_all",
        run: |world, _| _ = world.group.remove_from_all::<Alpha>(&mut world.game),
        destroys: false,
    },
];

/// Runs an operation that a drop interrupts, which processes all entities, and then repeats it.
fn repeat(world: &mut World, operation: &Operation) {
    let left = world.left();
    let text = attempt(|| (operation.run)(world, &left)).expect("a bomb");
    assert!(text.ends_with("panics in its drop"), "{text}");
    world.check();
    assert_eq!(world.left(), []);
    (operation.run)(world, &[]);
    world.check();
}

/// Checks that all are destroyed or have lost the component, and that a reset is complete.
fn check_end(world: &World, operation: &Operation) {
    let World { game, ids, .. } = world;
    assert!(world.left().is_empty());
    assert_eq!(game.len(), if operation.destroys { 0 } else { ids.len() });
    if operation.name == "reset" {
        assert!(world.lost.as_ref().is_none_or(|lost| lost.is_empty(game)));
        assert_eq!(world.ledger.alive(), 0);
    }
}

fn try_all(count: usize, bombs: &[usize], subscriber: Subscriber) {
    for operation in &OPERATIONS {
        let mut world = World::new(count, bombs, subscriber);
        let trigger = Game::all_of::<Alpha>().any_change();
        let collector = world.game.collector(trigger);
        world
            .game
            .many(&world.ids[..1])
            .update(|_, _: &mut Alpha| {});
        assert_eq!(collector.len(&world.game), 1);
        let name = operation.name;
        let case = format!("{name}, {count} entities, {bombs:?}, {subscriber:?}");
        let outcome = attempt(|| {
            repeat(&mut world, operation);
            check_end(&world, operation);
            let collected = if name == "reset" { 0 } else { count };
            assert_eq!(collector.drain(&mut world.game).len(), collected);
        });
        assert_eq!(outcome, None, "{case}");
        let World { game, ledger, .. } = world;
        game.storage().check_invariants();
        assert_sound(game, &ledger);
    }
}

/// Some drops panic in a bulk destroy or remove: all entities are processed, and nothing is leaked or
/// dropped twice.
#[test]
fn a_bulk_call_interrupted_by_a_drop_processes_all_entities() {
    for count in [3, 64, 130] {
        let (middle, last) = (count / 2, count - 1);
        for bombs in [&[0][..], &[middle], &[last], &[0, last], &[middle, last]] {
            for subscriber in [
                Subscriber::None,
                Subscriber::Observer,
                Subscriber::RemovedValues,
            ] {
                try_all(count, bombs, subscriber);
            }
        }
    }
}
