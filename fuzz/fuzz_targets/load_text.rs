//! Loads and merges saves in JSON that anybody may have written.

#![no_main]

use ecs::Context as _;
use ecs_fuzz::{Game, check, check_merge};
use libfuzzer_sys::fuzz_target;
use serde_json::Deserializer;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(game) = Game::load(&mut Deserializer::from_slice(bytes)) {
        check(game);
    }
    check_merge(|game| game.merge(&mut Deserializer::from_slice(bytes)));
});
