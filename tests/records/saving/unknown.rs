//! Unknown components that a load keeps and saves write again.

use ecs::Loader;
use support::Random;

use super::*;

/// A tool, which knows two components of the game.
mod tool {
    use ecs::prelude::*;
    use serde::{Deserialize, Serialize};

    /// Has the name of the game, so that it reads its saves.
    #[ecs::context]
    pub(super) struct Game;

    #[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[component(context = Game)]
    pub(super) struct Name(pub(super) String);

    #[derive(Component, Clone, Debug, PartialEq)]
    #[component(context = Game)]
    pub(super) struct Frozen;
}

/// A game of which the tool does not know much.
fn filled(random: &mut Random) -> Game {
    let mut game = Game::new();
    let ids: Vec<Id> = (0..20).map(|_| game.create_entity().id()).collect();
    for (nth, &id) in (0..).zip(&ids) {
        let mut some = |bits: u32| random.below(bits) == 0;
        let mut entity = game.entity_mut(id);
        if some(2) {
            entity.add_position(nth as f32 / 3.0, -1.5e-7);
        }
        if some(3) {
            entity.add(Name(format!("name {nth}")));
        }
        if some(3) {
            entity.set_frozen(true);
        }
        if some(2) {
            entity.add(Tag(format!("tag {}", nth % 3)));
        }
        if some(3) {
            entity.add(Stat {
                value: i64::MIN + nth,
                kind: Mana,
            });
        }
        if nth > 4 && some(2) {
            let parent = ids[(nth % 4) as usize];
            entity.add(ChildOf { parent });
        }
        if some(4) {
            let targets = ids.clone();
            let orders = vec![
                Order::Wait,
                Order::Escort {
                    who: ids[3],
                    until: None,
                },
            ];
            let home = Some(ids[7]);
            entity.add(Mind {
                targets,
                home,
                orders,
                ..Mind::default()
            });
        }
    }
    let parent = ids[1];
    let children = game.entity(parent).children().to_vec();
    if let [.., last] = children[..] {
        game.sources_mut::<ChildOf>(parent).move_to(last, 0);
    }
    game
}

/// What a tool does, done in the game or in the tool.
macro_rules! change {
    ($game:expr, $random:expr) => {
        for _ in 0..6 {
            let ids: Vec<_> = $game.entities().map(|entity| entity.id()).collect();
            let id = ids[$random.below(ids.len() as u32) as usize];
            match $random.below(5) {
                0 => $game.destroy(id),
                1 => _ = $game.create_with(Frozen).id(),
                2 => {
                    _ = $game
                        .entity_mut(id)
                        .insert(Name(format!("new {}", id.index())))
                }
                3 => _ = $game.entity_mut(id).set_frozen(true),
                _ => _ = $game.entity_mut(id).set_frozen(false),
            }
        }
    };
}

/// Loads a save in the tool, makes the changes of a seed, and saves again.
fn through_the_tool<S, L>(file: &[u8], seed: u64, load: L, save: S) -> Vec<u8>
where
    L: FnOnce(&mut Loader<tool::Game>, &[u8]) -> tool::Game,
    S: FnOnce(ecs::Save<'_, tool::Game>) -> Vec<u8>,
{
    use tool::{Frozen, Name};
    let mut loader = Loader::<tool::Game>::new().keep_unknown();
    let mut game = load(&mut loader, file);
    assert!(!loader.skipped().is_empty());
    let random = &mut Random(seed);
    change!(game, random);
    save(game.save())
}

fn through_json(file: &[u8], seed: u64) -> Vec<u8> {
    let load = |loader: &mut Loader<_>, file: &[u8]| {
        loader.load(&mut serde_json::Deserializer::from_slice(file))
    };
    let save = |save: ecs::Save<'_, _>| serde_json::to_vec(&save).unwrap();
    through_the_tool(file, seed, |loader, file| load(loader, file).unwrap(), save)
}

fn through_postcard(file: &[u8], seed: u64) -> Vec<u8> {
    let load = |loader: &mut Loader<_>, file: &[u8]| {
        let game = loader.load(&mut postcard::Deserializer::from_bytes(file));
        game.unwrap_or_else(|_| panic!("{:?}", loader.error()))
    };
    let save = |save: ecs::Save<'_, _>| postcard::to_stdvec(&save).unwrap();
    through_the_tool(file, seed, load, save)
}

#[test]
fn a_tool_without_components_of_a_game_keeps_them() {
    let mut has_dangling = false;
    for seed in 0..60 {
        let random = &mut Random(seed);
        let mut game = filled(random);
        let text = through_json(&serde_json::to_vec(&game.save()).unwrap(), seed);
        let text = through_json(&text, seed + 1);
        let binary = through_postcard(&bytes(&game), seed);
        let binary = through_postcard(&binary, seed + 1);

        for seed in [seed, seed + 1] {
            let random = &mut Random(seed);
            change!(game, random);
        }
        let mut loader = Loader::<Game>::new().remove_dangling();
        let loaded = loader.load(&mut serde_json::Deserializer::from_slice(&text));
        assert_eq!(json(&loaded.unwrap()), json(&game), "seed {seed}");
        has_dangling |= !loader.dangling().is_empty();
        let loaded = loader.load(&mut postcard::Deserializer::from_bytes(&binary));
        let loaded = loaded.unwrap_or_else(|_| panic!("{:?}", loader.error()));
        assert_eq!(json(&loaded), json(&game), "seed {seed}");
    }
    assert!(has_dangling);
}

#[test]
fn relations_to_dead_targets_are_removed_if_that_is_asked_for() {
    /// Has a relation of each policy.
    #[ecs::context]
    struct Town;

    macro_rules! relations {
        ($($name:ident $policy:ident)*) => { $(
            #[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
            #[component(context = Town)]
            struct $name(#[component(relation(on_target_destroyed = $policy))] EntityId<Town>);
        )* };
    }
    relations! { Visits remove  Belongs destroy  Remembers keep  Rents reject }

    let text = r#"{"format":1,"context":"Town","free":["1v2"],"entities":{
        "0v1":{},
        "2v1":{"Visits":"1v1","Rents":"1v1","Remembers":"1v1"},
        "3v1":{"Belongs":"1v1"},
        "4v1":{"Belongs":"3v1","Visits":"3v1"},
        "5v1":{"Visits":"3v1","Rents":"0v1"}
    }}"#;
    let error = Town::load(&mut reader(text)).unwrap_err().to_string();
    assert!(
        error.contains(
            "its target, entity 1v1, is not alive; check `contains` first; if a program that does not have \
             the component has destroyed the target, load the save by `Loader::remove_dangling`"
        ),
        "{error}"
    );
    let mut loader = Loader::<Town>::new().remove_dangling();
    let mut town = Town::new();
    town.create_entity();
    loader.reload(&mut town, &mut reader(text)).unwrap();
    let id = |index: u32| -> EntityId<Town> {
        serde_json::from_str(&format!(r#""{index}v1""#)).unwrap()
    };
    let mut dangling = loader.dangling().to_vec();
    dangling.sort_unstable();
    let removed = [(id(2), "Rents"), (id(2), "Visits"), (id(3), "Belongs")];
    assert_eq!(dangling, removed);
    let ids: Vec<_> = town.entities().map(|it| it.id()).collect();
    assert_eq!(ids, [id(0), id(2), id(5)]);
    let [visitor, tenant] = [id(2), id(5)].map(|id| town.entity(id));
    assert!(!visitor.has_visits() && !visitor.has_rents());
    assert_eq!(visitor.remembers().0, id(1));
    assert_eq!(tenant.rents().0, id(0));
    assert!(!tenant.has_visits());
    town.storage().check_invariants();

    let again = serde_json::to_string(&town.save()).unwrap();
    loader.load(&mut reader(&again)).unwrap();
    assert_eq!(loader.dangling(), []);
}

fn reader(text: &str) -> serde_json::Deserializer<serde_json::de::StrRead<'_>> {
    serde_json::Deserializer::from_str(text)
}

const MANA: &str =
    r#"{"format":1,"context":"Game","entities":{"0v1":{"Mana":[null,1.5,"a"]},"1v1":{}}}"#;

/// A context with an unknown component, and the id of its entity.
fn with_mana() -> (tool::Game, EntityId<tool::Game>) {
    let game = Loader::<tool::Game>::new()
        .keep_unknown()
        .load(&mut reader(MANA))
        .unwrap();
    let mana = game.entities().next().unwrap().id();
    (game, mana)
}

fn has_mana(game: &tool::Game) -> bool {
    let text = serde_json::to_string(&game.save()).unwrap();
    text.contains(r#""0v1":{"Mana":[null,1.5,"a"]}"#)
}

#[test]
fn kept_components_belong_to_their_entities() {
    let (mut game, mana) = with_mana();
    let history = game.record();
    let mark = history.mark(&mut game);
    game.destroy(mana);
    assert!(!has_mana(&game));
    game.create_entity(); // in the same slot
    assert!(!has_mana(&game));
    history.rewind(&mut game, mark);
    assert!(has_mana(&game));
    history.release(&mut game);

    let mut undo = ecs::UndoStack::all();
    undo.step(&mut game, "destroy", |game| game.destroy(mana));
    assert!(!has_mana(&game));
    undo.undo(&mut game);
    assert!(has_mana(&game));
}

#[test]
fn kept_components_are_in_copies_and_snapshots() {
    let (mut game, mana) = with_mana();
    assert!(has_mana(&game.fork()));
    let snapshot = game.snapshot();
    game.destroy(mana);
    let mut other = tool::Game::new();
    for game in [&mut game, &mut other] {
        game.restore(&snapshot);
        assert!(has_mana(game));
        game.reset();
        game.create_entity();
        assert!(!has_mana(game));
        game.restore(&snapshot);
    }
    let before = tool::Game::new().snapshot();
    game.restore(&before);
    assert!(!has_mana(&game));
}

#[test]
fn a_load_replaces_kept_components_unless_it_fails() {
    let (mut game, _) = with_mana();
    let mut loader = Loader::<tool::Game>::new().keep_unknown();
    for bad in [
        MANA.replace("1.5", "?"),
        MANA.replace("Game", "Gane"),
        MANA[..50].to_owned(),
    ] {
        loader.reload(&mut game, &mut reader(&bad)).unwrap_err();
        assert!(has_mana(&game));
    }
    let empty = r#"{"format":1,"context":"Game","entities":{}}"#;
    let history = game.record();
    loader.reload(&mut game, &mut reader(empty)).unwrap_err();
    history.release(&mut game);
    assert!(has_mana(&game));

    game.merge(&mut reader(empty)).unwrap();
    assert!(has_mana(&game));
    loader.reload(&mut game, &mut reader(empty)).unwrap();
    assert!(!has_mana(&game));
    loader.reload(&mut game, &mut reader(MANA)).unwrap();
    assert!(has_mana(&game));
    let mut loader = Loader::new().skip_unknown();
    loader.reload(&mut game, &mut reader(MANA)).unwrap();
    assert!(!has_mana(&game));
}

/// A part that the tool saves, merged into the game.
#[test]
fn a_part_has_the_kept_components_of_its_entities() {
    for seed in 0..60 {
        let game = filled(&mut Random(seed));
        let children = |id: Id| game.entity(id).children().to_vec();
        let ids: Vec<Id> = game.entities().map(|entity| entity.id()).collect();
        let has_no_mind = |id: &Id| !game.entity(*id).has_mind();
        let family = ids[..4].iter().copied().filter(has_no_mind);
        let family = family.flat_map(|id| [vec![id], children(id)].concat());
        let family: Vec<_> = family.filter(has_no_mind).collect();
        let expected = json(&{
            let mut part = Game::new();
            let file = serde_json::to_string(&game.save().only(&family)).unwrap();
            part.merge(&mut reader(&file)).unwrap();
            part
        });
        let raw: Vec<_> = family.iter().map(|id| id.raw()).collect();
        let of_tool = |game: &tool::Game| -> Vec<EntityId<tool::Game>> {
            let ids = game.entities().map(|entity| entity.id());
            ids.filter(|id| raw.contains(&id.raw())).collect()
        };

        let text = json(&game);
        let tool = Loader::<tool::Game>::new()
            .keep_unknown()
            .load(&mut reader(&text))
            .unwrap();
        let part = serde_json::to_string(&tool.save().only(of_tool(&tool))).unwrap();
        let mut merged = Game::new();
        merged.merge(&mut reader(&part)).unwrap();
        assert_eq!(json(&merged), expected, "seed {seed}");
    }
}

#[test]
fn unknown_components_that_cannot_be_kept_are_rejected() {
    let json = r#"{"format":1,"context":"Game","entities":{"0v1":{"Mana":1}}}"#;
    let mut loader = Loader::<tool::Game>::new().keep_unknown();
    let from = |text| serde_json::Deserializer::from_str(text);
    let mut game = loader.load(&mut from(json)).unwrap();
    let merged = loader.merge(&mut game, &mut from(json));
    let error = merged.unwrap_err().to_string();
    assert!(
        error.ends_with(
            "or leave these out by `Loader::skip_unknown`: `keep_unknown` does not apply to a merge, which \
             gives entities new ids and cannot find the ids inside of unknown values"
        ),
        "{error}"
    );
    let mut strict = Loader::<tool::Game>::new();
    let error = strict.load(&mut from(json)).unwrap_err().to_string();
    assert!(
        error.contains("these out by `Loader::skip_unknown`"),
        "{error}"
    );
    assert!(!error.contains("keep_unknown"), "{error}");

    let mut full = Game::new();
    full.create_with(Position { x: 1.0, y: 2.0 });
    let file = bytes(&full);
    let binary = &mut postcard::Deserializer::from_bytes(&file);
    let mut of_bytes = loader.load(binary).unwrap();
    let error = serde_json::to_string(&of_bytes.save()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the unknown component `Position` was read from a binary format, and can be written in such a format \
         only; `Loader::skip_unknown` loads a save without it"
    );
    assert!(postcard::to_stdvec(&game.save()).is_err());

    // Their values are not divided.
    let of_value = of_bytes.entities().next().unwrap().id();
    let part = postcard::to_stdvec(&of_bytes.save().only([of_value]));
    assert!(part.is_err());

    // Those of other entities do not matter.
    let id = of_bytes.create_entity().id();
    serde_json::to_string(&of_bytes.save().only([id])).unwrap();
    postcard::to_stdvec(&of_bytes.save().only([id])).unwrap();
    of_bytes.destroy_all();
    game.destroy_all();
    serde_json::to_string(&of_bytes.save()).unwrap();
    postcard::to_stdvec(&game.save()).unwrap();

    let ron = r#"(format:1,context:"Game",entities:{"0v1":{"Mana":(x:1)}})"#;
    let mut from = ron::Deserializer::from_str(ron).unwrap();
    let error = loader.load(&mut from).unwrap_err().to_string();
    assert!(
        error.contains("the unknown component `Mana` of entity 0v1 cannot be kept: RON"),
        "{error}"
    );
}
