//! Worlds: `#[derive(Contexts)]`, and systems for any world.

use ecs::prelude::*;

use super::world::{Game, Health, Input, Key, Log, World, world};

/// A system for every world with a game.
fn spawn<W: HasContext<Game>>(world: &mut W) {
    world.context_mut().create_with(Health(1));
}

#[derive(Contexts)]
struct Pair(Game, #[contexts(skip)] u8, Input);

#[derive(Contexts)]
struct Generic<'a, T: Clone>
where
    T: Send,
{
    game: Game,
    #[contexts(skip)]
    rest: &'a [T],
}

/// Two contexts of one type; systems use the first.
#[derive(Contexts)]
struct Twins {
    game: Game,
    #[contexts(skip)]
    replay: Game,
}

#[test]
fn a_system_for_any_world_with_a_game_runs_in_all_of_them() {
    let mut game = Game::new();
    Systems::new().add(spawn::<Game>).execute(&mut game);
    let mut several = world();
    Systems::new().add(spawn).execute(&mut several);
    let mut pair = Pair(Game::new(), 0, Input::new());
    Systems::new().add(spawn).execute(&mut pair);
    let mut generic = Generic {
        game: Game::new(),
        rest: &[1, 2],
    };
    spawn(&mut generic);
    let (game, replay) = (game, Game::new());
    let mut twins = Twins { game, replay };
    spawn(&mut twins);
    assert_eq!((twins.game.len(), twins.replay.len()), (2, 0));
    let lens = [several.game.len(), pair.0.len(), generic.game.len()];
    assert_eq!(lens, [1, 1, 1]);
    assert_eq!((pair.1, generic.rest.len()), (0, 2));
}

#[test]
fn each_context_of_a_world_is_found_by_its_type() {
    let mut pair = Pair(Game::new(), 0, Input::new());
    HasContext::<Input>::context_mut(&mut pair).create_with(Key('x'));
    assert_eq!(HasContext::<Input>::context(&pair).len(), 1);
    assert_eq!(HasContext::<Game>::context(&pair).len(), 0);
}

/// Creates as many keys as there are entities in the game.
fn mirror<W: HasContexts<Game, Input>>(world: &mut W) {
    let (game, input) = world.contexts_mut();
    game.entities()
        .for_each(|_| _ = input.create_with(Key('x')));
}

#[test]
fn two_contexts_are_borrowed_at_once_in_either_order() {
    let mut pair = Pair(Game::new(), 0, Input::new());
    pair.0.create_with(Health(1));
    Systems::new().add(mirror).execute(&mut pair);
    let (input, game): (&mut Input, &mut Game) = pair.contexts_mut();
    assert_eq!((input.len(), game.len()), (1, 1));
    let mut several = world();
    several.game.create_with(Health(1));
    mirror(&mut several);
    assert_eq!(several.input.len(), 1);
}

#[test]
fn a_world_may_borrow() {
    let rest = vec![1, 2];
    let mut world = Generic {
        game: Game::new(),
        rest: &rest,
    };
    let healthy = Game::all_of::<Health>().entered();
    let mut systems = Systems::new()
        .add(|world: &mut Generic<'_, i32>| spawn(world))
        .for_each_changed(&mut world, healthy, |world: &mut Generic<'_, i32>, id| {
            world
                .game
                .entity_mut(id)
                .replace_health(world.rest.len() as u32);
        });
    systems.execute(&mut world);
    systems.execute(&mut world);
    assert_eq!(
        world.game.query::<&Health>().iter().next(),
        Some(&Health(2))
    );
}

#[test]
fn systems_receive_the_world_with_all_its_fields() {
    let mut world = world();
    let mut systems = Systems::new().add(|world: &mut super::world::World| {
        world.time += 0.5;
        world.game.create_entity();
        world.input.create_entity();
    });
    systems.execute(&mut world);
    let lens = (world.game.len(), world.input.len());
    assert_eq!((lens, world.time), ((1, 1), 0.5));
}

/// Rules that know the game alone: a logged system, and one that reacts.
fn rules(log: &Log, game: &mut Game) -> Systems<Game> {
    let entered = Game::all_of::<Health>().entered();
    Systems::with_name("Rules")
        .add(log.system("walk"))
        .for_each_changed(game, entered, log.ids("weakens"))
        .named("weaken")
}

#[test]
fn a_list_of_one_context_runs_in_all_phases_of_a_list_of_the_world() {
    let (log, mut world) = (Log::default(), world());
    let resuming = log.clone();
    let rules = rules(&log, &mut world.game).on(Phase::Resume, move |_| {
        resuming.push("the last one resumes")
    });
    let mut systems = Systems::<World>::new()
        .add_on_context(rules)
        .add_on_context(spawn::<Game>);
    systems.initialize(&mut world);
    systems.resume(&mut world);
    systems.execute(&mut world);
    systems.execute(&mut world);
    systems.cleanup(&mut world);
    systems.tear_down(&mut world);
    log.notified(&[
        "walk initializes",
        "the last one resumes",
        "walk executes",
        "walk executes",
        "weakens 0v1",
        "walk cleans up",
        "walk tears down",
    ]);
}

#[test]
fn systems_of_one_context_are_named_enabled_and_removed_in_a_list_of_the_world() {
    let (log, mut world) = (Log::default(), world());
    let rules = rules(&log, &mut world.game);
    let mut systems = Systems::<World>::new()
        .add_on_context(rules)
        .discard_while_disabled();
    assert_eq!(systems.names(), ["Rules", "walk", "weaken"]);
    assert!(systems.report().to_string().contains("weaken"));
    systems.set_enabled("Rules", false);
    world.game.create_with(Health(1));
    systems.execute(&mut world);
    systems.set_enabled("Rules", true);
    systems.set_enabled("walk", false);
    systems.execute(&mut world);
    log.notified(&[]); // discarded
    world.game.create_with(Health(1));
    systems.execute(&mut world);
    log.notified(&["weakens 1v1"]);
    assert_eq!(systems.reactions().unwrap().total, 1);
    systems.remove(&mut world, "weaken");
    world.game.create_with(Health(1));
    systems.execute(&mut world);
    log.notified(&[]);
    assert_eq!(systems.names(), ["Rules", "walk"]);
}

#[test]
fn a_system_of_one_context_that_fails_is_named_with_its_lists() {
    let mut world = world();
    let failing = |_: &mut Game| Err::<(), _>("no walls");
    let rules = Systems::with_name("Rules").add(failing).named("build");
    let mut systems = Systems::<World>::with_name("Program").add_on_context(rules);
    let error = systems.try_execute(&mut world).unwrap_err();
    assert!(error.to_string().contains("build"), "{error}");
    assert!(error.to_string().contains("Rules"), "{error}");
}

#[test]
fn a_list_runs_until_its_systems_of_one_context_are_quiet() {
    let mut world = world();
    let entered = Game::all_of::<Health>().entered_or_updated();
    let rules = Systems::new().for_each_changed(&mut world.game, entered, |game, id| {
        let health = game.entity(id).health().0;
        match health.checked_sub(1) {
            Some(less) => _ = game.entity_mut(id).replace_health(less),
            None => game.destroy(id),
        }
    });
    let mut systems = Systems::<World>::new().add_on_context(rules);
    world.game.create_with(Health(7));
    assert!(systems.execute_until_quiet(&mut world, 100));
    assert!(world.game.is_empty());
}
