//! `index` on fields of every kind, and its generated accessors.

use std::collections::BTreeSet;

use ecs::prelude::*;

use crate::home::{Game, GameEntity, GameEntityMut, Input, InputEntity, InputEntityMut};

use support::panic_of;

/// Several indexed fields, one of them named like a keyword.
#[derive(Component, Debug)]
#[component(context(Game, Input))]
struct Item {
    #[component(index)]
    r#type: &'static str,
    #[component(index)]
    owner: Option<u32>,
    weight: u32,
}

#[derive(Component)]
#[component(context = Game)]
struct Pair(#[component(index)] u8, #[component(index)] u8);

/// Fields with a shared and a primary index.
#[derive(Component, Clone)]
#[component(context = Game)]
struct Seat {
    #[component(primary_index)]
    number: u8,
    #[component(index)]
    hall: u8,
    #[component(index)]
    row: u8,
}

#[derive(Component)]
#[component(context = Game)]
struct Tag(u8);

#[derive(Component)]
#[component(context = Game, by_value)]
struct Whole {
    #[component(index)]
    id: u8,
}

#[derive(Component, Default)]
#[component(context = Game, pooled)]
struct Labels(#[component(index(each))] Vec<String>);

#[derive(Component)]
#[component(context = Game)]
struct Parents(#[component(index(each))] BTreeSet<EntityId<Game>>);

#[derive(Component)]
#[component(context = Game)]
struct Leader(#[component(index(each))] Option<EntityId<Game>>);

#[derive(Component)]
#[component(context(Game, Input), extension)]
struct Foreign(#[component(index)] u8);

#[derive(Component, Clone)]
#[component(context(Game, Input), extension, name = "far")]
struct Distant(#[component(primary_index)] u8);

mod inner {
    use super::{Component, Game, GameEntity, GameEntityMut};

    #[derive(Component)]
    #[component(context = Game)]
    pub(super) struct Ledger {
        #[component(index)]
        pub(super) shown: u8,
        #[component(index)]
        hidden: u8,
    }

    impl Ledger {
        pub(super) fn new(shown: u8, hidden: u8) -> Self {
            Self { shown, hidden }
        }
    }

    pub(super) fn hidden(game: &Game, key: u8) -> usize {
        game.entities_with_ledger_hidden(&key).len()
    }
}

#[test]
fn several_indexed_fields_are_distinguished_by_name() {
    let mut game = Game::new();
    let ids = [("axe", Some(1)), ("bow", Some(1)), ("axe", None)]
        .map(|(kind, owner)| game.create_entity().add_item(kind, owner, 3).id());
    assert_eq!(game.entities_with_item_type("axe").ids(), [ids[0], ids[2]]);
    assert_eq!(
        game.entities_with_item_owner(&Some(1)).ids(),
        [ids[0], ids[1]]
    );
    assert_eq!(game.entities_with_item_owner(&None).ids(), [ids[2]]);
    let weight: u32 = game
        .entities_with_item_type("axe")
        .map(|e| e.item().weight)
        .sum();
    assert_eq!(weight, 6);

    let pair = game.create_entity().add_pair(1, 2).id();
    assert_eq!(game.entities_with_pair_value0(&1).ids(), [pair]);
    assert_eq!(game.entities_with_pair_value1(&1).len(), 0);
}

#[test]
fn a_second_indexed_field_takes_no_lookup_its_name() {
    let mut game = Game::new();
    let id = game.create_entity().add_item("axe", Some(1), 2).id();
    assert_eq!(game.entities_with_item("axe").ids(), [id]);
    assert_eq!(game.entities_with_item_type("axe").ids(), [id]);
    let id = game.create_entity().add_seat(7, 8, 9).id();
    assert_eq!(game.entity_with_seat(&7).map(|seat| seat.id()), Some(id));
    assert_eq!(game.entities_with_seat(&8).ids(), [id]);
    assert_eq!(game.entities_with_seat_row(&9).ids(), [id]);
}

#[test]
fn each_context_of_a_component_has_an_index_of_its_own() {
    let (mut game, mut input) = (Game::new(), Input::new());
    game.create_entity().add_item("axe", None, 1);
    let id = input.create_entity().add_item("bow", None, 1).id();
    assert_eq!(game.entities_with_item_type("bow").len(), 0);
    assert_eq!(input.entities_with_item_type("bow").ids(), [id]);
}

#[test]
fn components_by_value_and_pooled_ones_are_indexed_too() {
    let mut game = Game::new();
    let id = game.create_entity().add_whole(Whole { id: 3 }).id();
    assert_eq!(game.entities_with_whole(&3).ids(), [id]);

    let fill = |labels: &mut Labels| labels.0 = vec!["a".into(), "b".into()];
    game.entity_mut(id)
        .add_labels_with(fill)
        .replace_labels_with(fill);
    assert_eq!(game.entities_with_labels("b").ids(), [id]);
    game.entity_mut(id)
        .update_labels(|labels| labels.0.truncate(1));
    assert_eq!(game.entities_with_labels("b").len(), 0);
    game.entity_mut(id).remove_all();
    assert_eq!(game.entities_with_labels("a").len(), 0);
    assert_eq!(game.storage().pooled::<Labels>(), 2);
}

#[test]
fn each_element_of_a_set_or_an_option_is_a_key() {
    let mut game = Game::new();
    let root = game.create_entity().id();
    let leaf = game
        .create_entity()
        .add_parents(BTreeSet::from([root]))
        .id();
    let both = BTreeSet::from([root, leaf]);
    let third = game
        .create_entity()
        .add_parents(both)
        .add_leader(Some(root))
        .id();
    game.entity_mut(leaf).add_leader(None);
    assert_eq!(game.entities_with_parents(&root).ids(), [leaf, third]);
    assert_eq!(game.entities_with_parents(&leaf).ids(), [third]);
    assert_eq!(game.entities_with_leader(&root).ids(), [third]);
}

#[test]
fn lookups_of_an_extension_are_in_a_trait() {
    let (mut game, mut input) = (Game::new(), Input::new());
    let id = game.create_entity().add_foreign(1).add_far(2).id();
    assert_eq!(game.entities_with_foreign(&1).ids(), [id]);
    assert_eq!(game.entity_with_far(&2).unwrap().id(), id);
    let id = input.create_entity().add_far(2).id();
    assert_eq!(input.entity_with_far(&2).unwrap().id(), id);
}

#[test]
fn a_lookup_is_as_visible_as_its_field() {
    let mut game = Game::new();
    let id = game.create_with(inner::Ledger::new(1, 2)).id();
    assert_eq!(game.entities_with_ledger_shown(&1).ids(), [id]);
    assert_eq!(inner::hidden(&game, 2), 1);
}

#[test]
fn many_entities_are_filed_and_unfiled_at_once() {
    let mut game = Game::new();
    let ids = game.create_many((0..100).map(|n| Whole { id: n % 3 }));
    assert_eq!(game.entities_with_whole(&0).len(), 34);
    game.many(&ids).add_with(|id| Pair(id.index() as u8 % 2, 7));
    assert_eq!(game.entities_with_pair_value0(&1).len(), 50);
    assert_eq!(game.entities_with_pair_value1(&7).ids(), ids);
    game.many(&ids[..99]).remove::<Whole>();
    assert_eq!(game.entities_with_whole(&0).ids(), [ids[99]]);
    assert!(game.many(&ids).try_add_with(|_| Pair(9, 9)).is_err());
    assert_eq!(game.entities_with_pair_value0(&9).len(), 0);
    game.destroy_all();
    assert_eq!(game.entities_with_pair_value1(&7).len(), 0);
}

#[test]
fn the_entities_of_a_key_are_in_order_whatever_happened_before() {
    let mut game = Game::new();
    let ids = game.create_many((0..4).map(|_| Whole { id: 1 }));
    game.entity_mut(ids[1]).replace_whole(Whole { id: 2 });
    assert_eq!(game.entities_with_whole(&1).ids(), [ids[0], ids[2], ids[3]]);
    game.defragment();
    game.entity_mut(ids[1]).replace_whole(Whole { id: 1 });
    assert_eq!(game.entities_with_whole(&1).ids(), ids);
}

#[test]
fn an_indexed_component_is_not_written_to_untracked() {
    let mut game = Game::new();
    let id = game.create_entity().add_whole(Whole { id: 1 }).id();
    let text = panic_of(|| game.entity_mut(id).mut_untracked::<Whole>().id = 2);
    assert!(
        text.contains("`Whole` of context `Game` cannot be written to untracked"),
        "{text}"
    );
    let text = panic_of(|| {
        game.query_mut::<(EntityId<Game>, Option<&mut Whole>)>()
            .untracked()
            .iter()
            .count()
    });
    assert!(
        text.contains("`Whole` of context `Game` cannot be written to untracked"),
        "{text}"
    );
    assert_eq!(game.query::<&Whole>().iter().count(), 1);
}

#[test]
fn components_of_an_index_by_function_cannot_be_written_untracked() {
    let mut game = Game::new();
    let id = game.create_entity().add_tag(1).id();
    game.entity_mut(id).mut_untracked::<Tag>().0 += 1;
    let tagged = Game::any_of::<(Tag, Whole)>();
    let tags = game.entity_index(tagged, |e| e.get_tag().map(|tag| tag.0));
    let rejected = [
        panic_of(|| _ = game.entity_mut(id).mut_untracked::<Tag>()),
        panic_of(|| _ = game.query_mut::<&mut Tag>().untracked()),
        panic_of(|| _ = game.query_mut::<Option<Mut<'_, Tag>>>().untracked()),
    ];
    for text in rejected {
        let said = "`Tag` of context `Game` cannot be written to untracked: an entity index";
        assert!(text.contains(said), "{text}");
    }
    game.query_mut::<&Tag>().untracked().for_each(|_| {});
    tags.deactivate(&mut game);
    game.query_mut::<&mut Tag>().untracked().for_each(|_| {});
}

#[test]
fn reports_of_a_query_are_sent() {
    let mut game = Game::new();
    let ids = game.create_many((0..100).map(|n| Whole { id: n % 3 }));
    let even = game.entity_index(Game::all_of::<Whole>(), |e| e.whole().id % 2 == 0);
    game.entity_mut(ids[7]).add_pair(1, 1);
    game.query_mut::<&mut Whole>()
        .for_each(|whole| whole.id += 1);
    assert_eq!(game.entities_with_whole(&0).len(), 0);
    assert_eq!(game.entities_with_whole(&3).len(), 33);
    assert_eq!(even.get(&game, &true).len(), 33);
    let mut left = 50;
    panic_of(|| {
        game.query_mut::<&mut Whole>().for_each(|whole| {
            whole.id = 9;
            left -= 1;
            assert!(left > 0, "on purpose");
        });
    });
    assert_eq!(game.entities_with_whole(&9).len(), 50);
    assert_eq!(
        even.get(&game, &false).len() + even.get(&game, &true).len(),
        100
    );
    game.many(&ids[..60]).destroy();
    assert_eq!(game.entities_with_whole(&9).len(), 0);
    assert_eq!(
        game.create_columns((vec![Whole { id: 7 }, Whole { id: 7 }],))
            .len(),
        2
    );
    assert_eq!(game.entities_with_whole(&7).len(), 2);
}

/// A key whose values all have the same hash.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Clash(u32);

impl std::hash::Hash for Clash {
    fn hash<H: std::hash::Hasher>(&self, _: &mut H) {}
}

#[derive(Component)]
#[component(context = Game)]
struct Clashing(#[component(index)] Clash);

#[test]
fn keys_with_the_same_hash_are_distinguished() {
    let mut game = Game::new();
    let ids = game.create_many((0..4).map(|key| Clashing(Clash(key % 2))));
    let of = |game: &Game, key| {
        let found = game.entities_with_clashing(&Clash(key));
        found.map(|entity| entity.id()).collect::<Vec<_>>()
    };
    assert_eq!(of(&game, 0), [ids[0], ids[2]]);
    assert_eq!(of(&game, 1), [ids[1], ids[3]]);
    assert!(of(&game, 2).is_empty());
    game.entity_mut(ids[0]).replace_clashing(Clash(1));
    assert_eq!(of(&game, 0), [ids[2]]);
    assert_eq!(of(&game, 1), [ids[0], ids[1], ids[3]]);
}

#[test]
fn keys_of_an_entity_with_the_same_hash_are_distinguished() {
    let mut game = Game::new();
    let index = EntityIndex::with_keys(&mut game, Game::all_of::<Clashing>(), |entity| {
        let Clash(key) = entity.clashing().0;
        [key, key + 1, key].map(Clash)
    });
    let ids = game.create_many([Clashing(Clash(0)), Clashing(Clash(1))]);
    let of = |key| {
        let found = index.get(&game, &Clash(key));
        found.map(|entity| entity.id()).collect::<Vec<_>>()
    };
    assert_eq!(of(0), ids[..1]);
    assert_eq!(of(1), ids);
    assert_eq!(of(2), ids[1..]);
}
