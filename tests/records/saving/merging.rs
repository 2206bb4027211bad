//! Merging a save into a context: new ids, mapped correctly in every place.

use std::cell::Cell;
use std::sync::{Arc, Mutex};

use super::formats::Errors;
use super::*;

/// Merges a game into another one, in either format.
fn merge(game: &mut Game, from: &Game, binary: bool) -> Vec<Id> {
    match binary {
        true => Errors::merge(game, &Errors::save(from).unwrap()).unwrap(),
        false => merge_json(game, &json(from)).unwrap(),
    }
}

/// The world without components that cannot exist twice, and without relations to dead entities.
fn mergeable() -> Game {
    let mut game = world();
    game.destroy_score_entity();
    for id in game.query::<Id>().iter().collect::<Vec<_>>() {
        let mut entity = game.entity_mut(id);
        entity.take_seat();
        entity.take_follows();
    }
    game
}

/// F43: ids of a save belong to other entities in the context it is merged into.
#[test]
fn every_id_in_every_component_is_the_right_new_one() {
    for binary in [false, true] {
        let from = mergeable();
        let olds: Vec<_> = from.entities().map(|entity| entity.id()).collect();
        let mut game = Game::new();
        let there = game.create_many((0..7).map(|_| Frozen));
        game.destroy(there[2]);
        game.destroy(there[5]);
        let new_ids = merge(&mut game, &from, binary);
        assert_eq!((new_ids.len(), game.len()), (olds.len(), 5 + olds.len()));
        let map: HashMap<_, _> = olds.iter().copied().zip(new_ids.iter().copied()).collect();
        let of = |id: &Id| map[id];
        let mind = |game: &Game| game.query::<&Mind>().iter().next().unwrap().clone();
        let (old, new) = (mind(&from), mind(&game));
        assert_eq!(new.targets, old.targets.iter().map(of).collect::<Vec<_>>());
        assert_eq!(new.home, old.home.as_ref().map(of));
        let orders = old.orders.iter().map(|order| match order {
            Order::Wait => Order::Wait,
            Order::Attack(id) => Order::Attack(of(id)),
            Order::Escort { who, until } => Order::Escort {
                who: of(who),
                until: until.as_ref().map(of),
            },
        });
        assert_eq!(new.orders, orders.collect::<Vec<_>>());
        let opinions = old.opinions.iter().map(|(id, opinion)| (of(id), *opinion));
        assert_eq!(new.opinions, opinions.collect::<HashMap<_, _>>());
        let (a, [b, c]) = &old.ranks[&1];
        assert_eq!(new.ranks[&1], (of(a), [of(b), of(c)]));
        assert_eq!(new.name, "0v1"); // strings are not mapped
        let children = from.entity(olds[0]).children().iter().map(of);
        assert_eq!(
            game.entity(new_ids[0]).children(),
            children.collect::<Vec<_>>()
        );
    }
}

/// A parent with twelve children in the order of their ids, whose `Mind` contains the third.
fn parent_that_names_a_child() -> (Game, Id) {
    let mut from = Game::new();
    let parent = from.create_entity().id();
    let children = from.create_many((0..12).map(|_| ChildOf { parent }));
    from.entity_mut(parent).add_mind(Mind {
        home: Some(children[2]),
        ..Mind::default()
    });
    (from, parent)
}

/// F43.
#[test]
fn merged_sources_keep_their_order() {
    let (from, _) = parent_that_names_a_child();
    let text = ron::to_string(&from.save()).unwrap();
    let mut game = Game::new();
    let of_ron = game.merge(&mut ron::Deserializer::from_str(&text).unwrap());
    let of_json = merge(&mut game, &from, false);
    let of_bytes = merge(&mut game, &from, true);
    for ids in [of_ron.unwrap(), of_json, of_bytes] {
        assert_eq!(game.entity(ids[0]).children(), &ids[1..]);
    }
}

/// F43.
#[test]
fn a_program_that_sorts_the_texts_of_a_file_leaves_the_order_of_sources() {
    let (from, parent) = parent_that_names_a_child();
    let value: serde_json::Value = serde_json::from_str(&json(&from)).unwrap(); // 10v1 before 2v1
    let loaded = Game::load(value.clone()).unwrap();
    assert_eq!(
        loaded.entity(parent).children(),
        from.entity(parent).children()
    );
    let mut game = Game::new();
    let mut ids = game.merge(value).unwrap();
    ids.sort_by_key(|id| !game.entity(*id).has_mind());
    let children = game.entity(ids[0]).children();
    assert_eq!(game.entity(ids[0]).mind().home, Some(children[2]));
}

#[test]
fn a_game_can_be_merged_into_itself_repeatedly() {
    for binary in [false, true] {
        let mut game = mergeable();
        let len = game.len();
        for times in 2..5 {
            let copy = from_json(&json(&game)).unwrap();
            let ids = merge(&mut game, &copy, binary);
            assert!(ids.iter().all(|&id| game.contains(id)));
            assert_eq!(game.len(), len << (times - 1));
        }
        assert!(
            game.query::<&ChildOf>()
                .iter()
                .all(|child| game.contains(child.parent))
        );
    }
}

#[test]
fn observers_are_notified_when_the_load_is_complete() {
    for binary in [false, true] {
        let mut game = Game::new();
        let notified = Arc::new(Mutex::new(Vec::new()));
        let group = game.group(Game::all_of::<ChildOf>());
        let frozen = game.collector(Game::all_of::<Frozen>().entered());
        group.on_entered(&mut game, {
            let notified = notified.clone();
            move |game, change| {
                assert_eq!(game.len(), mergeable().len());
                let id = change.entity();
                let parent = game.entity(id).child_of().parent;
                assert!(game.entity(parent).children().contains(&id));
                notified.lock().unwrap().push(id);
            }
        });
        let ids = merge(&mut game, &mergeable(), binary);
        let children: Vec<_> = ids
            .iter()
            .copied()
            .filter(|&id| game.entity(id).has_child_of())
            .collect();
        assert_eq!(*notified.lock().unwrap(), children);
        assert_eq!(frozen.drain(&mut game).len(), 1);
    }
}

/// Merges, and checks that it is rejected without a change.
#[track_caller]
fn rejected(game: &mut Game, from: &Game) -> String {
    let before = (json(game), picture(game));
    let in_bytes = Errors::merge(game, &Errors::save(from).unwrap()).unwrap_err();
    assert_eq!((json(game), picture(game)), before);
    let in_text = merge_json(game, &json(from)).unwrap_err();
    assert_eq!((json(game), picture(game)), before);
    let place = in_text.rfind(" at line").unwrap_or(in_text.len());
    assert_eq!(in_bytes, in_text[..place]);
    in_bytes
}

/// F12: a save refers to an entity that it does not contain.
#[test]
fn an_id_of_no_entity_is_rejected_by_name() {
    let mut from = Game::new();
    let gone = from.create_entity().id();
    let mind = Mind {
        orders: vec![Order::Attack(gone)],
        ..Mind::default()
    };
    from.create_with(mind);
    from.destroy(gone);
    let mut game = mergeable();
    let text = rejected(&mut game, &from);
    assert_eq!(
        text,
        "component `Mind` of entity 1v1 cannot be read: id 0v1 is of no entity in the save"
    );
}

#[test]
fn taken_keys_are_rejected() {
    let mut game = world();
    let mut from = Game::new();
    from.create_entity();
    from.create_with(Seat { number: 7 });
    let text = rejected(&mut game, &from);
    assert!(text.contains("key `7`") || text.contains("7"), "{text}");
    assert!(text.ends_with("(it is entity 1v1 of the save)"), "{text}");

    let mut from = Game::new();
    from.set_score(1);
    let text = rejected(&mut game, &from);
    assert!(text.contains("`Score`"), "{text}");
}

thread_local! {
    static IS_BROKEN: Cell<bool> = const { Cell::new(false) };
}

/// Panics while being read, if it is broken.
#[derive(Component, Clone, Debug, PartialEq, Serialize)]
#[component(context = Game)]
struct Fragile(u8);

impl<'de> Deserialize<'de> for Fragile {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        assert!(!IS_BROKEN.get(), "broken");
        u8::deserialize(deserializer).map(Self)
    }
}

/// F43: a component panics while it is merged.
#[test]
fn a_panic_of_a_component_changes_nothing() {
    let mut from = mergeable();
    from.create_with(Fragile(0));
    let mut game = mergeable();
    let before = json(&game);
    let (text, bytes) = (json(&from), Errors::save(&from).unwrap());
    IS_BROKEN.set(true);
    assert_eq!(support::panic_of(|| merge_json(&mut game, &text)), "broken");
    assert_eq!(
        support::panic_of(|| Errors::merge(&mut game, &bytes)),
        "broken"
    );
    assert_eq!(json(&game), before);
    // Outside of a merge, ids are read as they are written.
    let id: Id = serde_json::from_str("\"5v6\"").unwrap();
    assert_eq!(id.to_string(), "5v6");
    game.create_with(Frozen);
}

/// Loads another game while being read.
#[derive(Component, Clone, Debug, PartialEq, Serialize)]
#[component(context = Game, by_value)]
struct Nested {
    text: String,
    owner: Id,
}

impl<'de> Deserialize<'de> for Nested {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (text, owner): (String, Id) = Deserialize::deserialize(deserializer)?;
        let inner = from_json(&text).map_err(serde::de::Error::custom)?;
        let owners: Vec<_> = inner.query::<(Id, &ChildOf)>().iter().collect();
        assert!(owners.iter().all(|(_, child)| inner.contains(child.parent)));
        Ok(Self { text, owner })
    }
}

#[test]
fn a_load_inside_a_merge_reads_plain_ids() {
    let mut inner = Game::new();
    let parent = inner.create_entity().id();
    inner.create_with(ChildOf { parent });
    let mut game = Game::new();
    game.create_many((0..3).map(|_| Frozen));
    let inner = serde_json::to_string(&json(&inner)).unwrap();
    let text = format!(
        r#"{{"format":1,"context":"Game","entities":{{"7v3":{{"Nested":[{inner},"9v9"]}},"9v9":{{}}}}}}"#
    );
    let ids = merge_json(&mut game, &text).unwrap();
    assert_eq!(game.entity(ids[0]).nested().owner, ids[1]);
}

#[test]
fn ids_outside_of_a_merge_are_not_mapped() {
    let mut game = Game::new();
    let id = game.create_many([Frozen, Frozen])[1];
    assert_eq!(serde_json::to_string(&id).unwrap(), "\"1v1\"");
    assert_eq!(serde_json::from_str::<Id>("\"1v1\"").unwrap(), id);
    assert_eq!(postcard::to_stdvec(&id).unwrap(), [1, 1]);
    assert_eq!(postcard::from_bytes::<Id>(&[1, 1]).unwrap(), id);
    assert_eq!(
        serde_json::from_str::<ecs::RawEntityId>("\"1v1\"").unwrap(),
        id.raw()
    );
    for wrong in [
        "1v0",
        "v1",
        "1v",
        "+1v1",
        "1v2147483648",
        "4294967296v1",
        "1v1v1",
        "",
    ] {
        assert!(
            serde_json::from_str::<Id>(&format!("{wrong:?}")).is_err(),
            "{wrong}"
        );
    }
    assert!(postcard::from_bytes::<Id>(&[1, 0]).is_err());
}

#[test]
fn a_file_by_hand_may_have_any_ids() {
    let text = r#"{
        "format": 1,
        "context": "Game",
        "entities": {
            "4000000000v7": { "Position": { "x": 1, "y": 2 }, "ChildOf": { "parent": "3v1" } },
            "3v1": { "Frozen": {} }
        }
    }"#;
    let mut game = Game::new();
    let ids = merge_json(&mut game, text).unwrap();
    assert_eq!(game.entity(ids[1]).children(), [ids[0]]);
    assert!(from_json(text).unwrap_err().contains("or `merge` the save"));
}

mod recorded {
    use super::*;

    /// A small context, whose whole text is compared.
    #[ecs::context]
    struct Tree;

    #[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[component(context = Tree)]
    struct Leaf(u8);

    #[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[component(context = Tree)]
    struct On {
        #[component(relation(reverse = leaves, ordered))]
        branch: EntityId<Tree>,
    }

    fn text(tree: &Tree) -> String {
        serde_json::to_string(&tree.save()).unwrap()
    }

    #[test]
    fn a_merge_is_undone_and_redone() {
        let mut tree = Tree::new();
        let branch = tree.create_entity().id();
        let ids = tree.create_many((0..4).map(|n| (Leaf(n), On { branch })));
        tree.entity_mut(ids[0]).remove_on();
        tree.entity_mut(ids[0]).add_on(branch);
        tree.destroy(ids[2]);
        let (before, save) = (text(&tree), text(&tree));
        let history = tree.record();
        let start = history.mark(&mut tree);
        let merged = tree
            .merge(&mut serde_json::Deserializer::from_str(&save))
            .unwrap();
        assert_eq!(
            tree.entity(merged[0]).leaves(),
            [merged[2], merged[3], merged[1]]
        );
        let (end, after) = (history.mark(&mut tree), text(&tree));
        history.rewind(&mut tree, start);
        assert_eq!(text(&tree), before);
        history.forward(&mut tree, end);
        assert_eq!(text(&tree), after);
        history.rewind(&mut tree, start);
        let again = tree
            .merge(&mut serde_json::Deserializer::from_str(&save))
            .unwrap();
        assert_eq!((again, text(&tree)), (merged, after));
    }

    #[test]
    fn a_load_can_be_recorded() {
        let mut tree = Tree::new();
        tree.create_entity();
        let save = text(&tree);
        let mut loaded: Tree = Tree::load(&mut serde_json::Deserializer::from_str(&save)).unwrap();
        let history = loaded.record();
        let start = history.mark(&mut loaded);
        loaded.create_with(Leaf(1));
        history.rewind(&mut loaded, start);
        assert_eq!(text(&loaded), save);
    }
}

#[test]
fn observers_of_creates_and_destroys_are_notified_of_each_merged_entity() {
    let from = mergeable();
    let mut game = Game::new();
    let notified = Arc::new(Mutex::new(Vec::new()));
    let note = notified.clone();
    game.observers()
        .on_created(move |_, id| note.lock().unwrap().push(id));
    let new_ids = merge(&mut game, &from, true);
    assert_eq!(*notified.lock().unwrap(), new_ids);
}

#[test]
fn observers_of_creates_and_destroys_are_notified_of_each() {
    let mut from = Game::new();
    from.create_many([Frozen, Frozen]);
    for binary in [false, true] {
        let mut game = Game::new();
        let notified = Arc::new(Mutex::new(Vec::new()));
        let note = notified.clone();
        game.observers()
            .on_created(move |_, id| note.lock().unwrap().push(id));
        let ids = merge(&mut game, &from, binary);
        assert_eq!(ids.len(), 2);
        assert_eq!(*notified.lock().unwrap(), ids);
    }
}

/// Contains the components of entities that are created later.
#[derive(Component, Clone, Debug, Serialize, Deserialize)]
#[component(context = Game, by_value)]
struct Nest(Template<Game>);

#[test]
fn ids_in_a_template_inside_of_a_component_are_mapped() {
    let mut game = Game::new();
    let leader = game.create_entity().id();
    let follower = Template::new().with(Follows { leader });
    game.create_with(Nest(follower));
    let origin = from_json(&json(&game)).unwrap();
    let both = [false, true].map(|binary| merge(&mut game, &origin, binary));
    for ids in both {
        let template = &game.entity(ids[1]).nest().0;
        assert_eq!(template.get::<Follows>().unwrap().leader, ids[0]);
    }
}
