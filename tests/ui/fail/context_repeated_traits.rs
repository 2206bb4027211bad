//! A derived trait that a context already implements.

#[ecs::context]
#[derive(Debug)]
struct Game;

fn main() {}
