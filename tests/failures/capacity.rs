//! Capacities above the limit (F33). The limits themselves (F32) and the last number of every
//! counter (F28) are tested next to the counters, in the library; exhausted memory (F34) in
//! `tests/memory`.

use ecs::prelude::*;

use super::game::{Game, GameEntity, GameEntityMut, Value, assert_usable};
use support::panic_of;

#[derive(Component)]
#[component(context = Game)]
struct Mark;

#[derive(Component)]
#[component(context = Game)]
struct Wide([u64; 1 << 17]);

/// F33: a reserve above the limit, or above the available memory, is rejected with a message that
/// names the requested capacity, and changes nothing.
#[test]
fn absurd_capacities_are_rejected_and_change_nothing() {
    let mut game = Game::new();
    let id = game.create_with((Value(7), Mark)).id();
    let before = game.storage().memory();
    // None of these exists on a 32-bit machine.
    let most = [u64::MAX, 1 << 63, (1 << 63) - 1, 1 << 33, (1 << 32) + 1];
    for n in most.into_iter().flat_map(usize::try_from) {
        let message = panic_of(|| game.storage_mut().reserve_entities(n));
        let start = format!("cannot reserve room for {n} entities in context `Game`: ");
        assert!(
            message.starts_with(&start) && message.contains("2^32"),
            "{message}"
        );
        for message in [
            panic_of(|| game.storage_mut().reserve::<Value>(n)),
            panic_of(|| game.storage_mut().reserve::<Mark>(n)),
        ] {
            let start = format!("cannot reserve room for {n} values of component `");
            assert!(
                message.starts_with(&start) && message.contains("2^32"),
                "{message}"
            );
        }
        let message = panic_of(|| drop(Game::with_capacity(n)));
        assert!(
            message.contains("in context `Game`: a context holds at most"),
            "{message}"
        );
    }
    // Fewer than a context can hold, but 2 PiB of values.
    let message = panic_of(|| game.storage_mut().reserve::<Wide>(1 << 31));
    assert!(
        message.contains("`Wide` in context `Game`: memory has no room"),
        "{message}"
    );
    assert!(message.contains("1048576 bytes each"), "{message}");
    let after = game.storage().memory();
    assert_eq!(after.entities, before.entities);
    let bytes = |memory: &ecs::stats::Memory, name: &str| {
        let one = memory.components().iter().find(|one| one.name() == name);
        one.map(|one| one.bytes)
    };
    assert_eq!(bytes(&after, "Value"), bytes(&before, "Value"));
    assert_eq!(game.entity(id).get::<Value>(), Some(&Value(7)));
    game.destroy(id);
    assert_usable(&mut game);
}
