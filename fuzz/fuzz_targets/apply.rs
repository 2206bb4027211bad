//! Applies deltas of feeds that anybody may have written, one after the other.

#![no_main]

use ecs::prelude::*;
use ecs::{Delta, Mirror};
use ecs_fuzz::{Game, check};
use libfuzzer_sys::fuzz_target;
use serde::Deserialize as _;

fuzz_target!(|bytes: &[u8]| {
    let (mut game, mut mirror) = (Game::new(), Mirror::new());
    let mut from = postcard::Deserializer::from_bytes(bytes);
    while let Ok(delta) = Delta::<Game>::deserialize(&mut from) {
        let before = game.len();
        if mirror.apply(&mut game, &delta).is_err() {
            assert_eq!(game.len(), before);
            break;
        }
    }
    check(game);
});
