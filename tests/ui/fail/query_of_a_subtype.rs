//! A query for one type is no query for another, even if the one type is a subtype
//! of the other.

#![allow(coherence_leak_check)]

use ecs::prelude::*;

#[ecs::context]
pub struct Game;

struct Call<T>(T);

type Any = Call<for<'a> fn(&'a str)>;
type Eternal = Call<fn(&'static str)>;

macro_rules! component {
    ($name:ty) => {
        impl Components<Game> for $name {
            fn visit(each: &mut dyn FnMut(ecs::ComponentIndex<Game>)) {
                each(ecs::__private::index_of::<Game, Self>());
            }
        }

        impl Component<Game> for $name {
            const NAMES: &'static ecs::ComponentNames =
                &ecs::ComponentNames { context: "Game", component: "Call", accessor: "call" };

            fn cell() -> &'static ecs::__private::IndexCell<Game, Self> {
                static CELL: ecs::__private::IndexCell<Game, $name> =
                    ecs::__private::IndexCell::new();
                &CELL
            }
        }
    };
}

component!(Any);
component!(Eternal);

fn main() {
    let game = Game::new();
    let _: ecs::Query<'_, Game, &Eternal> = game.query::<&Any>();
}
