//! A crate that renames this library.

mod reexported {
    pub(crate) use ::ecs as renamed;
}

mod ecs {}

use reexported::renamed::prelude::*;

#[reexported::renamed::context(crate = "crate::reexported::renamed")]
struct Game;

#[derive(Component, Default)]
#[component(crate = "reexported::renamed", pooled)]
struct Health(u8);

#[derive(Component)]
#[component(
    crate = "crate::reexported::renamed",
    extension,
    event(any(set), self(set))
)]
struct Flag;

#[derive(Contexts)]
#[contexts(crate = "reexported::renamed")]
struct World {
    game: Game,
}
#[derive(Component, Clone)]
#[component(crate = "crate::reexported::renamed")]
struct Seat(#[component(primary_index)] u32);

#[derive(Component)]
#[component(crate = "reexported::renamed", extension)]
struct Names(#[component(index(each))] Vec<u32>);

#[derive(QueryData)]
#[query_data(crate = "reexported::renamed")]
struct Both<'a>(&'a mut Health, Option<&'a Flag>);

#[derive(Bundle)]
#[bundle(crate = "reexported::renamed")]
struct Guest {
    seat: Seat,
    names: Option<Names>,
}

#[derive(Component, Clone)]
#[component(crate = "crate::reexported::renamed")]
struct ChildOf {
    #[component(relation(reverse = children, on_target_destroyed = destroy, acyclic, ordered))]
    parent: EntityId<Game>,
}

#[derive(Component, Clone)]
#[component(crate = "reexported::renamed", extension)]
struct Follows {
    #[component(index)]
    since: u32,
    #[component(relation)]
    leader: EntityId<Game>,
}

#[derive(Component, PartialEq)]
#[component(crate = "reexported::renamed", unique, state)]
enum Mode {
    Menu,
    Playing,
}

#[derive(Component)]
#[component(crate = "reexported::renamed", unique, extension)]
struct Score(u32);

#[derive(Component)]
#[component(
    crate = "crate::reexported::renamed",
    instances(Stat<Health> as health_stat, Stat<Seat> as seat_stat)
)]
struct Stat<T: Send + Sync + 'static> {
    value: u32,
    of: Option<fn() -> T>,
}

#[derive(Component)]
#[component(crate = "reexported::renamed", requires(Health, Flag = Flag))]
struct Whole;

#[derive(Component)]
#[component(
    crate = "reexported::renamed",
    cleanup(remove),
    version = 2,
    alias = "Blow"
)]
struct Hit(u32);

#[derive(Component)]
#[component(crate = "reexported::renamed", cleanup(destroy), transient)]
struct Dead;

fn others() {
    let mut game = Game::new();
    let parent = game.create_with(Whole).id();
    let child = game.create_with(ChildOf { parent }).id();
    game.entity_mut(child).add_follows(1, parent).add_hit(1);
    assert_eq!(game.entity(parent).children(), [child]);
    assert_eq!(game.entities_with_follows(&1).ids(), [child]);
    assert_eq!(game.entity(child).follows().leader, parent);
    game.set_mode(Mode::Menu);
    game.set_mode(Mode::Playing);
    game.set_score(3);
    let owner = game.mode_entity().expect("it is set").id();
    let mut entity = game.entity_mut(owner);
    entity.add_health_stat(1, None).add_seat_stat(2, None);
    assert!(entity.health_stat().of.is_none() && entity.seat_stat().value == 2);
    game.entity_mut(parent).add_dead();
    CleanupSystems::new(&mut game).run(&mut game);
    assert!(!game.contains(parent) && !game.contains(child));
    assert!(game.mode() == &Mode::Playing && game.score().0 == 3);
}

fn main() {
    others();
    let mut world = World { game: Game::new() };
    HasContext::<Game>::context_mut(&mut world).create_entity();
    assert_eq!(world.game.len(), 1);

    let mut game = Game::new();
    game.query_mut::<Both<'_>>()
        .for_each(|Both(health, flag)| health.0 += u8::from(flag.is_some()));
    assert!(game.entity_with_seat(&1).is_none());
    assert_eq!(game.entities_with_names(&1).len(), 0);
    let by_seat = game.entity_index(Game::all_of::<Seat>(), |e| e.seat().0);
    assert!(by_seat.is_empty(&game));
    game.on_any_flag_set(|_| ());
    game.events().warn_of_undelivered(false);
    let guest = Guest {
        seat: Seat(2),
        names: None,
    };
    assert_eq!(game.create_with(guest).seat().0, 2);
    let mut entity = game.create_entity();
    entity.on_flag_set(|_| ());
    assert!(entity.add_health(1).set_flag(true).is_flag());
}
