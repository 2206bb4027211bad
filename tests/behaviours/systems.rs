//! Lists of systems.

use ecs::Outcome;
use ecs::prelude::*;

use super::world::{A, Test};
use support::Notes;

/// The log of calls, one word each.
#[derive(Clone, Default)]
struct Calls(Notes<&'static str>);

impl Calls {
    fn push(&self, call: &'static str) {
        self.0.push(call);
    }

    /// Asserts that exactly these calls were made since the last check.
    #[track_caller]
    fn were(&self, calls: &[&str]) {
        assert_eq!(self.0.take(), calls);
    }
}

const PHASES: [&str; 4] = ["initialize", "execute", "cleanup", "tear down"];

/// A system with all four phases.
struct Four(Calls);

impl System<Test> for Four {
    fn initialize(&mut self, _: &mut Test) {
        self.0.push("initialize");
    }

    fn execute(&mut self, _: &mut Test) {
        self.0.push("execute");
    }

    fn cleanup(&mut self, _: &mut Test) {
        self.0.push("cleanup");
    }

    fn tear_down(&mut self, _: &mut Test) {
        self.0.push("tear down");
    }
}

/// A reactive system with all four phases.
struct Reacting(Calls);

impl ReactiveSystem<Test> for Reacting {
    type Context = Test;

    fn trigger(&self) -> Trigger<Test> {
        Test::all_of::<A>().entered_or_updated()
    }

    fn react(&mut self, _: &mut Test, changed: &[EntityId<Test>]) {
        assert!(!changed.is_empty());
        self.0.push("execute");
    }

    fn initialize(&mut self, _: &mut Test) {
        self.0.push("initialize");
    }

    fn cleanup(&mut self, _: &mut Test) {
        self.0.push("cleanup");
    }

    fn tear_down(&mut self, _: &mut Test) {
        self.0.push("tear down");
    }
}

fn run<R: Outcome>(system: &mut dyn System<Test, R>, game: &mut Test) {
    let outcomes = [
        system.initialize(game),
        system.execute(game),
        system.cleanup(game),
        system.tear_down(game),
    ];
    assert!(
        outcomes
            .into_iter()
            .all(|outcome| outcome.into_result().is_ok())
    );
}

/// A nested list with a reactive system.
fn nested(game: &mut Test, calls: &Calls) -> Systems<Test> {
    let inner = Systems::with_name("Inner").add_reactive(game, Reacting(calls.clone()));
    Systems::new().add(Systems::with_name("Middle").add(inner))
}

/// SYS-001, SYS-002, SYS-003, SYS-004.
#[test]
fn a_system_of_one_phase_runs_in_that_phase_alone() {
    let phases = [
        Phase::Initialize,
        Phase::Execute,
        Phase::Cleanup,
        Phase::TearDown,
    ];
    for (phase, name) in phases.into_iter().zip(PHASES) {
        let calls = Calls::default();
        let notified = calls.clone();
        let mut system = Systems::new().on(phase, move |_: &mut Test| notified.push(name));
        run(&mut system, &mut Test::new());
        calls.were(&[name]);
    }
}

/// SYS-005.
#[test]
fn a_system_takes_part_in_all_four_phases_a_reactive_one_too() {
    let (mut game, calls) = (Test::new(), Calls::default());
    run(&mut Four(calls.clone()), &mut game);
    calls.were(&PHASES);

    let mut systems = Systems::new().add_reactive(&mut game, Reacting(calls.clone()));
    game.create_with(A(1));
    run(&mut systems, &mut game);
    calls.were(&PHASES);
}

/// SYS-007, SYS-008, SYS-010, SYS-014, SYS-016, SYS-019.
#[test]
fn a_list_runs_each_phase_of_its_systems_in_the_order_of_their_addition() {
    let calls = Calls::default();
    let second = Calls(calls.0.clone());
    let mut systems = Systems::new()
        .add(Four(calls.clone()))
        .on(Phase::Initialize, {
            let calls = second.clone();
            move |_| calls.push("second initialize")
        })
        .on(Phase::TearDown, move |_| second.push("second tear down"));
    let mut game = Test::new();
    run(&mut systems, &mut game);
    calls.were(&[
        "initialize",
        "second initialize",
        "execute",
        "cleanup",
        "tear down",
        "second tear down",
    ]);
}

/// SYS-009, SYS-011, SYS-015, SYS-017, SYS-018.
#[test]
fn a_removed_system_runs_in_no_phase() {
    let (mut game, calls) = (Test::new(), Calls::default());
    let mut systems = Systems::new().add(Four(calls.clone()));
    systems.remove(&mut game, "Four");
    run(&mut systems, &mut game);
    calls.were(&[]);
}

/// SYS-012.
#[test]
fn a_reactive_system_in_a_list_runs_where_it_was_triggered() {
    let (mut game, calls) = (Test::new(), Calls::default());
    let mut systems = Systems::new().add_reactive(&mut game, Reacting(calls.clone()));
    systems.execute(&mut game);
    calls.were(&[]);
    game.create_with(A(1));
    systems.execute(&mut game);
    calls.were(&["execute"]);
}

/// SYS-013.
#[test]
fn a_removed_reactive_system_does_not_run_and_lets_go_of_its_collector() {
    let (mut game, calls) = (Test::new(), Calls::default());
    let mut systems = Systems::new().add_reactive(&mut game, Reacting(calls.clone()));
    game.create_with(A(1));
    systems.remove(&mut game, "Reacting");
    systems.execute(&mut game);
    calls.were(&[]);
    assert!(format!("{game:?}").contains("collectors: 0"), "{game:?}");
}

/// SYS-020.
#[test]
fn every_phase_reaches_nested_systems() {
    let (mut game, calls) = (Test::new(), Calls::default());
    let mut systems = nested(&mut game, &calls);
    game.create_with(A(1));
    run(&mut systems, &mut game);
    calls.were(&PHASES);
    systems.execute(&mut game);
    calls.were(&[]);
}

/// SYS-021, SYS-022.
#[test]
fn clear_drops_collected_entities_of_nested_reactive_systems_too() {
    let (mut game, calls) = (Test::new(), Calls::default());
    let mut systems = nested(&mut game, &calls).add_reactive(&mut game, Reacting(calls.clone()));
    game.create_with(A(1));
    systems.clear(&mut game);
    systems.execute(&mut game);
    calls.were(&[]);
    game.create_with(A(2));
    systems.execute(&mut game);
    calls.were(&["execute", "execute"]);
}

/// SYS-023, SYS-024, SYS-025, SYS-026.
#[test]
fn deactivated_reactive_systems_collect_nothing_until_activated_nested_ones_too() {
    let (mut game, calls) = (Test::new(), Calls::default());
    let mut systems = nested(&mut game, &calls).add_reactive(&mut game, Reacting(calls.clone()));
    game.create_with(A(1));
    systems.deactivate(&mut game);
    game.create_with(A(2));
    systems.execute(&mut game);
    systems.activate(&mut game);
    systems.execute(&mut game);
    calls.were(&[]);
    game.create_with(A(3));
    systems.execute(&mut game);
    calls.were(&["execute", "execute"]);
}
