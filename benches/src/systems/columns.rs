//! What the systems that hand out whole columns do alike in W12.

use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};

use crate::workload::on_two_threads;

/// Does something for each place of two columns, spread over two threads.
pub(super) fn on_columns<T: Send, P: Send>(
    transforms: &mut [T],
    positions: &mut [P],
    work: impl Fn(&mut T, &mut P) + Send + Sync,
) {
    on_two_threads(|| {
        let places = transforms.par_iter_mut().zip(positions);
        places.for_each(|(transform, position)| work(transform, position));
    });
}
