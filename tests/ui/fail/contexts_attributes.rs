use ecs::prelude::*;

#[ecs::context]
pub struct Game;

#[derive(Contexts)]
#[contexts(skip, crate = 3, colour)]
#[contexts]
pub struct World {
    pub game: Game,
    #[contexts(skip = true)]
    pub time: f32,
    #[contexts(skip, skip)]
    pub pause: bool,
    #[contexts(crate = "ecs")]
    pub input: Input,
    #[contexts(ignore)]
    pub more: More,
}

#[ecs::context]
pub struct Input;

#[ecs::context]
pub struct More;

fn main() {}
