//! Lists of systems move entities together in their cleanup: a bounded number, if there is a gain.

use ecs::prelude::*;
use support::game::{ChildOf, Frozen, Game, Health};

/// The second context of a world.
#[ecs::context]
pub struct Ui;

#[derive(Component)]
#[component(context = Ui)]
struct Label(u32);

#[derive(Component)]
#[component(context = Ui)]
struct Hidden;

#[derive(Contexts)]
struct World {
    game: Game,
    ui: Ui,
}

/// Creates entities; a tenth of them, spread over all rows, have a second component.
fn scattered(count: u32) -> Game {
    let mut game = Game::new();
    for n in 0..count {
        game.create_with(Health(n)).set_frozen(n % 10 == 0);
    }
    game
}

fn misplaced(game: &Game) -> usize {
    game.storage().fragmentation().misplaced
}

fn cleanups(systems: &mut Systems<Game>, game: &mut Game, count: usize) {
    (0..count).for_each(|_| systems.cleanup(game));
}

#[test]
fn a_hundred_cleanups_defragment_a_context() {
    for count in [100, 1_000, 30_000] {
        let mut game = scattered(count);
        assert!(misplaced(&game) > 0);
        cleanups(&mut Systems::new(), &mut game, 100);
        assert_eq!(misplaced(&game), 0, "{count}");
        game.storage().check_invariants();
        let frozen = game.query::<(&Health, &Frozen)>();
        assert!(frozen.iter().all(|(health, _)| health.0 % 10 == 0));
    }
}

#[test]
fn a_cleanup_moves_no_more_than_a_sixty_fourth_of_the_entities() {
    let mut game = scattered(6_400);
    let mut systems = Systems::new();
    let mut before = misplaced(&game);
    while before > 0 {
        systems.cleanup(&mut game);
        let now = misplaced(&game);
        assert!(before - now <= 2 * 100, "{before} {now}"); // at most 100 swaps
        before = now;
    }
}

/// One block holds all of them, or moving would not save a block.
#[test]
fn nothing_moves_without_a_gain() {
    let mut all_alike = Game::new();
    (0..1_000).for_each(|n| _ = all_alike.create_with((Health(n), Frozen)));
    for mut game in [scattered(64), all_alike] {
        let before = misplaced(&game);
        let visited = |game: &Game| -> Vec<_> { game.query::<EntityId<Game>>().iter().collect() };
        let order = visited(&game);
        cleanups(&mut Systems::new(), &mut game, 1_000);
        assert_eq!((misplaced(&game), visited(&game)), (before, order));
    }
}

#[test]
fn entities_scattered_later_are_moved_too() {
    let mut game = scattered(1_000);
    let mut systems = Systems::new();
    cleanups(&mut systems, &mut game, 400);
    let ids: Vec<_> = game.query::<EntityId<Game>>().iter().collect();
    for id in ids.into_iter().step_by(7) {
        let is_frozen = game.entity(id).is_frozen();
        game.entity_mut(id).set_frozen(!is_frozen);
    }
    assert!(misplaced(&game) > 0);
    cleanups(&mut systems, &mut game, 400);
    assert_eq!(misplaced(&game), 0);
}

#[test]
fn a_list_without_defragmenting_moves_nothing() {
    let mut game = scattered(1_000);
    let before = misplaced(&game);
    let mut off = Systems::new().defragmenting(false);
    cleanups(&mut off, &mut game, 200);
    let mut suspended = Systems::new();
    suspended.set_suspended(true);
    cleanups(&mut suspended, &mut game, 200);
    let inner = Systems::new();
    let mut around = Systems::new().defragmenting(false).add(inner);
    cleanups(&mut around, &mut game, 200);
    let mut failing = Systems::new().on(Phase::Cleanup, |_: &mut Game| Err::<(), _>("no"));
    (0..200).for_each(|_| _ = failing.try_cleanup(&mut game));
    assert_eq!(misplaced(&game), before);
}

#[test]
fn every_context_of_a_world_is_defragmented() {
    let mut world = World {
        game: scattered(1_000),
        ui: Ui::new(),
    };
    for n in 0..1_000 {
        world.ui.create_with(Label(n)).set_hidden(n % 10 == 0);
    }
    let mut systems = Systems::<World>::new();
    (0..100).for_each(|_| systems.cleanup(&mut world));
    assert_eq!(misplaced(&world.game), 0);
    assert_eq!(world.ui.storage().fragmentation().misplaced, 0);
}

/// The flags of terms over relations, which entities have only if there are such groups, do not
/// matter.
#[test]
fn groups_do_not_affect_the_order_of_entities() {
    let orders = |has_groups: bool| {
        let mut game = scattered(1_000);
        let parent = game.create_with(Frozen).id();
        if has_groups {
            let of_frozen = Game::all_of::<Health>().related::<ChildOf>(Game::all_of::<Frozen>());
            game.group(of_frozen);
            let parents =
                Game::all_of::<Frozen>().with_referrers::<ChildOf>(Game::all_of::<Health>());
            game.group(parents);
        }
        let ids: Vec<_> = game
            .query::<EntityId<Game>>()
            .with::<Health>()
            .iter()
            .collect();
        for id in ids.into_iter().step_by(3) {
            game.entity_mut(id).add_child_of(parent);
        }
        let order = |game: &Game| -> Vec<_> { game.query::<EntityId<Game>>().iter().collect() };
        let mut orders = Vec::new();
        let mut systems = Systems::new();
        for _ in 0..100 {
            systems.cleanup(&mut game);
            orders.push(order(&game));
        }
        let left = game.storage().fragmentation();
        assert_eq!((left.misplaced, left.scattered), (0, 0));
        game.entity_mut(parent).add_health(1);
        game.defragment();
        orders.push(order(&game));
        orders
    };
    assert!(orders(true) == orders(false));
}

/// A system that iterates over entities visits the same entities if they are moved meanwhile.
#[test]
fn entities_that_a_loop_visits_are_the_same_while_they_are_moved() {
    let mut game = scattered(2_000);
    let group = game.group(Game::all_of::<(Health, Frozen)>());
    let mut systems = Systems::new();
    let mut seen = Vec::new();
    group.for_each(&mut game, |mut entity| {
        seen.push(entity.health().0);
        systems.cleanup(entity.context_mut());
    });
    assert_eq!(misplaced(&game), 0);
    seen.sort_unstable();
    let expected: Vec<_> = (0..2_000).step_by(10).collect();
    assert_eq!(seen, expected);
}

#[test]
fn cleanups_rest_while_changes_undo_their_moves() {
    let mut game = scattered(1_000);
    let ids: Vec<_> = game.query::<EntityId<Game>>().iter().collect();
    let mut systems = Systems::new();
    let (mut random, mut moving) = (7_u32, 0);
    for _ in 0..4_000 {
        for _ in 0..20 {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let mut entity = game.entity_mut(ids[(random >> 16) as usize % ids.len()]);
            let is_frozen = entity.is_frozen();
            entity.set_frozen(!is_frozen);
        }
        let order = |game: &Game| -> Vec<_> { game.query::<EntityId<Game>>().iter().collect() };
        let before = order(&game);
        systems.cleanup(&mut game);
        moving += usize::from(order(&game) != before);
    }
    assert!((1..400).contains(&moving), "{moving}");
    cleanups(&mut systems, &mut game, 8_192 + 400);
    assert_eq!(misplaced(&game), 0, "when the changes have ended");
}
