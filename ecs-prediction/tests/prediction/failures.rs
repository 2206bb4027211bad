//! What can go wrong: messages that do not fit, user code that panics, entities that vanish.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs::prelude::*;
use ecs::{ApplyError, Delta};
use ecs_prediction::{Corrections, Predicted, PredictionLimit};

use crate::game::{Arena, Bullet, Input, Player, Position, Sprite, body, contents, shift};
use crate::session::{ME, predict};

/// A server's game and a client's, without a link.
struct Pair {
    server: Arena,
    feed: Feed<Arena>,
    client: Arena,
    predicted: Predicted<Arena, Input>,
}

impl Pair {
    fn new() -> Self {
        let (mut server, mut client) = (Arena::new(), Arena::new());
        server.create_with((Player(ME), Position::default()));
        let feed = server.feed::<(Player, Position, Bullet)>();
        let history = History::builder().without::<Sprite>().record(&mut client);
        let predicted = Predicted::with(&mut client, history, Mirror::new());
        let predicted = predicted.smooth::<Position>(4, 50.0).max_pending(8);
        let mut pair = Self {
            server,
            feed,
            client,
            predicted,
        };
        pair.exchange(0).unwrap();
        pair
    }

    /// The next delta, as the client reads it.
    fn delta(&mut self) -> Delta<Arena> {
        let bytes = postcard::to_stdvec(&self.feed.take(&mut self.server)).unwrap();
        postcard::from_bytes(&bytes).unwrap()
    }

    fn receive(&mut self, delta: &Delta<Arena>, acked: u64) -> Result<Corrections, ApplyError> {
        let received = self
            .predicted
            .receive(&mut self.client, delta, acked, predict);
        self.client.storage().check_invariants();
        received
    }

    fn exchange(&mut self, acked: u64) -> Result<Corrections, ApplyError> {
        let delta = self.delta();
        self.receive(&delta, acked)
    }

    fn walk(&mut self) -> Result<u64, PredictionLimit> {
        self.predicted
            .tick(&mut self.client, Input::walk(1), predict)
    }

    fn serve(&mut self, inputs: usize) {
        (0..inputs).for_each(|_| predict(&mut self.server, &Input::walk(1)));
    }

    fn x(&self) -> Option<i32> {
        let body = body(&self.client, ME)?;
        Some(self.client.entity(body).position().x)
    }
}

#[test]
fn too_many_pending_inputs_stop_the_prediction() {
    let mut pair = Pair::new();
    (1..=8).for_each(|number| assert_eq!(pair.walk(), Ok(number)));
    let stopped = pair.walk().unwrap_err();
    assert_eq!(stopped, PredictionLimit { pending: 8 });
    assert!(stopped.to_string().contains("not acknowledged 8 inputs"));
    assert_eq!(pair.x(), Some(8));
    pair.serve(3);
    pair.exchange(3).unwrap();
    assert_eq!((pair.walk(), pair.x()), (Ok(9), Some(9)));
}

#[test]
fn lost_and_repeated_deltas_change_nothing() {
    let mut pair = Pair::new();
    pair.walk().unwrap();
    pair.walk().unwrap();
    pair.serve(1);
    let first = pair.delta();
    pair.serve(1);
    let second = pair.delta();

    let before = pair.client.checksum();
    let found = pair.receive(&second, 2);
    assert!(
        matches!(found, Err(ApplyError::Missing { .. })),
        "{found:?}"
    );
    assert_eq!(
        (pair.client.checksum(), pair.predicted.acked()),
        (before, 0)
    );
    assert_eq!(pair.predicted.pending().len(), 2);

    pair.receive(&first, 1).unwrap();
    assert_eq!(
        pair.receive(&first, 1),
        Err(ApplyError::Repeated { number: 2 })
    );
    assert_eq!(
        (pair.client.checksum(), pair.predicted.acked()),
        (before, 1)
    );
    pair.receive(&second, 2).unwrap();
    assert_eq!((pair.x(), pair.predicted.pending().len()), (Some(2), 0));
}

#[test]
fn a_prediction_goes_on_after_an_error() {
    let mut pair = Pair::new();
    pair.walk().unwrap();
    pair.serve(1);
    drop(pair.delta());
    for number in 2..=4 {
        let delta = pair.delta();
        pair.receive(&delta, 1).unwrap_err();
        assert_eq!(pair.walk(), Ok(number));
        let me = body(&pair.client, ME).unwrap();
        let half = pair.predicted.view::<Position>(&pair.client, 0.0).get(me);
        assert_eq!(half.unwrap().x, number as i32 - 1); // the tick before is still known
    }
    let everything = pair.feed.take_all(&mut pair.server);
    let corrections = pair.receive(&everything, 1).unwrap();
    assert_eq!((corrections.values, corrections.replayed), (0, 3));
    assert_eq!(pair.x(), Some(4));
}

#[test]
fn an_empty_delta_neither_rewinds_nor_replays() {
    let mut pair = Pair::new();
    let history = |pair: &Pair| pair.predicted.pending().len();
    assert_eq!(pair.exchange(0).unwrap().replayed, 0); // nothing is pending

    let still = Input::default();
    for _ in 0..3 {
        pair.predicted
            .tick(&mut pair.client, still, predict)
            .unwrap();
    }
    pair.walk().unwrap();
    let replayed = |pair: &mut Pair, acked| {
        let (delta, mut replayed) = (pair.delta(), 0);
        let Pair {
            predicted, client, ..
        } = pair;
        let received = predicted.receive(client, &delta, acked, |game, input| {
            replayed += 1;
            predict(game, input);
        });
        assert_eq!(received.unwrap().values, 0);
        replayed
    };
    assert_eq!((replayed(&mut pair, 0), replayed(&mut pair, 2)), (0, 0)); // idle ticks
    assert_eq!((history(&pair), pair.x()), (2, Some(1)));
    // The server has played the walk, but its body was held: a wrong prediction, and an empty delta.
    pair.walk().unwrap();
    let delta = pair.delta();
    let corrections = pair.receive(&delta, 4).unwrap();
    assert_eq!((corrections.largest, corrections.replayed), (1.0, 1));
    assert_eq!(pair.x(), Some(1));
}

#[test]
fn a_server_ahead_of_the_client_clears_what_is_pending() {
    let mut pair = Pair::new();
    pair.walk().unwrap();
    pair.serve(100);
    pair.exchange(100).unwrap();
    assert_eq!((pair.x(), pair.predicted.acked()), (Some(100), 100));
    assert_eq!(pair.predicted.pending().len(), 0);
    assert_eq!(pair.walk(), Ok(101));
    pair.exchange(7).unwrap(); // is ignored
    assert_eq!((pair.predicted.acked(), pair.x()), (100, Some(101)));
    pair.exchange(u64::MAX).unwrap();
    assert_eq!(pair.predicted.pending().len(), 0);
}

#[test]
fn a_predicted_entity_that_the_server_destroys_is_gone() {
    let mut pair = Pair::new();
    pair.walk().unwrap();
    pair.server.destroy(body(&pair.server, ME).unwrap());
    let corrections = pair.exchange(0).unwrap();
    assert_eq!((corrections.replayed, pair.x()), (1, None));
    assert_eq!(pair.walk(), Ok(2)); // the step finds no body
    assert!(pair.client.is_empty() && pair.predicted.mirror().is_empty());
}

#[test]
fn an_entity_that_only_the_prediction_destroys_comes_back() {
    let mut pair = Pair::new();
    let destroy = |game: &mut Arena, _: &Input| {
        body(game, ME).into_iter().for_each(|id| game.destroy(id));
    };
    let Pair {
        predicted, client, ..
    } = &mut pair;
    predicted.tick(client, Input::default(), destroy).unwrap();
    assert!(pair.client.is_empty());
    let confirmed: Vec<_> = pair.predicted.confirmed::<Position>(&pair.client).collect();
    assert_eq!(confirmed.len(), 1); // the server still has it
    pair.exchange(1).unwrap();
    assert_eq!(pair.x(), Some(0));
}

#[test]
fn predicted_entities_vanish_unless_the_server_creates_them() {
    let mut pair = Pair::new();
    let shoot = Input {
        shoots: true,
        ..Input::default()
    };
    let bullets = |game: &Arena| game.query::<&Bullet>().iter().count();
    for _ in 0..2 {
        pair.predicted
            .tick(&mut pair.client, shoot, predict)
            .unwrap();
    }
    assert_eq!(bullets(&pair.client), 2);
    predict(&mut pair.server, &shoot);
    pair.exchange(1).unwrap(); // confirmed
    assert_eq!(
        (bullets(&pair.client), pair.predicted.mirror().len()),
        (2, 2)
    );
    pair.exchange(2).unwrap(); // the server had no ammunition
    assert_eq!(
        (bullets(&pair.client), contents(&pair.client)),
        (1, contents(&pair.server))
    );
}

#[test]
fn a_predicted_entity_does_not_pass_its_smoothing_on_to_the_next_with_its_id() {
    let mut pair = Pair::new();
    let shoot = Input {
        shoots: true,
        ..Input::default()
    };
    pair.predicted
        .tick(&mut pair.client, shoot, predict)
        .unwrap();
    let bullet = pair.client.query::<(EntityId<Arena>, &Bullet)>().iter();
    let bullet = bullet.map(|it| it.0).next().unwrap();
    pair.server
        .create_with((Player(2), Position { x: 30, y: 0 }));
    pair.exchange(1).unwrap();
    assert_eq!(body(&pair.client, 2), Some(bullet)); // the same local id
    let shown = pair
        .predicted
        .view::<Position>(&pair.client, 1.0)
        .get(bullet);
    assert_eq!(shown, Some(Position { x: 30, y: 0 }));
}

#[test]
fn a_panic_in_a_predicted_step_leaves_a_final_state() {
    let mut pair = Pair::new();
    pair.walk().unwrap();
    let Pair {
        predicted, client, ..
    } = &mut pair;
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        predicted.tick(client, Input::walk(1), |game, input| {
            predict(game, input);
            panic!("in the step");
        })
    }));
    assert!(panicked.is_err());
    pair.client.storage().check_invariants();
    assert_eq!((pair.x(), pair.predicted.pending().len()), (Some(2), 1));
    assert_eq!(pair.walk(), Ok(2));
    pair.serve(1);
    pair.exchange(1).unwrap();
    assert_eq!(pair.x(), Some(2)); // what the step did is undone
}

#[test]
fn a_panic_in_a_replay_is_mended_by_the_next_delta() {
    let mut pair = Pair::new();
    (0..4).for_each(|_| _ = pair.walk());
    pair.serve(1);
    let delta = pair.delta();
    let Pair {
        predicted, client, ..
    } = &mut pair;
    let mut steps = 0;
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        predicted.receive(client, &delta, 1, |game, input| {
            steps += 1;
            assert!(steps < 2, "in the second step");
            predict(game, input);
        })
    }));
    assert!(panicked.is_err());
    pair.client.storage().check_invariants();
    assert_eq!((pair.x(), pair.predicted.acked()), (Some(2), 1));
    assert_eq!(pair.walk(), Ok(5));
    pair.exchange(1).unwrap(); // empty, but the replay is incomplete
    assert_eq!((pair.x(), pair.predicted.pending().len()), (Some(5), 4));
}

#[test]
fn a_panic_of_an_observer_while_a_delta_is_applied_leaves_it_applied() {
    let mut pair = Pair::new();
    (0..3).for_each(|_| _ = pair.walk());
    pair.server.create_with((Player(2), Position::default()));
    let group = pair.client.group(Arena::all_of::<Player>());
    let subscription = group.on_entered(&mut pair.client, |_, _| panic!("observer"));
    let delta = pair.delta();
    let panicked = catch_unwind(AssertUnwindSafe(|| pair.receive(&delta, 0)));
    assert!(panicked.is_err());
    pair.client.unsubscribe(subscription);
    assert_eq!((pair.x(), pair.client.len()), (Some(0), 2)); // the server's state
    assert_eq!(
        pair.predicted.confirmed::<Position>(&pair.client).count(),
        0
    ); // until the next call
    pair.exchange(0).unwrap();
    assert_eq!((pair.x(), pair.predicted.pending().len()), (Some(3), 3));
    assert_eq!(
        pair.predicted.confirmed::<Position>(&pair.client).count(),
        2
    );
}

#[test]
fn a_server_that_has_moved_is_followed() {
    let mut pair = Pair::new();
    pair.walk().unwrap();
    let bytes = postcard::to_stdvec(&pair.server.save()).unwrap();
    pair.server = Arena::load(&mut postcard::Deserializer::from_bytes(&bytes)).unwrap();
    pair.feed = pair.server.feed::<(Player, Position, Bullet)>();
    let delta = pair.delta();
    assert_eq!(pair.receive(&delta, 0), Err(ApplyError::OtherFeed));
    assert_eq!(pair.x(), Some(1));
    let Pair {
        predicted, client, ..
    } = &mut pair;
    let corrections = predicted.rebase(client, &delta, 0, predict).unwrap();
    assert_eq!((corrections.values, corrections.replayed), (0, 1));
    assert_eq!(pair.x(), Some(1));
}

#[test]
fn changes_between_calls_are_undone_but_not_those_of_excluded_components() {
    let mut pair = Pair::new();
    let me = body(&pair.client, ME).unwrap();
    pair.client.entity_mut(me).add(Sprite(3));
    shift(&mut pair.client, me, 0, 9);
    pair.server.create_with(Player(2));
    pair.exchange(0).unwrap();
    let entity = pair.client.entity(me);
    assert_eq!((entity.position().y, entity.sprite()), (0, &Sprite(3)));
}

#[test]
fn another_context_is_rejected() {
    let mut pair = Pair::new();
    let mut other = Arena::new();
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        pair.predicted.tick(&mut other, Input::default(), predict)
    }));
    assert!(panicked.is_err());
}
