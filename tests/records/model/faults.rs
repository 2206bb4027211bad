//! User code that panics anywhere: in `Clone`, `Drop`, `Eq` and `Hash` of values, in closures,
//! observers, key functions and iterators. The context stays valid and usable, and every value is
//! dropped once.

use proptest::prelude::*;

use ::model::faults::values_alive;
use ::model::op::{Kind, Op, Pick};
use ::model::{Player, Real, compare, make, programs};

proptest! {
    #![proptest_config(programs(50))]

    /// F08: if user code panics, the library decides how much of an operation was done, but
    /// continues from there by the rules.
    #[test]
    fn user_code_that_panics_leaves_a_valid_context(program in make::faulty_program()) {
        let before = values_alive();
        compare(&program).map_err(TestCaseError::fail)?;
        prop_assert_eq!(values_alive(), before, "values that are dropped twice, or never");
    }
}

proptest! {
    #![proptest_config(programs(5))]

    /// F08: also without panics.
    #[test]
    fn every_value_is_dropped_once(program in make::program()) {
        let before = values_alive();
        let mut real = Real::default();
        for op in &program {
            real.play(op);
        }
        drop(real);
        prop_assert_eq!(values_alive(), before);
    }
}

/// F01: the drop of one of the keys computed for a bulk change panics.
#[test]
fn compared_keys_are_dropped_even_if_one_panics() {
    let six = Op::CreateMany(vec![vec![(Kind::A, 2)]; 6]);
    let all = Pick::Run(0, 0, 6, false);
    for at in 0..40 {
        let before = values_alive();
        let replace = Op::ReplaceMany(Kind::G, 3, all.clone());
        let program = [six.clone(), Op::Panicking(at, vec![replace])];
        assert_eq!(compare(&program), Ok(()));
        assert_eq!(values_alive(), before, "the call {at} panics");
    }
}
