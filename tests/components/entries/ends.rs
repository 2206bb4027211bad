//! What is destroyed with an owner, and with a target.

use std::sync::{Arc, Mutex};

use super::*;

#[test]
fn entries_are_destroyed_with_their_owner_after_it_in_order() {
    let mut game = Game::new();
    let (hero, [ann, bob]) = hero(&mut game);
    game.entity_mut(ann).add_likes(hero, 1);
    let entries = |id: Id| {
        let entity = game.entity(id);
        let meshes = entity.related::<EntryOf<Game, Mesh>>().sources();
        let likes = entity.related::<EntryOf<Game, Likes>>().sources();
        (meshes.to_vec(), likes.to_vec())
    };
    let (meshes, likes) = entries(hero);
    let of_ann = entries(ann).1;
    let seen = Arc::new(Mutex::new(Vec::new()));
    let list = seen.clone();
    game.observers()
        .on_destroyed(move |_, id| list.lock().unwrap().push(id));
    game.destroy(hero);
    let seen = seen.lock().unwrap();
    assert_eq!(seen[0], hero);
    let order = |ids: &[Id]| {
        seen.iter()
            .copied()
            .filter(|id| ids.contains(id))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        (order(&meshes), order(&likes), order(&of_ann)),
        (meshes, likes, of_ann)
    );
    assert_eq!((seen.len(), game.len()), (6, 2));
    assert!(!game.entity(ann).has_likes(hero) && game.contains(bob));
}

#[test]
fn a_link_is_removed_with_its_target_and_the_owner_stays() {
    let mut game = Game::new();
    let (hero, [ann, bob]) = hero(&mut game);
    let left = game.collector(Game::all_of::<Likes>().left());
    game.destroy(ann);
    assert_eq!(left.drain(&mut game).len(), 1);
    assert_eq!(liked(&game, hero), [(bob, 5)]);
    assert_eq!(files(&game, hero), ["body", "hat"]);
    game.many(&[bob, hero]).destroy();
    assert!(game.is_empty());
}

#[test]
fn a_kept_link_remembers_a_dead_target() {
    let mut game = Game::new();
    let [ann, bob, cat] = ["Ann", "Bob", "Cat"].map(|name| named(&mut game, name));
    game.entity_mut(ann).add_mourns(bob).add_mourns(cat);
    game.destroy(bob);
    let entity = game.entity(ann);
    assert!(entity.has_mourns(bob) && entity.mourns(bob).0 == bob && entity.has_mourns(cat));
    game.entity_mut(ann).remove_mourns(bob);
    assert!(game.entity(ann).all_mourns().map(|(_, it)| it.0).eq([cat]));
    assert!(game.entity(cat).mourned_by().map(|(id, _)| id).eq([ann]));
}

#[test]
fn a_rejecting_link_protects_its_target_from_all_but_its_owner() {
    let mut game = Game::new();
    let [ann, bob, king] = ["Ann", "Bob", "king"].map(|name| named(&mut game, name));
    game.entity_mut(ann).add_guards(king).add_guards(ann);
    game.entity_mut(bob).add_guards(king);
    assert!(
        game.entity(king)
            .guarded_by()
            .map(|(id, _)| id)
            .eq([ann, bob])
    );
    let error = game.try_destroy(king).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TargetInUse);
    game.destroy(ann); // it guards itself, but its entries are destroyed with it
    assert!(game.try_destroy(king).is_err());
    game.many(&[king, bob]).destroy();
    assert!(game.is_empty());
}

#[test]
fn an_entry_that_its_observer_moves_to_another_owner_survives() {
    let mut game = Game::new();
    let (hero, [ann, _]) = hero(&mut game);
    let hat = game.entity(hero).all_mesh().next_back().unwrap().0;
    game.observers().on_will_be_destroyed(move |game, id| {
        if id == hat {
            game.entity_mut(hat)
                .replace(EntryOf::<Game, Mesh>::new(ann));
        }
    });
    game.destroy(hero);
    assert_eq!((files(&game, ann), game.len()), (vec!["hat"], 3));
}
