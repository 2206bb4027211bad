//! Indexes that are declared twice, in two ways, in the wrong place, or with wrong values.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component)]
#[component(index)]
struct OnTheType(u8);

#[derive(Component)]
enum InsideAnEnum {
    #[allow(dead_code)]
    One(#[component(index)] u8),
}

#[derive(Component, Clone)]
struct BothWays(#[component(index, primary_index)] u8);

#[derive(Component)]
struct Twice(#[component(index, index(each))] Vec<u8>);

#[derive(Component)]
struct WithValue(#[component(index = "by_value")] u8);

#[derive(Component, Clone)]
struct WithOtherWord(#[component(primary_index(all))] u8);

#[derive(Component)]
struct WithNothing(#[component(index())] u8);

#[derive(Component)]
struct WithTooMuch(#[component(index(each, all))] Vec<u8>);

#[derive(Component)]
struct Misspelt(#[component(indexed)] u8);

fn main() {
    let mut game = Game::new();
    game.create_entity().add_on_the_type(1).add_both_ways(1).add_with_value(1);
    assert!(game.entity_with_both_ways(&1).is_some());
}
