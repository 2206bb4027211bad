//! Older versions that cannot be deserialized, or not be converted.

use ecs::prelude::*;

#[ecs::context]
struct Game;

struct NotRead(u8);

#[derive(Component)]
#[component(context = Game, version = 3, from(1 = NotRead, 2 = u16))]
struct Position(u8);

impl From<NotRead> for Position {
    fn from(old: NotRead) -> Self {
        Self(old.0)
    }
}

fn main() {}
