//! The cost of relations in chains as deep as the number of entities (F35): keeping a target and
//! reversing a chain need no traversal to the root for each entity.

use ecs::prelude::*;
use ecs::{Feed, Mirror};
use support::game::{ChildOf, Game};

use super::alone;
use super::resources::{assert_linear, scaled};

type Id = EntityId<Game>;

/// Creates entities, each the child of the previous one.
fn chain(game: &mut Game, count: u32) -> Vec<Id> {
    let ids: Vec<Id> = (0..count).map(|_| game.create_entity().id()).collect();
    link_backward(game, &ids);
    ids
}

/// Makes each entity a child of the previous one, starting at the root.
fn link_backward(game: &mut Game, ids: &[Id]) {
    for pair in ids.windows(2) {
        game.entity_mut(pair[1]).replace_child_of(pair[0]);
    }
}

/// Makes each entity a child of the next one instead of the previous one.
fn link_forward(game: &mut Game, ids: &[Id]) {
    game.many(&ids[1..]).remove::<ChildOf>();
    for pair in ids.windows(2) {
        game.entity_mut(pair[0]).add_child_of(pair[1]);
    }
}

#[test]
fn a_chain_whose_targets_stay_is_written_in_linear_time() {
    let _alone = alone();
    assert_linear(scaled(1_000), |count| {
        let mut game = Game::new();
        let ids = chain(&mut game, count);
        link_backward(&mut game, &ids);
        game.many(&ids[1..]).update::<ChildOf>(|_, _| {});
        assert_eq!(game.entity(ids[0]).children(), [ids[1]]);
    });
}

/// A chain and its mirror.
struct Mirrored {
    game: Game,
    other: Game,
    feed: Feed<Game>,
    mirror: Mirror<Game>,
    ids: Vec<Id>,
}

impl Mirrored {
    fn new(count: u32) -> Self {
        let (mut game, other) = (Game::new(), Game::new());
        let ids = chain(&mut game, count);
        let (feed, mirror) = (game.feed::<ChildOf>(), Mirror::new());
        let mut mirrored = Self {
            game,
            other,
            feed,
            mirror,
            ids,
        };
        mirrored.follow();
        mirrored
    }

    fn follow(&mut self) {
        let delta = self.feed.take_all(&mut self.game);
        self.mirror.apply(&mut self.other, &delta).unwrap();
    }
}

#[test]
fn a_chain_is_applied_again_in_linear_time() {
    let _alone = alone();
    assert_linear(scaled(500), |count| Mirrored::new(count).follow());
}

#[test]
fn a_mirror_reverses_a_chain_in_linear_time() {
    let _alone = alone();
    assert_linear(scaled(500), |count| {
        let mut chain = Mirrored::new(count);
        link_forward(&mut chain.game, &chain.ids);
        chain.follow();
        chain
            .game
            .many(&chain.ids[..chain.ids.len() - 1])
            .remove::<ChildOf>();
        link_backward(&mut chain.game, &chain.ids);
        chain.follow();
        let [first, second] = [0, 1].map(|at| chain.mirror.local(chain.ids[at]).unwrap());
        assert_eq!(chain.other.entity(first).children(), [second]);
    });
}
