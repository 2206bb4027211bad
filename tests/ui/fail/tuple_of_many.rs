//! Tuples with more than twelve elements, and a tuple in place of one component.

use ecs::prelude::*;

#[ecs::context]
struct Game;

macro_rules! components {
    ($($name:ident)*) => { $(
        #[derive(Component, Clone, Copy)]
        #[component(context = Game)]
        struct $name;
    )* };
}

components!(A B D E F G H I J K L M N);

fn main() {
    let mut game = Game::new();
    game.create_with((A, B, D, E, F, G, H, I, J, K, L, M, N));
    let _ = Game::all_of::<(A, B, D, E, F, G, H, I, J, K, L, M, N)>();
    let _ = game.query::<(&A, &B, &D, &E, &F, &G, &H, &I, &J, &K, &L, &M, &N)>();
    game.create_entity().add((A, B));
}
