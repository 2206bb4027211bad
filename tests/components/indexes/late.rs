//! Components without a link-time registration: written by hand, first used after their contexts
//! were created, and not always truthful.

use core::fmt;

use ecs::__private::{
    FieldIndex, IndexCell, Indexed, entities_with, entity_with, field_index, index_of,
};
use ecs::prelude::*;
use ecs::{BundleWriter, ComponentIndex, ComponentNames, Template};

use crate::late::{Game, Other, Under};

use support::panic_of;

/// A component in both contexts with an index of its value.
macro_rules! by_hand {
    ($name:ident, primary $primary:literal, $($context:ident: $indexes:expr),*) => {
        #[derive(Clone)]
        struct $name(u8);

        impl Indexed<0> for $name {
            type Key = u8;
            const PRIMARY: bool = $primary;
            const NAME: &'static str = "value";
            const LOOKUP: &'static str = "lookup";
            const DEBUG: Option<fn(&u8, &mut fmt::Formatter<'_>) -> fmt::Result> = None;

            fn keys(&self, each: &mut dyn FnMut(&u8)) {
                each(&self.0);
            }
        }

        $(
            impl Components<$context> for $name {
                fn visit(each: &mut dyn FnMut(ComponentIndex<$context>)) {
                    each(index_of::<$context, Self>());
                }
            }

            impl Component<$context> for $name {
                const NAMES: &'static ComponentNames = &ComponentNames {
                    context: stringify!($context),
                    component: stringify!($name),
                    accessor: "late",
                };
                const INDEXES: &'static [FieldIndex<Self>] = $indexes;
                const CLONE: Option<fn(&Self) -> Self> = Some(Clone::clone);

                fn cell() -> &'static IndexCell<$context, Self> {
                    static CELL: IndexCell<$context, $name> = IndexCell::new();
                    &CELL
                }
            }

            impl Bundle<$context> for $name {
                fn visit_components(each: &mut dyn FnMut(ComponentIndex<$context>)) {
                    <Self as Components<$context>>::visit(each);
                }

                fn put(self, writer: &mut BundleWriter<'_, $context>) {
                    writer.put(self);
                }
            }
        )*
    };
}

by_hand!(Late, primary false, Game: &[field_index::<Game, Self, 0>()]);
by_hand!(Later, primary true, Game: &[field_index::<Game, Self, 0>()]);
by_hand!(Last, primary false, Game: &[field_index::<Game, Self, 0>()]);
by_hand!(Templated, primary false, Game: &[field_index::<Game, Self, 0>()]);
by_hand!(Recorded, primary false, Game: &[field_index::<Game, Self, 0>()]);

// Swaps the declarations of the two contexts.
by_hand!(
    Liar, primary true,
    Game: &[field_index::<Other, Self, 0>()],
    Other: &[field_index::<Game, Self, 0>()]
);

#[test]
fn a_late_component_is_indexed_from_its_first_value_on() {
    let mut game = Game::new();
    assert_eq!(entities_with::<Game, Late, _, 0>(&game, &1).len(), 0);
    let id = game.create_entity().add(Late(1)).id();
    assert_eq!(entities_with::<Game, Late, _, 0>(&game, &1).ids(), [id]);

    let mut game = Game::new();
    let id = game.create_with(Later(2)).id();
    assert_eq!(
        entity_with::<Game, Later, _, 0>(&game, &2).unwrap().id(),
        id
    );
    let error = game.create_entity().try_add(Later(2)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::DuplicateKey));

    let mut game = Game::new();
    let ids = game.create_many([(), ()]);
    game.many(&ids).add_with(|id| Late(id.index() as u8));
    assert_eq!(entities_with::<Game, Late, _, 0>(&game, &1).ids(), [ids[1]]);
}

#[test]
fn a_late_component_of_a_tree_is_indexed_from_its_first_value_on() {
    let mut game = Game::new();
    let child = Template::new().with(Templated(1));
    let template = Template::new().with_child(Under, child);
    let top = template.create_many(&mut game, 1)[0];
    let children = game.entity(top).those_under();
    assert_eq!(
        entities_with::<Game, Templated, _, 0>(&game, &1).ids(),
        children
    );
}

#[test]
fn a_late_component_is_not_written_untracked() {
    let mut game = Game::new();
    let mut entity = game.create_entity();
    let notified = panic_of(|| _ = entity.mut_untracked::<Last>());
    assert!(
        notified.contains("cannot be written to untracked"),
        "{notified}"
    );
}

#[test]
fn an_index_of_another_context_is_no_index() {
    let (mut game, mut other) = (Game::new(), Other::new());
    game.create_with(Liar(1));
    other.create_with(Liar(1));
    game.create_with(Liar(1));
    assert_eq!(entities_with::<Game, Liar, _, 0>(&game, &1).len(), 0);
    let id = game.create_with(Liar(3)).id();
    let mut liar = game.entity_mut(id);
    liar.update(|liar: &mut Liar| liar.0 = 1);
    liar.remove::<Liar>();
    assert_eq!(game.len() + other.len(), 4);
}

#[test]
fn a_late_index_is_recorded_from_its_first_value_on() {
    let mut game = Game::new();
    let history = game.record();
    let ids = game.create_many([(), (), ()]);
    game.many(&ids).add_with(|_| Recorded(1));
    game.entity_mut(ids[0])
        .remove::<Recorded>()
        .add(Recorded(1));
    let found = |game: &Game| entities_with::<Game, Recorded, _, 0>(game, &1).ids();
    let (mark, before) = (history.mark(&mut game), found(&game));
    assert_eq!(before, ids);
    game.entity_mut(ids[2]).replace(Recorded(2));
    history.rewind(&mut game, mark);
    assert_eq!(found(&game), before);
}
