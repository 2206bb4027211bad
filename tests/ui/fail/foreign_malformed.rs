//! `foreign!` without a context, a type or a name.

#[ecs::context]
struct Game;

ecs::foreign!(std::time::Duration as lifetime);

ecs::foreign!(Game: std::time::Duration);

ecs::foreign!(Game:);

ecs::foreign!(Game: u8 as id);

fn main() {}
