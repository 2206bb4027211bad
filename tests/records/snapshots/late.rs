//! A component that is numbered after a context, or a snapshot, has been made.

use core::fmt;

use ecs::__private::{FieldIndex, IndexCell, Indexed, entities_with, field_index, index_of};
use ecs::prelude::*;
use ecs::{ComponentIndex, ComponentNames};
use support::game::{Game, Health};

/// Written by hand, so that no link-time registration tells of it.
#[derive(Clone)]
struct Late(u8);

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

    fn cell() -> &'static IndexCell<Game, Self> {
        static CELL: IndexCell<Game, Late> = IndexCell::new();
        &CELL
    }
}

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

#[test]
fn snapshots_of_before_and_after_a_late_component_are_restored_with_it_and_without() {
    let (mut game, mut older) = (Game::new(), Game::new());
    let id = game.create_with(Health(1)).id();
    let before = game.snapshot();
    game.entity_mut(id).add(Late(3));
    let after = game.snapshot();
    game.restore(&before);
    assert!(game.entity(id).get::<Late>().is_none());
    game.entity_mut(id).add(Late(4));
    assert_eq!(game.entity(id).get::<Late>().map(|late| late.0), Some(4));
    game.storage().check_invariants();
    older.restore(&after);
    assert_eq!(older.entity(id).get::<Late>().map(|late| late.0), Some(3));
    assert_eq!(
        entities_with::<Game, Late, _, 0>(&older, &3).ids(),
        [id],
        "an index that the context did not have"
    );
    older.storage().check_invariants();
}
