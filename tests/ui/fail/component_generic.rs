//! Components with parameters.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component)]
struct Label<'a>(&'a str);

#[derive(Component)]
struct Holder<T: Clone>
where
    T: Copy,
{
    value: T,
}

#[derive(Component)]
struct Cells<const N: usize>([u8; N]);

fn main() {
    let mut game = Game::new();
    let mut entity = game.create_entity();
    entity.add_label("hero").add_holder(3).add_cells([0; 3]);
    entity.remove_label().add(Holder { value: 3 });
}
