//! `Deferred`: observers, listeners, systems and other threads act on the whole world, in the order
//! of their requests.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use ecs::prelude::*;

use super::world::{Game, Input, Key, Mood};
use support::panic_of;

#[derive(Contexts, Default)]
struct World {
    game: Game,
    input: Input,
    #[contexts(skip)]
    log: Vec<&'static str>,
}

impl World {
    fn take_log(&mut self) -> Vec<&'static str> {
        std::mem::take(&mut self.log)
    }
}

/// Pushes an action that logs its name.
fn note(deferred: &Deferred<World>, name: &'static str) {
    deferred.push(move |world| world.log.push(name));
}

#[test]
fn commands_run_in_the_order_of_all_pushes() {
    let mut world = World::default();
    let deferred = Deferred::new();
    let [by_game, by_input, by_listener, by_message, by_system] =
        [(); 5].map(|()| deferred.clone());

    let moody = world.game.group(Game::all_of::<Mood>());
    moody.on_entered(&mut world.game, move |_, _| {
        note(&by_game, "observer of game")
    });
    let pressed = world.input.group(Input::all_of::<Key>());
    pressed.on_entered(&mut world.input, move |_, _| {
        note(&by_input, "observer of input")
    });
    world
        .game
        .on_any_mood_set(move |_| note(&by_listener, "listener"));
    let on_message = move |_: &mut Game, _: &u8| note(&by_message, "message");
    world.game.on_message(on_message);

    let mut systems = Systems::new()
        .add(move |world: &mut World| {
            world.input.create_with(Key('a'));
            world.game.create_with(Mood(1));
            note(&by_system, "system");
            world.input.create_with(Key('b'));
            world.game.send(7_u8);
        })
        .add(EventSystems::<Game>::new())
        .add(deferred);
    systems.execute(&mut world);
    let expected = [
        "observer of input",
        "observer of game",
        "system",
        "observer of input",
        "message",
        "listener",
    ];
    assert_eq!(world.take_log(), expected);
}

#[test]
fn an_observer_of_one_context_changes_another() {
    let mut world = World::default();
    let deferred = Deferred::new();
    let mut systems = Systems::new().add(deferred.clone());
    let moody = world.game.group(Game::all_of::<Mood>());
    moody.on_left(&mut world.game, move |_, _| {
        deferred.push(|world: &mut World| {
            world.input.create_with(Key('x'));
            world.game.create_with(Mood(1));
        });
    });
    world.game.create_with(Mood(1)).destroy();
    assert_eq!((world.game.len(), world.input.len()), (0, 0));
    systems.execute(&mut world);
    assert_eq!((world.game.len(), world.input.len()), (1, 1));
    let key = world.input.query::<&Key>().single().unwrap();
    assert_eq!(key.0, 'x');
}

/// Pushes an action that logs "first" and pushes one that logs "second".
fn push_that_pushes(deferred: &Deferred<World>) {
    let again = deferred.clone();
    deferred.push(move |world| {
        world.log.push("first");
        note(&again, "second");
    });
}

#[test]
fn actions_pushed_by_an_action_run_in_the_next_turn() {
    let (mut world, deferred) = (World::default(), Deferred::new());
    let mut systems = Systems::new().add(deferred.clone());
    push_that_pushes(&deferred);
    note(&deferred, "third");
    systems.execute(&mut world);
    assert_eq!(world.take_log(), ["first", "third"]);
    assert!(!deferred.is_empty());
    systems.execute(&mut world);
    assert_eq!(world.take_log(), ["second"]);
    assert!(deferred.is_empty());
    let reactions = systems.reactions().unwrap();
    assert_eq!((reactions.calls, reactions.total), (2, 3));
}

#[test]
fn a_list_until_quiet_runs_it_again_in_the_same_pass() {
    let (mut world, deferred) = (World::default(), Deferred::new());
    let mut systems = Systems::new().add(deferred.clone()).until_quiet(5);
    push_that_pushes(&deferred);
    systems.execute(&mut world);
    assert_eq!(world.take_log(), ["first", "second"]);
}

#[test]
fn a_panic_leaves_the_rest_of_the_queue_before_later_actions() {
    let (mut world, deferred) = (World::default(), Deferred::new());
    let mut systems = Systems::new().add(deferred.clone());
    note(&deferred, "a");
    deferred.push(|_| panic!("an action that panics"));
    note(&deferred, "b");
    deferred.push(|_| panic!("another one"));
    note(&deferred, "c");
    assert_eq!(
        panic_of(|| systems.execute(&mut world)),
        "an action that panics"
    );
    assert_eq!(world.take_log(), ["a"]);
    assert!(!deferred.is_empty());
    note(&deferred, "d");
    assert_eq!(panic_of(|| systems.execute(&mut world)), "another one");
    note(&deferred, "e");
    systems.execute(&mut world);
    assert_eq!(world.take_log(), ["b", "c", "d", "e"]);
    assert!(deferred.is_empty());
}

#[test]
fn pending_actions_can_be_dropped() {
    let (mut world, deferred) = (World::default(), Deferred::new());
    let held = Arc::new(());
    let push = |deferred: &Deferred<World>| {
        let held = held.clone();
        deferred.push(move |world: &mut World| {
            _ = held;
            world.log.push("called");
        });
    };
    let mut systems = Systems::new().add(deferred.clone());
    push(&deferred);
    systems.clear(&mut world);
    assert!(deferred.is_empty() && Arc::strong_count(&held) == 1);
    push(&deferred);
    drop((systems, deferred));
    assert_eq!(Arc::strong_count(&held), 1);
    assert!(world.log.is_empty());
}

#[test]
fn actions_pushed_while_disabled_wait_or_are_discarded() {
    for discards in [false, true] {
        let (mut world, deferred) = (World::default(), Deferred::new());
        let mut systems = Systems::new().add(deferred.clone()).named("Later");
        if discards {
            systems = systems.discard_while_disabled();
        }
        systems.set_enabled("Later", false);
        note(&deferred, "pushed");
        systems.execute(&mut world);
        assert!(world.log.is_empty());
        systems.set_enabled("Later", true);
        systems.execute(&mut world);
        assert_eq!(world.log.len(), usize::from(!discards));
    }
}

#[test]
fn several_lists_may_run_it_and_each_action_is_called_once() {
    let (mut world, deferred) = (World::default(), Deferred::new());
    let between = deferred.clone();
    let mut systems = Systems::new()
        .add(deferred.clone())
        .add(move |_: &mut World| note(&between, "between"))
        .add(Systems::new().add(deferred.clone()));
    note(&deferred, "before");
    systems.execute(&mut world);
    assert_eq!(world.take_log(), ["before", "between"]);
}

#[test]
fn other_threads_push_each_in_its_order() {
    const EACH: usize = 300;
    let mut world = World::default();
    let deferred = Deferred::new();
    let mut systems = Systems::new().add(deferred.clone());
    let called: Arc<[AtomicUsize]> = (0..3).map(|_| AtomicUsize::new(0)).collect();
    std::thread::scope(|scope| {
        for thread in 0..3 {
            let (deferred, called) = (deferred.clone(), called.clone());
            scope.spawn(move || {
                for nth in 0..EACH {
                    let called = called.clone();
                    deferred.push(move |_: &mut World| {
                        assert_eq!(called[thread].fetch_add(1, Relaxed), nth);
                    });
                }
            });
        }
        while called.iter().any(|count| count.load(Relaxed) < EACH) {
            systems.execute(&mut world);
        }
    });
    assert_eq!(systems.reactions().unwrap().total, 3 * EACH as u64);
}

/// Other threads can act on a world that belongs to one thread.
#[test]
fn a_handle_is_thread_safe_for_any_world() {
    fn is_thread_safe<T: ecs::ThreadSafe>() {}
    is_thread_safe::<Deferred<std::rc::Rc<u8>>>();
}
