//! Each kind of system: its name, its default trigger, the state after a panic.

use ecs::prelude::*;

use super::world::{Frozen, Game, GameEntity, Health, Input, Key, Log, World, world};
use support::game::InputEntity;
use support::panic_of;

#[test]
fn every_kind_of_system_has_a_name() {
    let mut game = Game::new();
    let healthy = || Game::all_of::<Health>();
    let systems = Systems::new()
        .for_each_in(&mut game, healthy(), |_, _| ())
        .for_each_changed(&mut game, healthy().entered(), |_, _| ())
        .query_changed::<_, &Health>(&mut game, healthy().entered(), |_| ())
        .on_message(game.inbox(), |_, _: &u8| ())
        .on_removed(&mut game, |_, _: &[(_, Health)]| ())
        .par_for_each::<Game, &Health>(|_| ())
        .add(Deferred::new())
        .add(EventSystems::new());
    let closure = "closure in every_kind_of_system_has_a_name";
    let mut expected = vec![closure.to_owned()];
    expected.extend((2..=6).map(|number| format!("{closure} {number}")));
    expected.extend(["Deferred<Game>", "EventSystems<Game>"].map(str::to_owned));
    assert_eq!(systems.names(), expected);
}

#[test]
fn a_parallel_system_visits_every_item_of_its_query() {
    let mut game = Game::new();
    game.create_many((0..1000).map(Health));
    let mut systems = Systems::new().par_for_each::<Game, &mut Health>(|health| health.0 += 1);
    systems.execute(&mut game);
    let sum: u32 = game.query::<&Health>().iter().map(|health| health.0).sum();
    assert_eq!(sum, 500_500);
}

/// Reacts to entities that become frozen.
struct Note(Log);

impl ReactiveSystem<World> for Note {
    type Context = Game;

    fn trigger(&self) -> Trigger<Game> {
        Game::all_of::<Frozen>().any_change()
    }

    fn react(&mut self, _: &mut World, changed: &[EntityId<Game>]) {
        self.0.push(format!("{changed:?}"));
        assert!(changed.len() < 3, "too many");
    }
}

/// The same, for two contexts.
struct NoteBoth(Log);

impl ReactiveSystem<World> for NoteBoth {
    type Context = (Game, Input);

    fn trigger(&self) -> (Trigger<Game>, Trigger<Input>) {
        let frozen = Game::all_of::<Frozen>().any_change();
        (frozen, Input::all_of::<Key>().any_change())
    }

    fn react(&mut self, _: &mut World, changed: (&[EntityId<Game>], &[EntityId<Input>])) {
        self.0.push(format!("{changed:?}"));
        assert!(changed.0.len() < 3, "too many");
    }
}

/// Reacts to one entity of each context.
struct Chosen;

impl ReactiveSystem<World> for Chosen {
    type Context = (Game, Input);

    fn trigger(&self) -> (Trigger<Game>, Trigger<Input>) {
        let healthy = Game::all_of::<Health>().entered();
        (healthy, Input::all_of::<Key>().entered())
    }

    fn filter(&self, (game, input): (Option<GameEntity<'_>>, Option<InputEntity<'_>>)) -> bool {
        assert_ne!(game.is_some(), input.is_some());
        game.is_some_and(|game| game.health().0 > 1) || input.is_some_and(|it| it.key().0 == 'b')
    }

    fn react(&mut self, world: &mut World, (game, input): (&[EntityId<Game>], &[EntityId<Input>])) {
        game.iter().for_each(|&id| world.game.destroy(id));
        input.iter().for_each(|&id| world.input.destroy(id));
    }
}

#[test]
fn a_reactive_system_of_two_contexts_filters_the_entities_of_both() {
    let mut world = world();
    let mut systems = Systems::new().add_reactive(&mut world, Chosen);
    let game = world.game.create_many([Health(1), Health(2)]);
    let input = world.input.create_many([Key('a'), Key('b')]);
    systems.execute(&mut world);
    assert_eq!(systems.reactions().unwrap().total, 2);
    assert!(world.game.contains(game[0]) && !world.game.contains(game[1]));
    assert!(world.input.contains(input[0]) && !world.input.contains(input[1]));
    world.input.create_with(Key('a'));
    systems.execute(&mut world);
    assert_eq!(systems.reactions().unwrap().calls, 1);
}

#[test]
fn a_reactive_system_gets_destroyed_entities_only_on_request() {
    let (log, mut world) = (Log::default(), world());
    let mut systems = Systems::new()
        .add_reactive(&mut world, Note(log.clone()))
        .add_reactive(&mut world, NoteBoth(log.clone()));
    world.game.create_with(Frozen).destroy();
    world.input.create_with(Key('a')).destroy();
    systems.execute(&mut world);
    log.notified(&[]);
}

#[test]
fn a_system_does_not_get_its_input_again_after_a_panic() {
    let (log, mut world) = (Log::default(), world());
    let [sent, lost] = [(); 2].map(|()| log.clone());
    let lists = [
        Systems::new().add_reactive(&mut world, Note(log.clone())),
        Systems::new().add_reactive(&mut world, NoteBoth(log.clone())),
        Systems::new().on_message(world.game.inbox(), move |_, message: &Vec<u8>| {
            sent.push(format!("{message:?}"));
            assert!(message.len() < 3, "too many");
        }),
        Systems::new().on_removed(&mut world, move |_, values: &[(_, Health)]| {
            lost.push(format!("{}", values.len()));
            assert!(values.len() < 3, "too many");
        }),
    ];
    for mut systems in lists {
        disturb(&mut world.game, 3);
        assert_eq!(panic_of(|| systems.execute(&mut world)), "too many");
        let before = log.take();
        disturb(&mut world.game, 1);
        systems.execute(&mut world);
        let after = log.take();
        assert_eq!((before.len(), after.len()), (1, 1));
        assert_ne!(before, after);

        disturb(&mut world.game, 3);
        assert_eq!(panic_of(|| systems.execute(&mut world)), "too many");
        assert_eq!(log.take().len(), 1);
        systems.release(&mut world);
        systems.execute(&mut world);
        log.notified(&[]);
    }
}

/// Freezes this many entities, removes the health of as many, and sends a message of this length.
fn disturb(game: &mut Game, count: u8) {
    for _ in 0..count {
        game.create_with((Frozen, Health(1))).remove_health();
    }
    game.send(vec![0_u8; count.into()]);
}
