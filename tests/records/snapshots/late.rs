//! A component that is numbered after a context, or a snapshot, has been made.

use ecs::__private::{IndexCell, index_of};
use ecs::prelude::*;
use ecs::{ComponentIndex, ComponentNames};

#[ecs::context]
struct Town;

#[derive(Component, Clone)]
#[component(context = Town)]
struct Health(u32);

/// Written by hand, so that no link-time registration tells of it.
#[derive(Clone)]
struct Late(u8);

impl Components<Town> for Late {
    fn visit(each: &mut dyn FnMut(ComponentIndex)) {
        each(index_of::<Town, Self>());
    }
}

impl Component<Town> for Late {
    const NAMES: &'static ComponentNames = &ComponentNames {
        context: "Town",
        component: "Late",
        accessor: "late",
    };
    const CLONE: Option<fn(&Self) -> Self> = Some(Self::clone);

    fn cell() -> &'static IndexCell<Town, Self> {
        static CELL: IndexCell<Town, Late> = IndexCell::new();
        &CELL
    }
}

#[test]
fn snapshots_of_before_and_after_a_late_component_are_restored_with_it_and_without() {
    let (mut town, mut older) = (Town::new(), Town::new());
    let id = town.create_with(Health(1)).id();
    let before = town.snapshot();
    town.entity_mut(id).add(Late(3));
    let after = town.snapshot();
    town.restore(&before);
    assert!(town.entity(id).get::<Late>().is_none());
    town.entity_mut(id).add(Late(4));
    assert_eq!(town.entity(id).get::<Late>().map(|late| late.0), Some(4));
    town.storage().check_invariants();
    older.restore(&after);
    assert_eq!(older.entity(id).get::<Late>().map(|late| late.0), Some(3));
    older.storage().check_invariants();
}
