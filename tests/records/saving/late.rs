//! A component with an index that is numbered after a context was created.

use ecs::__private::entities_with;
use ecs::prelude::*;
use serde::{Deserialize, Serialize};

use super::{Game, json};

#[derive(Clone, Serialize, Deserialize)]
struct Late(u8);

indexed_by_hand!(Late of Game, ecs::__private::saving! { version 1u32, aliases[], older[], fields "", former[] });

#[test]
fn values_of_a_late_component_are_merged_and_indexed() {
    let (mut older, mut game) = (Game::new(), Game::new());
    game.create_entity().add(Late(3));
    let text = json(&game);
    let from = &mut serde_json::Deserializer::from_str(&text);
    let ids = older.merge(from).unwrap();
    assert_eq!(
        older.entity(ids[0]).get::<Late>().map(|late| late.0),
        Some(3)
    );
    assert_eq!(entities_with::<Game, Late, _, 0>(&older, &3).ids(), ids);
    older.storage().check_invariants();
}
