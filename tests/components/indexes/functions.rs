//! Indexes with key functions: when they are updated, and what their handles can do.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use ecs::prelude::*;

use support::game::{Frozen, Game, GameEntity, GameEntityMut};
use support::panic_of;

#[derive(Component, Clone)]
#[component(context = Game, extension)]
struct Side(u8);

#[derive(Component)]
#[component(context = Game, extension)]
struct Rank(#[component(index)] u8);

/// An index by side, and the number of calls of its key function.
fn by_side(game: &mut Game) -> (EntityIndex<Game, u8>, Arc<AtomicUsize>) {
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = asked.clone();
    let index = game.entity_index(Game::all_of::<Side>(), move |e| {
        counter.fetch_add(1, Relaxed);
        e.side().0
    });
    (index, asked)
}

#[test]
fn a_key_may_be_made_of_several_components_and_of_the_entity_itself() {
    let mut game = Game::new();
    let matcher = Game::any_of::<(Side, Rank)>().none_of::<Frozen>();
    let index = game.entity_index(matcher, |e| {
        (
            e.get_side().map(|team| team.0),
            e.get_rank().map(|rank| rank.0),
        )
    });
    let id = game.create_entity().add_side(1).id();
    assert_eq!(index.single(&game, &(Some(1), None)).unwrap().id(), id);
    game.entity_mut(id).add_rank(2);
    assert!(index.contains(&game, &(Some(1), Some(2))) && index.len(&game) == 1);
    game.entity_mut(id).replace_rank(3);
    assert!(index.contains(&game, &(Some(1), Some(3))) && index.len(&game) == 1);
    game.entity_mut(id).add_frozen();
    assert!(index.is_empty(&game));
}

#[test]
fn a_hundred_indexes_of_one_group_all_follow_it() {
    let mut game = Game::new();
    let make = |game: &mut Game, n: u8| {
        let index = game.entity_index(Game::all_of::<Side>(), move |e| e.side().0 ^ n);
        (n, index)
    };
    let mut all: Vec<_> = (0..100).map(|n| make(&mut game, n)).collect();
    let id = game.create_with(Side(1)).id();
    all.retain(|(n, _)| n % 3 > 0);
    game.storage_mut().shrink_to_fit(); // frees some slots in between
    all.extend((100..110).map(|n| make(&mut game, n)));
    game.entity_mut(id).replace_side(2);
    for (n, index) in &all {
        assert_eq!(index.single(&game, &(2 ^ n)).map(|it| it.id()), Some(id));
        assert_eq!(index.len(&game), 1);
    }
    game.destroy(id);
    assert!(all.iter().all(|(_, index)| index.is_empty(&game)));
}

#[test]
fn an_index_is_updated_by_each_component_of_its_matcher() {
    let mut game = Game::new();
    let matcher = Game::any_of::<(Side, Rank)>();
    let index = game.entity_index(matcher.clone(), |e| {
        (e.get_side().is_some(), e.get_rank().is_some())
    });
    let group = game.group(matcher);
    let notified = Arc::new(AtomicUsize::new(0));
    let (entered, left, updated) = (notified.clone(), notified.clone(), notified.clone());
    let ids = [1, 2].map(|team| game.create_with(Side(team)).id());
    group.on_entered(&mut game, move |_, _| _ = entered.fetch_add(1, Relaxed));
    group.on_left(&mut game, move |_, _| _ = left.fetch_add(1, Relaxed));
    group.on_updated(&mut game, move |_, _| _ = updated.fetch_add(1, Relaxed));

    game.entity_mut(ids[0]).add_rank(1);
    assert_eq!(index.single(&game, &(true, true)).unwrap().id(), ids[0]);
    game.entity_mut(ids[0]).remove_side();
    assert_eq!(index.single(&game, &(false, true)).unwrap().id(), ids[0]);
    game.many(&ids[1..]).add_with(|_| Rank(2));
    assert_eq!(index.single(&game, &(true, true)).unwrap().id(), ids[1]);
    game.many(&ids[1..]).remove::<Side>();
    assert_eq!(index.get(&game, &(false, true)).len(), 2);
    game.entity_mut(ids[0]).add_frozen();
    assert_eq!(index.len(&game), 1);
    assert_eq!(notified.load(Relaxed), 0, "no event of the group");
}

#[test]
fn the_key_function_runs_for_changes_that_concern_it_alone() {
    let mut game = Game::new();
    let (index, asked) = by_side(&mut game);
    let id = game.create_entity().add_rank(1).id();
    game.entity_mut(id).replace_rank(2).add_frozen();
    assert_eq!(asked.load(Relaxed), 0);
    game.entity_mut(id)
        .add_side(1)
        .replace_side(1)
        .update_side(|_| {});
    assert_eq!(asked.load(Relaxed), 3);
    game.entity_mut(id).replace_rank(3).remove_side();
    index.deactivate(&mut game);
    game.entity_mut(id).add_side(1);
    assert_eq!(asked.load(Relaxed), 3);
}

#[test]
fn the_key_function_runs_once_for_each_of_two_that_swap() {
    let mut game = Game::new();
    let (index, asked) = by_side(&mut game);
    let ids = [1, 2].map(|team| game.create_with(Side(team)).id());
    game.entity_mut(ids[0]).swap::<Side>(ids[1]);
    assert_eq!(asked.load(Relaxed), 2 + 2);
    assert_eq!(
        [1, 2].map(|team| index.get(&game, &team).ids()),
        [[ids[1]], [ids[0]]]
    );
    assert_eq!(asked.load(Relaxed), 2 + 2);
}

#[test]
fn the_key_function_runs_once_for_a_bundle_that_concerns_it() {
    let mut game = Game::new();
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = asked.clone();
    let index = game.entity_index(Game::any_of::<(Side, Rank)>(), move |e| {
        counter.fetch_add(1, Relaxed);
        (e.get_side().map(|it| it.0), e.get_rank().map(|it| it.0))
    });
    let id = game.create_with(Side(1)).id();
    let insert = |game: &mut Game, asks, key, bundle: fn(GameEntityMut<'_>)| {
        let before = asked.load(Relaxed);
        bundle(game.entity_mut(id));
        assert_eq!(asked.load(Relaxed) - before, asks);
        assert!(index.contains(game, &key));
    };
    insert(&mut game, 0, (Some(1), None), |mut it| {
        _ = it.add_all(Frozen)
    });
    insert(&mut game, 1, (Some(1), Some(2)), |mut it| {
        _ = it.add_all(Rank(2));
    });
    let both = |mut it: GameEntityMut<'_>| _ = it.insert((Side(3), Rank(4)));
    insert(&mut game, 1, (Some(3), Some(4)), both);
    let sides = game.group(Game::all_of::<Side>());
    sides.on_updated(&mut game, |_, _| {});
    let observed = |mut it: GameEntityMut<'_>| _ = it.insert((Side(5), Rank(6)));
    insert(&mut game, 1, (Some(5), Some(6)), observed);
}

#[test]
fn key_functions_run_in_the_order_in_which_their_indexes_were_made() {
    let mut game = Game::new();
    let (first, second) = (Game::all_of::<Side>(), Game::none_of::<Frozen>());
    game.group(second.clone());
    game.group(first.clone());
    let asked = Arc::new(Mutex::new(Vec::new()));
    let _indexes = [(1, first), (2, second)].map(|(number, matcher)| {
        let asked = asked.clone();
        game.entity_index(matcher, move |_| asked.lock().unwrap().push(number))
    });
    game.create_with(Side(1));
    assert_eq!(*asked.lock().unwrap(), [1, 2]);
}

#[test]
fn an_index_may_look_into_another_one() {
    let mut game = Game::new();
    let ranks = Game::all_of::<Side>();
    let index = game.entity_index(ranks, |e| e.context().entities_with_rank(&e.side().0).len());
    game.create_with(Rank(1));
    game.create_with(Rank(1));
    game.create_with(Side(1));
    assert_eq!(index.get(&game, &2).len(), 1);
}

#[test]
fn an_index_that_looks_into_itself_is_stopped() {
    let mut game = Game::new();
    let index = Arc::new(std::sync::OnceLock::<EntityIndex<Game, usize>>::new());
    let inner = index.clone();
    let made = game.entity_index(Game::all_of::<Side>(), move |e| {
        inner
            .get()
            .map_or(0, |index| index.get(e.context(), &0).len())
    });
    index.set(made.clone()).unwrap();
    let text = panic_of(|| game.create_with(Side(1)).id());
    assert!(
        text.starts_with("the key function of an entity index uses that index"),
        "{text}"
    );
    assert_eq!(game.len(), 1);
    assert_eq!(panic_of(|| made.get(&game, &0).len()), text);
    let id = game.entities().next().unwrap().id();
    game.destroy(id);
    assert_eq!(made.get(&game, &0).len(), 0);
    assert!(made.is_empty(&game));
}

#[test]
fn an_index_that_looks_into_itself_is_stopped_at_the_first_call() {
    let mut game = Game::new();
    let index = Arc::new(std::sync::OnceLock::<EntityIndex<Game, usize>>::new());
    let (inner, calls) = (index.clone(), Arc::new(AtomicUsize::new(0)));
    let called = calls.clone();
    let made = game.entity_index(Game::all_of::<Side>(), move |e| {
        called.fetch_add(1, Relaxed);
        inner.get().unwrap().get(e.context(), &0).len()
    });
    index.set(made).unwrap();
    panic_of(|| game.create_with(Side(1)).id());
    assert_eq!(calls.load(Relaxed), 1);
}

#[test]
fn an_index_that_looks_into_itself_is_stopped_after_a_panic_of_its_key_function_too() {
    let mut game = Game::new();
    let index = Arc::new(std::sync::OnceLock::<EntityIndex<Game, usize>>::new());
    let (inner, fails) = (index.clone(), AtomicUsize::new(1));
    let made = game.entity_index(Game::all_of::<Side>(), move |e| {
        let index = inner.get().unwrap();
        assert!(fails.swap(0, Relaxed) == 0, "on purpose");
        index.get(e.context(), &0).len()
    });
    index.set(made.clone()).unwrap();
    assert_eq!(panic_of(|| game.create_with(Side(1)).id()), "on purpose");
    let text = panic_of(|| made.get(&game, &0).len());
    assert!(
        text.starts_with("the key function of an entity index uses that index"),
        "{text}"
    );
    assert_eq!(panic_of(|| made.get(&game, &0).len()), text);
}

/// The younger index reuses the slot of a dropped one, before the older one.
#[test]
fn an_index_that_looks_into_an_older_one_finds_it_up_to_date() {
    let mut game = Game::new();
    let ended = game.entity_index(Game::all_of::<Side>(), |_| ());
    let (older, asked) = by_side(&mut game);
    drop(ended);
    let younger = game.entity_index(Game::all_of::<Side>(), move |e| {
        older.get(e.context(), &e.side().0).len()
    });
    game.create_many((0..10).map(Side));
    let before = asked.load(Relaxed);
    game.query_mut::<&mut Side>().for_each(|side| side.0 += 1);
    assert_eq!(younger.get(&game, &1).len(), 10);
    assert_eq!(asked.load(Relaxed) - before, 10);
}

/// A key function that once looked into its own index is called again, so later lookups find all
/// entities.
#[test]
fn lookups_after_a_cycle_find_all_entities() {
    let mut game = Game::new();
    let index = Arc::new(std::sync::OnceLock::<EntityIndex<Game, u8>>::new());
    let (inner, looks) = (index.clone(), Arc::new(AtomicUsize::new(0)));
    let is_asked = looks.clone();
    let made = game.entity_index(Game::all_of::<Side>(), move |e| {
        let index = inner.get().filter(|_| is_asked.load(Relaxed) > 0);
        _ = index.map(|index| index.get(e.context(), &0).len());
        e.side().0
    });
    index.set(made.clone()).unwrap();
    looks.store(1, Relaxed);
    panic_of(|| game.create_with(Side(7)).id());
    looks.store(0, Relaxed);
    assert_eq!(made.get(&game, &7).len(), 1);
}

#[test]
fn equal_handles_are_of_the_same_index_and_every_call_makes_a_new_one() {
    let mut game = Game::new();
    let of_fields = Group::all(&game).len();
    let make = |game: &mut Game| game.entity_index(Game::all_of::<Side>(), |e| e.side().0);
    let (a, b) = (make(&mut game), make(&mut game));
    let copy = a.clone();
    assert!(a == copy && a != b);
    assert_eq!(Group::all(&game).len() - of_fields, 1, "one group for both");
    game.create_with(Side(1));
    a.deactivate(&mut game);
    assert_eq!((a.get(&game, &1).len(), b.get(&game, &1).len()), (0, 1));
    assert!(b.matcher(&game) == a.matcher(&game));
}

#[test]
fn a_handle_of_another_context_is_rejected() {
    let (mut game, mut other) = (Game::new(), Game::new());
    let index = game.entity_index(Game::all_of::<Side>(), |e| e.side().0);
    let text = panic_of(|| index.get(&other, &1).len());
    assert!(
        text.starts_with("this entity index belongs to another `Game`"),
        "{text}"
    );
    panic_of(|| index.activate(&mut other));
    panic_of(|| index.len(&other));
    game = Game::new();
    panic_of(|| index.contains(&game, &1));
    let _other = game.entity_index(Game::all_of::<Side>(), |e| u64::from(e.side().0));
    panic_of(|| index.contains(&game, &1));
}

#[test]
fn entities_are_found_by_the_borrowed_form_of_a_key() {
    let mut game = Game::new();
    let index = game.entity_index(Game::all_of::<Side>(), |e| format!("team {}", e.side().0));
    let id = game.create_with(Side(3)).id();
    assert_eq!(index.get(&game, "team 3").ids(), [id]);
    assert!(index.keys(&game).eq(["team 3"]));
}

#[test]
fn an_iterator_knows_its_length_and_can_be_copied() {
    let mut game = Game::new();
    let index = game.entity_index(Game::all_of::<Side>(), |e| e.side().0);
    let ids = game.create_many((0..5).map(|_| Side(1)));
    let mut found = index.get(&game, &1);
    assert_eq!(found.len(), 5);
    found.next();
    let again = found.clone();
    assert_eq!((found.len(), again.ids()), (4, ids[1..].to_vec()));
}

#[test]
fn an_index_and_its_contents_may_cross_threads() {
    fn shared<T: Send + Sync>(_: &T) {}
    let mut game = Game::new();
    let index = game.entity_index(Game::all_of::<Side>(), |e| e.side().0);
    shared(&index);
    game.create_many((0..5).map(Side));
    let (game, index) = (&game, &index);
    std::thread::scope(|scope| {
        for team in 0..5 {
            scope.spawn(move || assert_eq!(index.get(game, &team).len(), 1));
        }
    });
}

/// Keys must depend on components alone: the check reports a key function that reads anything else.
#[test]
fn a_check_finds_entities_that_are_not_under_just_their_keys() {
    let mut game = Game::new();
    let keys = Arc::new(Mutex::new(vec![1, 2]));
    let present = keys.clone();
    let index = EntityIndex::with_keys(&mut game, Game::all_of::<Side>(), move |_| {
        present.lock().unwrap().clone()
    });
    game.create_with(Side(1));
    for same in [vec![1, 2], vec![2, 1, 2]] {
        *keys.lock().unwrap() = same;
        game.storage().check_invariants();
    }
    for others in [vec![], vec![1], vec![3, 1, 2], vec![3, 4]] {
        *keys.lock().unwrap() = others;
        let text = panic_of(|| game.storage().check_invariants());
        assert_eq!(text, "index: 0v1 has other keys");
    }
    drop(index);
    game.storage().check_invariants();
}

/// Cells of entities, and their side if they have one.
fn sides_of(game: &mut Game, matcher: ecs::Matcher<Game>) -> EntityIndex<Game, Option<u8>> {
    game.entity_index(matcher, |e| e.get_side().map(|it| it.0))
}

#[test]
fn a_component_that_may_be_missing_is_named_in_an_any_of_set() {
    let mut game = Game::new();
    let matcher = Game::all_of::<Rank>().any_of::<(Rank, Side)>();
    let index = sides_of(&mut game, matcher);
    let id = game.create_with(Rank(1)).id();
    assert!(index.contains(&game, &None));
    game.entity_mut(id).add_side(2);
    assert!(index.contains(&game, &Some(2)) && !index.contains(&game, &None));
    game.entity_mut(id).remove_side();
    assert!(index.contains(&game, &None));
}

#[test]
#[cfg(debug_assertions)]
fn a_key_function_must_not_read_a_component_outside_of_its_matcher() {
    let mut game = Game::new();
    let index = sides_of(&mut game, Game::all_of::<Rank>()); // no entity yet
    let message = panic_of(|| game.create_with((Rank(1), Side(2))));
    assert!(
        message.contains("reads component `Side`, but the matcher names only (Rank")
            && message.contains(".any_of::<(Rank, Side)>()"),
        "{message}"
    );
    assert_eq!(index.get(&game, &Some(2)).len(), 1, "it is looked up again");
    let id = game.create_with(Frozen).id(); // other code reads what it likes
    assert!(!game.entity(id).has_side());
}

#[test]
#[cfg(debug_assertions)]
fn no_way_to_read_a_component_outside_of_the_matcher_is_overlooked() {
    type Read = fn(GameEntity<'_>) -> bool;
    let index_of = |e: GameEntity<'_>| e.context().components().index_of::<Side>();
    let reads: [Read; 10] = [
        |e| e.has_side(),
        |e| e.has::<Side>(),
        |e| e.has_any::<(Frozen, Side)>(),
        |e| e.has_all::<(Rank, Side)>(),
        |e| e.component::<Side>().0 == 1,
        |e| e.context().query::<&Side>().iter().next().is_some(),
        |e| e.context().view::<Side>().contains(e.id()),
        |e| e.context().entities().any(|it| it.has_side()),
        |e| e.context().has_score(),
        |e| e.context().get_score().is_some(),
    ];
    for (nth, read) in reads.into_iter().enumerate() {
        let mut game = Game::new();
        game.create_with((Rank(1), Side(1)));
        game.set_score(1);
        let made = panic_of(|| game.entity_index(Game::all_of::<Rank>(), read));
        assert!(
            made.contains("the key function of an index"),
            "{nth}: {made}"
        );
        let _index = game.index_with(Game::all_of::<Rank>(), |_| 0, ecs::Ordered::new());
        game.storage().check_invariants();
    }
    let mut game = Game::new();
    game.create_with((Rank(1), Side(1)));
    let dynamic = move |e: GameEntity<'_>| e.dynamic().has(index_of(e));
    let made = panic_of(|| game.index_with(Game::all_of::<Rank>(), dynamic, ecs::Ordered::new()));
    assert!(made.contains("the key function of an index"), "{made}");
}

#[test]
fn a_key_function_may_print_its_entity() {
    let mut game = Game::new();
    let matcher = Game::all_of::<Rank>();
    let index = game.entity_index(matcher, |e| format!("{e:?} {}", e.has_rank()).len() > 9);
    game.create_with((Rank(1), Side(2)));
    assert!(index.contains(&game, &true));
}
