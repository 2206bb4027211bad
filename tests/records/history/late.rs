//! A relation that is numbered after a mark was created.

use ecs::__private::{FieldIndex, relation_index};
use ecs::Relation;
use ecs::prelude::*;

use super::Game;

#[derive(Clone)]
struct Follows(EntityId<Game>);

by_hand!(
    Follows of Game,
    const INDEXES: &'static [FieldIndex<Self>] = &[relation_index::<Game, Self>()];
);

impl Relation<Game> for Follows {
    fn target(&self) -> EntityId<Game> {
        self.0
    }

    fn set_target(&mut self, target: EntityId<Game>) {
        self.0 = target;
    }
}

/// The followers of an entity, in the order of its sources.
fn subscribers(game: &Game, id: EntityId<Game>) -> Vec<EntityId<Game>> {
    game.entity(id).related::<Follows>().sources().to_vec()
}

#[test]
fn a_relation_added_after_a_mark_has_its_links_in_order_after_redo() {
    let mut game = Game::new();
    let ids = game.create_many([(); 4]);
    let history = game.record();
    let before = history.mark(&mut game);
    game.entity_mut(ids[2]).add(Follows(ids[0]));
    game.entity_mut(ids[1]).add(Follows(ids[0]));
    let (one, then) = (history.mark(&mut game), subscribers(&game, ids[0]));
    game.entity_mut(ids[2]).remove::<Follows>();
    game.entity_mut(ids[3]).add(Follows(ids[0]));
    game.entity_mut(ids[2]).add(Follows(ids[0]));
    let (two, last) = (history.mark(&mut game), subscribers(&game, ids[0]));
    history.rewind(&mut game, before);
    assert_eq!(subscribers(&game, ids[0]), []);
    for (mark, expected) in [(one, then), (two, last)] {
        history.forward(&mut game, mark);
        assert_eq!(subscribers(&game, ids[0]), expected);
        game.storage().check_invariants();
    }
}
