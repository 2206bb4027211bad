//! Access of tools to lists and worlds: the list as a tree, pausing, the running system, all
//! contexts.

use ecs::stats::running_system;
use ecs::{ContextVisitor, VisitContexts, prelude::*};
use support::Notes;
use support::game::Input;
use support::numbers::{A, World};

fn create(world: &mut World) {
    world.create_with(A(1));
}

#[test]
fn a_list_is_reported_as_a_tree() {
    let inner = Systems::with_name("inner")
        .add(create)
        .named("one")
        .add(create)
        .named("two");
    let mut systems = Systems::new().add(create).named("zero").add(inner);
    systems.set_enabled("one", false);
    systems.execute(&mut World::new());
    let infos = systems.infos();
    let tree: Vec<_> = infos
        .iter()
        .map(|info| (info.depth, info.name, info.is_enabled))
        .collect();
    let expected = [
        (0, "zero", true),
        (0, "inner", true),
        (1, "one", false),
        (1, "two", true),
    ];
    assert_eq!(tree, expected);
    let skipped: Vec<_> = infos.iter().map(|info| info.skipped).collect();
    assert_eq!(skipped, [false, false, true, false]);
}

#[test]
fn a_list_that_is_suspended_does_nothing() {
    let cleaned = |world: &mut World| world.destroy_all();
    let mut systems = Systems::new().add(create).on(ecs::Phase::Cleanup, cleaned);
    let mut world = World::new();
    systems.set_suspended(true);
    systems.execute(&mut world);
    assert_eq!(world.len(), 0);
    systems.set_suspended(false);
    systems.execute(&mut world);
    systems.set_suspended(true);
    systems.cleanup(&mut world);
    assert_eq!(world.len(), 1);
    systems.set_suspended(false);
    systems.cleanup(&mut world);
    assert_eq!(world.len(), 0);
}

#[test]
fn a_list_that_is_suspended_is_initialized_and_torn_down() {
    let mut systems = Systems::new()
        .on(ecs::Phase::Initialize, create)
        .on(ecs::Phase::TearDown, World::destroy_all);
    let mut world = World::new();
    assert!(!systems.is_suspended());
    systems.set_suspended(true);
    assert!(systems.is_suspended());
    systems.initialize(&mut world);
    assert_eq!(world.len(), 1);
    systems.tear_down(&mut world);
    assert_eq!(world.len(), 0);
}

#[test]
fn a_list_has_a_length() {
    let systems = Systems::new();
    assert!(systems.is_empty());
    let systems = systems.add(create).add(Systems::new().add(create));
    assert_eq!((systems.len(), systems.is_empty()), (2, false));
}

#[test]
fn an_observer_learns_which_system_runs() {
    let (mut world, notes) = (World::new(), Notes::default());
    let by = notes.clone();
    world
        .observers()
        .on_created(move |_, _| by.push(running_system()));
    let mut systems = Systems::new().add(Systems::with_name("inner").add(create).named("spawn"));
    world.create_entity();
    systems.execute(&mut world);
    systems.measure(true);
    systems.execute(&mut world);
    assert!(systems.is_measured());
    assert_eq!(notes.take(), [None, None, Some(String::from("spawn"))]);
}

#[test]
fn a_system_that_has_run_others_is_the_running_one_again() {
    let (mut world, notes) = (World::new(), Notes::default());
    let by = notes.clone();
    world
        .observers()
        .on_created(move |_, _| by.push(running_system()));
    let mut inner = Systems::new().add(create).named("inner");
    inner.measure(true);
    let outer = move |world: &mut World| {
        create(world);
        inner.execute(world);
        create(world);
    };
    let mut systems = Systems::new().add(outer).named("outer");
    systems.measure(true);
    systems.execute(&mut world);
    let names = ["outer", "inner", "outer"].map(|name| Some(String::from(name)));
    assert_eq!(notes.take(), names);
    assert_eq!(running_system(), None);
}

#[derive(Contexts)]
struct Both {
    world: World,
    #[contexts(skip)]
    time: f32,
    input: Input,
}

#[derive(Default)]
struct Names(Vec<(&'static str, usize)>);

impl ContextVisitor for Names {
    fn visit<C: Context>(&mut self, context: &mut C) {
        context.create_entity();
        self.0.push((C::NAME, context.len()));
    }
}

#[test]
fn all_contexts_of_a_world_are_visited() {
    let (mut names, world, input) = (Names::default(), World::new(), Input::new());
    let mut both = Both {
        world,
        time: 0.5,
        input,
    };
    both.visit_contexts(&mut names);
    both.world.visit_contexts(&mut names);
    assert_eq!(names.0, [("World", 1), ("Input", 1), ("World", 2)]);
    assert_eq!((both.input.len(), both.time), (1, 0.5));
}
