//! Moving entities together, all at once and in small steps; reserving and freeing memory; the
//! figures of fragmentation.

use ecs::prelude::*;
use support::game::{Frozen, Game, Health, Id, Large, Name};

/// The signatures in the order of iteration.
fn walked(game: &mut Game) -> Vec<(bool, bool)> {
    let query = game.query::<(Option<&Name>, Option<&Health>)>();
    query
        .iter()
        .map(|(name, health)| (name.is_some(), health.is_some()))
        .collect()
}

/// Entities of four signatures in turn, every fifth of them destroyed.
fn mixed(count: u32) -> (Game, Vec<Id>) {
    let mut game = Game::new();
    let mut ids: Vec<_> = (0..count)
        .map(|n| match n % 4 {
            0 => game.create_with(Name(n.to_string())).id(),
            1 => game.create_with((Name(n.to_string()), Health(n))).id(),
            2 => game.create_with(Health(n)).id(),
            _ => game
                .create_with((Health(n), Large([n.into(); 8]), Frozen))
                .id(),
        })
        .collect();
    ids.iter().step_by(5).for_each(|&id| game.destroy(id));
    ids.retain(|&id| game.contains(id));
    (game, ids)
}

#[test]
fn a_call_moves_at_most_its_limit() {
    let (mut game, _) = mixed(400);
    let mut before = game.storage().fragmentation().misplaced;
    assert!(before > 100);
    assert!(game.storage_mut().defragment_for(0));
    assert_eq!(game.storage().fragmentation().misplaced, before);
    while game.storage_mut().defragment_for(3) {
        let now = game.storage().fragmentation().misplaced;
        assert!(now < before && before - now <= 6, "{before} {now}"); // 3 pairs
        before = now;
    }
    assert_eq!(game.storage().fragmentation().misplaced, 0);
    assert!(!game.storage_mut().defragment_for(0));
}

#[test]
fn large_worlds_are_processed_in_several_calls() {
    let (mut game, ids) = mixed(30_000);
    let mut calls = 0;
    while game.storage_mut().defragment_for(50) {
        calls += 1;
    }
    assert!(calls > 100, "{calls}");
    assert_eq!(game.storage().fragmentation().misplaced, 0);
    assert!(ids.iter().all(|&id| game.contains(id)));
    let mut calls = 0;
    while game.storage_mut().defragment_for(1) {
        calls += 1;
    }
    assert!(
        (2..40).contains(&calls),
        "{calls}: looks at some thousands of rows in each"
    );
}

#[test]
fn entities_are_iterated_by_signature_in_their_previous_order() {
    let (mut game, _) = mixed(1000);
    let order = |game: &mut Game| -> Vec<([bool; 3], Id)> {
        let query = game.query::<(Id, Option<&Name>, Option<&Health>, Option<&Large>)>();
        let with_signature = |(id, name, health, large): (Id, Option<_>, Option<_>, Option<_>)| {
            ([name.is_some(), health.is_some(), large.is_some()], id)
        };
        query.iter().map(with_signature).collect()
    };
    let before = order(&mut game);
    game.defragment();
    let after = order(&mut game);
    let mut signatures: Vec<_> = after.iter().map(|(signature, _)| *signature).collect();
    signatures.dedup();
    assert_eq!(signatures.len(), 4, "each is one run: {signatures:?}");
    for signature in signatures {
        let of_it = |all: &[([bool; 3], Id)]| -> Vec<Id> {
            let all = all.iter().filter(|(other, _)| *other == signature);
            all.map(|(_, id)| *id).collect()
        };
        assert_eq!(of_it(&after), of_it(&before));
    }
    game.defragment();
    assert_eq!(order(&mut game), after);
}

#[test]
fn after_defragmenting_nothing_is_left_to_gain() {
    let (mut game, _) = mixed(10_000);
    let before = game.storage().fragmentation();
    assert_eq!(before.entities, 8000);
    assert!(before.ratio() > 0.5 && before.ratio() <= 1.0);
    assert!(before.blocks > before.blocks_needed && before.breaks > 0);
    game.defragment();
    let after = game.storage().fragmentation();
    assert_eq!((after.misplaced, after.breaks), (0, 0));
    assert_eq!(
        (after.blocks, after.blocks_needed),
        (before.blocks_needed, before.blocks_needed)
    );
    assert_eq!(Game::new().storage().fragmentation().ratio(), 0.0);
}

#[test]
fn rows_of_destroyed_entities_are_moved_after_those_of_living_ones() {
    for small_steps in [false, true] {
        let (mut game, mut ids) = mixed(1000);
        let (gone, kept): (Vec<_>, Vec<_>) = ids.iter().partition(|id| id.index() % 3 == 0);
        gone.iter().for_each(|&id| game.destroy(id));
        if small_steps {
            while game.storage_mut().defragment_for(7) {}
        } else {
            game.defragment();
        }
        assert_eq!(game.storage().reusable_entities(), 1000 - kept.len());
        // The next entities reuse the slots of destroyed ones, with their rows.
        let alive = walked(&mut game).len();
        let new: Vec<_> = (0..5).map(|n| game.create_with(Health(n)).id()).collect();
        let query = game.query::<Id>();
        let last: Vec<_> = query.iter().skip(alive).collect();
        assert_eq!(last.len(), 5);
        assert!(new.iter().all(|id| last.contains(id)));
        ids = kept;
        assert!(ids.iter().all(|&id| game.contains(id)));
    }
}

#[test]
fn reserved_memory_is_not_allocated_again() {
    let mut game = Game::with_capacity(1000);
    let held = game.storage().memory();
    game.storage_mut().reserve_entities(1000);
    assert_eq!(game.storage().memory(), held);
    game.storage_mut().reserve::<Health>(1000);
    game.storage_mut().reserve::<Frozen>(1000);
    let held = game.storage().memory();
    assert!(held.total() > 1000 * (8 + 4));
    let ids = game.create_many((0..1000).map(|n| (Health(n), Frozen)));
    for (before, after) in held
        .components()
        .iter()
        .zip(game.storage().memory().components())
    {
        assert_eq!(before.bytes, after.bytes);
    }
    assert_eq!(
        (
            game.storage().memory().entities,
            game.storage().fragmentation().breaks
        ),
        (held.entities, 0)
    );
    // Free slots count as capacity for entities.
    ids.iter().for_each(|&id| game.destroy(id));
    let held = game.storage().memory();
    game.storage_mut().reserve_entities(1000);
    assert_eq!(game.storage().memory(), held);
}

#[test]
fn empty_memory_can_be_freed() {
    let (mut game, ids) = mixed(10_000);
    let full = game.storage().memory().total();
    ids[50..].iter().for_each(|&id| game.destroy(id));
    assert!(game.storage().memory().total() > full - full / 4);
    game.defragment();
    game.storage_mut().shrink_to_fit();
    let left = game.storage().memory();
    let held: usize = left.components().iter().map(|one| one.bytes).sum();
    assert!(held < 64 * 300, "{left}");
    assert!(ids[..50].iter().all(|&id| game.contains(id)));
    let more = game.create_many((0..5000).map(Health));
    assert!((0..5000).all(|n| game.entity(more[n]).health().0 == n as u32));
    game.reset();
    game.storage_mut().shrink_to_fit();
    let held: usize = game
        .storage()
        .memory()
        .components()
        .iter()
        .map(|one| one.bytes)
        .sum();
    assert!(held < 200, "{held}");
}

#[test]
fn sets_of_collectors_stay_usable_after_shrinking() {
    let (mut game, ids) = mixed(300);
    let collector = game.collector(Game::all_of::<Health>().entered());
    let (few, more) = ids.split_at(100);
    let enter = |game: &mut Game, ids: &[Id]| {
        for &id in ids {
            game.entity_mut(id).take_health();
            game.entity_mut(id).add_health(1);
        }
    };
    enter(&mut game, few);
    game.storage_mut().shrink_to_fit();
    assert_eq!(collector.drain(&mut game), few);
    game.storage_mut().shrink_to_fit();
    enter(&mut game, more);
    enter(&mut game, more);
    assert_eq!(collector.ids(&game), more);
}

#[test]
fn an_observer_may_move_entities() {
    let (mut game, ids) = mixed(100);
    let healthy = game.group(Game::all_of::<Health>());
    healthy.on_left(&mut game, |game: &mut Game, _: &Change<'_, Game>| {
        game.storage_mut().defragment_for(5);
        game.storage_mut().shrink_to_fit();
    });
    healthy.on_entered(&mut game, |game: &mut Game, _: &Change<'_, Game>| {
        game.defragment()
    });
    for (at, &id) in ids.iter().enumerate() {
        let mut entity = game.entity_mut(id);
        match entity.take_health() {
            Some(_) if at % 2 == 0 => _ = entity.add_health(7),
            Some(_) => {}
            None => _ = entity.add_health(8),
        }
    }
    let has = |id: &&Id| game.entity(**id).has_health();
    assert_eq!(healthy.len(&game), ids.iter().filter(has).count());
}

#[test]
fn the_figures_of_memory_print_as_a_table() {
    let (game, _) = mixed(100);
    let memory = game.storage().memory();
    let table = memory.to_string();
    for word in [
        "Game", "Name", "Health", "Large", "Frozen", "held", "entities", "total",
    ] {
        assert!(table.contains(word), "{table}");
    }
    let widths: Vec<_> = table.lines().map(str::len).collect();
    assert!(widths.iter().all(|width| *width == widths[0]), "{table}");
    let health = &memory.components()[game
        .components()
        .iter()
        .position(|c| c.name() == "Health")
        .unwrap()];
    assert_eq!(
        (health.name(), health.values, health.used()),
        ("Health", 60, 240)
    );
    assert_eq!(health.blocks, 2);
    assert!(
        format!("{memory:?}").contains("60 values of 4 bytes in 2 blocks"),
        "{memory:?}"
    );
}

#[test]
fn moving_all_at_once_between_small_steps_leaves_nothing_to_move() {
    for steps in 0..60 {
        let (mut game, ids) = mixed(200);
        for _ in 0..steps {
            game.storage_mut().defragment_for(1);
        }
        // The counts of a small step are now outdated.
        for &id in ids.iter().step_by(3) {
            game.destroy(id);
        }
        let values = |game: &Game| -> Vec<_> {
            let health = |&id| Some(game.get_entity(id)?.get_health().cloned());
            ids.iter().map(health).collect()
        };
        let before = values(&game);
        game.defragment();
        let walked = |game: &mut Game| game.query::<Id>().iter().collect::<Vec<_>>();
        let order = walked(&mut game);
        for _ in 0..20 {
            assert!(!game.storage_mut().defragment_for(1), "after {steps} steps");
            assert_eq!(walked(&mut game), order, "after {steps} steps");
        }
        assert_eq!(game.storage().fragmentation().misplaced, 0);
        assert_eq!(values(&game), before);
    }
}

#[test]
fn empty_rows_are_not_misplaced() {
    let mut game = Game::new();
    let ids = game.create_many((0..100).map(Health));
    ids[..50].iter().for_each(|&id| game.destroy(id));
    let fragmentation = game.storage().fragmentation();
    assert_eq!((fragmentation.entities, fragmentation.misplaced), (50, 50));
    assert_eq!(fragmentation.ratio(), 0.0);
    ids[50..].iter().step_by(2).for_each(|&id| game.destroy(id));
    let fragmentation = game.storage().fragmentation();
    assert_eq!((fragmentation.entities, fragmentation.scattered), (25, 24));
}

#[test]
fn kinds_in_adjacent_rows_are_not_fragmented_in_any_order() {
    let kinds: [fn(&mut Game); 3] = [
        |game| _ = game.create_many((0..640).map(Health)),
        |game| _ = game.create_many((0..640).map(|n| (Health(n), Frozen))),
        |game| _ = game.create_many((0..640).map(|n| Name(n.to_string()))),
    ];
    for first in 0..3 {
        for converts in [false, true] {
            let mut game = Game::new();
            let id = game.create_with(Health(1)).id();
            for kind in 0..3 {
                kinds[(first + kind) % 3](&mut game);
            }
            if converts {
                game.entity_mut(id).remove_health(); // another kind
            }
            let found = game.storage().fragmentation();
            assert!(found.scattered <= 1, "{found:?}");
            assert!(found.ratio() < 0.001 && found.blocks <= found.blocks_needed + 4);
        }
    }
}

#[test]
fn counts_of_small_steps_are_reported() {
    let (mut game, _) = mixed(10_000);
    let before = game.storage().memory().other;
    assert!(game.storage_mut().defragment_for(0)); // visits a few thousand rows
    assert!(game.storage().memory().other > before + 8);
    game.defragment();
    assert_eq!(game.storage().memory().other, before);
}

#[test]
fn a_step_visits_at_most_its_limit_of_rows() {
    for (rows, more) in [(2048, false), (2049, true)] {
        let mut game = Game::new();
        game.create_many((0..rows).map(Health));
        assert_eq!(game.storage_mut().defragment_for(0), more); // 4096 visits, two per row
    }
}

#[test]
fn entities_changed_by_a_query_stay_collected_while_they_are_moved() {
    let (mut game, _) = mixed(1000);
    let collector = game.collector(Game::all_of::<Health>().updated());
    let query = game.query_mut::<(&mut Health, &Large)>();
    query.for_each(|(health, _)| health.0 += 1);
    let mut changed = game
        .query::<(Id, &Large)>()
        .iter()
        .map(|it| it.0)
        .collect::<Vec<_>>();
    while game.storage_mut().defragment_for(7) {}
    let mut collected = collector.drain(&mut game);
    collected.sort();
    changed.sort();
    assert_eq!(collected, changed);
}

#[test]
fn observers_added_and_removed_take_no_memory_for_earlier_changes() {
    let mut game = Game::new();
    let healthy = game.group(Game::all_of::<Health>());
    let id = game.create_entity().id();
    let mut held = |rounds: u32| {
        for _ in 0..rounds {
            let subscription = healthy.on_entered(&mut game, |_, _| ());
            game.entity_mut(id).add_health(1).remove_health();
            game.unsubscribe(subscription);
        }
        game.storage().memory().graph
    };
    let before = held(500);
    assert_eq!(held(3000), before);
}
