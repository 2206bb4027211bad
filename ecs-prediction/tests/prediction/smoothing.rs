//! What is shown of predicted values.

use ecs::prelude::*;
use ecs_prediction::Predicted;

use crate::game::{Arena, Input, Player, Position, body, step};
use crate::session::{ME, predict};

/// A server, its feed, a client and its prediction of player [`ME`]; player 2 is there, too.
fn pair(snap: f32) -> (Arena, Feed<Arena>, Arena, Predicted<Arena, Input>) {
    let (mut server, mut client) = (Arena::new(), Arena::new());
    for player in [ME, 2] {
        server.create_with((Player(player), Position::default()));
    }
    let feed = server.feed::<(Player, Position)>();
    let predicted = Predicted::new(&mut client).smooth::<Position>(5, snap);
    let mut predicted = predicted.only(|entity| entity.player().0 == ME);
    let delta = feed.take(&mut server);
    predicted.receive(&mut client, &delta, 0, predict).unwrap();
    (server, feed, client, predicted)
}

fn push(server: &mut Arena, player: u32, y: i32) {
    let id = body(server, player).unwrap();
    server.entity_mut(id).update_position(|it| it.y += y);
}

fn shown(client: &Arena, predicted: &Predicted<Arena, Input>, fraction: f32) -> (i32, i32) {
    let me = body(client, ME).unwrap();
    let shown = predicted
        .view::<Position>(client, fraction)
        .get(me)
        .unwrap();
    (shown.x, shown.y)
}

#[test]
fn a_view_moves_between_the_last_two_ticks() {
    let (_, _, mut client, mut predicted) = pair(50.0);
    assert_eq!(shown(&client, &predicted, 0.0), (0, 0)); // there is no tick before
    let by_ten = |game: &mut Arena, input: &Input| (0..10).for_each(|_| step(game, ME, input));
    predicted.tick(&mut client, Input::walk(1), by_ten).unwrap();
    predicted.tick(&mut client, Input::walk(1), by_ten).unwrap();
    let at = [0.0, 0.3, 1.0].map(|fraction| shown(&client, &predicted, fraction).0);
    assert_eq!(at, [10, 13, 20]);
    let dead = client.create_entity().id();
    client.destroy(dead);
    assert_eq!(predicted.view::<Position>(&client, 0.5).get(dead), None);
}

#[test]
fn a_second_correction_continues_from_what_is_shown() {
    let (mut server, feed, mut client, mut predicted) = pair(50.0);
    let mut receive = |client: &mut Arena, predicted: &mut Predicted<Arena, Input>, y| {
        push(&mut server, ME, y);
        let delta = feed.take(&mut server);
        predicted.receive(client, &delta, 0, predict).unwrap()
    };
    let corrections = receive(&mut client, &mut predicted, 10);
    assert_eq!((corrections.values, corrections.largest), (1, 10.0));
    assert_eq!(shown(&client, &predicted, 1.0), (0, 0));
    predicted
        .tick(&mut client, Input::default(), predict)
        .unwrap();
    assert_eq!(shown(&client, &predicted, 0.5), (0, 1));
    assert_eq!(shown(&client, &predicted, 1.0), (0, 2));
    assert_eq!(receive(&mut client, &mut predicted, 20).largest, 20.0);
    let mut eased = vec![shown(&client, &predicted, 1.0).1];
    for _ in 0..6 {
        predicted
            .tick(&mut client, Input::default(), predict)
            .unwrap();
        eased.push(shown(&client, &predicted, 1.0).1);
    }
    assert_eq!(eased, [2, 8, 13, 19, 24, 30, 30]);
}

#[test]
fn far_corrections_are_shown_at_once_and_those_of_others_are_none() {
    let (mut server, feed, mut client, mut predicted) = pair(9.0);
    push(&mut server, ME, 10);
    let delta = feed.take(&mut server);
    let corrections = predicted.receive(&mut client, &delta, 0, predict).unwrap();
    assert_eq!(corrections.largest, 10.0); // reported all the same
    assert_eq!(shown(&client, &predicted, 1.0), (0, 10));

    push(&mut server, 2, 5);
    let delta = feed.take(&mut server);
    let corrections = predicted.receive(&mut client, &delta, 0, predict).unwrap();
    assert_eq!((corrections.values, corrections.largest), (0, 0.0));
    let other = body(&client, 2).unwrap();
    let at = predicted.view::<Position>(&client, 1.0).get(other);
    assert_eq!(at, Some(Position { x: 0, y: 5 }));
}

#[test]
fn without_ticks_of_smoothing_corrections_are_reported_and_shown_at_once() {
    let (mut server, feed, mut client, predicted) = pair(9.0);
    let mut predicted = predicted.smooth::<Position>(0, 9.0); // replaces the other one
    push(&mut server, ME, 3);
    let delta = feed.take(&mut server);
    let corrections = predicted.receive(&mut client, &delta, 0, predict).unwrap();
    assert_eq!((corrections.values, corrections.largest), (1, 3.0));
    assert_eq!(shown(&client, &predicted, 1.0), (0, 3));
}
