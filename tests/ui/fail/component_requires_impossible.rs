//! Components that cannot be required, and values that cannot be created.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[ecs::context]
struct Input;

#[derive(Component, Default)]
struct Health(u32);

#[derive(Component)]
struct Sword(u32);

#[derive(Component, Default)]
#[component(context = Input)]
struct Cursor(u32);

#[derive(Component, Default)]
#[component(unique)]
struct Score(u32);

#[derive(Component, Default, Clone)]
struct Seat(#[component(primary_index)] u32);

#[derive(Component, Clone)]
struct ChildOf(#[component(relation)] EntityId<Game>);

#[derive(Component)]
#[component(requires(Cursor))]
struct OfAnotherContext;

#[derive(Component)]
#[component(context(Game, Input), requires(Health))]
struct OfOneContextAlone;

#[derive(Component)]
#[component(requires(String))]
struct NoComponent;

#[derive(Component)]
#[component(requires(Score))]
struct Unique;

#[derive(Component)]
#[component(requires(Seat = Seat(1)))]
struct Keyed;

#[derive(Component)]
#[component(requires(ChildOf = unreachable!()))]
struct Related;

#[derive(Component)]
#[component(requires(Sword))]
struct WithoutDefault;

#[derive(Component)]
#[component(requires(Health = 3))]
struct OfAnotherType;

fn main() {}
