//! `pooled` with a wrong limit.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component, Default)]
#[component(pooled(64))]
struct NumberAlone(u8);

#[derive(Component, Default)]
#[component(pooled(keep))]
struct WithoutNumber(u8);

#[derive(Component, Default)]
#[component(pooled(keep = 0))]
struct None(u8);

#[derive(Component, Default)]
#[component(pooled(keep = many))]
struct NoNumber(u8);

#[derive(Component, Default)]
#[component(pooled(most = 3))]
struct OtherWord(u8);

fn main() {}
