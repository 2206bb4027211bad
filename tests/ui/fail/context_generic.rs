//! Contexts with parameters.

#[ecs::context]
struct Game<T>;

#[ecs::context]
struct Borrowed<'a>;

fn main() {
    Game::new().create_entity();
    Borrowed::new().create_entity();
}
