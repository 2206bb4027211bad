//! Attributes about files that cannot be read, or that contradict each other.

use ecs::prelude::*;
use serde::Deserialize;

#[ecs::context]
struct Game;

#[derive(Deserialize)]
struct Old(u8);

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
#[component(context = Game, from(1 = Old))]
struct FromAlone(u8);

#[derive(Component)]
#[component(context = Game, version = 2, from())]
struct FromNothing(u8);

#[derive(Component)]
#[component(context = Game, version = 2, from = Old)]
struct FromWithout(u8);

#[derive(Component)]
#[component(context = Game, version = 2, from(Old))]
struct FromNoVersion(u8);

#[derive(Component)]
#[component(context = Game, version = 3, from(1 = Old, 1 = Old, 3 = Old, 4 = Old))]
struct Versions(u8);

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

impl From<Old> for FromAlone {
    fn from(old: Old) -> Self {
        Self(old.0)
    }
}

impl From<Old> for Versions {
    fn from(old: Old) -> Self {
        Self(old.0)
    }
}

fn main() {}
