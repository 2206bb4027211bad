//! A trait that a context has already.

#[ecs::context]
#[derive(Debug)]
struct Game;

fn main() {}
