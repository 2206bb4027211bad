//! Unknown words in `#[component(..)]`, and words in the wrong place.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component)]
#[component(colour = "red", 3, context = Game)]
struct Unknown(u8);

#[derive(Component)]
struct OnField {
    #[component(pooled)]
    of_the_type: u8,
    #[component(colour)]
    unknown: u8,
}

#[derive(Component)]
#[component(into)]
struct OfAField(u8);

#[derive(Component)]
#[component(uniqe, require(OfAField = OfAField(1)), singleton, indx)]
struct Misspelt {
    #[component(indexed, primary, pool)]
    field: u8,
}

#[derive(Contexts)]
#[contexts(krate = "ecs")]
struct World {
    #[contexts(skipped)]
    time: u8,
    game: Game,
}

fn main() {
    Game::new()
        .create_entity()
        .add_unknown(1)
        .add_on_field(1, 2)
        .add_of_a_field(1);
}
