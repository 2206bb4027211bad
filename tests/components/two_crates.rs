//! A game of two crates: `world` has the context, `combat` adds components by `extension`, and this
//! crate uses both.

use combat::{
    Burn, Census, Dying, DyingExt as _, DyingMutExt as _, End, Health, HealthExt as _,
    HealthMutExt as _, Judge, Report, Reports, Score, ScoreContextExt as _, Team, TeamExt as _,
    TeamIndexExt as _, TeamMutExt as _,
};
use ecs::prelude::*;
use support::game::{Input, Key};
use world::{Game, Position, Solid};

/// GEN-015.
#[test]
fn entities_have_the_accessors_of_both_crates() {
    let mut game = Game::new();
    let mut entity = game.create_entity();
    entity.add_position(1, 2).add_health(3);
    entity.update_health(|health| health.points += 1);
    entity.replace_position(3, 4).set_dying(true);
    assert!(entity.is_dying() && entity.try_add_health(9).is_err());

    let id = entity.remove_dying().id();
    let entity = game.entity(id);
    let (position, health) = (entity.position(), entity.health());
    assert_eq!((position.x, health.points), (3, 4));
    assert!(!entity.has_dying() && entity.get_health().is_some());
}

#[test]
fn the_context_has_the_accessors_of_a_unique_component_of_another_crate() {
    let mut game = Game::new();
    assert!(game.get_score().is_none());
    game.set_score(1);
    game.update_score(|score| score.0 += 1);
    assert_eq!((game.score().0, game.score_entity().is_some()), (2, true));
    assert!(game.create_entity().try_add(Score(3)).is_err());
    game.remove_score();
    assert!(!game.has_score());
}

#[test]
fn the_context_finds_entities_by_a_field_of_another_crate() {
    let mut game = Game::new();
    let ids = game.create_many([Team(1), Team(2), Team(1)]);
    game.entity_mut(ids[1]).replace_team(1);
    assert_eq!(game.entities_with_team(&1).ids(), ids);
    assert_eq!(game.entity(ids[0]).team().0, 1);
}

#[test]
fn groups_and_queries_go_over_the_components_of_both_crates() {
    let mut game = Game::new();
    let solid = game.group(Game::all_of::<(Solid, Health)>().none_of::<Dying>());
    let hit = game.collector(Game::all_of::<Health>().updated());
    let wall = game.create_with((Solid, Health { points: 9 })).id();
    game.create_with((Position { x: 0, y: 0 }, Health { points: 5 }));
    assert_eq!(solid.ids(&game), [wall]);

    game.entity_mut(wall).replace_health(8);
    assert_eq!(hit.drain(&mut game), [wall]);
    let placed = game.query_mut::<(&Position, &mut Health)>();
    placed.for_each(|(position, health)| health.points = position.x as u32);
    let points: Vec<_> = game.query::<&Health>().iter().map(|h| h.points).collect();
    assert_eq!(points, [8, 0]);
}

/// GEN-035, GEN-036, F44. The components of all crates are numbered by name, so the numbers are the
/// same in every run, and a component that moves to another module keeps its number.
#[test]
fn the_components_of_both_crates_are_numbered_together() {
    let game = Game::new();
    let names: Vec<_> = game.components().iter().map(|c| c.type_name()).collect();
    assert_eq!(
        names,
        [
            "combat::Dying",
            "combat::Health",
            "world::Position",
            "combat::Score",
            "world::Solid",
            "combat::Team",
        ]
    );
    let solid = game.components().index_of::<Solid>();
    assert_eq!(solid.get(), 4);
}

#[test]
fn systems_of_one_crate_work_on_the_context_of_the_other() {
    let mut game = Game::new();
    let mut systems = Systems::new()
        .add(Burn::new(&mut game))
        .add_reactive(&mut game, Judge)
        .add(End::<Dying>::new());
    let on_ground = Position { x: 5, y: 0 };
    let burning = game.create_with((on_ground, Health { points: 2 })).id();
    let above = Position { x: 5, y: 1 };
    let flying = game.create_with((above, Health { points: 2 })).id();

    for left in [1, 0] {
        assert!(game.contains(burning));
        systems.execute(&mut game);
        assert_eq!(game.entity(burning).health().points, left);
        assert_eq!(game.entity(burning).is_dying(), left == 0);
        systems.cleanup(&mut game);
    }
    assert!(!game.contains(burning) && game.contains(flying));
    assert_eq!(game.score().0, 1);
}

/// A system of another crate, for any context.
#[test]
fn a_generic_system_works_on_every_context() {
    fn run<C: Context, T: Component<C> + Bundle<C>>(mut context: C, mark: T) -> (usize, usize) {
        let mut census = Census::default();
        let mut end = End::<T>::default();
        context.create_with(mark);
        context.create_entity();
        census.execute(&mut context);
        end.cleanup(&mut context);
        (census.most, context.len())
    }
    assert_eq!(run(Game::new(), Dying), (2, 1));
    assert_eq!(run(Input::new(), Key('a')), (2, 1));
}

/// A world with contexts of several crates.
#[derive(Contexts)]
struct World {
    reports: Reports,
    input: Input,
    game: Game,
}

#[test]
fn a_plug_in_of_another_crate_acts_on_two_contexts_of_any_world() {
    let mut world = World {
        reports: Reports::new(),
        input: Input::new(),
        game: Game::new(),
    };
    let mut systems = Systems::new().add(combat::reporting(&mut world));
    let ids = world
        .game
        .create_many([1, 2].map(|points| Health { points }));
    world.game.entity_mut(ids[0]).set_dying(true);
    systems.execute(&mut world);
    world.game.entity_mut(ids[1]).set_dying(true);
    assert_eq!(world.reports.len(), 2, "the next one is deferred");
    systems.execute(&mut world);
    let reports: Vec<_> = world.reports.query::<&Report>().iter().collect();
    use Report::{Beaten, Standing};
    assert_eq!(reports, [&Beaten, &Standing(1), &Beaten, &Standing(0)]);
    assert!(world.input.is_empty());
}
