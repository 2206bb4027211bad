//! Attributes with missing, superfluous or wrong values.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component)]
#[component]
struct NoList(u8);

#[derive(Component)]
#[component = "Game"]
struct NameValue(u8);

#[derive(Component)]
#[component(context)]
struct ContextAlone(u8);

#[derive(Component)]
#[component(context())]
struct ContextOfNone(u8);

#[derive(Component)]
#[component(context = "Game")]
struct ContextInQuotes(u8);

#[derive(Component)]
#[component(context = Game<u8>)]
struct ContextWithArguments(u8);

#[derive(Component)]
#[component(context(Game Input))]
struct ContextsWithoutComma(u8);

#[derive(Component)]
#[component(context(3, Game))]
struct ContextByNumber(u8);

#[derive(Component)]
#[component(name)]
struct NameAlone(u8);

#[derive(Component)]
#[component(name = title)]
struct NameWithoutQuotes(u8);

#[derive(Component, Default)]
#[component(pooled = true)]
struct PooledWithValue(u8);

#[derive(Component)]
#[component(by_value(yes))]
struct ByValueWithList(u8);

#[derive(Component)]
#[component(crate = ecs)]
struct CrateWithoutQuotes(u8);

#[derive(Component)]
#[component(crate = "not a path")]
struct CrateOfNonsense(u8);

#[derive(Component, Default)]
#[component(pooled by_value)]
struct WithoutComma(u8);

#[derive(Component)]
struct IntoWithValue(#[component(into = u8)] u8);

fn main() {
    let mut game = Game::new();
    let mut entity = game.create_entity();
    entity
        .add_no_list(1)
        .add_context_of_none(1)
        .add_name_alone(1);
    entity.add_crate_of_nonsense(1).add_into_with_value(1);
}
