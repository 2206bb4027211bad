//! Children of templates by a component that is no relation, and lookups by one that is no key.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component, Clone)]
struct Health(u32);

fn main() {
    let tank = Template::<Game>::new().with_child(|_| Health(1), Template::new());
    tank.with_at('a', Health(2));
}
