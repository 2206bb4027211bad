//! Unused signatures are freed, even in the middle of notifications.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use ecs::prelude::*;

use support::game::{Game, GameEntity, GameEntityMut};

macro_rules! flags {
    ($($name:ident)*) => {
        $(
            #[derive(Component)]
            #[component(context = Game, extension)]
            struct $name;
        )*

        const ADDS: &[fn(&mut GameEntityMut<'_>)] = &[$(|entity| _ = entity.add($name)),*];
        const LACKS: &[fn(Matcher<Game>) -> Matcher<Game>] = &[$(|it| it.none_of::<$name>()),*];
    };
}

flags! { F0 F1 F2 F3 F4 F5 F6 F7 F8 F9 }

/// Creates an entity with each set of flags; destroys every second one at once.
fn pass_through_all_signatures(game: &mut Game) -> Vec<EntityId<Game>> {
    let mut ids = Vec::new();
    for set in 0..1 << ADDS.len() {
        let mut entity = game.create_entity();
        for (at, add) in ADDS.iter().enumerate() {
            if set >> at & 1 != 0 {
                add(&mut entity);
            }
        }
        ids.push(entity.id());
        if set % 8 != 1 {
            entity.destroy();
        }
    }
    ids
}

/// The number of signatures of a game.
fn signatures(game: &Game) -> usize {
    let text = format!("{game:?}");
    let (_, rest) = text.split_once("signatures: ").unwrap();
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap()
}

#[test]
fn an_observer_may_free_unused_signatures() {
    let mut game = Game::new();
    let with_first = game.group(Game::all_of::<F0>());
    let lacking = game.group(Game::all_of::<F0>().none_of::<F9>());
    let (entered, left) = (
        Arc::<Mutex<Vec<_>>>::default(),
        Arc::<Mutex<Vec<_>>>::default(),
    );
    let (passed, most) = (Arc::<AtomicBool>::default(), Arc::<Mutex<usize>>::default());
    let seen = most.clone();
    with_first.on_entered(&mut game, move |game, change| {
        if !passed.swap(true, Relaxed) {
            pass_through_all_signatures(game);
            *seen.lock().unwrap() = signatures(game);
            assert!(game.entity(change.entity()).has::<F1>());
        }
    });
    let log = entered.clone();
    with_first.on_entered(&mut game, move |_, change| {
        log.lock().unwrap().push(change.entity())
    });
    let log = left.clone();
    lacking.on_left(&mut game, move |_, change| {
        log.lock().unwrap().push(change.entity())
    });

    let id = game.create_with((F0, F1)).id();

    let known = *most.lock().unwrap();
    assert!(
        known < 1 << ADDS.len(),
        "{known} signatures, none given back"
    );
    // Slots are reused, so ids are not sorted by index or generation; each occurs once.
    let entered = entered.lock().unwrap();
    assert_eq!(
        (entered.len(), entered[0]),
        (1 + (1 << (ADDS.len() - 1)), id)
    );
    let mut different = entered.clone();
    different.sort();
    different.dedup();
    assert_eq!(different.len(), entered.len());
    let with_both = 1 << (ADDS.len() - 2);
    let ended = with_both - with_both / 4;
    assert_eq!(left.lock().unwrap().len(), with_both + ended);
    for entity in game.entities() {
        let has_first = entity.has::<F0>();
        assert_eq!(with_first.contains(&game, entity.id()), has_first);
        assert_eq!(
            lacking.contains(&game, entity.id()),
            has_first && !entity.has::<F9>()
        );
    }
    game.entity_mut(id).remove::<F0>();
    assert!(!with_first.contains(&game, id) && !lacking.contains(&game, id));
}

#[test]
fn pending_notifications_survive_an_observer_that_frees_memory() {
    let mut game = Game::new();
    let groups = [
        Game::all_of::<F0>(),
        Game::all_of::<F1>(),
        Game::any_of::<(F0, F1)>(),
    ];
    let notified = Arc::<Mutex<Vec<_>>>::default();
    for (number, matcher) in groups.into_iter().enumerate() {
        let (group, notified) = (game.group(matcher), notified.clone());
        group.on_entered(&mut game, move |game: &mut Game, _| {
            notified.lock().unwrap().push(number);
            game.storage_mut().shrink_to_fit();
        });
    }
    pass_through_all_signatures(&mut game);
    notified.lock().unwrap().clear();
    game.create_with((F0, F1));
    assert_eq!(*notified.lock().unwrap(), [0, 1, 2]);
}

/// The memory of the graph after creating a group for each set of some flags that its entities
/// lack, besides a first flag that they have, with a change of one entity before each.
fn graph_of_many_groups(flags: usize) -> usize {
    let mut game = Game::new();
    let id = game.create_entity().id();
    for set in 0..1 << flags {
        game.entity_mut(id).add(F0).remove::<F0>();
        let lacks = LACKS.iter().skip(1).enumerate();
        let lacks = lacks.filter(|(at, _)| set >> at & 1 != 0);
        let matcher = lacks.fold(Game::all_of::<F0>(), |matcher, (_, lacks)| lacks(matcher));
        game.group(matcher);
    }
    game.storage().memory().graph
}

#[test]
fn groups_created_between_changes_take_no_memory_for_earlier_changes() {
    let [few, many] = [8, 9].map(graph_of_many_groups);
    assert!(many < few * 3 / 2, "{few} {many}");
}
