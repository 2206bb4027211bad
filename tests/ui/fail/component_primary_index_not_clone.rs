//! A primary index needs `Clone`, with a single error.

use ecs::prelude::*;

#[ecs::context]
pub struct Game;

#[derive(Component)]
struct Label {
    #[component(primary_index)]
    text: String,
    shown: bool,
}

fn main() {
    let mut game = Game::new();
    game.create_entity()
        .add_label("a".to_owned(), true)
        .update_label(|label| label.shown = false);
    assert!(game.entity_with_label("a").is_some());
}
