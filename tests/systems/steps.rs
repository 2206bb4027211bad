//! Lists that run in fixed steps, and systems that contain a list.

use std::time::Duration;

use ecs::prelude::*;
use ecs::stats::Missed;

use super::world::{Frozen, Log, World, world};
use support::game::Game;
use support::panic_of;

/// A context whose clock is a component.
#[ecs::context]
pub(super) struct Sim;

#[derive(Component, Clone)]
#[component(context = Sim, unique)]
pub(super) struct Clock(FixedSteps);

#[derive(Component, Clone)]
#[component(context = Sim, cleanup(remove))]
pub(super) struct Hit;

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// True for `time` rounds in each pass.
fn rounds(world: &mut World) -> bool {
    world.time -= 1.0;
    world.time >= 0.0
}

/// A list «Outer» of `a`, a list «Steps» of `b` and `c`, which repeats, and `d`.
fn stepping(log: &Log) -> Systems<World> {
    let steps = Systems::with_name("Steps")
        .add(log.system("b"))
        .add(log.system("c"))
        .repeat_while(rounds);
    Systems::with_name("Outer")
        .add(log.system("a"))
        .add(steps)
        .add(log.system("d"))
}

#[test]
fn each_round_executes_and_cleans_up() {
    let (log, mut world) = (Log::default(), world());
    let mut systems = stepping(&log);
    world.time = 2.0;
    systems.execute(&mut world);
    let round = ["b executes", "c executes", "b cleans up", "c cleans up"];
    let mut expected = vec!["a executes"];
    expected.extend(round);
    expected.extend(round);
    expected.push("d executes");
    log.notified(&expected);
    systems.cleanup(&mut world);
    log.notified(&["a cleans up", "d cleans up"]);
}

#[test]
fn a_list_without_a_round_in_a_pass_neither_executes_nor_cleans_up() {
    let (log, mut world) = (Log::default(), world());
    let mut systems = stepping(&log);
    systems.cleanup(&mut world);
    log.notified(&["a cleans up", "d cleans up"]);
    systems.execute(&mut world);
    systems.cleanup(&mut world);
    log.notified(&["a executes", "d executes", "a cleans up", "d cleans up"]);
}

#[test]
fn initialize_and_tear_down_run_once_for_any_number_of_rounds() {
    let (log, mut world) = (Log::default(), world());
    let mut steps = Systems::new().add(log.system("b")).repeat_while(rounds);
    world.time = 3.0;
    steps.initialize(&mut world);
    log.notified(&["b initializes"]);
    steps.execute(&mut world);
    assert_eq!(log.take().len(), 6);
    steps.tear_down(&mut world);
    log.notified(&["b tears down"]);
}

#[test]
fn a_round_that_fails_ends_the_pass_and_is_cleaned_up() {
    let (log, mut world) = (Log::default(), world());
    let fails = |world: &mut World| match world.time {
        0.0 => Err("no more"),
        _ => Ok(()),
    };
    let steps = Systems::with_name("Steps")
        .add(log.system("b"))
        .add(fails)
        .named("fails")
        .add(log.system("c"))
        .repeat_while(rounds);
    let mut systems = Systems::new().add(steps).add(log.system("d"));
    world.time = 2.0;
    let error = systems.try_execute(&mut world).unwrap_err();
    assert_eq!(
        error.to_string(),
        "system `fails` of `Steps` failed at execute: no more"
    );
    log.notified(&[
        "b executes",
        "c executes",
        "b cleans up",
        "c cleans up",
        "b executes",
    ]);
    systems.cleanup(&mut world);
    log.notified(&["b cleans up"]);
    systems.cleanup(&mut world);
    log.notified(&["d cleans up"]);
}

#[test]
fn a_list_stays_usable_after_a_round_that_panics() {
    let (log, mut world) = (Log::default(), world());
    let mut systems = Systems::new()
        .add(log.system("b"))
        .add(|world: &mut World| assert!(world.time > 0.0, "too late"))
        .repeat_while(rounds);
    world.time = 2.0;
    assert_eq!(panic_of(|| systems.execute(&mut world)), "too late");
    log.notified(&["b executes", "b cleans up", "b executes"]);
    world.time = 0.0;
    systems.execute(&mut world);
    systems.cleanup(&mut world);
    log.notified(&["b cleans up"]);
}

#[test]
fn a_suspended_list_does_not_request_another_round() {
    let mut systems = Systems::<World>::new().repeat_while(|_: &mut World| panic!("asked"));
    systems.set_suspended(true);
    systems.execute(&mut world());
}

#[test]
fn all_switches_reach_the_systems_that_repeat() {
    let (log, mut world) = (Log::default(), world());
    let frozen = Game::all_of::<Frozen>().entered();
    let steps = Systems::with_name("Steps")
        .for_each_changed(&mut world, frozen, log.ids("melt"))
        .named("melt")
        .repeat_while(rounds);
    let mut systems = Systems::new().add(steps);
    let mut pass = |world: &mut World, before: &dyn Fn(&mut Systems<World>, &mut World)| {
        world.game.create_with(Frozen);
        before(&mut systems, world);
        world.time = 2.0;
        systems.execute(world);
        log.take().len()
    };
    assert_eq!(pass(&mut world, &|_, _| ()), 1);
    assert_eq!(pass(&mut world, &|systems, world| systems.clear(world)), 0);
    let off = |systems: &mut Systems<World>, world: &mut World| systems.deactivate(world);
    assert_eq!(pass(&mut world, &off), 0);
    assert_eq!(
        pass(&mut world, &|systems, world| systems.activate(world)),
        0
    );
    assert_eq!(pass(&mut world, &|_, _| ()), 1);
    assert_eq!(
        pass(&mut world, &|systems, _| systems.set_enabled("melt", false)),
        0
    );
    assert_eq!(
        pass(&mut world, &|systems, _| systems.set_enabled("melt", true)),
        2
    );
    assert_eq!(
        pass(&mut world, &|systems, world| systems.release(world)),
        0
    );
}

#[test]
fn the_systems_that_repeat_are_measured_in_each_round() {
    let (log, mut world) = (Log::default(), world());
    let mut systems = stepping(&log);
    systems.measure(true);
    world.time = 3.0;
    systems.execute(&mut world);
    systems.cleanup(&mut world);
    let calls = |name: &str| {
        let statistics = systems.statistics(name).unwrap();
        (statistics.execute.calls(), statistics.cleanup.calls())
    };
    assert_eq!(
        (calls("Steps"), calls("b"), calls("a")),
        ((1, 1), (3, 3), (1, 1))
    );
}

#[test]
fn the_report_shows_the_systems_that_repeat() {
    let mut systems = stepping(&Log::default());
    systems.set_enabled("c", false);
    let expected = "Outer\n  a\n  Steps\n    b\n    c      off\n  d\n";
    assert_eq!(systems.report().to_string(), expected);
}

#[test]
fn a_list_in_steps_inside_one_that_runs_until_quiet() {
    let (log, mut world) = (Log::default(), world());
    let frozen = Game::all_of::<Frozen>().entered();
    let steps = Systems::new().add(log.system("b")).repeat_while(rounds);
    let mut systems = Systems::new()
        .add(steps)
        .for_each_changed(&mut world, frozen, |world: &mut World, _| world.time = 1.0)
        .until_quiet(10);
    world.game.create_with(Frozen);
    systems.execute(&mut world);
    log.notified(&["b executes", "b cleans up"]);
}

fn take_step(sim: &mut Sim) -> bool {
    let is_due = sim.clock().0.due() > 0;
    if is_due {
        sim.update_clock(|clock| _ = clock.0.take_step());
    }
    is_due
}

/// A context with a clock of 10 ms, and a list that creates a hit in each step and counts hits.
fn sim(log: &Log) -> (Sim, Systems<Sim>) {
    let mut sim = Sim::new();
    sim.set_clock(FixedSteps::new(ms(10)));
    let log = log.clone();
    let steps = Systems::with_name("Steps")
        .add(|sim: &mut Sim| _ = sim.create_with(Hit))
        .add(move |sim: &mut Sim| log.push(format!("{}", sim.query::<&Hit>().iter().count())))
        .add(CleanupSystems::new(&mut sim))
        .repeat_while(take_step);
    (sim, Systems::new().add(steps))
}

fn frame(sim: &mut Sim, systems: &mut Systems<Sim>, elapsed: Duration) {
    sim.update_clock(|clock| _ = clock.0.advance(elapsed));
    systems.execute(sim);
    systems.cleanup(sim);
}

#[test]
fn a_one_frame_component_cleaned_up_in_steps_exists_for_one_step() {
    let log = Log::default();
    let (mut sim, mut systems) = sim(&log);
    for elapsed in [5, 5, 30, 4, 6] {
        frame(&mut sim, &mut systems, ms(elapsed));
    }
    log.notified(&["1", "1", "1", "1", "1"]);
}

#[test]
fn unread_components_cleaned_up_in_a_step_are_missed() {
    let (mut sim, mut systems) = sim(&Log::default());
    let hits = sim.collector(Sim::all_of::<Hit>().entered());
    frame(&mut sim, &mut systems, ms(20));
    let expected = Missed {
        component: "Hit",
        entities: 2,
    };
    assert_eq!(systems.missed(), [expected]);
    hits.release(&mut sim);
}

#[test]
fn unread_changes_of_a_system_in_steps_are_pending() {
    let mut sim = Sim::new();
    let _steps = Systems::new()
        .for_each_changed(&mut sim, Sim::all_of::<Hit>().entered(), |_, _| ())
        .repeat_while(|_: &mut Sim| false);
    sim.create_with(Hit);
    let pending = sim.save().pending();
    let system = pending[0].system.as_deref().unwrap();
    assert!(
        system.starts_with("closure in unread_changes_of_a_system_in_steps"),
        "{system}"
    );
}

#[test]
fn a_clock_that_is_a_component_is_rewound_with_the_context() {
    let (mut sim, mut systems) = sim(&Log::default());
    let taken = |sim: &Sim| (sim.clock().0.taken(), sim.clock().0.fraction());
    let history = sim.record();
    sim.update_clock(|clock| _ = clock.0.advance(ms(25)));
    let mark = history.mark(&mut sim);
    systems.execute(&mut sim);
    assert_eq!(taken(&sim), (2, 0.5));
    history.rewind(&mut sim, mark);
    assert_eq!(taken(&sim), (0, 1.0));
}

#[test]
fn the_same_total_time_makes_the_same_steps() {
    let mut whole = FixedSteps::per_second(60);
    let mut cut = whole;
    let count =
        |steps: &mut FixedSteps| std::iter::from_fn(|| steps.take_step().then_some(())).count();
    let (mut steps, mut frames) = (0, 0);
    for n in 0..1_000_u64 {
        let elapsed = Duration::from_micros(n * 37 % 1_000);
        whole.advance(elapsed * 2);
        steps += count(&mut whole);
        for _ in 0..2 {
            cut.advance(elapsed);
            frames += count(&mut cut);
        }
    }
    assert_eq!((steps, whole), (frames, cut));
    assert_eq!(whole.taken(), steps as u64);
}

#[test]
fn time_beyond_the_bound_is_dropped_and_the_fraction_stays() {
    let mut steps = FixedSteps::new(ms(10)).at_most(2);
    assert_eq!(steps.advance(ms(5)), ms(0));
    assert_eq!(steps.advance(ms(100)), ms(80));
    assert_eq!((steps.due(), steps.dropped()), (2, ms(80)));
    assert!(steps.take_step() && steps.take_step() && !steps.take_step());
    assert_eq!(steps.fraction(), 0.5);
    assert_eq!(steps.advance(Duration::MAX).as_nanos() % 10_000_000, 0);
    assert_eq!(steps.due(), 2);
}

#[test]
fn a_step_takes_some_time() {
    let text = "a step takes between 1 ns and 584 years, not 0ns";
    assert_eq!(panic_of(|| FixedSteps::new(Duration::ZERO)), text);
    assert_eq!(panic_of(|| FixedSteps::per_second(0)), text);
    assert_eq!(panic_of(|| FixedSteps::per_second(u32::MAX)), text);
    assert!(panic_of(|| FixedSteps::new(Duration::MAX)).contains("584 years"));
}

#[test]
fn a_clock_is_saved_and_one_whose_steps_take_no_time_is_rejected() {
    let mut steps = FixedSteps::per_second(60).at_most(3);
    steps.advance(ms(40));
    steps.take_step();
    let text = serde_json::to_string(&steps).unwrap();
    assert_eq!(serde_json::from_str::<FixedSteps>(&text).unwrap(), steps);
    let broken = text.replace("16666666", "0");
    assert!(serde_json::from_str::<FixedSteps>(&broken).is_err());
    let bytes = postcard::to_allocvec(&steps).unwrap();
    assert_eq!(postcard::from_bytes::<FixedSteps>(&bytes).unwrap(), steps);
}

#[test]
fn a_clock_in_a_file_needs_its_time_step_alone() {
    let clock = |text| ron::from_str::<FixedSteps>(text).unwrap();
    assert_eq!(clock("(seconds: 0.02)"), FixedSteps::per_second(50));
    let bounded = FixedSteps::new(Duration::from_secs(3)).at_most(2);
    assert_eq!(clock("FixedSteps(seconds: 3, at_most: 2)"), bounded);
    assert_eq!(clock("(timestep: 16666666)"), FixedSteps::per_second(60));
}

#[test]
fn a_clock_in_a_file_that_no_program_could_make_is_an_error_that_names_the_field() {
    let most = u64::MAX.to_string();
    let beyond = format!("timestep: 10, at_most: 2, accumulated: {most}");
    for (text, field, remedy) in [
        ("", "needs a duration", "write `seconds`"),
        (
            "seconds: 0.02, timestep: 5",
            "both `seconds` and `timestep`",
            "leave one",
        ),
        ("seconds: 0.0", "`seconds`", "between"),
        ("seconds: -1.0", "`seconds`", "between"),
        ("seconds: NaN", "`seconds`", "between"),
        ("seconds: 1e30", "`seconds`", "between"),
        ("timestep: 0", "`timestep`", "at least 1 ns"),
        ("seconds: 0.02, at_most: 0", "`at_most`", "leave it out"),
        (
            "timestep: 10, at_most: 2, accumulated: 30",
            "`accumulated`",
            "leave it out",
        ),
        (&beyond, "`accumulated`", "leave it out"),
        ("seconds: 0.02, at_mots: 3", "at_mots", "`at_most`"),
    ] {
        let error = ron::from_str::<FixedSteps>(&format!("({text})")).unwrap_err();
        let error = error.to_string();
        assert!(error.contains(field) && error.contains(remedy), "{error}");
    }
    let never = postcard::to_allocvec(&(10_u64, 0_u32, 0_u64, 0_u64, 0_u64)).unwrap();
    assert!(postcard::from_bytes::<FixedSteps>(&never).is_err());
}

#[test]
fn a_lower_bound_drops_the_time_beyond_it() {
    let mut steps = FixedSteps::new(ms(10));
    steps.advance(ms(75));
    let steps = steps.at_most(2);
    assert_eq!((steps.due(), steps.dropped()), (2, ms(50)));
    assert_eq!(steps.fraction(), 1.0);
    let text = serde_json::to_string(&steps).unwrap();
    assert_eq!(serde_json::from_str::<FixedSteps>(&text).unwrap(), steps);
}

/// Runs its list twice at each execute.
struct Twice(Systems<World>);

impl System<World> for Twice {
    fn execute(&mut self, world: &mut World) {
        self.0.execute(world);
        self.0.execute(world);
    }

    fn inner(&self) -> Option<&Systems<World>> {
        Some(&self.0)
    }

    fn inner_mut(&mut self) -> Option<&mut Systems<World>> {
        Some(&mut self.0)
    }
}

#[test]
fn missing_phases_of_a_system_are_those_of_its_list() {
    let (log, mut world) = (Log::default(), world());
    let mut systems = Systems::new().add(Twice(Systems::new().add(log.system("b"))));
    systems.initialize(&mut world);
    systems.execute(&mut world);
    systems.cleanup(&mut world);
    systems.tear_down(&mut world);
    let executes = ["b executes", "b executes"];
    log.notified(&[
        "b initializes",
        executes[0],
        executes[1],
        "b cleans up",
        "b tears down",
    ]);
}

#[test]
fn a_phase_that_is_passed_on_panics_if_a_system_of_the_list_fails() {
    let fails = Systems::new().on(Phase::TearDown, |_: &mut World| Err::<(), _>("stuck"));
    let mut systems = Systems::new().add(Twice(fails.named("fails")));
    let text = panic_of(|| systems.tear_down(&mut world()));
    assert!(
        text.starts_with("system `fails` failed at tear_down: stuck"),
        "{text}"
    );
}

#[test]
fn a_list_in_a_system_is_seen_and_switched_like_any_other() {
    let (log, mut world) = (Log::default(), world());
    let frozen = Game::all_of::<Frozen>().entered();
    let list = Systems::new()
        .add(log.system("b"))
        .for_each_changed(&mut world, frozen, log.ids("melt"))
        .named("melt");
    let mut systems = Systems::new()
        .add(Twice(list))
        .add_if(|_: &World| true, log.system("d"));
    assert_eq!(systems.names(), ["Twice", "b", "melt", "d"]);
    systems.measure(true);
    world.game.create_with(Frozen);
    systems.execute(&mut world);
    assert_eq!(systems.statistics("b").unwrap().execute.calls(), 2);
    let reactions = systems.infos()[0].reactions.unwrap();
    assert_eq!((reactions.calls, reactions.total), (1, 1));
    world.game.create_with(Frozen);
    systems.clear(&mut world);
    systems.set_enabled("b", false);
    log.take();
    systems.execute(&mut world);
    log.notified(&["d executes"]);
    systems.remove(&mut world, "melt");
    assert_eq!(systems.names(), ["Twice", "b", "d"]);
}
