//! User code that panics anywhere: in `Clone`, `Drop`, `Eq` and `Hash` of values, in closures,
//! observers, key functions and iterators. Whatever it leaves undone, the context is whole and goes
//! on, and every value is dropped once.

use proptest::prelude::*;

use ::model::faults::values_alive;
use ::model::op::{Kind, Op, Pick};
use ::model::{Player, Real, compare, make, programs};

proptest! {
    #![proptest_config(programs(50))]

    /// F08: how far an operation has come in which user code panics is up to the library; that it
    /// goes on from there as the rules say is not.
    #[test]
    fn user_code_that_panics_leaves_a_whole_context(program in make::faulty_program()) {
        let before = values_alive();
        compare(&program).map_err(TestCaseError::fail)?;
        prop_assert_eq!(values_alive(), before, "values that are dropped twice, or never");
    }
}

proptest! {
    #![proptest_config(programs(5))]

    /// F08: also where nothing panics.
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

/// F01: of the keys that a bulk change would give, one panics when it is dropped.
#[test]
fn keys_that_are_compared_are_dropped_though_one_of_them_panics() {
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
