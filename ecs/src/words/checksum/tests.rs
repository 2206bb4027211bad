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
    assert_eq!(sum_of(&(3_usize, -1_i32, "ecs")), 0x1597_85b2_c05f_10a0);
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
        0xa6ee_62b2_ecb3_007c,
        0xd4f6_e099_c49a_812a,
        0xad11_0bf1_4e2f_72ec,
        0x7f39_53e1_2a85_7c56,
        0x89b0_a029_e535_c987,
        0x4f2d_b50f_1240_40cd,
        0x9f24_e767_dcf9_2a63,
        0xdff8_3370_7fd7_9cc8,
        0xed5e_e8f3_2d5a_87cc,
        0x774e_c4fe_45a8_5d5d,
        0x83a6_28dd_4b23_dfe4,
        0x96d8_2e43_1784_8ecb,
        0x0dee_23df_83a8_29dd,
        0xbe19_7bef_445d_f5f3,
        0x1747_e20a_7a82_f7ab,
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
        0xf92b_1dfd_13fb_4f9f,
        0x4cdf_417d_9370_b2d0,
        0x48cd_27ba_9dc5_65a8,
        0x5d08_0e7f_1b5f_0df4,
        0xa91e_e952_ac3e_4309,
        0x48cd_27ba_9dc5_65a8,
        0x583d_9aad_de3b_09b0,
        0x6339_0e93_e682_f94c,
        0x3e09_baf5_a148_9dde,
        0x48cd_27ba_9dc5_65a8,
        0x48cd_27ba_9dc5_65a8,
        0x76bc_58f7_1290_3323,
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
        0x3e43_8745_c3d1_2116,
        0xc2b9_93a2_0645_a354,
        0xc2b9_93a2_0645_a354,
        0x4dde_fbad_ff15_56d1,
        0x4dde_fbad_ff15_56d1,
        0xbe29_4539_2a15_a895,
        0x4f2d_b50f_1240_40cd,
        0xbf19_9b0b_8178_fa6a,
        0xc0bb_e2ce_3425_705d,
        0x7708_1f4f_6d17_d0ff,
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
        0x4696_10aa_ed25_effe,
        0x89b0_a029_e535_c987,
        0x5309_6305_d7ca_ec33,
        0xd53e_2377_20f6_3a53,
        0x4696_10aa_ed25_effe,
        0x93e2_e285_d228_39bd,
        0xf937_6fe9_0135_a10e,
        0x583d_9aad_de3b_09b0,
        0xfc66_9245_0d13_d47c,
        0xdbdf_75e1_c920_bd4b,
    ];
    assert_eq!(sums, expected);
}

#[test]
fn nans_are_equal_and_zeros_differ() {
    assert_eq!(sum_of(&f32::NAN), sum_of(&-f32::NAN));
    assert_eq!(sum_of(&f64::NAN), sum_of(&f64::from_bits(u64::MAX)));
    assert_ne!(sum_of(&0.0_f32), sum_of(&-0.0_f32));
}
