//! Malformed or contradictory attributes for saves.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component)]
#[component(context = Game, transient = true)]
struct WithValue(u8);

#[derive(Component)]
#[component(context = Game, transient, version = 2, alias = "Before")]
struct LeftOut(u8);

#[derive(Component)]
#[component(context = Game, version)]
struct NoVersion(u8);

#[derive(Component)]
#[component(context = Game, version = 0)]
struct Zero(u8);

#[derive(Component)]
#[component(context = Game, version = "2")]
struct Text(u8);

#[derive(Component)]
#[component(context = Game, from(1 = u16))]
struct FromAlone(u8);

#[derive(Component)]
#[component(context = Game, version = 2, from())]
struct FromNothing(u8);

#[derive(Component)]
#[component(context = Game, version = 2, from = u16)]
struct FromWithout(u8);

#[derive(Component)]
#[component(context = Game, version = 2, from(u16))]
struct FromNoVersion(u8);

#[derive(Component)]
#[component(context = Game, version = 3, from(1 = u16, 1 = u16, 3 = u16, 4 = u16))]
struct Versions(u8);

#[derive(Component)]
#[component(context = Game, version = 3, from(1 = u16), from(2 = u32))]
struct FromTwice(u8);

#[derive(Component)]
#[component(context = Game, version = 2)]
struct Flag;

#[derive(Component)]
#[component(context = Game, alias = "", alias = "a@1", alias = "Names", alias = "A", alias = "A")]
struct Names(u8);

#[derive(Component)]
#[component(context = Game, alias = "Old", instances(Generic<u8> as of_u8))]
struct Generic<T>(T);

#[derive(Component)]
#[component(context = Game)]
struct OnField(#[component(transient)] u8);

impl From<u16> for FromAlone {
    fn from(old: u16) -> Self {
        Self(old.0)
    }
}

impl From<u16> for Versions {
    fn from(old: u16) -> Self {
        Self(old.0)
    }
}

fn main() {}
