//! 300 ms of lag at 20 ticks a second.

use ecs::prelude::*;

use crate::game::{Input, Position, body, checksum, contents};
use crate::link::{Quality, Random};
use crate::session::{ME, Session};

/// Three ticks each way.
const FAR: Quality = Quality::steady(3);

const WORSE: Quality = Quality {
    lag: 3,
    jitter: 2,
    loss: 10,
    doubled: 5,
};

/// A session in which the client has its body.
fn joined(quality: Quality, seed: u64) -> Session {
    let mut session = Session::new(quality, seed);
    while session.client.at().is_none() {
        session.tick(None, |_| ());
    }
    session
}

fn random_input(random: &mut Random) -> Input {
    Input {
        dx: random.below(3) as i32 - 1,
        dy: random.below(3) as i32 - 1,
        shoots: random.percent(10),
    }
}

#[test]
fn an_own_move_is_visible_in_the_tick_of_the_input() {
    let mut session = joined(FAR, 1);
    for x in 1..=40 {
        session.tick(Some(Input::walk(1)), |_| ());
        assert_eq!(session.client.at(), Some(Position { x, y: 0 }));
    }
    assert_eq!(session.client.predicted.pending().len(), 6);
}

#[test]
fn two_thousand_frames_without_disturbance_need_no_correction() {
    for (quality, seed) in [(FAR, 2), (WORSE, 3)] {
        let mut session = joined(quality, seed);
        let mut random = Random(seed);
        let (mut at, mut others) = (Position::default(), 0);
        for _ in 0..2_000 {
            let input = random_input(&mut random);
            session.tick(Some(input), |game| {
                let other = body(game, 2).unwrap(); // is not in the way
                game.entity_mut(other).update_position(|it| it.x += 1);
            });
            at = Position {
                x: at.x + input.dx,
                y: at.y + input.dy,
            };
            assert_eq!(session.client.at(), Some(at));
            others += session.client.game.query::<&Position>().iter().count();
        }
        assert_eq!(
            (session.client.corrections.len(), session.client.stalled),
            (0, 0)
        );
        assert!(others > 3 * 2_000); // there were bullets
        session.rest();
        assert_eq!(
            contents(&session.client.game),
            contents(&session.server.game)
        );
    }
}

#[test]
fn corrections_converge_after_others_push() {
    for (quality, seed) in [(FAR, 4), (WORSE, 5)] {
        let mut session = joined(quality, seed);
        let mut random = Random(seed);
        for frame in 0..400 {
            session.tick(Some(random_input(&mut random)), |game| {
                if frame % 50 == 10 {
                    let me = body(game, ME).unwrap();
                    game.entity_mut(me).update_position(|it| it.x += 20);
                }
            });
        }
        let corrections = &session.client.corrections;
        assert_eq!(corrections.len(), 8, "{corrections:?}"); // one for each push
        assert!(corrections.iter().all(|it| it.largest == 20.0));
        session.rest();
        assert_eq!(
            contents(&session.client.game),
            contents(&session.server.game)
        );
        assert_eq!(
            checksum(&session.client.game),
            checksum(&session.server.game)
        );
    }
}

#[test]
fn a_correction_eases_out_on_the_screen_while_the_state_is_exact() {
    let mut session = joined(FAR, 6);
    let me = body(&session.client.game, ME).unwrap();
    let mut shown = Vec::new();
    for frame in 0..16 {
        session.tick(Some(Input::walk(1)), |game| {
            if frame == 4 {
                let me = body(game, ME).unwrap();
                game.entity_mut(me).update_position(|it| it.y = 20);
            }
        });
        let client = &session.client;
        let seen = client.predicted.view::<Position>(&client.game, 1.0).get(me);
        shown.push((seen.unwrap(), client.at().unwrap().y));
    }
    assert!((1..16).all(|frame| shown[frame].0.x == shown[frame - 1].0.x + 1)); // it never stops
    let eased: Vec<_> = shown[6..13].iter().map(|it| (it.0.y, it.1)).collect();
    let expected = [
        (0, 0),
        (5, 20),
        (10, 20),
        (15, 20),
        (20, 20),
        (20, 20),
        (20, 20),
    ];
    assert_eq!(eased, expected);
}
