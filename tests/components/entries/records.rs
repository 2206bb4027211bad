//! Entries in histories, snapshots, undo stacks, saves, mirrors and copies.

use super::*;

/// A mesh, a link and the number of entities after a change of each kind.
fn change(game: &mut Game, hero: Id, [ann, bob]: [Id; 2]) {
    let body = game.entity(hero).all_mesh().next().unwrap().0;
    let mut entity = game.entity_mut(hero);
    entity.add_mesh("shoes");
    entity.remove_mesh(body).remove_likes(ann);
    entity.update_likes(bob, |it| it.amount = 6);
    entity.add_likes(hero, 1);
}

type State = (Vec<String>, Vec<(Id, u32)>, usize);

fn state(game: &Game, hero: Id) -> State {
    let files = files(game, hero).into_iter().map(str::to_owned);
    (files.collect(), liked(game, hero), game.len())
}

#[test]
fn a_rewind_restores_entries_and_their_order() {
    let mut game = Game::new();
    let (hero, others) = hero(&mut game);
    let history = game.record();
    let (start, before) = (history.mark(&mut game), state(&game, hero));
    change(&mut game, hero, others);
    let (end, after) = (history.mark(&mut game), state(&game, hero));
    game.destroy(hero);
    history.rewind(&mut game, end);
    assert_eq!(state(&game, hero), after);
    history.rewind(&mut game, start);
    assert_eq!(state(&game, hero), before);
    game.storage().check_invariants();
}

#[test]
fn undo_restores_entries_and_their_order() {
    let mut game = Game::new();
    let (hero, others) = hero(&mut game);
    let before = state(&game, hero);
    let mut edits = UndoStack::all();
    edits.step(&mut game, "Change", |game| change(game, hero, others));
    let after = state(&game, hero);
    edits.step(&mut game, "Destroy", |game| game.destroy(hero));
    assert!(edits.undo(&mut game));
    assert_eq!(state(&game, hero), after);
    assert!(edits.undo(&mut game));
    assert_eq!(state(&game, hero), before);
    assert!(edits.redo(&mut game) && edits.redo(&mut game) && !game.contains(hero));
}

#[test]
fn snapshots_and_forks_have_the_entries() {
    let mut game = Game::new();
    let (hero, others) = hero(&mut game);
    let (before, snapshot) = (state(&game, hero), game.snapshot());
    change(&mut game, hero, others);
    let fork = game.fork();
    assert_eq!(state(&fork, hero), state(&game, hero));
    game.restore(&snapshot);
    assert_eq!(state(&game, hero), before);
}

#[test]
fn saves_of_both_kinds_have_the_entries_in_order() {
    let mut game = Game::new();
    let (hero, others) = hero(&mut game);
    change(&mut game, hero, others);
    let text = serde_json::to_string(&game.save()).unwrap();
    assert!(text.contains("EntryOf<Mesh>"), "{text}");
    let bytes = postcard::to_stdvec(&game.save()).unwrap();
    let loaded = Game::load(&mut serde_json::Deserializer::from_str(&text)).unwrap();
    let from_bytes = Game::load(&mut postcard::Deserializer::from_bytes(&bytes)).unwrap();
    for loaded in [loaded, from_bytes] {
        assert_eq!(state(&loaded, hero), state(&game, hero));
        assert_eq!(loaded.checksum(), game.checksum());
    }
}

#[test]
fn a_merge_maps_owners_and_targets() {
    let mut game = Game::new();
    let (hero, _) = hero(&mut game);
    let text = serde_json::to_string(&game.save()).unwrap();
    let mut other = Game::new();
    named(&mut other, "before");
    let ids = other.merge(&mut serde_json::Deserializer::from_str(&text));
    let ids = ids.unwrap();
    let owner = |&&id: &&Id| other.entity(id).has_mesh();
    let copy = *ids.iter().find(owner).unwrap();
    assert_ne!(copy, hero);
    assert_eq!(files(&other, copy), ["body", "hat"]);
    let names = other.entity(copy).all_likes();
    let names = names.map(|(_, it)| (other.entity(it.whom).name().0.as_str(), it.amount));
    assert!(names.eq([("Ann", 3), ("Bob", 5)]));
}

#[test]
fn a_part_of_a_save_has_the_entries_of_its_entities() {
    let mut game = Game::new();
    let (hero, [ann, bob]) = hero(&mut game);
    let hat = game.entity(hero).all_mesh().next_back().unwrap().0;
    game.entity_mut(hat).add_mesh("feather");
    game.entity_mut(ann).add_mesh("of Ann");
    let part = game.save().only([hero]);
    let absent: Vec<_> = part.absent().into_iter().map(|it| it.id).collect();
    assert_eq!(absent, [ann, bob]);
    let text = serde_json::to_string(&part.only([ann, bob])).unwrap();
    let mut other = Game::new();
    let ids = other.merge(&mut serde_json::Deserializer::from_str(&text));
    assert_eq!((ids.unwrap().len(), other.len()), (game.len(), 9));
    let meshes = other.query::<&Mesh>();
    assert_eq!(meshes.iter().count(), 4);
}

#[test]
fn a_mirror_has_the_entries() {
    let mut game = Game::new();
    let (hero, others) = hero(&mut game);
    let feed = game.feed::<(Name, Mesh, EntryOf<Game, Mesh>, Likes, EntryOf<Game, Likes>)>();
    let (mut copy, mut mirror) = (Game::new(), Mirror::new());
    for step in 0..3 {
        match step {
            1 => change(&mut game, hero, others),
            2 => game.destroy(others[1]),
            _ => {}
        }
        let delta = feed.take(&mut game);
        mirror.apply(&mut copy, &delta).unwrap();
        let local = mirror.local(hero).unwrap();
        let there = liked(&game, hero).into_iter();
        let there: Vec<_> = there
            .map(|(id, it)| (mirror.local(id).unwrap(), it))
            .collect();
        assert_eq!(files(&copy, local), files(&game, hero));
        assert_eq!(liked(&copy, local), there);
        assert_eq!(copy.len(), game.len());
    }
}

#[test]
fn a_clone_has_copies_of_the_entries() {
    let mut game = Game::new();
    let (hero, [ann, bob]) = hero(&mut game);
    let hat = game.entity(hero).all_mesh().next_back().unwrap().0;
    game.sources_mut::<EntryOf<Game, Mesh>>(hero)
        .move_to(hat, 0);
    game.entity_mut(hero).add_favorite(hat).add_likes(hero, 7);
    game.entity_mut(hat).add_mesh("feather"); // of the entry
    let created = game.collector(Game::all_of::<Mesh>().entered());
    let copy = game.clone_entity(hero).id();
    assert_eq!(files(&game, copy), ["hat", "body"]);
    assert_eq!(liked(&game, copy), [(ann, 3), (bob, 5), (hero, 7)]);
    let hat_of_copy = game.entity(copy).all_mesh().next().unwrap().0;
    assert_eq!(game.entity(copy).favorite().0, hat_of_copy);
    assert_eq!(files(&game, hat_of_copy), ["feather"]);
    assert_eq!(created.drain(&mut game).len(), 3);
    game.destroy(copy);
    assert_eq!(files(&game, hero), ["hat", "body"]);

    let copy = CloneOptions::all()
        .without::<Mesh>()
        .clone_entity(&mut game, hero)
        .id();
    assert!(!game.entity(copy).has_mesh() && game.entity(copy).has_likes(bob));
    let copy = CloneOptions::only::<Mesh>()
        .clone_entity(&mut game, hero)
        .id();
    assert!(game.entity(copy).has_mesh() && !game.entity(copy).has_likes(bob));
}

#[test]
fn a_template_has_the_entries() {
    let mut game = Game::new();
    let (hero, [ann, bob]) = hero(&mut game);
    let template = CloneOptions::all().template(&game, hero);
    assert_eq!(template.entities(), 5);
    for _ in 0..2 {
        let copy = template.create(&mut game).id();
        assert_eq!(files(&game, copy), ["body", "hat"]);
        assert_eq!(liked(&game, copy), [(ann, 3), (bob, 5)]);
    }
    // Without descendants, ids of the entity itself stay, as by `clone_entity`.
    game.entity_mut(hero).add_likes(hero, 7);
    let copy = CloneOptions::all()
        .template(&game, hero)
        .create(&mut game)
        .id();
    let clone = game.clone_entity(hero).id();
    for copy in [copy, clone] {
        assert_eq!(liked(&game, copy)[2], (hero, 7));
    }
}
