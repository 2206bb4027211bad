//! Items that `#[derive(QueryData)]` does not support.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component)]
#[component(context = Game)]
struct Position(f32);

#[derive(QueryData)]
enum Either<'a> {
    Here(&'a Position),
    There,
}

#[derive(QueryData)]
union Bits {
    whole: u32,
    half: u16,
}

#[derive(QueryData)]
struct Nothing;

#[derive(QueryData)]
#[query_data(context = Game)]
struct Here<'a> {
    position: &'a Position,
}

#[derive(QueryData)]
struct Two<'a, 'b> {
    position: &'a Position,
    id: EntityId<Game>,
    other: Option<&'b Position>,
}

#[derive(QueryData)]
struct Forever {
    position: &'static mut Position,
}

fn main() {
    let mut game = Game::new();
    game.query_mut::<Either>().for_each(|_: Either<'_>| {});
    game.query::<Nothing>().for_each(|_| {});
    game.query::<Here>().for_each(|here| assert!(here.position.0 > 0.0));
    game.query_mut::<Two>().for_each(|_| {});
    game.query_mut::<Forever>().for_each(|_| {});
}
