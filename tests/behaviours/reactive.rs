//! Reactive systems.

use ecs::prelude::*;

use super::world::{A, B, Other, Shared, Test, TestEntity};
use support::Notes;

/// The entities passed to a system, one list per call.
type Calls<C> = Notes<Vec<EntityId<C>>>;

/// Called by the body for each entity.
type Body = fn(&mut Test, EntityId<Test>);

/// A reactive system that logs its entities.
struct Probe {
    trigger: Trigger<Test>,
    filter: fn(TestEntity<'_>) -> bool,
    body: Body,
    dead_too: bool,
    calls: Calls<Test>,
}

impl Probe {
    fn new(trigger: Trigger<Test>) -> Self {
        Self {
            trigger,
            filter: |_| true,
            body: |_, _| (),
            dead_too: false,
            calls: Calls::default(),
        }
    }

    fn start(self, game: &mut Test) -> (Systems<Test>, Calls<Test>) {
        let calls = self.calls.clone();
        (Systems::new().add_reactive(game, self), calls)
    }
}

impl ReactiveSystem<Test> for Probe {
    type Context = Test;

    fn trigger(&self) -> Trigger<Test> {
        self.trigger.clone()
    }

    fn filter(&self, entity: TestEntity<'_>) -> bool {
        (self.filter)(entity)
    }

    fn include_destroyed(&self) -> bool {
        self.dead_too
    }

    fn react(&mut self, game: &mut Test, changed: &[EntityId<Test>]) {
        self.calls.push(changed.to_vec());
        changed.iter().for_each(|&id| (self.body)(game, id));
    }
}

/// A game and a system with a trigger.
fn waiting_for(trigger: Trigger<Test>) -> (Test, Systems<Test>, Calls<Test>) {
    let mut game = Test::new();
    let (system, calls) = Probe::new(trigger).start(&mut game);
    (game, system, calls)
}

/// Takes the lists passed since the last call.
fn taken(calls: &Calls<Test>) -> Vec<Vec<EntityId<Test>>> {
    calls.take()
}

/// RSY-001, RSY-007, RSY-014.
#[test]
fn without_a_matching_change_the_body_is_not_called() {
    let (mut game, mut system, calls) = waiting_for(Test::all_of::<A>().entered_or_updated());
    system.execute(&mut game);
    let id = game.create_entity().add_b(1).id();
    system.execute(&mut game);
    game.entity_mut(id).remove_b();
    system.execute(&mut game);
    assert!(calls.take().is_empty());
}

/// RSY-002, RSY-003.
#[test]
fn the_body_is_called_once_with_the_collected_entities() {
    let (mut game, mut system, calls) = waiting_for(Test::all_of::<A>().entered_or_updated());
    let ids = game.create_many([A(1), A(2)]);
    game.entity_mut(ids[0]).replace_a(3);
    system.execute(&mut game);
    system.execute(&mut game);
    assert_eq!(taken(&calls), [ids]);
}

/// RSY-004.
#[test]
fn after_a_run_no_entity_is_pending() {
    let mut game = Test::new();
    let mut probe = Probe::new(Test::all_of::<A>().entered());
    probe.body = |game, id| {
        assert!(game.contains(id));
        let collectors = format!("{:?}", game);
        assert!(collectors.contains("collectors: 1"), "{collectors}");
    };
    let (mut system, calls) = probe.start(&mut game);
    game.create_with(A(1));
    system.execute(&mut game);
    assert_eq!(system.reactions().unwrap().last, 1);
    system.execute(&mut game);
    assert_eq!(system.reactions().unwrap().last, 0);
    assert_eq!(taken(&calls).len(), 1);
}

/// RSY-005, RSY-006.
#[test]
fn changes_of_the_body_are_passed_at_the_next_run() {
    let mut game = Test::new();
    let mut probe = Probe::new(Test::all_of::<A>().entered_or_updated());
    probe.body = |game, id| {
        let value = game.entity(id).a().0;
        if value < 2 {
            game.entity_mut(id).replace_a(value + 1);
            game.create_with(A(9));
        }
    };
    let (mut system, calls) = probe.start(&mut game);
    let first = game.create_with(A(1)).id();
    system.execute(&mut game);
    let second = game.entities().last().unwrap().id();
    assert_eq!(taken(&calls), [[first]]);
    system.execute(&mut game);
    assert_eq!(taken(&calls), [[first, second]]);
    system.execute(&mut game);
    assert!(taken(&calls).is_empty());
}

/// RSY-008, RSY-009.
#[test]
fn while_deactivated_it_collects_nothing() {
    let (mut game, mut system, calls) = waiting_for(Test::all_of::<A>().entered_or_updated());
    game.create_with(A(1));
    system.deactivate(&mut game);
    game.create_with(A(2));
    system.execute(&mut game);
    system.activate(&mut game);
    system.execute(&mut game);
    assert!(taken(&calls).is_empty());
    let id = game.create_with(A(3)).id();
    system.execute(&mut game);
    assert_eq!(taken(&calls), [[id]]);
}

/// RSY-010, RSY-020.
#[test]
fn clear_drops_collected_entities_including_those_of_the_body() {
    let mut game = Test::new();
    let mut probe = Probe::new(Test::all_of::<A>().entered_or_updated());
    probe.body = |game, id| {
        game.entity_mut(id).replace_a(7);
    };
    let (mut system, calls) = probe.start(&mut game);
    game.create_with(A(1));
    system.clear(&mut game);
    system.execute(&mut game);
    assert!(taken(&calls).is_empty());

    game.create_with(A(2));
    system.execute(&mut game);
    system.clear(&mut game);
    system.execute(&mut game);
    assert_eq!(taken(&calls).len(), 1);
}

/// RSY-011.
#[test]
fn it_is_called_by_the_name_of_its_type() {
    let (_, system, _) = waiting_for(Test::all_of::<A>().entered_or_updated());
    assert_eq!(system.names(), ["Probe"]);
}

/// RSY-012, RSY-013.
#[test]
fn a_system_of_removals_gets_each_entity_once() {
    let (mut game, mut system, calls) = waiting_for(Test::all_of::<A>().left());
    let id = game.create_with(A(1)).id();
    system.execute(&mut game);
    game.entity_mut(id).remove_a();
    system.execute(&mut game);
    system.execute(&mut game);
    assert_eq!(taken(&calls), [[id]]);
}

/// RSY-015.
#[test]
fn a_destroyed_entity_is_passed_as_a_dead_id_on_request() {
    let mut game = Test::new();
    let mut probe = Probe::new(Test::all_of::<A>().left_or_updated());
    probe.dead_too = true;
    probe.filter = |_| panic!("the filter is for living entities");
    probe.body = |game, id| assert!(!game.contains(id));
    let (mut system, calls) = probe.start(&mut game);
    let (mut alive_only, none) = Probe::new(Test::all_of::<A>().left_or_updated()).start(&mut game);
    let dead = game.create_with(A(1)).id();
    game.destroy(dead);
    let next = game.create_entity().id();
    assert_eq!(next.index(), dead.index());
    system.execute(&mut game);
    alive_only.execute(&mut game);
    assert_eq!(taken(&calls), [[dead]]);
    assert!(taken(&none).is_empty());
}

/// RSY-016, RSY-017.
#[test]
fn a_system_of_both_events_runs_on_both() {
    let (mut game, mut system, calls) = waiting_for(Test::all_of::<A>().any_change());
    let id = game.create_with(A(1)).id();
    system.execute(&mut game);
    assert_eq!(taken(&calls), [[id]]);
    game.entity_mut(id).remove_a();
    system.execute(&mut game);
    assert_eq!(taken(&calls), [[id]]);
}

#[derive(Contexts)]
struct World {
    test: Test,
    other: Other,
}

/// The entities passed to a system of two contexts, one pair per call.
type Pairs = Notes<(Vec<EntityId<Test>>, Vec<EntityId<Other>>)>;

struct OfTwo(Pairs);

impl ReactiveSystem<World> for OfTwo {
    type Context = (Test, Other);

    fn trigger(&self) -> (Trigger<Test>, Trigger<Other>) {
        let (test, other) = (Test::all_of::<Shared>(), Other::all_of::<Shared>());
        (test.entered(), other.left())
    }

    fn react(&mut self, _: &mut World, (test, other): (&[EntityId<Test>], &[EntityId<Other>])) {
        self.0.push((test.to_vec(), other.to_vec()));
    }
}

/// RSY-018.
#[test]
fn one_system_waits_for_events_of_two_contexts() {
    let (test, other) = (Test::new(), Other::new());
    let mut world = World { test, other };
    let pairs = Pairs::default();
    let mut system = Systems::new().add_reactive(&mut world, OfTwo(pairs.clone()));
    let in_test = world.test.create_entity().add_shared(1, 2).id();
    let in_other = world.other.create_entity().add_shared(1, 2).id();
    system.execute(&mut world);
    assert_eq!(pairs.take(), [(vec![in_test], vec![])]);
    world.test.entity_mut(in_test).remove_shared();
    world.other.entity_mut(in_other).remove_shared();
    system.execute(&mut world);
    assert_eq!(pairs.take(), [(vec![], vec![in_other])]);
    system.execute(&mut world);
    assert!(pairs.take().is_empty());
}

/// RSY-019.
#[test]
fn filtered_entities_are_dropped() {
    let mut game = Test::new();
    let mut probe = Probe::new(Test::all_of::<A>().entered_or_updated());
    probe.filter = |entity| entity.a().0 > 1 && !entity.has::<B>();
    let (mut system, calls) = probe.start(&mut game);
    let ids = game.create_many([A(1), A(2), A(3)]);
    game.entity_mut(ids[2]).add_b(1);
    system.execute(&mut game);
    assert_eq!(taken(&calls), [[ids[1]]]);
    game.entity_mut(ids[2]).remove_b();
    system.execute(&mut game);
    assert!(taken(&calls).is_empty());
}
