//! Two lists on two contexts at once.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Barrier, Mutex};

use ecs::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::world::{Game, Health, Input, Key, World, world};

fn threads(number: usize) -> ThreadPool {
    let pool = ThreadPoolBuilder::new().num_threads(number);
    pool.build().unwrap()
}

/// Creates entities that change, destroys some of them, and reacts to what has changed.
fn rules(game: &mut Game) -> Systems<Game> {
    let entered = Game::all_of::<Health>().entered_or_updated();
    Systems::with_name("Rules")
        .add(|game: &mut Game| drop(game.create_many((0..5).map(Health))))
        .named("spawn")
        .for_each_changed(game, entered, |game, id| match game.entity(id).health().0 {
            0 => game.destroy(id),
            health => _ = game.entity_mut(id).replace_health(health - 1),
        })
        .named("weaken")
}

fn keys(input: &mut Input) -> Systems<Input> {
    let pressed = Input::all_of::<Key>().entered();
    Systems::with_name("Keys")
        .add(|input: &mut Input| drop(input.create_many([Key('a'), Key('b')])))
        .named("press")
        .for_each_changed(input, pressed, |input, id| input.destroy(id))
        .named("release")
}

fn healths(game: &Game) -> Vec<(EntityId<Game>, u32)> {
    let healths = game.query::<(EntityId<Game>, &Health)>();
    healths.iter().map(|(id, health)| (id, health.0)).collect()
}

fn pressed(input: &Input) -> Vec<EntityId<Input>> {
    input.query::<EntityId<Input>>().iter().collect()
}

#[test]
fn the_result_is_that_of_one_list_after_the_other() {
    let (mut one, mut game) = (world(), world());
    let (mut rules_alone, mut keys_alone) = (rules(&mut one.game), keys(&mut one.input));
    let (first, second) = (rules(&mut game.game), keys(&mut game.input));
    let mut both = Systems::<World>::new().side_by_side(first, second);
    for number in [1, 2, 4] {
        let pool = threads(number);
        for _ in 0..20 {
            rules_alone.execute(&mut one.game);
            keys_alone.execute(&mut one.input);
            pool.install(|| both.execute(&mut game));
            rules_alone.cleanup(&mut one.game);
            keys_alone.cleanup(&mut one.input);
            pool.install(|| both.cleanup(&mut game));
        }
    }
    assert_eq!(healths(&one.game), healths(&game.game));
    assert_eq!(pressed(&one.input), pressed(&game.input));
    assert_eq!(both.reactions().unwrap().total, {
        let [rules, keys] = [rules_alone.reactions(), keys_alone.reactions()];
        rules.unwrap().total + keys.unwrap().total
    });
}

/// Each list waits for the other, so this would never end on one thread.
#[test]
fn both_lists_run_at_once() {
    let barrier = Arc::new(Barrier::new(2));
    let (a, b) = (barrier.clone(), barrier);
    let first = Systems::new().add(move |_: &mut Game| _ = a.wait());
    let second = Systems::new().add(move |_: &mut Input| _ = b.wait());
    let mut systems = Systems::new().side_by_side(first, second);
    threads(2).install(|| systems.execute(&mut world()));
}

fn calls<C>(log: &Arc<Mutex<Vec<&'static str>>>, list: &'static str) -> Systems<C> {
    let phases = [
        Phase::Initialize,
        Phase::Resume,
        Phase::Execute,
        Phase::Cleanup,
        Phase::TearDown,
    ];
    phases.into_iter().fold(Systems::new(), |systems, phase| {
        let log = log.clone();
        systems.on(phase, move |_: &mut C| log.lock().unwrap().push(list))
    })
}

#[test]
fn each_phase_reaches_both_lists() {
    let log = Arc::default();
    let (first, second) = (calls::<Game>(&log, "first"), calls::<Input>(&log, "second"));
    let (mut systems, mut world) = (Systems::new().side_by_side(first, second), world());
    let phases = [
        Systems::initialize,
        Systems::resume,
        Systems::execute,
        Systems::run_cleanup_of,
        Systems::tear_down,
    ];
    for phase in phases {
        phase(&mut systems, &mut world);
        let mut called = std::mem::take(&mut *log.lock().unwrap());
        called.sort_unstable();
        assert_eq!(called, ["first", "second"]);
    }
}

trait CleanUp<W> {
    fn run_cleanup_of(&mut self, world: &mut W);
}

impl<W: ecs::VisitContexts> CleanUp<W> for Systems<W> {
    fn run_cleanup_of(&mut self, world: &mut W) {
        self.cleanup(world);
    }
}

#[test]
fn the_other_list_ends_its_phase_if_one_fails() {
    let first = Systems::with_name("Rules")
        .add(|_: &mut Game| Err("no rules"))
        .named("judge");
    let second = Systems::with_name("Keys").add(|input: &mut Input| {
        input.create_entity();
    });
    let (mut systems, mut world) = (Systems::new().side_by_side(first, second), world());
    let error = systems.try_execute(&mut world).unwrap_err();
    assert_eq!(
        error.to_string(),
        "system `judge` of `Rules` failed at execute: no rules"
    );
    assert!(error.also().is_none());
    assert_eq!(world.input.len(), 1);
}

#[test]
fn an_error_has_those_of_both_lists() {
    let first = Systems::with_name("Rules").add(|_: &mut Game| Err("no rules"));
    let second = Systems::with_name("Keys").add(|_: &mut Input| Err("no keyboard"));
    let first = first.named("judge");
    let second = second.named("press");
    let mut systems = Systems::new().side_by_side(first, second);
    let error = systems.try_execute(&mut world()).unwrap_err();
    assert_eq!((error.system(), error.list()), ("judge", Some("Rules")));
    let also = error.also().unwrap();
    assert_eq!((also.system(), also.list()), ("press", Some("Keys")));
    assert_eq!(
        error.to_string(),
        "system `judge` of `Rules` failed at execute: no rules; \
         system `press` of `Keys` failed at execute: no keyboard"
    );
}

#[test]
fn a_panic_of_the_first_list_is_passed_on_and_the_second_ends_its_phase() {
    let first = Systems::new().add(|_: &mut Game| panic!("first"));
    let second = Systems::new().add(|input: &mut Input| {
        input.create_entity();
        panic!("second")
    });
    let (mut systems, mut world) = (Systems::<World>::new().side_by_side(first, second), world());
    let run = AssertUnwindSafe(|| systems.execute(&mut world));
    let panic = catch_unwind(run).unwrap_err();
    assert_eq!(panic.downcast_ref(), Some(&"first"));
    assert_eq!(world.input.len(), 1);
}

#[test]
fn tools_see_the_systems_of_both_lists() {
    let mut world = world();
    let (first, second) = (rules(&mut world.game), keys(&mut world.input));
    let mut systems = Systems::<World>::new().side_by_side(first, second);
    let infos: Vec<_> = systems.infos();
    let infos = infos.iter().map(|info| (info.path.clone(), info.name));
    let expected = [
        (vec![0], "Rules beside Keys"),
        (vec![0, 0], "Rules"),
        (vec![0, 0, 0], "spawn"),
        (vec![0, 0, 1], "weaken"),
        (vec![0, 1], "Keys"),
        (vec![0, 1, 0], "press"),
        (vec![0, 1, 1], "release"),
    ];
    assert_eq!(infos.collect::<Vec<_>>(), expected);

    systems.measure(true);
    systems.set_clock(|| std::time::Duration::ZERO);
    systems.set_enabled("press", false);
    systems.execute(&mut world);
    assert!(world.input.is_empty());
    for (name, calls) in [("Keys", 1), ("spawn", 1), ("press", 0)] {
        let statistics = systems.statistics(name).unwrap();
        assert_eq!(statistics.execute.calls(), calls, "{name}");
    }

    systems.remove(&mut world, "release");
    systems.set_enabled("press", true);
    systems.execute(&mut world);
    assert_eq!(world.input.len(), 2);
    assert!(systems.try_remove(&mut world, "release").is_err());
}

#[test]
fn a_pass_that_skips_both_lists_discards_their_changes_if_asked_to() {
    let mut world = world();
    let (first, second) = (rules(&mut world.game), keys(&mut world.input));
    let mut systems = Systems::<World>::new()
        .side_by_side(first, second)
        .named("both")
        .discard_while_disabled();
    systems.set_enabled("both", false);
    let key = world.input.create_with(Key('a')).id();
    systems.execute(&mut world);
    systems.set_enabled("both", true);
    systems.execute(&mut world);
    assert!(world.input.contains(key));
}

#[test]
fn a_list_runs_until_both_are_quiet() {
    let mut world = world();
    let entered = Game::all_of::<Health>().entered_or_updated();
    let first = Systems::new().for_each_changed(&mut world.game, entered, |game, id| {
        match game.entity(id).health().0 {
            0 => game.destroy(id),
            health => _ = game.entity_mut(id).replace_health(health - 1),
        }
    });
    let mut systems = Systems::new().side_by_side(first, Systems::<Input>::new());
    world.game.create_with(Health(7));
    assert!(systems.execute_until_quiet(&mut world, 100));
    assert!(world.game.is_empty());
}
