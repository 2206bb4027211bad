//! `flag_prefix` and `no_accessors` where they have no effect, or would collide.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component)]
#[component(flag_prefix = "can")]
struct Health(u8);

#[derive(Component)]
#[component(flag_prefix = "has")]
struct Fly;

#[derive(Component)]
#[component(flag_prefix = "no word")]
struct Swim;

#[derive(Component)]
#[component(flag_prefix)]
struct Walk;

#[derive(Component)]
#[component(no_accessors, flag_prefix = "can")]
struct Jump;

#[derive(Component)]
#[component(no_accessors, by_value, extension)]
struct Whole(u8);

#[derive(Component)]
#[component(no_accessors, event(any(set)))]
struct Announced(u8);

#[derive(Component)]
#[component(no_accessors)]
struct Name(#[component(index)] String);

#[derive(Component)]
#[component(no_accessors = true)]
struct Plain(u8);

#[derive(Component)]
#[component(hidden = true)]
struct Hidden(u8);

fn main() {}
