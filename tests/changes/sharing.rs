//! Few scattered values of a large component: their blocks share memory, which shows in nothing but
//! the memory used.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ecs::prelude::*;

use support::game::{Game, GameEntity, GameEntityMut, Health, Id};

/// The number of living [`Big`] values, and whether their drop panics.
#[derive(Debug, Default)]
struct Ledger {
    drops_panic: AtomicBool,
}

/// 64 bytes with a counted drop, by the references to the ledger.
#[derive(Component, Clone, Debug)]
#[component(context = Game, extension, by_value)]
#[repr(align(8))] // on 32-bit machines, too
struct Big {
    number: u64,
    rest: [u64; 6],
    ledger: Arc<Ledger>,
}

impl Big {
    fn new(number: u64, ledger: &Arc<Ledger>) -> Self {
        Self {
            number,
            rest: [number; 6],
            ledger: Arc::clone(ledger),
        }
    }

    /// Its number, after a check that it is intact.
    fn whole(&self) -> u64 {
        assert_eq!(self.rest, [self.number; 6]);
        self.number
    }
}

impl Drop for Big {
    fn drop(&mut self) {
        self.whole();
        assert!(
            !self.ledger.drops_panic.swap(false, Ordering::Relaxed),
            "a drop panics"
        );
    }
}

/// A hundred numbers.
#[derive(Component, Default)]
#[component(context = Game, extension, pooled)]
struct Kept {
    numbers: Vec<u64>,
    rest: [u64; 7],
}

const BLOCKS: usize = 100;

/// A game with a small value in each of 6400 rows, and a large one in some.
fn game(has: impl Fn(usize) -> bool) -> (Game, Vec<Id>, Arc<Ledger>) {
    let (mut game, ledger) = (Game::new(), Arc::default());
    let ids = game.create_many((0..BLOCKS as u32 * 64).map(Health));
    for (at, &id) in ids.iter().enumerate().filter(|(at, _)| has(*at)) {
        game.entity_mut(id).add_big(Big::new(at as u64, &ledger));
    }
    (game, ids, ledger)
}

/// One row in each block, at a different place in each of 64 consecutive blocks.
fn scattered(at: usize) -> bool {
    at % 64 == at / 64 * 7 % 64
}

fn bytes(game: &Game) -> usize {
    let memory = game.storage().memory();
    let mut all = memory.components().iter();
    all.find(|one| one.name() == "Big").unwrap().bytes
}

fn numbers(game: &mut Game) -> Vec<u64> {
    game.query::<&Big>().iter().map(Big::whole).collect()
}

#[test]
fn scattered_values_take_little_memory_and_free_it() {
    assert_eq!(size_of::<Big>(), 64);
    let empty = bytes(&Game::new());
    let (mut game, ids, ledger) = game(scattered);
    assert_eq!(numbers(&mut game).len(), BLOCKS);
    assert!(
        bytes(&game) < BLOCKS * 128 + 8192,
        "{}",
        game.storage().memory()
    );
    for &id in ids
        .iter()
        .filter(|&&id| game.entity(id).has_big())
        .collect::<Vec<_>>()
    {
        game.entity_mut(id).remove_big();
    }
    assert_eq!(Arc::strong_count(&ledger), 1);
    game.storage_mut().shrink_to_fit();
    assert_eq!(bytes(&game), empty);
}

#[test]
fn values_at_the_same_place_of_every_block_take_no_more_than_before() {
    let (mut game, ..) = game(|at| at % 64 == 5);
    assert_eq!(numbers(&mut game).len(), BLOCKS);
    game.storage_mut().shrink_to_fit();
    assert!(bytes(&game) < BLOCKS * (64 * 64 + 64) + 4096);
}

#[test]
fn blocks_that_fill_up_get_separate_memory_and_lose_nothing() {
    let (mut game, ids, ledger) = game(scattered);
    for round in 0..64 {
        for (block, ids) in ids.chunks(64).enumerate().rev() {
            let at = (block + round * 5) % 64;
            let number = (block * 64 + at) as u64;
            game.entity_mut(ids[at])
                .replace_big(Big::new(number, &ledger));
        }
    }
    assert!(numbers(&mut game).into_iter().eq(0..BLOCKS as u64 * 64));
    assert_eq!(Arc::strong_count(&ledger), 1 + BLOCKS * 64);
    let mut longest = 0;
    game.query::<&Big>()
        .for_each_slice(|bigs| longest = longest.max(bigs.len()));
    assert!(longest >= 64);
}

#[test]
fn sparse_blocks_share_memory_after_shrink_to_fit() {
    let (mut game, ids, ledger) = game(|_| true);
    for (at, &id) in ids.iter().enumerate().filter(|(at, _)| !scattered(*at)) {
        assert_eq!(game.entity_mut(id).take_big().unwrap().whole(), at as u64);
    }
    let (before, values) = (bytes(&game), numbers(&mut game));
    game.storage_mut().shrink_to_fit();
    assert!(bytes(&game) < before / 20, "{}", game.storage().memory());
    assert_eq!(numbers(&mut game), values);
    assert_eq!(Arc::strong_count(&ledger), 1 + BLOCKS);
    let (after, fragmentation) = (bytes(&game), game.storage().fragmentation());
    assert_eq!(fragmentation.blocks, BLOCKS * 2); // including those of `Health`
    game.storage_mut().shrink_to_fit();
    assert_eq!(bytes(&game), after);
    game.defragment();
    assert_eq!(game.storage().fragmentation().breaks, 0);
    assert_eq!(numbers(&mut game), values);
}

#[test]
fn slices_of_blocks_that_share_memory_are_those_of_single_rows() {
    let (mut game, ..) = game(|at| at % 64 == 63 || at % 64 == 0 || scattered(at));
    let mut written = Vec::new();
    game.query_mut::<(Id, &mut Big)>()
        .for_each_slice(|(ids, bigs)| {
            for (id, big) in ids.iter().zip(bigs) {
                big.rest = [u64::from(id.index()); 6];
                written.push(big.whole());
            }
        });
    assert_eq!(written, numbers(&mut game));
    assert!(written.is_sorted() && written.len() > BLOCKS * 2);
}

#[test]
fn values_are_written_in_parallel() {
    let (mut game, ..) = game(scattered);
    game.query_mut::<&mut Big>().par_for_each(|big| {
        big.number += 1;
        big.rest = [big.number; 6];
    });
    let expected = (0..BLOCKS * 64).filter(|at| scattered(*at));
    assert!(
        numbers(&mut game)
            .into_iter()
            .eq(expected.map(|at| at as u64 + 1))
    );
}

#[test]
fn a_drop_that_panics_does_not_affect_its_shared_memory() {
    let (mut game, ids, ledger) = game(scattered);
    let has_big = |&&id: &&Id| game.entity(id).has_big();
    let ending: Vec<_> = ids.iter().filter(has_big).step_by(3).copied().collect();
    ledger.drops_panic.store(true, Ordering::Relaxed);
    let attempt = catch_unwind(AssertUnwindSafe(|| game.many(&ending).try_destroy()));
    assert!(attempt.is_err());
    assert_eq!(numbers(&mut game).len(), BLOCKS - BLOCKS.div_ceil(3));
    assert_eq!(Arc::strong_count(&ledger), 1 + BLOCKS - BLOCKS.div_ceil(3));
    for (at, id) in ids.iter().enumerate().filter(|(at, _)| at % 64 == 9) {
        if game.contains(*id) {
            game.entity_mut(*id)
                .replace_big(Big::new(at as u64, &ledger));
        }
    }
    let left = numbers(&mut game).len();
    drop(game);
    assert!(left > BLOCKS && Arc::strong_count(&ledger) == 1);
}

#[test]
fn a_closure_that_panics_leaves_no_slot_in_use() {
    let (mut game, ids, ledger) = game(|_| false);
    for step in [64, 17, 3] {
        let some: Vec<_> = ids.iter().step_by(step).copied().collect();
        let mut left = some.len() / 2;
        let attempt = catch_unwind(AssertUnwindSafe(|| {
            game.many(&some).try_add_with(|id| {
                left = left.checked_sub(1).expect("it panics half-way");
                Big::new(id.index().into(), &ledger)
            })
        }));
        assert!(attempt.is_err());
        assert_eq!(Arc::strong_count(&ledger), 1);
        assert!(numbers(&mut game).is_empty());
        let held = bytes(&game);
        game.storage_mut().shrink_to_fit();
        assert!(bytes(&game) < 100 && bytes(&game) < held);
    }
}

#[test]
fn pooled_values_are_reused() {
    let (mut game, ids, _) = game(|_| false);
    assert!(size_of::<Kept>() >= 64);
    let some: Vec<_> = ids.iter().step_by(67).copied().collect();
    for &id in &some {
        game.entity_mut(id).add_kept_with(|kept| {
            kept.numbers.push(1);
            kept.rest[4] = 4;
        });
    }
    for &id in &some {
        game.entity_mut(id).remove_kept();
    }
    assert_eq!(game.storage().pooled::<Kept>(), some.len());
    for &id in some.iter().rev() {
        game.entity_mut(id).add_kept_with(|kept| {
            assert_eq!((kept.numbers.len(), kept.rest[4]), (0, 0));
            assert!(kept.numbers.capacity() > 0);
        });
    }
    assert_eq!(game.storage().pooled::<Kept>(), 0);
}

#[test]
fn a_pool_holds_as_many_values_as_there_are_rows_and_not_one_more() {
    let mut game = Game::new();
    for _ in 0..2 {
        for _ in 0..64 {
            game.create_with(Kept::default());
        }
        game.destroy_all();
        assert_eq!(game.storage().pooled::<Kept>(), 64);
    }
}

#[test]
fn freed_slots_are_reused_so_that_memory_does_not_grow() {
    let (mut game, ids, ledger) = game(scattered);
    let after_the_first = bytes(&game);
    for round in 0..20_usize {
        let (way, at_once) = (round % 3, round % 2 == 0);
        let owners: Vec<_> = game
            .query::<(Id, &Big)>()
            .iter()
            .map(|(id, _)| id)
            .collect();
        assert_eq!(owners.len(), BLOCKS);
        match (way, at_once) {
            (0, true) => game.many(&owners).remove::<Big>(),
            (0, false) | (1, true) => {
                owners
                    .iter()
                    .for_each(|&id| _ = game.entity_mut(id).take_big());
            }
            _ => owners
                .iter()
                .for_each(|&id| _ = game.entity_mut(id).remove_big()),
        }
        assert_eq!(Arc::strong_count(&ledger), 1);
        for (at, &id) in ids
            .iter()
            .enumerate()
            .filter(|(at, _)| scattered(at + round))
        {
            game.entity_mut(id).add_big(Big::new(at as u64, &ledger));
        }
        assert!(numbers(&mut game).len() >= BLOCKS - 1);
        assert!(
            bytes(&game) <= after_the_first * 5 / 4,
            "round {round}: {}",
            bytes(&game)
        );
        while game.query::<&Big>().iter().count() < BLOCKS {
            let free = ids.iter().find(|&&id| !game.entity(id).has_big()).unwrap();
            game.entity_mut(*free).add_big(Big::new(0, &ledger));
        }
    }
}
