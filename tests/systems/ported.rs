//! Code that caused problems in programs ported from Entitas: it compiles, and works.

use ecs::prelude::*;

mod ui {
    /// A context of another module, whose handles are not imported.
    #[ecs::context]
    pub(super) struct Ui;
}

/// Has unique components and flags.
#[ecs::context]
struct Stage;

#[derive(Contexts)]
struct World {
    stage: Stage,
    ui: ui::Ui,
}

#[derive(Component)]
#[component(context = Stage, unique)]
struct Player;

#[derive(Component, Clone)]
#[component(context = Stage)]
struct Dead;

#[derive(Component)]
#[component(context = Stage, unique)]
struct Random(u64);

#[derive(Component)]
#[component(context = crate::ported::ui::Ui)]
struct Label(#[component(into)] String);

/// A view as in Unity: a component that holds an interface.
trait View: Send + Sync {
    fn is_shown(&mut self) -> bool;
}

#[derive(Component)]
#[component(context = Stage)]
struct Body(Box<dyn View>);

struct Plain(bool);

impl View for Plain {
    fn is_shown(&mut self) -> bool {
        self.0
    }
}

fn world() -> World {
    World {
        stage: Stage::new(),
        ui: ui::Ui::new(),
    }
}

#[test]
fn the_entity_of_a_unique_component_is_written_to() {
    let World { mut stage, .. } = world();
    stage.set_player(true);
    stage.player_entity_mut().unwrap().set_dead(true);
    assert!(stage.player_entity().unwrap().has_dead());
}

#[test]
fn an_update_returns_what_its_closure_returns() {
    let World { mut stage, .. } = world();
    stage.set_random(7);
    let mut next = || {
        stage.update_random(|random| {
            random.0 *= 3;
            random.0
        })
    };
    assert_eq!((next(), next()), (21, 63));
    let id = stage.create_with(Body(Box::new(Plain(true)))).id();
    let is_shown = |body: &mut Body| body.0.is_shown();
    assert!(stage.entity_mut(id).update_body(is_shown));
    assert!(stage.entity_mut(id).body_mut_untracked().0.is_shown());
}

#[test]
fn many_entities_get_a_value() {
    let World { mut stage, .. } = world();
    let ids = stage.create_many([(), (), ()]);
    stage.many(&ids).add(Dead);
    assert_eq!(stage.query::<&Dead>().iter().count(), 3);
}

#[test]
fn a_value_is_set_whether_there_is_one_or_not() {
    let World { mut stage, .. } = world();
    stage.set_random(1);
    stage.set_random(2);
    assert_eq!((stage.random().0, stage.len()), (2, 1));
}

#[test]
fn a_context_of_another_module_finds_its_handles() {
    let World { mut ui, .. } = world();
    let label = ui.create_entity().add_label("Start").id();
    assert_eq!(ui.entity(label).label().0, "Start");
}

#[test]
fn an_entity_is_a_local_variable_or_an_expression() {
    let World { mut stage, .. } = world();
    let mut entity = stage.create_entity();
    entity.add_dead();
    let id = entity.id();
    let again = stage
        .create_entity()
        .with(|entity| _ = entity.add_dead())
        .id();
    assert_eq!(
        stage
            .query::<EntityId<Stage>>()
            .with::<Dead>()
            .iter()
            .collect::<Vec<_>>(),
        [id, again]
    );
}

#[test]
fn loops_write_break_and_change_the_structure() {
    let World { mut stage, .. } = world();
    stage.create_many((0..9).map(Number));
    let mut buffer = CommandBuffer::new();
    let mut numbers = stage.query_mut::<(EntityId<Stage>, &mut Number)>();
    for (id, random) in numbers.iter_mut() {
        if random.0 == 5 {
            break;
        }
        random.0 += 10;
        buffer.add(id, Dead);
    }
    drop(numbers);
    buffer.apply(&mut stage);
    let dead = stage.query::<&Number>().any_of::<(Dead, Player)>();
    assert!(dead.iter().map(|random| random.0).eq(10..15));
}

#[derive(Component)]
#[component(context = Stage)]
struct Number(u32);

#[test]
fn any_change_is_what_entitas_calls_added_or_removed() {
    let mut world = world();
    let trigger = Stage::all_of::<Dead>()
        .and(Stage::none_of::<Player>())
        .any_change();
    let mut systems =
        Systems::new().for_each_changed(&mut world, trigger, |world: &mut World, _| {
            world.ui.create_entity().add_label("changed");
        });
    let id = world.stage.create_with(Dead).id();
    systems.execute(&mut world);
    world.stage.entity_mut(id).remove_dead();
    systems.execute(&mut world);
    assert_eq!(world.ui.len(), 2);
}
