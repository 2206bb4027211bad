//! Checks after the timed part: every field of every component that a workload writes or reads, entity
//! by entity.

use crate::matrix::{computed, transform};
use crate::types::{A, B, Position, Transform, Velocity, advanced, position, velocity};

/// The position and the velocity of an entity, if it has them.
pub type Mover = (Option<Position>, Option<Velocity>);

/// Panics unless the entities are where `steps` steps of W2 take them, and have their velocity.
pub fn check_movers<E: Copy>(ids: &[E], steps: u64, mut of: impl FnMut(E) -> Mover) {
    for (index, &id) in ids.iter().enumerate() {
        let expected = (Some(advanced(index, steps)), Some(velocity()));
        assert_eq!(of(id), expected);
    }
}

/// Panics unless the entities have the positions that a row writes or leaves unchanged.
pub fn check_positions<E: Copy>(ids: &[E], mut of: impl FnMut(E) -> Position) {
    for (index, &id) in ids.iter().enumerate() {
        assert_eq!(of(id), position(index));
    }
}

/// Panics unless the entities of W4 have their A, and B if it must be present.
pub fn check_pairs<E: Copy>(
    ids: &[E],
    with_b: bool,
    mut of: impl FnMut(E) -> (Option<A>, Option<B>),
) {
    for (index, &id) in ids.iter().enumerate() {
        let expected = (Some(A(index as f32)), with_b.then_some(B(1.0)));
        assert_eq!(of(id), expected);
    }
}

/// Panics unless the entities of W12 are right after `runs` runs.
pub fn check_computed<E: Copy>(
    ids: &[E],
    runs: u64,
    mut of: impl FnMut(E) -> (Transform, Position),
) {
    for (index, &id) in ids.iter().enumerate() {
        assert_eq!(of(id), (transform(index), computed(index, runs)));
    }
}

/// Panics unless these are the entities of W11, in any order.
pub fn check_memory(entities: usize, all: impl Iterator<Item = (Position, Velocity)>) {
    let mut all: Vec<_> = all.collect();
    all.sort_by(|a, b| a.0.0[0].total_cmp(&b.0.0[0]));
    let expected = (0..entities).map(|index| (position(index), velocity()));
    assert!(all.into_iter().eq(expected));
}

/// Panics unless these are the positions of the entities of W11s, and the positions and transforms of
/// the picked ones, in any order.
pub fn check_memory_sparse(
    (entities, picked): (usize, &[usize]),
    positions: impl Iterator<Item = Position>,
    transforms: impl Iterator<Item = (Position, Transform)>,
) {
    let mut positions: Vec<_> = positions.collect();
    positions.sort_by(|a, b| a.0[0].total_cmp(&b.0[0]));
    assert!(positions.into_iter().eq((0..entities).map(position)));
    let mut transforms: Vec<_> = transforms.collect();
    transforms.sort_by(|a, b| a.0.0[0].total_cmp(&b.0.0[0]));
    let mut picked = picked.to_vec();
    picked.sort_unstable();
    let expected = picked.into_iter().map(|at| (position(at), transform(at)));
    assert!(transforms.into_iter().eq(expected));
}
