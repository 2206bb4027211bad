//! F32: templates and deltas that do not fit into a context are rejected as a whole.

use ecs::__private::limits::MOST_ENTITIES;
use ecs::prelude::*;
use ecs::{ApplyError, Mirror, Template};
use support::panic_of;

use ::model::faults::Val;
use ::model::game::{A, Game, Id};

fn a() -> A {
    A(Val::new(3))
}

/// A context with two places left.
fn nearly_full() -> (Game, Vec<Id>) {
    let mut game = Game::new();
    let ids = game.create_many((0..MOST_ENTITIES).map(|_| a()));
    game.many(&ids[..2]).destroy();
    (game, ids)
}

#[test]
fn entities_of_a_template_that_do_not_all_fit_are_all_rejected() {
    let (mut game, ids) = nearly_full();
    let template = Template::new().with(a());
    let rejected = panic_of(|| template.create_many(&mut game, 3));
    assert!(rejected.contains("more than 4096 slots"), "{rejected}");
    assert_eq!(game.len(), ids.len() - 2);
    assert_eq!(template.create_many(&mut game, 2).len(), 2);
}

#[test]
fn a_delta_whose_entities_do_not_all_fit_is_rejected_and_can_be_applied_later() {
    let (mut game, ids) = nearly_full();
    let (mut origin, mut mirror) = (Game::new(), Mirror::new());
    let feed = origin.feed::<A>();
    origin.create_many([a(), a(), a()]);
    let delta = feed.take(&mut origin);
    let rejected = mirror.apply(&mut game, &delta).unwrap_err();
    assert!(matches!(&rejected, ApplyError::Rejected(_)), "{rejected:?}");
    assert!(rejected.to_string().contains("do not fit"), "{rejected}");
    assert_eq!(game.len(), ids.len() - 2);
    game.storage().check_invariants();
    game.destroy(ids[2]);
    mirror.apply(&mut game, &delta).unwrap();
    assert_eq!((game.len(), mirror.len()), (ids.len(), 3));
}

/// Entities that vanish by the delta make room; those destroyed by other code made it before.
#[test]
fn entities_of_a_delta_reuse_slots_of_vanishing_ones() {
    for are_destroyed in [false, true] {
        let (mut game, ids) = nearly_full();
        let (mut origin, mut mirror) = (Game::new(), Mirror::new());
        let feed = origin.feed::<A>();
        let old = origin.create_many([a(), a()]);
        mirror.apply(&mut game, &feed.take(&mut origin)).unwrap();
        if are_destroyed {
            let locals = [0, 1].map(|at| mirror.local(old[at]).unwrap());
            game.many(&locals).destroy();
        }
        origin.many(&old).destroy();
        origin.create_many([a(), a(), a()]);
        let delta = feed.take(&mut origin);
        let rejected = mirror.apply(&mut game, &delta);
        assert!(matches!(rejected, Err(ApplyError::Rejected(_))));
        game.destroy(ids[2]);
        mirror.apply(&mut game, &delta).unwrap();
        assert_eq!((game.len(), mirror.len()), (MOST_ENTITIES as usize, 3));
    }
}
