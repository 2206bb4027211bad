use ecs::prelude::*;

#[ecs::context]
pub struct Game;

#[derive(Contexts)]
pub enum Either {
    Game(Game),
}

#[derive(Contexts)]
pub union Both {
    number: u8,
}

#[derive(Contexts)]
pub struct Nothing;

#[derive(Contexts)]
pub struct Skipped {
    #[contexts(skip)]
    pub time: f32,
}

fn main() {}
