//! Code shared by the systems with access to whole columns, for W2p and W12.

use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
use rayon::slice::{ParallelSlice, ParallelSliceMut};

use crate::types::{Position, Velocity, advance_all};
use crate::workload::on_two_threads;

/// The number of values that a thread takes at once in W2p: more than fit into the nearest cache, so
/// that the cost of distributing them is negligible.
const CHUNK: usize = 1 << 14;

/// Adds velocity to position over two columns of flat floats, spread over two threads.
pub(super) fn advance_in_parallel(positions: &mut [Position], velocities: &[Velocity]) {
    on_two_threads(|| {
        let positions = positions.par_chunks_mut(CHUNK);
        positions
            .zip(velocities.par_chunks(CHUNK))
            .for_each(|(positions, velocities)| advance_all(positions, velocities));
    });
}

/// Calls a function for each place of two columns, spread over two threads.
pub(super) fn on_columns<T: Send, P: Send>(
    first: &mut [T],
    second: &mut [P],
    work: impl Fn(&mut T, &mut P) + Send + Sync,
) {
    on_two_threads(|| {
        let places = first.par_iter_mut().zip(second);
        places.for_each(|(first, second)| work(first, second));
    });
}
