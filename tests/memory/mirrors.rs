//! The cost of mirrors (F35): the time to apply a delta is proportional to its size.

use ecs::Mirror;
use ecs::prelude::*;
use support::game::{Armed, Game, Health};

use super::alone;
use super::resources::{assert_linear, scaled};

#[test]
fn required_components_are_removed_in_linear_time() {
    let _alone = alone();
    assert_linear(scaled(10_000), |count| {
        let (mut game, mut other) = (Game::new(), Game::new());
        let (feed, mut mirror) = (game.feed::<(Armed, Health)>(), Mirror::new());
        let ids = game.create_many((0..count).map(Armed));
        mirror.apply(&mut other, &feed.take(&mut game)).unwrap();
        game.many(&ids).update::<Armed>(|_, armed| armed.0 += 1);
        game.many(&ids).remove::<Health>();
        mirror.apply(&mut other, &feed.take(&mut game)).unwrap();
        assert!(other.group(Game::all_of::<Health>()).is_empty(&other));
    });
}
