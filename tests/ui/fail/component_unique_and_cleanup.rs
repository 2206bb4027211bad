//! `unique` and `cleanup` with wrong values, twice, or in the wrong place.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component)]
#[component(unique(3))]
struct UniqueWithList(u8);

#[derive(Component)]
#[component(unique = true)]
struct UniqueWithValue(u8);

#[derive(Component)]
#[component(unique, unique)]
struct UniqueTwice(u8);

#[derive(Component)]
struct UniqueOnField(#[component(unique)] u8);

#[derive(Component)]
#[component(cleanup)]
struct CleanupAlone(u8);

#[derive(Component)]
#[component(cleanup())]
struct CleanupOfNothing(u8);

#[derive(Component)]
#[component(cleanup = remove)]
struct CleanupWithValue(u8);

#[derive(Component)]
#[component(cleanup(foo))]
struct CleanupUnknown(u8);

#[derive(Component)]
#[component(cleanup("remove"))]
struct CleanupInQuotes(u8);

#[derive(Component)]
#[component(cleanup(remove, destroy))]
struct CleanupBothWays(u8);

#[derive(Component)]
#[component(cleanup(remove), cleanup(destroy))]
struct CleanupTwice(u8);

#[derive(Component)]
struct CleanupOnField(#[component(cleanup(remove))] u8);

fn main() {
    let mut game = Game::new();
    game.set_unique_twice(1);
    game.create_entity()
        .add_unique_with_list(1)
        .add_unique_on_field(1)
        .add_cleanup_alone(1)
        .add_cleanup_twice(1);
}
