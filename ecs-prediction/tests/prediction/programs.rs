//! Random programs: whatever the link and others do, in the end the client has what the server has.

use ecs::prelude::*;

use crate::game::{Arena, Bullet, Input, Player, Position, Sprite, body, checksum, contents};
use crate::link::{Quality, Random};
use crate::session::{ME, Session};

/// What others do to the game in a tick.
fn disturb(game: &mut Arena, random: &mut Random) {
    let all: Vec<_> = game.entities().map(|it| it.id()).collect();
    let any = (!all.is_empty()).then(|| all[random.below(all.len() as u64) as usize]);
    let (x, y) = (random.below(9) as i32, random.below(9) as i32);
    match (random.below(8), any) {
        (0, Some(id)) => game.destroy(id),
        (1, Some(id)) => _ = game.entity_mut(id).insert(Position { x, y }),
        (2, Some(id)) => _ = game.entity_mut(id).try_remove::<Position>(),
        (3, Some(owner)) => {
            let left = random.below(5) as u32;
            let at = Position { x, y };
            game.create_with((at, Bullet { owner, left }));
        }
        (4, _) => {
            let player = random.below(4) as u32;
            if body(game, player).is_none() {
                game.create_with((Player(player), Position { x, y }));
            }
        }
        _ => {}
    }
}

fn play(seed: u64) {
    let mut random = Random(seed);
    let quality = Quality {
        lag: random.below(6),
        jitter: random.below(4),
        loss: random.below(30),
        doubled: random.below(20),
    };
    let mut session = Session::new(quality, seed);
    for frame in 0..150 {
        let input = Input {
            dx: random.below(3) as i32 - 1,
            dy: random.below(3) as i32 - 1,
            shoots: random.percent(20),
        };
        let plays = random.percent(80);
        let mut others = random.clone();
        let is_disturbed = random.percent(40);
        session.tick(plays.then_some(input), |game| {
            if is_disturbed {
                disturb(game, &mut others);
            }
        });
        let game = &mut session.client.game;
        if frame % 10 == 0 {
            let mine = body(game, ME).filter(|id| !game.entity(*id).has::<Sprite>());
            mine.into_iter()
                .for_each(|id| _ = game.entity_mut(id).add(Sprite(1)));
        }
        game.storage().check_invariants();
    }
    session.rest();
    let (client, server) = (&session.client.game, &session.server.game);
    assert_eq!(contents(client), contents(server), "seed {seed}");
    assert_eq!(checksum(client), checksum(server), "seed {seed}");
    assert_eq!(session.client.predicted.pending().len(), 0);
    assert_eq!(
        session.client.predicted.mirror().len(),
        server.len(),
        "seed {seed}"
    );
}

#[test]
fn the_client_equals_the_server_after_every_program() {
    (0..60).for_each(play);
}
