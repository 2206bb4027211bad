//! Older versions that cannot be read, or that a component cannot be made from.

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

#[ecs::context]
struct Game;

struct NotRead(u8);

#[derive(Deserialize)]
struct NotConverted(u8);

#[derive(Component, Serialize, Deserialize)]
#[component(context = Game, version = 3, from(1 = NotRead, 2 = NotConverted))]
struct Position(u8);

impl From<NotRead> for Position {
    fn from(old: NotRead) -> Self {
        Self(old.0)
    }
}

fn main() {}
