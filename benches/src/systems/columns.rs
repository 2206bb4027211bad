//! What the systems that hand out whole columns do alike in W2p and W12.

use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
use rayon::slice::{ParallelSlice, ParallelSliceMut};

use crate::types::{Position, Velocity, advance_all};
use crate::workload::on_two_threads;

/// How many values a thread takes at once in W2p: more than fit into the nearest cache, so that
/// handing them out costs nothing beside.
const CHUNK: usize = 1 << 14;

/// Position += velocity over two columns, spread over two threads as flat floats.
pub(super) fn advance_in_parallel(positions: &mut [Position], velocities: &[Velocity]) {
    on_two_threads(|| {
        let positions = positions.par_chunks_mut(CHUNK);
        positions
            .zip(velocities.par_chunks(CHUNK))
            .for_each(|(positions, velocities)| advance_all(positions, velocities));
    });
}

/// Does something for each place of two columns, spread over two threads.
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
