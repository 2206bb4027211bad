//! Malformed or contradictory lists of required components.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component, Default)]
struct Health(u32);

#[derive(Component)]
#[component(requires)]
struct Alone(u8);

#[derive(Component)]
#[component(requires())]
struct OfNone(u8);

#[derive(Component)]
#[component(requires = Health)]
struct WithoutParentheses(u8);

#[derive(Component)]
#[component(requires(Health(3)))]
struct ValueInParentheses(u8);

#[derive(Component)]
#[component(requires(Health =))]
struct WithoutValue(u8);

#[derive(Component)]
#[component(requires(Health, Health = Health(3)))]
struct Twice(u8);

#[derive(Component)]
#[component(requires(3))]
struct ByNumber(u8);

#[derive(Component)]
#[component(requires(Itself))]
struct Itself(u8);

#[derive(Component)]
#[component(requires(Health), requires(Itself))]
struct TwoLists(u8);

fn main() {}
