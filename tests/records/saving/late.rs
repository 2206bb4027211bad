//! A component with an index that is numbered after a context has been made.

use core::fmt;

use ecs::__private::{FieldIndex, IndexCell, Indexed, entities_with, field_index, index_of};
use ecs::prelude::*;
use ecs::{BundleWriter, ComponentIndex, ComponentNames};
use serde::{Deserialize, Serialize};

use super::{Game, json};

/// Written by hand, so that no link-time registration tells of it.
#[derive(Clone, Serialize, Deserialize)]
struct Late(u8);

impl Indexed<0> for Late {
    type Key = u8;
    const PRIMARY: bool = false;
    const NAME: &'static str = "value";
    const LOOKUP: &'static str = "entities_with_late";
    const DEBUG: Option<fn(&u8, &mut fmt::Formatter<'_>) -> fmt::Result> = None;

    fn keys(&self, each: &mut dyn FnMut(&u8)) {
        each(&self.0);
    }
}

impl Components<Game> for Late {
    fn visit(each: &mut dyn FnMut(ComponentIndex)) {
        each(index_of::<Game, Self>());
    }
}

impl Component<Game> for Late {
    const NAMES: &'static ComponentNames = &ComponentNames {
        context: "Game",
        component: "Late",
        accessor: "late",
    };
    const CLONE: Option<fn(&Self) -> Self> = Some(Self::clone);
    const INDEXES: &'static [FieldIndex<Self>] = &[field_index::<Game, Self, 0>()];

    ecs::__private::saving! { version 1u32, aliases[], older[] }

    fn cell() -> &'static IndexCell<Game, Self> {
        static CELL: IndexCell<Game, Late> = IndexCell::new();
        &CELL
    }
}

impl Bundle<Game> for Late {
    fn visit_components(each: &mut dyn FnMut(ComponentIndex)) {
        <Self as Components<Game>>::visit(each);
    }

    fn put(self, writer: &mut BundleWriter<'_, Game>) {
        writer.put(self);
    }
}

#[test]
fn values_of_a_component_that_comes_late_are_merged_and_indexed() {
    let (mut older, mut game) = (Game::new(), Game::new());
    game.create_with(Late(3));
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
