//! A crate that knows this library by another name.

mod reexported {
    pub use ::ecs as renamed;
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

#[derive(Bundle)]
#[bundle(crate = "reexported::renamed")]
struct Guest {
    seat: Seat,
    names: Option<Names>,
}

fn main() {
    let mut world = World { game: Game::new() };
    HasContext::<Game>::context_mut(&mut world).create_entity();
    assert_eq!(world.game.len(), 1);

    let mut game = Game::new();
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
