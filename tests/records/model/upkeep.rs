//! Random programs whose entities are moved together in small steps at the end.

use ecs::prelude::*;
use proptest::prelude::*;

use ::model::{Player, Real, make, programs};

use super::{after, seen};

/// Moves entities in small steps until no move is left; checks that nothing else changes.
fn move_together(mut real: Real) -> Result<(), TestCaseError> {
    real.set_moved(true);
    let before = seen(&real);
    // At worst a pass moves each entity twice, out of the free rows and then to its place, and a
    // pass with old counts is followed by one with new counts.
    let most = 4 * real.game.len() + 4;
    let mut calls = 0;
    while real.game.storage_mut().defragment_for(1) {
        calls += 1;
        prop_assert!(
            calls <= most,
            "{} entities, {} calls",
            real.game.len(),
            calls
        );
    }
    let left = real.game.storage().fragmentation();
    prop_assert_eq!((left.misplaced, left.ratio()), (0, 0.0));
    prop_assert_eq!(left.blocks, left.blocks_needed);
    real.check();
    prop_assert_eq!(seen(&real), before);
    Ok(())
}

proptest! {
    #![proptest_config(programs(2))]

    #[test]
    fn small_steps_finish_and_keep_everything(program in make::program()) {
        move_together(after(&program))?;
    }

    #[test]
    fn small_steps_finish_with_entities_in_many_blocks(program in make::large_program()) {
        let mut real = Real::unchecked();
        program.iter().for_each(|op| drop(real.play(op)));
        move_together(real)?;
    }
}
