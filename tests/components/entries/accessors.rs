//! The accessors, their events and their errors.

use super::*;

/// For a context in another crate.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = support::game::Game, extension)]
struct Owes {
    #[component(relation(many, reverse = owed_by))]
    whom: support::game::Id,
    coins: u32,
}

/// Two lists of one generic type.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game, instances(Stack<u8> as small_stack, Stack<u64> as large_stack), many)]
struct Stack<T> {
    top: T,
}

#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game, many, by_value, cleanup(destroy), event(any(set)))]
enum Spark {
    Red(u8),
}

#[test]
fn an_entity_has_a_list_of_components_in_the_order_of_adding() {
    let mut game = Game::new();
    let ship = named(&mut game, "ship");
    assert!(!game.entity(ship).has_mesh());
    let mut entity = game.entity_mut(ship);
    let hull = entity.add_mesh("hull");
    let sail = entity.try_add_mesh("sail").unwrap();
    let again = entity.add_mesh("hull");
    assert!(entity.has_mesh());
    assert_eq!(
        entity.all_mesh().map(|(id, _)| id).collect::<Vec<_>>(),
        [hull, sail, again]
    );
    assert_eq!(entity.all_mesh().next_back().unwrap().1.file, "hull");

    game.entity_mut(sail)
        .update(|mesh: &mut Mesh| mesh.file.push('2'));
    game.entity_mut(ship).remove_mesh(hull).remove_name();
    assert_eq!(files(&game, ship), ["sail2", "hull"]);
    game.sources_mut::<EntryOf<Game, Mesh>>(ship)
        .move_to(again, 0);
    assert_eq!(files(&game, ship), ["hull", "sail2"]);
    assert!(!game.contains(hull));
}

#[test]
fn an_entity_is_linked_to_many_targets_with_data_on_each_link() {
    let mut game = Game::new();
    let [ann, bob, cat] = ["Ann", "Bob", "Cat"].map(|name| named(&mut game, name));
    let mut entity = game.entity_mut(ann);
    entity.add_likes(bob, 3).add_likes(cat, 5).add_likes(ann, 1); // also itself
    assert_eq!(entity.likes(bob).amount, 3);
    assert_eq!(
        entity.get_likes(cat),
        Some(&Likes {
            whom: cat,
            amount: 5
        })
    );
    assert!(entity.has_likes(ann));
    assert_eq!(
        entity.update_likes(cat, |it| {
            it.amount += 1;
            it.amount
        }),
        6
    );
    entity.replace_likes(bob, 4).remove_likes(ann);
    assert_eq!(liked(&game, ann), [(bob, 4), (cat, 6)]);
    assert!(!game.entity(ann).has_likes(ann) && !game.entity(bob).has_likes(cat));

    game.entity_mut(bob).replace_likes(cat, 9); // adds it
    let by = game
        .entity(cat)
        .liked_by()
        .map(|(whom, likes)| (whom, likes.amount));
    assert!(by.eq([(ann, 6), (bob, 9)]));
    assert_eq!(game.entity(cat).likes_entry(ann), None);
    let entry = game.entity(bob).likes_entry(cat).unwrap();
    assert_eq!(
        game.entity(entry)
            .get::<EntryOf<Game, Likes>>()
            .unwrap()
            .owner(),
        bob
    );
}

#[test]
fn links_are_found_from_the_shorter_side() {
    let mut game = Game::new();
    let [ann, bob] = ["Ann", "Bob"].map(|name| named(&mut game, name));
    let crowd: Vec<_> = (0..20)
        .map(|nth| named(&mut game, &nth.to_string()))
        .collect();
    for (&id, amount) in crowd.iter().zip(0..) {
        game.entity_mut(id).add_likes(ann, amount);
        game.entity_mut(bob).add_likes(id, amount);
    }
    for (&id, amount) in crowd.iter().zip(0..) {
        assert_eq!(game.entity(id).likes(ann).amount, amount);
        assert_eq!(game.entity(bob).likes(id).amount, amount);
    }
    assert!(!game.entity(bob).has_likes(ann));
}

#[test]
fn an_entry_is_added_and_removed_in_one_change() {
    let mut game = Game::new();
    let (hero, [ann, _]) = hero(&mut game);
    let both = Game::all_of::<(Likes, EntryOf<Game, Likes>)>();
    let entries = game.group(both.clone());
    let half = game.group(Game::all_of::<EntryOf<Game, Likes>>().none_of::<Likes>());
    half.on_entered(&mut game, |_, _| panic!("an entry without its component"));
    let entered = game.collector(both.entered());
    let updated = game.collector(both.updated());
    let left = game.collector(both.left());
    game.entity_mut(ann).add_likes(hero, 7);
    let entry = game.entity(ann).likes_entry(hero).unwrap();
    assert_eq!(
        (entered.drain(&mut game), entries.len(&game)),
        (vec![entry], 3)
    );
    game.entity_mut(ann).update_likes(hero, |it| it.amount = 8);
    game.entity_mut(ann).replace_likes(hero, 9);
    assert_eq!(updated.drain(&mut game), [entry]);
    game.entity_mut(ann).remove_likes(hero);
    assert_eq!(left.drain(&mut game), [entry]);
}

#[test]
fn rejected_changes_say_why_and_change_nothing() {
    let mut game = Game::new();
    let (hero, [ann, bob]) = hero(&mut game);
    let cat = named(&mut game, "Cat");
    let mesh = game.entity(hero).all_mesh().next().unwrap().0;
    let dead = named(&mut game, "dead");
    game.destroy(dead);
    let history = game.record();

    let mut entity = game.entity_mut(hero);
    let error = entity.try_add_likes(ann, 1).map(drop).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::AlreadyHasComponent);
    assert_eq!(
        error.to_string(),
        format!(
            "cannot add component `Likes` to entity {hero} of context `Game`: it has one with entity {ann} \
             already; check `has_likes` first or use `replace_likes`"
        )
    );
    let error = entity.try_remove_likes(cat).map(drop).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DoesNotHaveComponent);
    assert_eq!(
        error.to_string(),
        format!(
            "cannot remove component `Likes` from entity {hero} of context `Game`: it has none with entity \
             {cat}; check `has_likes` first or use `try_remove_likes`"
        )
    );
    let error = entity.try_update_likes(cat, |_| ()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DoesNotHaveComponent);
    let error = entity
        .try_update_likes(ann, |it| it.whom = bob)
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::AlreadyHasComponent);
    let error = entity
        .try_update_likes(ann, |it| it.whom = dead)
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TargetNotAlive);
    let error = entity.try_replace_likes(dead, 1).map(drop).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TargetNotAlive);
    let error = entity.try_remove_mesh(cat).map(drop).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "cannot remove component `Mesh` from entity {hero} of context `Game`: it has none with entity {cat}; \
             check `has_mesh` first or use `try_remove_mesh`"
        )
    );
    assert!(game.entity_mut(ann).try_remove_mesh(mesh).is_err());
    assert_eq!(history.len(&game), 0);

    let moved = |likes: &mut Likes| likes.whom = cat;
    game.entity_mut(hero).update_likes(ann, moved);
    assert_eq!(liked(&game, hero), [(cat, 3), (bob, 5)]);
}

#[test]
#[should_panic = "it has none with entity"]
fn a_missing_link_cannot_be_read() {
    let mut game = Game::new();
    let (hero, _) = hero(&mut game);
    let _ = game.entity(hero).likes(hero);
}

#[test]
fn a_handle_whose_entity_was_destroyed_has_no_entries() {
    let mut game = Game::new();
    let (hero, [ann, _]) = hero(&mut game);
    let meshes = game.group(Game::all_of::<Mesh>());
    meshes.on_entered(&mut game, move |game, _| _ = game.try_destroy(hero));
    let mut entity = game.entity_mut(hero);
    let entry = entity.add_mesh("third");
    assert!(!entity.is_alive() && !entity.has_mesh() && !entity.has_likes(ann));
    let error = entity.try_add_mesh("fourth").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotAlive);
    assert!(entity.try_add_likes(ann, 1).is_err() && entity.try_remove_mesh(entry).is_err());
    assert_eq!(game.len(), 2);
}

#[test]
fn the_same_target_can_be_in_a_list_of_links_twice() {
    let mut game = Game::new();
    let [ann, inn] = ["Ann", "inn"].map(|name| named(&mut game, name));
    let mut entity = game.entity_mut(ann);
    let first = entity.add_visits(inn, 1);
    entity.add_visits(inn, 2);
    let by = game
        .entity(inn)
        .visited_by()
        .map(|(whom, visit)| (whom, visit.day));
    assert!(by.eq([(ann, 1), (ann, 2)]));
    game.entity_mut(ann).remove_visits(first);
    assert_eq!(game.entity(ann).all_visits().count(), 1);
    game.destroy(inn);
    assert_eq!(game.entity(ann).all_visits().count(), 0);
    assert_eq!(game.len(), 1);
}

#[test]
fn an_extension_has_the_accessors_in_its_traits() {
    let mut game = support::game::Game::new();
    let [ann, bob] = [0; 2].map(|_| game.create_entity().id());
    game.entity_mut(ann)
        .add_owes(bob, 3)
        .update_owes(bob, |it| it.coins -= 1);
    assert_eq!(game.entity(ann).owes(bob).coins, 2);
    assert!(game.entity(bob).owed_by().map(|(whom, _)| whom).eq([ann]));
}

#[test]
fn instances_and_enums_are_lists_too() {
    let mut game = Game::new();
    let mut entity = game.create_entity();
    entity.add_small_stack(1);
    entity.add_large_stack(2);
    entity.add_large_stack(3);
    entity.add_spark(Spark::Red(4));
    assert_eq!(entity.all_small_stack().next().unwrap().1.top, 1);
    assert_eq!(entity.all_large_stack().count(), 2);
    assert_eq!(entity.all_spark().next().unwrap().1, &Spark::Red(4));
    let id = entity.id();
    CleanupSystems::new(&mut game).run(&mut game);
    assert!(!game.entity(id).has_spark() && game.entity(id).has_small_stack());
}

#[test]
fn entries_are_created_in_bulk_and_queried() {
    let mut game = Game::new();
    let [ann, bob] = ["Ann", "Bob"].map(|name| named(&mut game, name));
    let files = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
    let mesh = |&file: &&str| Mesh { file: file.into() };
    game.create_many(
        files
            .iter()
            .map(|file| (EntryOf::<_, Mesh>::new(ann), mesh(file))),
    );
    assert!(super::files(&game, ann) == files);
    let burning = Game::all_of::<Mesh>().related::<EntryOf<Game, Mesh>>(Game::all_of::<Name>());
    assert_eq!(game.group(burning).len(&game), 9);
    let query = game.query::<(&EntryOf<Game, Mesh>, &Mesh)>();
    assert!(query.iter().all(|(entry, _)| entry.owner() == ann));
    let first = game.entity(ann).all_mesh().next().unwrap().0;
    game.entity_mut(first)
        .replace(EntryOf::<Game, Mesh>::new(bob)); // moved to another owner
    assert!(super::files(&game, bob) == ["a"] && super::files(&game, ann) == files[1..]);
    let component = game.components().find("EntryOf<Mesh>").unwrap();
    assert!(component.is_relation() && component.is_clone());
}
