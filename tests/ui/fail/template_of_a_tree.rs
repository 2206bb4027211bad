//! Children of templates by what is no relation, and entities found by what is no key.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component, Clone)]
struct Health(u32);

fn main() {
    let tank = Template::<Game>::new().with_child(|_| Health(1), Template::new());
    tank.with_at('a', Health(2));
}
