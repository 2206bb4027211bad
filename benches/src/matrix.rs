//! The matrices of W12 and their computations.

use crate::types::{Position, Transform, position};

/// How often each matrix is inverted: an even number, which restores it.
const INVERSIONS: usize = 100;

/// Returns the matrix of entity `index`, which has an inverse and is computed exactly.
pub fn transform(index: usize) -> Transform {
    let step = (index % 8) as f32;
    #[rustfmt::skip]
    let columns = [
        2.0, 0.0, 0.0, 0.0,
        0.0, 0.5, 0.0, 0.0,
        1.0, 0.0, 4.0, 0.0,
        1.0, step, 2.0, 1.0,
    ];
    Transform(columns)
}

/// The work of W12 for one entity: inverts its matrix repeatedly, then moves its position by the result.
#[inline]
pub fn compute(transform: &mut Transform, position: &mut Position) {
    let mut matrix = transform.0;
    for _ in 0..INVERSIONS {
        matrix = inverse(&matrix);
    }
    transform.0 = matrix;
    for (coordinate, shift) in position.0.iter_mut().zip(&matrix[12..15]) {
        *coordinate += shift;
    }
}

/// Returns the position of entity `index` after `runs` runs of W12.
pub fn computed(index: usize, runs: u64) -> Position {
    let (first, shift) = (position(index).0, transform(index).0);
    Position([0, 1, 2].map(|at| first[at] + runs as f32 * shift[12 + at]))
}

/// Returns the inverse of a matrix that has one, by the minors of its upper and lower halves.
#[inline]
pub fn inverse(m: &[f32; 16]) -> [f32; 16] {
    let minor =
        |row: usize, a: usize, b: usize| m[row + a] * m[row + 4 + b] - m[row + b] * m[row + 4 + a];
    let upper = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)].map(|(a, b)| minor(0, a, b));
    let lower = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)].map(|(a, b)| minor(8, a, b));
    let [u0, u1, u2, u3, u4, u5] = upper;
    let [l0, l1, l2, l3, l4, l5] = lower;
    let scale = 1.0 / (u0 * l5 - u1 * l4 + u2 * l3 + u3 * l2 - u4 * l1 + u5 * l0);
    let adjugate = [
        m[5] * l5 - m[6] * l4 + m[7] * l3,
        -m[1] * l5 + m[2] * l4 - m[3] * l3,
        m[13] * u5 - m[14] * u4 + m[15] * u3,
        -m[9] * u5 + m[10] * u4 - m[11] * u3,
        -m[4] * l5 + m[6] * l2 - m[7] * l1,
        m[0] * l5 - m[2] * l2 + m[3] * l1,
        -m[12] * u5 + m[14] * u2 - m[15] * u1,
        m[8] * u5 - m[10] * u2 + m[11] * u1,
        m[4] * l4 - m[5] * l2 + m[7] * l0,
        -m[0] * l4 + m[1] * l2 - m[3] * l0,
        m[12] * u4 - m[13] * u2 + m[15] * u0,
        -m[8] * u4 + m[9] * u2 - m[11] * u0,
        -m[4] * l3 + m[5] * l1 - m[6] * l0,
        m[0] * l3 - m[1] * l1 + m[2] * l0,
        -m[12] * u3 + m[13] * u1 - m[14] * u0,
        m[8] * u3 - m[9] * u1 + m[10] * u0,
    ];
    adjugate.map(|cofactor| cofactor * scale)
}
