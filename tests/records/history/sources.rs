//! Many sources of one target, removed, added again and read in any order.

use ecs::prelude::*;
use ecs::{History, Mark};

use support::game::{ChildOf, Game, Id, Targets};

/// A random generator with a fixed seed.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % end
    }
}

/// Two parents, and their expected children.
#[derive(Clone)]
struct Family {
    parents: [Id; 2],
    children: [Vec<Id>; 2],
}

impl Family {
    /// Changes the children by one step.
    fn change(&mut self, game: &mut Game, random: &mut Random) {
        let of = random.below(2);
        let (parent, other) = (self.parents[of], self.parents[1 - of]);
        if self.children[of].is_empty() || random.below(3) == 0 {
            let child = game.create_with(ChildOf { parent }).id();
            return self.children[of].push(child);
        }
        let len = self.children[of].len();
        let at = match random.below(4) {
            0 => 0,
            1 => len - 1,
            _ => random.below(len),
        };
        let child = self.children[of].remove(at);
        match random.below(6) {
            0 => game.destroy(child),
            1 => _ = game.entity_mut(child).remove_child_of(),
            2 => {
                game.entity_mut(child).replace_child_of(other);
                self.children[1 - of].push(child);
            }
            _ => {
                game.entity_mut(child)
                    .replace_child_of(other)
                    .replace_child_of(parent);
                self.children[of].push(child);
            }
        }
    }

    fn check(&self, game: &Game) {
        for (&parent, children) in self.parents.iter().zip(&self.children) {
            assert_eq!(game.entity(parent).children(), children);
            let descendants = game.entity(parent).related::<ChildOf>().descendants();
            assert!(descendants.eq(children.iter().copied()));
        }
    }
}

/// Rewinds to a mark, goes forward, and rewinds again.
fn travel(game: &mut Game, history: &History<Game>, mark: Mark<Game>, families: [&Family; 2]) {
    let now = history.mark(game);
    history.rewind(game, mark);
    families[0].check(game);
    history.forward(game, now);
    families[1].check(game);
    history.rewind(game, mark);
}

#[test]
fn ordered_sources_stay_in_order_in_bulk_changes() {
    for seed in 0..12 {
        let (mut game, mut random) = (Game::new(), Random(seed));
        let parents = [0, 1].map(|_| game.create_entity().id());
        let children = parents.map(|parent| {
            let child = |_| game.create_with(ChildOf { parent }).id();
            (0..150).map(child).collect()
        });
        let mut family = Family { parents, children };
        let history = game.record();
        for _ in 0..12 {
            let (before, mark) = (family.clone(), history.mark(&mut game));
            let reads = [1, 7, 1000][random.below(3)];
            for step in 0..80 {
                family.change(&mut game, &mut random);
                if step % reads == 0 {
                    family.check(&game);
                }
            }
            if random.below(2) == 0 {
                travel(&mut game, &history, mark, [&before, &family]);
                family = before;
            }
            if random.below(3) == 0 {
                game.storage_mut().shrink_to_fit();
            }
            if random.below(2) == 0 {
                game.storage().check_invariants();
                family.check(&game);
                family.check(&game.fork());
            }
        }
    }
}

#[test]
fn sources_that_many_threads_read_at_once_are_the_same_for_all() {
    let mut game = Game::new();
    let root = game.create_entity().id();
    let child = |_| game.create_with(ChildOf { parent: root }).id();
    let mut children: Vec<Id> = (0..1000).map(child).collect();
    for at in [500, 20, 700] {
        game.destroy(children.remove(at));
    }
    let (game, children) = (&game, &children);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(move || assert_eq!(game.entity(root).children(), children));
        }
    });
}

/// The id of an undone entity is dead until an entity is created with it: not even while a bundle is
/// validated is it a target.
#[test]
fn an_undone_entity_is_no_target_of_a_bundle() {
    let mut game = Game::new();
    let child = game.create_entity().id();
    let history = game.record();
    let mark = history.mark(&mut game);
    let parent = game.create_entity().id();
    history.rewind(&mut game, mark);
    let rejected = game
        .entity_mut(child)
        .try_insert((ChildOf { parent }, Targets(parent)))
        .unwrap_err();
    assert_eq!(rejected.kind(), ecs::ErrorKind::TargetNotAlive);
    assert!(game.entity(child).is_empty());
    game.storage().check_invariants();
    let again = game.create_entity().id();
    assert_eq!(again, parent);
    game.entity_mut(child)
        .insert((ChildOf { parent }, Targets(parent)));
    assert_eq!(game.entity(parent).children(), [child]);
}
