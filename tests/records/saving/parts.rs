//! Saving a part of a context: some entities, without some components; and ids outside of the part.

use ecs::{AbsentId, Loader, Save};

use super::*;

/// A part in each format.
fn files(save: &Save<'_, Game>) -> [Vec<u8>; 2] {
    [
        serde_json::to_vec(save).unwrap(),
        postcard::to_stdvec(save).unwrap(),
    ]
}

fn try_merge(loader: &mut Loader<Game>, game: &mut Game, file: &[u8]) -> Result<Vec<Id>, String> {
    if file.starts_with(b"{") {
        let from = &mut serde_json::Deserializer::from_slice(file);
        return loader.merge(game, from).map_err(|error| error.to_string());
    }
    // `postcard` drops the messages of errors.
    let bytes: &[u8] = postcard::from_bytes(file).unwrap();
    let from = serde::de::value::BytesDeserializer::<serde::de::value::Error>::new(bytes);
    let merged = loader.merge(game, Binary(from));
    merged.map_err(|error| error.to_string())
}

/// Bytes that are not read as text.
struct Binary<'a>(serde::de::value::BytesDeserializer<'a, serde::de::value::Error>);

impl<'de> serde::Deserializer<'de> for Binary<'de> {
    type Error = serde::de::value::Error;

    fn deserialize_any<V: serde::de::Visitor<'de>>(self, v: V) -> Result<V::Value, Self::Error> {
        self.0.deserialize_any(v)
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

fn merge(game: &mut Game, file: &[u8]) -> Vec<Id> {
    try_merge(&mut Loader::new(), game, file).unwrap()
}

/// A ship in a harbor, with a mast and two sails, the second one first.
fn harbor() -> (Game, Id, Id) {
    let mut game = Game::new();
    let gone = game.create_with(Frozen).id();
    let harbor = game.create_with(Name("harbor".into())).id();
    let ship = game.create_with(ChildOf { parent: harbor }).id();
    let mast = game.create_with(ChildOf { parent: ship }).id();
    let sails = game.create_many([Name("a".into()), Name("b".into())]);
    for sail in [sails[1], sails[0]] {
        game.entity_mut(sail).add_child_of(mast);
    }
    game.destroy(gone);
    (game, harbor, ship)
}

fn names(game: &Game, ids: &[Id]) -> Vec<String> {
    let names = ids.iter().filter_map(|&id| game.get_entity(id)?.get_name());
    names.map(|name| name.0.clone()).collect()
}

#[test]
fn a_part_has_the_chosen_entities_and_nothing_else() {
    let from = world();
    let ids: Vec<_> = from.entities().map(|entity| entity.id()).collect();
    for file in files(&from.save().only([ids[1], ids[0], ids[1]])) {
        let mut game = Game::new();
        let new_ids = merge(&mut game, &file);
        assert_eq!((new_ids.len(), game.len()), (2, 2));
        assert_eq!(game.entity(new_ids[0]).name().0, "röot");
    }
}

#[test]
fn entities_can_be_chosen_by_lists_groups_and_queries() {
    let mut game = world();
    let group = game.group(Game::all_of::<Tag>());
    let ids: Vec<_> = group.iter(&game).map(|entity| entity.id()).collect();
    let expected = files(&game.save().only(&ids).without::<Mind>());
    let by_list = game.save().only(ids.clone()).without::<Mind>();
    assert_eq!(files(&by_list), expected);
    let one_by_one = game.save().only([ids[1]]).only([ids[0]]).without::<Mind>();
    assert_eq!(files(&one_by_one), expected);
    let by_query = game.save().only(game.query::<Id>().with::<Tag>().iter());
    assert_eq!(files(&by_query.without::<Mind>()), expected);
}

#[test]
fn descendants_are_saved_in_their_order() {
    let (from, _, ship) = harbor();
    let save = from.save().only([ship]).with_descendants::<ChildOf>();
    for file in files(&save.clone().without::<Frozen>()) {
        let mut game = Game::new();
        game.create_many([(); 3].map(|()| Frozen));
        let here = game.create_with(Name("here".into())).id();
        let there = game.create_with(ChildOf { parent: here }).id();
        let mut loader = Loader::new().map_absent(move |_| Some(here));
        let new_ids = try_merge(&mut loader, &mut game, &file).unwrap();
        assert_eq!(game.entity(here).children(), [there, new_ids[0]]);
        let mast = game.entity(new_ids[0]).children()[0];
        assert_eq!(names(&game, game.entity(mast).children()), ["b", "a"]);
    }
    assert_eq!(
        format!("{save:?}"),
        r#"Save { context: "Game", entities: 4 }"#
    );
}

#[test]
fn a_whole_context_includes_descendants() {
    let game = world();
    assert_eq!(
        files(&game.save().with_descendants::<ChildOf>()),
        files(&game.save())
    );
}

#[test]
fn several_entities_outside_get_their_sources_in_order() {
    let (mut from, harbor, ship) = harbor();
    let boats = from.create_many([Name("x".into()), Name("y".into())]);
    for boat in [boats[1], boats[0]] {
        from.entity_mut(boat).add_child_of(harbor);
    }
    for file in files(&from.save().only(&boats).without::<Frozen>()) {
        let before = from.entity(harbor).children().to_vec();
        let mut loader = Loader::new().map_absent(Some); // the same world
        let new_ids = try_merge(&mut loader, &mut from, &file).unwrap();
        let children = from.entity(harbor).children();
        assert_eq!(children[..before.len()], before);
        assert_eq!(names(&from, &children[before.len()..]), ["y", "x"]);
        assert!(children.contains(&new_ids[0]) && children[0] == ship);
    }
}

mod recorded {
    use super::*;

    /// Has only `Clone` components.
    #[ecs::context]
    struct Fleet;

    #[derive(Component, Clone, Serialize, Deserialize)]
    #[component(context = Fleet)]
    struct ChildOf {
        #[component(relation(reverse = children, ordered))]
        parent: EntityId<Fleet>,
    }

    #[test]
    fn a_history_undoes_the_merge_of_a_part_with_existing_siblings() {
        let mut game = Fleet::new();
        let harbor = game.create_entity().id();
        let boats = game.create_many([(); 3].map(|()| ChildOf { parent: harbor }));
        game.entity_mut(boats[0]).remove_child_of();
        game.entity_mut(boats[0]).add_child_of(harbor); // so that the order differs from that of ids
        let file = serde_json::to_string(&game.save().only(&boats[..2])).unwrap();
        let before = game.entity(harbor).children().to_vec();
        let history = game.record();
        let mark = history.mark(&mut game);
        let from = &mut serde_json::Deserializer::from_str(&file);
        let new_ids = Loader::new().map_absent(Some).merge(&mut game, from);
        let new_ids = new_ids.unwrap();
        let merged = history.mark(&mut game);
        let after = [before.clone(), vec![new_ids[1], new_ids[0]]].concat();
        assert_eq!(game.entity(harbor).children(), after);
        history.rewind(&mut game, mark);
        assert_eq!(game.entity(harbor).children(), before);
        history.forward(&mut game, merged);
        assert_eq!(game.entity(harbor).children(), after);
    }
}

#[test]
fn components_are_excluded_alone_and_as_tuples() {
    let game = world();
    for file in files(&game.save().without::<(Mind, Seat)>().without::<Score>()) {
        let loaded = match file.starts_with(b"{") {
            true => from_json(core::str::from_utf8(&file).unwrap()),
            false => from_bytes(&file),
        };
        let loaded = loaded.unwrap(); // with all entities it counts as a whole game
        assert_eq!(loaded.len(), game.len());
        assert_eq!(loaded.query::<&Mind>().iter().count(), 0);
        assert_eq!(loaded.query::<&Seat>().iter().count(), 0);
        assert_eq!(loaded.query::<&Tag>().iter().count(), 2);
        let ids = |game: &Game| -> Vec<Id> { game.entities().map(|it| it.id()).collect() };
        assert_eq!(ids(&loaded), ids(&game));
    }
}

#[test]
fn an_excluded_relation_has_no_order() {
    let (game, ..) = harbor();
    let text = serde_json::to_string(&game.save().without::<ChildOf>()).unwrap();
    assert!(!text.contains("ChildOf"), "{text}");
}

mod unsavable {
    use super::*;

    #[ecs::context]
    struct Ui;

    #[derive(Component)]
    #[component(context = Ui)]
    struct Callback(fn());

    #[derive(Component, Serialize, Deserialize)]
    #[component(context = Ui)]
    struct Label(String);

    #[test]
    fn excluded_components_need_not_be_serialize() {
        let mut ui = Ui::new();
        ui.create_with((Callback(|| ()), Label("a".into())));
        let other = ui.create_with(Label("b".into())).id();
        assert!(serde_json::to_string(&ui.save()).is_err());
        assert!(serde_json::to_string(&ui.save().without::<Callback>()).is_ok());
        assert!(serde_json::to_string(&ui.save().only([other])).is_ok());
    }
}

/// F43: nothing is lost silently.
#[test]
fn ids_outside_are_listed_wherever_they_stand() {
    let game = world();
    let ids: Vec<_> = game.entities().map(|entity| entity.id()).collect();
    let (root, a, b, c) = (ids[0], ids[2], ids[3], ids[4]);
    let absent = game.save().only([b]).absent();
    let all = |absent: &[AbsentId<Game>]| -> Vec<_> { absent.iter().map(|it| it.id).collect() };
    let mut found = all(&absent);
    found.sort();
    assert_eq!(found, [root, a, c]);
    assert!(absent.iter().all(|it| it.entity == b));
    assert_eq!(
        absent[0].to_string(),
        "component `ChildOf` of entity 3v1 refers to 0v1"
    );
    let without = game.save().only([b, a, c]).without::<(ChildOf, Follows)>();
    assert_eq!(all(&without.absent()), [root]);
    assert_eq!(game.save().absent(), []);
    // A dead entity, which the relation keeps.
    assert_eq!(
        game.save().only([c]).absent()[0].to_string(),
        "component `Follows` of entity 4v1 refers to 1v1"
    );

    // All that is referred to, but for the dead entity.
    let closed = game.save().only([b]).with_referenced();
    assert_eq!(closed.absent().len(), 1);
    let expected = game.save().only([root, a, b, c]);
    assert_eq!(files(&closed), files(&expected));
    let few = game.save().only([b]).without::<(ChildOf, Follows)>();
    assert_eq!(few.clone().with_referenced().absent(), []);

    let text = serde_json::to_string(&game.save().only([c])).unwrap();
    assert!(
        text.starts_with(r#"{"format":1,"context":"Game","absent":["1v1"],"entities":{"4v1":{"#),
        "{text}"
    );
}

/// F43.
#[test]
fn a_part_with_ids_outside_is_merged_only_if_they_are_mapped() {
    let (from, harbor, ship) = harbor();
    for file in files(&from.save().only([ship])) {
        let mut game = Game::new();
        let unmapped = try_merge(&mut Loader::new(), &mut game, &file).unwrap_err();
        assert!(unmapped.starts_with("the part refers to entities that it does not have (1v1): say by `Loader::map_absent`"), "{unmapped}");
        let mut nothing = Loader::new().map_absent(|_| None);
        let nothing = try_merge(&mut nothing, &mut game, &file).unwrap_err();
        assert!(nothing.contains("entity 1v1"), "{nothing}");
        // The next id that the merge creates.
        let mut same = Loader::new().map_absent(Some);
        let same = try_merge(&mut same, &mut game, &file).unwrap_err();
        assert!(same.contains("has not had that entity yet"), "{same}");
        let dead = game.create_entity().id();
        game.destroy(dead);
        let mut to_dead = Loader::new().map_absent(move |_| Some(dead));
        let to_dead = try_merge(&mut to_dead, &mut game, &file).unwrap_err();
        assert!(to_dead.contains("is not alive"), "{to_dead}");
        assert!(game.is_empty());

        let here = game.create_entity().id();
        let mut loader = Loader::new().map_absent(move |id| (id == harbor).then_some(here));
        let ids = try_merge(&mut loader, &mut game, &file).unwrap();
        assert_eq!(game.entity(here).children(), ids);
    }
}

#[test]
fn a_part_comes_back_to_the_world_that_it_was_taken_from() {
    let mut game = world();
    let ids: Vec<_> = game.entities().map(|entity| entity.id()).collect();
    let (root, a, b, c) = (ids[0], ids[2], ids[3], ids[4]);
    for nth in [0, 1] {
        let last = game.query::<Id>().with::<Mind>().iter().next().unwrap();
        let file = &files(&game.save().only([last]).without::<Frozen>())[nth];
        let mind = game.entity(last).mind().clone();
        game.destroy(last);
        let ids = try_merge(&mut Loader::new().map_absent(Some), &mut game, file).unwrap();
        let new = game.entity(ids[0]).mind();
        let orders = [
            mind.orders[0].clone(),
            mind.orders[1].clone(),
            mind.orders[2].clone(),
        ];
        assert_eq!(new.orders[..3], orders);
        assert_eq!(new.targets, [a, c, a]);
        assert_eq!(new.home, Some(root));
        assert_eq!(new.ranks[&1].1[0], ids[0]); // itself
        assert_eq!(game.entity(root).children(), [a, ids[0]]);
    }
    assert!(!game.contains(b));
}

#[test]
fn a_part_is_not_loaded() {
    let (mut game, _, ship) = harbor();
    for file in files(&game.save().only([ship]).without::<ChildOf>()) {
        let error = match file.starts_with(b"{") {
            true => from_json(core::str::from_utf8(&file).unwrap()).unwrap_err(),
            false => from_bytes(&file)
                .map(drop)
                .map_err(|_| "`merge` it into".into())
                .unwrap_err(),
        };
        assert!(error.contains("`merge` it into"), "{error}");
        let from = &mut serde_json::Deserializer::from_slice(&file);
        assert!(game.reload(from).is_err());
        assert_eq!(game.len(), 5);
        assert_eq!(merge(&mut Game::default(), &file).len(), 1);
    }
}

#[test]
fn a_dead_entity_cannot_be_chosen() {
    let (mut game, _, ship) = harbor();
    game.destroy(ship);
    let save = game.save().only([ship]).with_descendants::<ChildOf>();
    let error = serde_json::to_string(&save).unwrap_err().to_string();
    assert!(
        error.contains("entity 2v1, one of those chosen by `only`, is not alive"),
        "{error}"
    );
    assert!(postcard::to_stdvec(&save).is_err());
    assert_eq!(save.absent(), []);
}

#[test]
fn a_list_of_absent_ids_comes_before_the_entities_and_has_none_of_them() {
    let mut game = Game::new();
    let behind = r#"{"format":1,"context":"Game","entities":{"3v1":{"Frozen":{}}},"absent":[]}"#;
    assert!(
        merge_json(&mut game, behind)
            .unwrap_err()
            .contains("`absent` comes after `entities`")
    );
    let both = r#"{"format":1,"context":"Game","absent":["3v1"],"entities":{"3v1":{"Frozen":{}}}}"#;
    let mut loader = Loader::new().map_absent(Some);
    game.create_many([Frozen, Frozen, Frozen, Frozen]);
    let error = try_merge(&mut loader, &mut game, both.as_bytes()).unwrap_err();
    assert!(
        error.contains("entity 3v1 is there, and listed as absent"),
        "{error}"
    );
    // A program that sorts the names of a text.
    let (from, _, ship) = harbor();
    let value = serde_json::to_value(from.save().only([ship]).without::<ChildOf>()).unwrap();
    assert_eq!(game.merge(value).unwrap().len(), 1);
}

/// Ids are recorded only for the context of the part, by the thread that writes it.
#[test]
fn a_part_of_one_context_does_not_affect_another() {
    #[derive(Serialize)]
    struct File<'a> {
        part: Save<'a, Game>,
        other: EntityId<Ui>,
        id: Id,
    }

    #[ecs::context]
    struct Ui;

    let (game, harbor, ship) = harbor();
    let mut ui = Ui::new();
    let file = File {
        part: game.save().only([ship]).without::<ChildOf>(),
        other: ui.create_entity().id(),
        id: harbor,
    };
    let text = serde_json::to_string(&file).unwrap();
    assert!(text.ends_with(r#""other":"0v1","id":"1v1"}"#), "{text}");
}
