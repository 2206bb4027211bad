//! Late joiners: everything at the number of the last delta, and the deltas around it.

use ecs::ApplyError;

use super::*;

/// A receiver that joins late.
#[derive(Default)]
struct Late {
    other: Game,
    mirror: Mirror<Game>,
}

impl Late {
    fn join(pair: &Pair) -> Self {
        let mut late = Self::default();
        late.other.create_many([Frozen, Frozen]); // so that ids differ
        late.apply(&pair.feed.everything(&pair.game)).unwrap();
        late
    }

    fn apply(&mut self, delta: &Delta<Game>) -> Result<(), ApplyError> {
        self.mirror.apply(&mut self.other, delta)
    }

    /// Both copies of the feed's context are equal, entity by entity.
    fn check(&self, pair: &Pair) {
        let text = |entity: GameEntity<'_>| {
            let values = entity.dynamic();
            let line = |(info, _): (&ecs::ComponentInfo<Game>, _)| {
                format!("{} {:?}", info.name(), values.debug(info.index()).unwrap())
            };
            values.iter().map(line).collect::<Vec<_>>()
        };
        assert_eq!(self.mirror.len(), pair.mirror.len());
        for entity in pair.game.entities() {
            let copies = (
                pair.mirror.local(entity.id()),
                self.mirror.local(entity.id()),
            );
            assert_eq!(copies.0.is_some(), copies.1.is_some());
            if let (Some(one), Some(other)) = copies {
                let texts = (text(pair.other.entity(one)), text(self.other.entity(other)));
                assert_eq!(texts.0, texts.1);
            }
        }
    }
}

#[test]
fn everything_takes_nothing_and_has_the_number_of_the_last_delta() {
    let mut pair = Pair::new();
    let ids = pair.game.create_many([Position(1), Position(2)]);
    pair.follow();
    let everything = pair.feed.everything(&pair.game);
    assert!(everything.is_everything() && everything.appeared() == ids);
    assert_eq!((everything.number(), everything.vanished().count()), (2, 0));
    pair.game.entity_mut(ids[0]).replace_position(3);
    pair.feed.everything(&pair.game);
    let next = pair.follow(); // others do not notice
    assert_eq!((next.number(), next.is_everything()), (3, false));
    assert!(next.set::<Position>().eq([(ids[0], &Position(3))]));
}

#[test]
fn a_late_joiner_follows_like_the_others() {
    let mut pair = Pair::new();
    pair.game.create_with((Position(1), Score(1), Seat(1)));
    pair.game.create_with((Armed(1), Seat(2)));
    pair.follow();
    let mut late = Late::join(&pair);
    late.check(&pair);
    pair.game.destroy_score_entity();
    pair.game.create_with((Score(3), Seat(1)));
    late.apply(&pair.follow()).unwrap();
    late.check(&pair);
}

/// Everything is taken in the middle of changes: what the next delta does not mention must not
/// be in it.
#[test]
fn changes_before_and_after_everything_come_with_the_next_delta() {
    let mut pair = Pair::new();
    let kept = pair
        .game
        .create_with((Position(1), Health(1), Seat(1)))
        .id();
    let ended = pair.game.create_with((Position(2), Seat(2))).id();
    pair.follow();
    pair.game.destroy(ended);
    let brief = pair.game.create_with((Position(3), Score(3), Seat(2))).id();
    let mut entity = pair.game.entity_mut(kept);
    entity.remove_health().add_frozen().replace_position(4);
    let mut late = Late::join(&pair);
    let position = |late: &Late| {
        late.other
            .entity(late.mirror.local(kept).unwrap())
            .position()
            .0
    };
    assert_eq!(position(&late), 4);
    pair.game.destroy(brief);
    let mut entity = pair.game.entity_mut(kept);
    entity.add_health(5).remove_frozen();
    pair.game.create_with((Position(6), Score(4), Seat(2)));
    late.apply(&pair.follow()).unwrap();
    late.check(&pair);
}

#[test]
fn an_entity_hidden_for_a_moment_is_whole_for_late_joiners() {
    let mut game = Game::new();
    let feed = game.feed::<(Position, Health)>();
    let feed = feed.only(|entity| entity.get::<Position>().is_some_and(|it| it.0 < 10));
    let id = game.create_with((Position(1), Health(7))).id();
    feed.take(&mut game);
    game.entity_mut(id).replace_position(20);
    let mut late = Late::default();
    late.apply(&feed.everything(&game)).unwrap();
    game.entity_mut(id).replace_position(2);
    late.apply(&feed.take(&mut game)).unwrap();
    let local = late.other.entity(late.mirror.local(id).unwrap());
    assert_eq!((local.position().0, local.health().0), (2, 7));
}

#[test]
fn everything_before_the_first_delta_and_after_a_reset_is_the_present_state() {
    let mut pair = Pair::new();
    let mut game = Game::new();
    let feed = game.feed::<Position>();
    let id = game.create_with(Position(1)).id();
    game.create_with(Socket);
    let everything = feed.everything(&game);
    assert_eq!((everything.number(), everything.appeared()), (0, &[id][..]));
    let mut late = Late::default();
    late.apply(&everything).unwrap();
    late.apply(&feed.take(&mut game)).unwrap();
    assert_eq!((late.other.len(), late.mirror.len()), (1, 1));

    pair.game.create_many([Position(1), Position(2)]);
    pair.follow();
    pair.game.reset();
    pair.game.create_with(Position(3));
    let mut late = Late::join(&pair);
    assert_eq!(late.mirror.len(), 1);
    late.apply(&pair.follow()).unwrap();
    late.check(&pair);
}

#[test]
fn repeated_and_earlier_everythings_are_rejected() {
    let mut pair = Pair::new();
    pair.game.create_with(Position(1));
    pair.follow();
    let everything = pair.feed.everything(&pair.game);
    let repeated = ApplyError::Repeated { number: 2 };
    let mut late = Late::join(&pair);
    assert_eq!(late.apply(&everything), Err(repeated.clone()));
    pair.game.create_with(Position(2));
    let next = pair.follow();
    late.apply(&next).unwrap();
    for delta in [&everything, &next] {
        assert!(late.apply(delta).is_err());
        late.check(&pair);
    }
    let of_others = pair.mirror.apply(&mut pair.other, &everything);
    assert_eq!(of_others, Err(repeated));
}

#[test]
fn everything_repairs_a_receiver_that_has_lost_deltas() {
    let mut pair = Pair::new();
    let mut late = Late::join(&pair);
    let id = pair.game.create_with((Position(1), Health(1))).id();
    let lost = pair.follow();
    pair.game.entity_mut(id).remove_health();
    let early = pair.follow();
    let missing = ApplyError::Missing {
        expected: 2,
        found: 3,
    };
    assert_eq!(late.apply(&early), Err(missing));
    late.apply(&pair.feed.everything(&pair.game)).unwrap();
    late.check(&pair);
    for delta in [&lost, &early] {
        let number = delta.number();
        assert_eq!(late.apply(delta), Err(ApplyError::Repeated { number }));
    }
    pair.game.entity_mut(id).replace_position(2);
    late.apply(&pair.follow()).unwrap();
    late.check(&pair);
}

#[test]
fn everything_of_the_same_number_repairs_an_incomplete_mirror() {
    let mut pair = Pair::new();
    let id = pair.game.create_with(Position(1)).id();
    pair.follow();
    let mut late = Late::join(&pair);
    let observers = late.other.observers();
    let subscription = observers.on_will_be_destroyed(|_, _| panic!("no"));
    pair.game.destroy(id);
    let delta = pair.follow();
    assert!(support::attempt(|| _ = late.apply(&delta)).is_some());
    late.other.unsubscribe(subscription);
    let everything = pair.feed.everything(&pair.game);
    assert_eq!(everything.number(), delta.number());
    late.apply(&everything).unwrap();
    late.check(&pair);
}

#[test]
fn everything_is_of_the_feeds_own_context() {
    let pair = Pair::new();
    let text = support::panic_of(|| _ = pair.feed.everything(&Game::new()));
    assert!(
        text.contains("this feed belongs to another `Game`"),
        "{text}"
    );
}
