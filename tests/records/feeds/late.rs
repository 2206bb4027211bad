//! A component with an index that is numbered after the context of a mirror was created.

use ecs::__private::entities_with;

use super::*;

#[derive(Clone)]
struct Late(u8);

indexed_by_hand!(Late of Game);

#[test]
fn a_mirror_that_is_older_than_a_component_follows_it() {
    let (mut game, mut other, mut mirror) = (Game::new(), Game::new(), Mirror::new());
    let id = game.create_entity().id();
    let feed = game.feed::<Late>();
    mirror.apply(&mut other, &feed.take(&mut game)).unwrap();
    for value in [3, 4] {
        game.entity_mut(id).replace(Late(value));
        mirror.apply(&mut other, &feed.take(&mut game)).unwrap();
        let found = entities_with::<Game, Late, _, 0>(&other, &value).ids();
        assert_eq!(found, [mirror.local(id).unwrap()]);
        other.storage().check_invariants();
    }
}
