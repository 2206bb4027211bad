//! The change that caused another one, made by a reactive system.

use ecs::prelude::*;
use ecs::stats::caused_by;
use support::numbers::{A, World};

type Id = EntityId<World>;

fn by_closure(world: &mut World) -> Systems<World> {
    let changed = World::all_of::<A>().entered_or_updated();
    let copy = |world: &mut World, id: Id| {
        let value = world.entity(id).a().0;
        world.entity_mut(id).replace_b(value);
    };
    let mut systems = Systems::new()
        .for_each_changed(world, changed, copy)
        .named("Copy");
    systems.measure(true);
    systems
}

/// Counts changed entities in another entity.
struct Count(Id);

impl ReactiveSystem<World> for Count {
    type Context = World;

    fn trigger(&self) -> Trigger<World> {
        World::all_of::<A>().updated()
    }

    fn react(&mut self, world: &mut World, changed: &[Id]) {
        let cause = caused_by();
        assert!(
            cause.is_none_or(|it| (it.entity(), it.count()) == (changed[0].raw(), changed.len()))
        );
        world.entity_mut(self.0).replace_b(changed.len() as u32);
    }
}

/// The last change of an entity, and what woke the system that made it.
fn last(history: &ecs::History<World>, world: &World, id: Id) -> [Option<String>; 2] {
    let last = history.changes_of(world, id).last();
    let cause = last.as_ref().and_then(|change| change.caused_by());
    [last, cause].map(|change| change.map(|change| change.to_string()))
}

fn texts(texts: [&str; 2]) -> [Option<String>; 2] {
    texts.map(|text| (!text.is_empty()).then(|| text.to_owned()))
}

#[test]
fn a_closure_is_woken_by_its_entity() {
    let mut world = World::new();
    let mut systems = by_closure(&mut world);
    let history = world.record();
    let (one, two) = (world.create_with(A(1)).id(), world.create_with(A(2)).id());
    world.entity_mut(two).replace_a(3);
    systems.execute(&mut world);
    let expected = texts(["0v1 added B, by `Copy`", "0v1 added A"]);
    assert_eq!(last(&history, &world, one), expected);
    let expected = texts(["1v1 added B, by `Copy`", "1v1 replaced A, was A(2)"]);
    assert_eq!(last(&history, &world, two), expected);
    world.entity_mut(one).replace_b(7);
    assert_eq!(last(&history, &world, one)[1], None, "the program itself");
}

#[test]
fn a_system_is_woken_by_the_first_of_its_entities() {
    let mut world = World::new();
    let sum = world.create_entity().id();
    let mut systems = Systems::new().add_reactive(&mut world, Count(sum));
    systems.measure(true);
    let history = world.record();
    let ids: Vec<Id> = world.create_many([A(1), A(2)]);
    for &id in ids.iter().rev() {
        world.entity_mut(id).replace_a(9);
    }
    systems.execute(&mut world);
    let expected = texts(["0v1 added B, by `Count`", "2v1 replaced A, was A(2)"]);
    assert_eq!(last(&history, &world, sum), expected);
    assert_eq!(caused_by(), None);
}

#[test]
fn unmeasured_systems_have_no_statistics() {
    let mut world = World::new();
    let mut systems = by_closure(&mut world);
    let id = world.create_with(A(1)).id();
    let history = world.record();
    systems.execute(&mut world);
    assert_eq!(
        last(&history, &world, id),
        texts(["0v1 added B, by `Copy`", ""])
    );
    systems.measure(false);
    world.entity_mut(id).replace_a(2);
    systems.execute(&mut world);
    assert_eq!(
        last(&history, &world, id),
        texts(["0v1 replaced B, was B(1)", ""])
    );
}

#[test]
fn causes_follow_rewinds_and_forgetting() {
    let mut world = World::new();
    let mut systems = by_closure(&mut world);
    let history = world.record();
    let id = world.create_with(A(1)).id();
    let before = history.mark(&mut world);
    systems.execute(&mut world);
    history.rewind(&mut world, before);
    world.entity_mut(id).add_b(5);
    assert_eq!(
        last(&history, &world, id),
        texts(["0v1 added B", ""]),
        "after a rewind"
    );
    world.entity_mut(id).replace_a(2);
    let kept = history.mark(&mut world);
    world.entity_mut(id).replace_a(3);
    systems.execute(&mut world);
    history.forget_before(&mut world, kept);
    let expected = texts([
        "0v1 replaced B, was B(5), by `Copy`",
        "0v1 replaced A, was A(2)",
    ]);
    assert_eq!(last(&history, &world, id), expected);
}

#[test]
fn a_change_of_the_reaction_itself_is_not_its_cause() {
    let mut world = World::new();
    let changed = World::all_of::<A>().entered_or_updated();
    let end = |world: &mut World, id: Id| {
        let others: Vec<Id> = world.entities().map(|entity| entity.id()).collect();
        for other in others.into_iter().filter(|&other| other != id) {
            world.entity_mut(other).replace_a(9); // before the call with this entity
        }
        world.entity_mut(id).replace_a(7);
        world.destroy(id);
    };
    let mut systems = Systems::new()
        .for_each_changed(&mut world, changed, end)
        .named("End");
    systems.measure(true);
    let history = world.record();
    let ids = [1, 2].map(|value| world.create_with(A(value)).id());
    for (id, value) in ids.into_iter().zip([3, 4]) {
        world.entity_mut(id).replace_a(value);
    }
    systems.execute(&mut world);
    let causes = |id| {
        let by_system = history
            .changes_of(&world, id)
            .filter(|it| it.by().is_some());
        by_system.map(|it| it.caused_by().map(|cause| cause.to_string()))
    };
    let [one, two] = ["0v1 replaced A, was A(1)", "1v1 replaced A, was A(2)"];
    assert!(causes(ids[0]).eq(vec![Some(one.to_owned()); 3]));
    let of_two = [one, two, two, two].map(|text| Some(text.to_owned()));
    assert!(
        causes(ids[1]).eq(of_two),
        "{:?}",
        causes(ids[1]).collect::<Vec<_>>()
    );
}

#[test]
fn a_change_of_the_run_before_is_a_cause() {
    let mut world = World::new();
    let count_down = |world: &mut World, id: Id| {
        let left = world.entity(id).a().0 - 1;
        world.entity_mut(id).replace_a(left);
    };
    let mut systems = Systems::new()
        .for_each_changed(
            &mut world,
            World::all_of::<A>().entered_or_updated(),
            count_down,
        )
        .named("Count");
    systems.measure(true);
    let history = world.record();
    let id = world.create_with(A(9)).id();
    (0..3).for_each(|_| systems.execute(&mut world));
    let mut change = history.changes_of(&world, id).last();
    let mut story = Vec::new();
    while let Some(now) = change {
        story.push(now.to_string());
        change = now.caused_by();
    }
    assert_eq!(
        story,
        [
            "0v1 replaced A, was A(7), by `Count`",
            "0v1 replaced A, was A(8), by `Count`",
            "0v1 replaced A, was A(9), by `Count`",
            "0v1 added A",
        ]
    );
}

#[test]
fn a_rewind_inside_the_reaction_leaves_an_earlier_cause() {
    let mut world = World::new();
    let history = std::sync::Arc::new(world.record());
    let id = world.create_with((A(1), support::numbers::B(0))).id();
    let mark = history.mark(&mut world);
    let rewinding = history.clone();
    let back = move |world: &mut World, id: Id| {
        rewinding.rewind(world, mark);
        world.entity_mut(id).replace_b(5);
    };
    let changed = World::all_of::<A>().updated();
    let mut systems = Systems::new()
        .for_each_changed(&mut world, changed, back)
        .named("Back");
    systems.measure(true);
    world.entity_mut(id).replace_a(2);
    systems.execute(&mut world);
    let expected = texts(["0v1 replaced B, was B(0), by `Back`", "0v1 added A"]);
    assert_eq!(last(&history, &world, id), expected);
}
