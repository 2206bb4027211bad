use ecs_benches::matrix::{inverse, transform};

fn product(a: &[f32; 16], b: &[f32; 16]) -> [f32; 16] {
    std::array::from_fn(|at| (0..4).map(|k| a[at / 4 * 4 + k] * b[k * 4 + at % 4]).sum())
}

#[test]
fn a_matrix_times_its_inverse_is_one() {
    let one = std::array::from_fn(|at| if at % 5 == 0 { 1.0 } else { 0.0 });
    for index in 0..8 {
        let matrix = transform(index).0;
        assert_eq!(product(&matrix, &inverse(&matrix)), one);
        assert_ne!(matrix, inverse(&matrix));
    }
}
