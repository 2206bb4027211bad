//! What checksums of values depend on, and that they are equal on every machine.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet, LinkedList, VecDeque};
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::hash::Hash;
use core::marker::PhantomData;
use core::num::{NonZero, Wrapping};
use core::ops::Bound;
use core::time::Duration;

use super::*;
use crate::words::entity_id::EntityId;

fn sum_of(value: &(impl Checksum + ?Sized)) -> u64 {
    let mut hasher = ChecksumHasher::default();
    value.feed(&mut hasher);
    hasher.finish()
}

#[test]
fn checksums_depend_on_values_and_their_order() {
    assert_eq!(sum_of(&[1.0, 2.0]), sum_of(&(1.0, 2.0)));
    assert_ne!(sum_of(&[1.0, 2.0]), sum_of(&[2.0, 1.0]));
    assert_ne!(sum_of(&Some(0_u8)), sum_of(&None::<u8>));
    assert_ne!(
        sum_of(&[[1_u8, 2].as_slice(), &[]][..]),
        sum_of(&[[1_u8].as_slice(), &[2]][..])
    );
}

#[test]
fn checksums_of_options_depend_on_presence_and_value() {
    assert_ne!(sum_of(&Some(0_u8)), sum_of(&Some(1_u8)));
    assert_ne!(
        sum_of(&[Some(1_u8), None]),
        sum_of(&[None, Some(1_u8)]),
        "the same values"
    );
}

#[test]
fn checksums_do_not_depend_on_the_container() {
    let (list, one) = ([1.0_f32, 2.0], 3.0_f64);
    assert_eq!(sum_of(&Vec::from(list)), sum_of(&list[..]));
    assert_eq!(sum_of(&Box::<[f32]>::from(list)), sum_of(&list[..]));
    assert_eq!(sum_of(&Box::new(one)), sum_of(&one));
    assert_eq!(sum_of(&&one), sum_of(&one));
    assert_eq!(sum_of(&Cow::Borrowed(&one)), sum_of(&one));
    assert_eq!(sum_of(&Cow::<f64>::Owned(one)), sum_of(&one));
}

#[test]
fn a_sum_is_the_same_on_every_machine() {
    assert_eq!(sum_of(&(3_usize, -1_i32, "ecs")), 0xe8c4_15b2_c99a_d242);
}

/// The checksum of a value through `Hash`.
fn hash_of(value: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = ChecksumHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

/// F26.
#[test]
fn numbers_have_the_same_checksums_on_every_machine() {
    let sums = [
        sum_of(&0x12_u8),
        sum_of(&0x1234_u16),
        sum_of(&0x1234_5678_u32),
        sum_of(&0x1234_5678_9abc_def0_u64),
        sum_of(&0x1234_5678_9abc_def0_u128),
        sum_of(&3_usize),
        sum_of(&-1_i8),
        sum_of(&-2_i16),
        sum_of(&-3_i32),
        sum_of(&-4_i64),
        sum_of(&-5_i128),
        sum_of(&-6_isize),
        sum_of(&1.5_f32),
        sum_of(&-0.0_f64),
        sum_of(&NonZero::new(-7_isize)),
        sum_of(&Wrapping(-8_isize)),
    ];
    let expected = [
        0x8089_f5d1_c4be_1ea2,
        0xd181_5c50_ba4d_408e,
        0xe891_3ef6_2c10_c03a,
        0x0abb_f710_ccd0_c7e5,
        0xf7a2_5688_3273_dbdb,
        0xa19a_d31e_46af_150b,
        0x4f2d_b50f_1240_40cd,
        0x40f8_123d_1b97_8ead,
        0xedf8_2527_1ded_697f,
        0xd658_659f_385e_d390,
        0x292e_533a_04b7_8e5b,
        0x7669_1885_7479_6b4e,
        0x7679_92e6_d1d0_9dd7,
        0xe934_3a59_2d08_0592,
        0xa2f1_cb3c_9bfd_77de,
        0x7178_8920_c725_4674,
    ];
    assert_eq!(sums, expected);
}

#[test]
fn lists_have_the_same_checksums_on_every_machine() {
    let sums = [
        sum_of(&vec![1_usize, 2, usize::from(u16::MAX)]),
        sum_of(&[-1_isize, 2]),
        sum_of(&[1_u16, 2][..]),
        sum_of(&vec![vec![1_i32], vec![]]),
        sum_of(&Some(vec![1.5_f32, -2.5])),
        sum_of(&VecDeque::from([1_u64, 2])),
        sum_of(&LinkedList::from([1_usize])),
        sum_of(&BTreeSet::from([3_isize, -3])),
        sum_of(&BTreeMap::from([("a", vec![1_usize]), ("b", vec![])])),
        sum_of(&Arc::<[usize]>::from([1, 2])),
        sum_of(&Cow::<[usize]>::Owned(vec![1, 2])),
        sum_of(&(1_u8, -2_isize, 'c', "d", true, (), 7_usize..9)),
    ];
    let expected = [
        0x36bc_f188_8524_5262,
        0x1800_1812_7152_df98,
        0xaed7_494b_692a_a77f,
        0x6e1d_fa7e_dc9c_8e8c,
        0x3e94_1cd9_6bef_1d10,
        0xcedd_5d02_bb83_80ce,
        0x25e8_41e2_a899_6995,
        0x78df_d5e5_451e_68b7,
        0x7d0f_26ec_5d45_92a2,
        0xcedd_5d02_bb83_80ce,
        0xcedd_5d02_bb83_80ce,
        0x77c3_ff3e_ea3b_7aeb,
    ];
    assert_eq!(sums, expected);
}

#[test]
fn other_values_have_the_same_checksums_on_every_machine() {
    let id = EntityId::<()>::from_bits(3 << 32 | 2).unwrap();
    let sums = [
        sum_of(&true),
        sum_of(&'\u{e9}'),
        sum_of("text"),
        sum_of(&String::from("text")),
        sum_of(&id),
        sum_of(&id.raw()),
        sum_of(&Duration::from_millis(1_500)),
        sum_of(&Ordering::Less),
        sum_of(&Ok::<_, ()>(1_usize)),
        sum_of(&(1_usize..=2)),
        sum_of(&Bound::Excluded(-1_isize)),
        sum_of(&PhantomData::<u8>),
    ];
    let expected = [
        0xaa10_93e3_c79a_b7f9,
        0x830e_de22_4bbc_a947,
        0xc2b9_93a2_0645_a354,
        0xc2b9_93a2_0645_a354,
        0x2ece_bf6c_8931_eb4e,
        0x2ece_bf6c_8931_eb4e,
        0xef94_78db_9892_ef5c,
        0x4f2d_b50f_1240_40cd,
        0x5d3a_b85a_d03d_30f9,
        0x35cc_bd7b_cc8d_bf8a,
        0xf02d_01f8_50cc_5767,
        0xf52a_15e9_a9b5_e89b,
    ];
    assert_eq!(sums, expected);
}

/// Its derived `Hash` feeds the discriminant as an `isize`.
#[derive(Hash)]
enum Signed {
    Below = -1,
    At = 0,
}

#[derive(Hash)]
enum Shape {
    Dot,
    Circle(usize),
    Text { text: &'static str },
}

#[test]
fn hashes_have_the_same_checksums_except_for_lists_of_numbers() {
    let sums = [
        hash_of(&-1_isize),
        hash_of(&3_usize),
        hash_of(&i32::MIN),
        hash_of(&(1_u16, "text", [1_u8, 2], vec![true])),
        hash_of(&Signed::Below),
        hash_of(&[Signed::At, Signed::Below]),
        hash_of(&Shape::Dot),
        hash_of(&Shape::Circle(1)),
        hash_of(&Shape::Text { text: "here" }),
        hash_of(&Some(-1_isize)),
    ];
    let expected = [
        0x9795_737c_4a2d_acd5,
        0xa19a_d31e_46af_150b,
        0x0ae0_6e67_7740_e453,
        0xcd48_d90c_b29b_2e1c,
        0x9795_737c_4a2d_acd5,
        0x20ac_52a9_6aed_842a,
        0x813f_0174_a236_7c13,
        0x25e8_41e2_a899_6995,
        0x56f2_02c1_e211_8806,
        0x04b3_74ec_d738_a6d0,
    ];
    assert_eq!(sums, expected);
}

#[test]
fn nans_are_equal_and_zeros_differ() {
    assert_eq!(sum_of(&f32::NAN), sum_of(&-f32::NAN));
    assert_eq!(sum_of(&f64::NAN), sum_of(&f64::from_bits(u64::MAX)));
    assert_ne!(sum_of(&0.0_f32), sum_of(&-0.0_f32));
}
