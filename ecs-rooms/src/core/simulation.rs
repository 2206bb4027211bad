//! Whole deployments, simulated: processes that are paused and killed, clocks that jump, records that
//! are lost, late, doubled and reordered, writes of unknown outcome, saves that are damaged, and owners
//! that are made beside others, games that panic, players with two devices, and hosts and players that change to
//! another version of the game. A seed decides all of it.
//!
//! ```text
//! ECS_ROOMS_SEEDS=20000 cargo test -p ecs-rooms simulation    more seeds
//! ECS_ROOMS_SEED=17 cargo test -p ecs-rooms simulation        one of them
//! ```
//!
//! After the faults have ended, the log is played again, by the obvious code in `reference`, and these
//! must hold:
//!
//! - *each has an outcome*: of each input its player learns that it was played or rejected
//! - *outcomes are true*: what was acknowledged as played is in that tick, what was rejected in none
//! - *reasons are right*: the log justifies the reason of each rejection
//! - *none twice*: each once, in order, also if a player has two devices, or moves from gateway to gateway
//! - *one history*: all replicas had the same checksum of each room after each tick
//! - *marks fenced*: ticks follow each other without gaps, epochs never go back
//! - *versions*: a newer version goes on from what an older one has handed over, and none goes back
//! - *one result*: a room that ends itself is not played any further, and its result is written, and never another one
//! - *checksums equal*: those in marks are those of the reference
//! - *alive*: each room is played to the end
//! - *balanced*: after a quiet time no host has more than one room more than another one (`balance`)
//! - *no failure*: if nothing goes wrong but that hosts join, die and leave, none of them reports a failure

mod balance;
mod engine;
mod reference;
pub(crate) mod room;
mod seats;
mod world;

use self::world::{Counts, World};

/// Seeds that have found faults which few others find.
const FOUND: [u64; 6] = [310_940, 327_778, 600_587, 604_531, 606_625, 646_514];

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

fn run(counts: Counts, seed: u64) -> Counts {
    World::new(seed, counts).run().unwrap_or_else(|broken| {
        panic!("{broken}\nagain: ECS_ROOMS_SEED={seed} cargo test -p ecs-rooms simulation")
    })
}

#[test]
fn all_invariants_hold_whatever_happens() {
    if let Some(seed) = number("ECS_ROOMS_SEED") {
        run(Counts::default(), seed);
        return;
    }
    let seeds = number("ECS_ROOMS_SEEDS").unwrap_or(100);
    FOUND.into_iter().fold(Counts::default(), run);
    let counts = (0..seeds).fold(Counts::default(), run);
    println!("{seeds} seeds: {counts:?}");
    // The faults have done something.
    assert!(
        counts.late > seeds / 20 && counts.reopened > seeds / 2,
        "{counts:?}"
    );
    assert!(
        counts.taken_over > 3 * seeds && counts.rejected > seeds / 4,
        "{counts:?}"
    );
    assert!(
        counts.replayed > seeds && counts.repeated > seeds,
        "{counts:?}"
    );
    assert!(
        counts.connections_taken > seeds && counts.asked > seeds && counts.panicked > seeds / 20,
        "{counts:?}"
    );
    assert!(counts.moved > 5 * seeds, "{counts:?}");
    assert!(
        counts.unknown > seeds
            && counts.damaged > seeds / 8
            && counts.expired + counts.revoked > seeds
            && counts.ended > seeds / 8,
        "{counts:?}"
    );
}

/// In milliseconds, with ticks of 50 and a patience of 700.
#[test]
fn a_shard_is_hardly_silent_while_hosts_join_die_and_leave() {
    let run = |is_standby| {
        (0..6).fold([0; 3], |longest, seed| {
            let silences = World::new(seed, Counts::default()).run_calm(is_standby);
            let silences = silences.unwrap_or_else(|broken| panic!("seed {seed}: {broken}"));
            [0, 1, 2].map(|at| silences[at].max(longest[at]))
        })
    };
    let (with, without) = (run(true), run(false));
    println!("joins, dies, leaves: with standbys {with:?}, without {without:?}");
    assert!(
        with.into_iter()
            .zip([250, 300, 250])
            .all(|(silence, most)| silence <= most),
        "{with:?}"
    );
    assert!(
        without
            .into_iter()
            .zip([250, 1_200, 250])
            .all(|(silence, most)| silence <= most),
        "{without:?}"
    );
}

#[test]
fn hosts_of_a_new_version_take_over_without_a_failure() {
    for seed in 0..number("ECS_ROOMS_SEEDS").unwrap_or(60) {
        let ran = World::new(seed, Counts::default()).run_upgrade(seed % 2 == 0);
        ran.unwrap_or_else(|broken| panic!("seed {seed}: {broken}"));
    }
}

#[test]
fn a_new_version_waits_for_the_old_one_as_soon_as_that_has_played() {
    for seed in 0..number("ECS_ROOMS_SEEDS").unwrap_or(60) {
        let ran = World::new(seed, Counts::default()).run_crash();
        let failures = ran.unwrap_or_else(|broken| panic!("seed {seed}: {broken}"));
        assert!(failures > 0, "seed {seed}");
    }
}

#[test]
fn players_learn_which_inputs_are_lost_if_messages_get_lost() {
    let seeds = number("ECS_ROOMS_SEEDS").unwrap_or(20);
    let of_seed = |seed| {
        let ran = World::new(seed, Counts::default()).run_loss();
        ran.unwrap_or_else(|broken| panic!("seed {seed}: {broken}"))
    };
    let with_losses = (0..seeds).filter(|seed| of_seed(*seed) > 0).count() as u64;
    assert!(with_losses > seeds * 9 / 10, "{with_losses}");
}

#[test]
fn a_seed_always_does_the_same() {
    let of = |seed| format!("{:?}", run(Counts::default(), seed));
    assert_eq!(of(7), of(7));
    assert_ne!(of(7), of(8));
}
