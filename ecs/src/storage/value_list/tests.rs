//! Lists of values of several layouts: adding and removing, drops, and panics.

use alloc::string::{String, ToString as _};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::*;
use crate::storage::heap::Heap;
use crate::storage::moved::ValueSlot;
use crate::words::component::{Component, ComponentNames, Components, IndexCell, typed};
use crate::words::demands::ThreadSafe;

const NAMES: &ComponentNames = &ComponentNames {
    context: "Game",
    component: "Value",
    accessor: "value",
};

/// A component that is never numbered.
#[derive(Clone, Debug, PartialEq)]
struct Value<T>(T);

impl<T: 'static> Components<()> for Value<T> {
    fn visit(_: &mut dyn FnMut(typed::ComponentIndex<()>)) {}
}

impl<T: Clone + ThreadSafe + 'static> Component<()> for Value<T> {
    const NAMES: &'static ComponentNames = NAMES;
    const CLONE: Option<fn(&Self) -> Self> = Some(Clone::clone);

    fn cell() -> &'static IndexCell<(), Self> {
        unreachable!("nothing asks for its index")
    }
}

fn list<T: Clone + ThreadSafe + 'static>(values: impl IntoIterator<Item = T>) -> ValueList {
    let mut list = ValueList::new(ComponentDescriptor::of::<(), Value<T>>());
    values.into_iter().for_each(|value| push(&mut list, value));
    list
}

fn push<T: Clone + ThreadSafe + 'static>(list: &mut ValueList, value: T) {
    let descriptor = ComponentDescriptor::of::<(), Value<T>>();
    list.push_moved(ValueSlot::of(Value(value)).moved(descriptor));
}

fn values<T: Clone + ThreadSafe + 'static>(list: &ValueList) -> Vec<T> {
    let values = list.as_slice::<Value<T>>().expect("of this type");
    values.iter().map(|value| value.0.clone()).collect()
}

fn pop<T: Clone + ThreadSafe + 'static>(list: &mut ValueList) -> Option<T> {
    let mut place = MaybeUninit::<Value<T>>::uninit();
    assert!(list.as_slice::<Value<T>>().is_some(), "of this type");
    // SAFETY: the place has memory for a value of the list's type, and is read only if one was
    // written.
    unsafe {
        let is_there = list.pop_to(NonNull::from(&mut place).cast());
        is_there.then(|| place.assume_init().0)
    }
}

#[test]
fn values_are_pushed_and_popped_at_the_end() {
    let texts = ["a", "b", "c", "d", "e"].map(String::from);
    let mut list = list(texts.clone());
    assert_eq!(values::<String>(&list), texts);
    assert_eq!(pop(&mut list), Some("e".to_string()));
    push(&mut list, "f".to_string());
    assert_eq!(
        list.get(4).unwrap().downcast_ref(),
        Some(&Value("f".to_string()))
    );
    assert!(list.get(5).is_none());
    while pop::<String>(&mut list).is_some() {}
    assert!(list.is_empty());
}

#[test]
fn the_space_of_removed_first_values_is_reused() {
    let mut list = list(0..8_u64);
    let bytes = list.bytes();
    for start in 0..100 {
        let first = list.take_first(5);
        assert_eq!(
            values::<u64>(&first),
            (start * 5..start * 5 + 5).collect::<Vec<_>>()
        );
        (0..5).for_each(|more| push(&mut list, start * 5 + 8 + more));
    }
    assert_eq!(values::<u64>(&list), (500..508).collect::<Vec<_>>());
    assert!(list.bytes() <= 2 * bytes, "{} bytes", list.bytes());
    assert_eq!(list.take_first(usize::MAX).len(), 8);
    list.trim();
    assert_eq!(list.bytes(), 0);
}

#[test]
fn values_of_any_layout_keep_their_places() {
    #[derive(Clone, Copy, Debug, PartialEq)]
    #[repr(align(64))]
    struct Wide(u8);
    assert_eq!(
        values::<Wide>(&list((0..9).map(Wide))),
        (0..9).map(Wide).collect::<Vec<_>>()
    );
    let mut units = list([(); 9]);
    assert_eq!(
        (units.take_first(4).len(), units.len(), units.bytes()),
        (4, 5, 0)
    );
    units.reserve(1_000);
    push(&mut units, ());
    assert_eq!(values::<()>(&units).len(), 6);
}

#[test]
fn every_value_is_dropped_once() {
    let counted = Arc::new(());
    let mut list = list((0..9).map(|_| counted.clone()));
    drop(list.take_first(2));
    assert_eq!(Arc::strong_count(&counted), 8);
    drop(pop::<Arc<()>>(&mut list));
    drop(list.pop_first());
    assert_eq!(Arc::strong_count(&counted), 6);
    assert!(!list.forget_plain());
    let taken = list.take();
    assert!(list.is_empty());
    drop(taken);
    assert_eq!(Arc::strong_count(&counted), 1);
}

/// Panics when cloned or dropped if the number is 3.
#[derive(Debug)]
struct Fickle(u8, Arc<()>, bool);

impl Clone for Fickle {
    fn clone(&self) -> Self {
        assert!(self.0 != 3 || self.2, "cannot be cloned");
        Self(self.0, self.1.clone(), self.2)
    }
}

impl Drop for Fickle {
    fn drop(&mut self) {
        assert!(self.0 != 3 || !self.2, "cannot be dropped");
    }
}

#[test]
fn a_panicking_drop_still_drops_the_other_values() {
    let counted = Arc::new(());
    let list = list((0..6).map(|number| Fickle(number, counted.clone(), true)));
    assert!(catch_unwind(AssertUnwindSafe(|| drop(list))).is_err());
    assert_eq!(Arc::strong_count(&counted), 1);
}

#[test]
fn a_clone_that_panics_adds_nothing() {
    let counted = Arc::new(());
    let origin = list((0..6).map(|number| Fickle(number, counted.clone(), false)));
    let mut copy = ValueList::new(origin.descriptor());
    for at in 0..6 {
        let cloned = catch_unwind(AssertUnwindSafe(|| {
            copy.push_clone(origin.get(at).unwrap())
        }));
        assert_eq!(cloned.is_ok(), at != 3);
    }
    assert_eq!((copy.len(), Arc::strong_count(&counted)), (5, 12));
}

#[test]
fn values_of_another_type_are_rejected() {
    let mut list = list([1_u32]);
    push(&mut list, String::from("text"));
    assert!(!list.push_clone(&Value(2_u64)));
    assert!(list.as_slice::<Value<u64>>().is_none());
    assert_eq!(list.len(), 1);
}

#[test]
fn the_first_values_move_to_another_list() {
    let (mut from, mut to) = (
        list((0..6).map(|it| it.to_string())),
        list([String::from("a")]),
    );
    to.append_first(&mut from, 2);
    assert_eq!(values::<String>(&to), ["a", "0", "1"]);
    to.append_first(&mut from, 9);
    assert_eq!(values::<String>(&to), ["a", "0", "1", "2", "3", "4", "5"]);
    assert!(from.is_empty());
    to.append_first(&mut from, 1);
    assert_eq!(to.len(), 7);
}

#[test]
#[should_panic(expected = "lists of one component")]
fn lists_of_two_components_are_not_appended() {
    list([1_u32]).append_first(&mut list([2_u64, 3]), 1);
}

#[test]
fn a_list_takes_over_the_memory_of_a_vector() {
    let counted = Arc::new(());
    let vector: Vec<_> = (0..5).map(|_| Value(counted.clone())).collect();
    let memory = vector.as_ptr();
    let mut list = ValueList::of::<(), _>(vector);
    assert_eq!(list.as_slice::<Value<Arc<()>>>().unwrap().as_ptr(), memory);
    (0..9).for_each(|_| push(&mut list, counted.clone()));
    drop(list.take_first(2));
    assert_eq!((list.len(), Arc::strong_count(&counted)), (12, 13));
    drop(list);
    assert_eq!(Arc::strong_count(&counted), 1);

    let mut units = ValueList::of::<(), _>(alloc::vec![Value(()); 3]);
    push(&mut units, ());
    assert_eq!(units.len(), 4);
    let none = ValueList::of::<(), Value<u64>>(Vec::new());
    assert!(none.is_empty() && none.bytes() == 0);
}

#[test]
fn lists_are_appended_and_their_memory_is_taken_over() {
    let texts = |count: usize| (0..count).map(|it| it.to_string()).collect::<Vec<_>>();
    let mut all = list(texts(0));
    all.append_list(list(texts(3)));
    all.append_list(list(texts(2)));
    push(&mut all, String::from("end"));
    assert_eq!(values::<String>(&all), ["0", "1", "2", "0", "1", "end"]);
    let last = all.pop().unwrap().into_box();
    assert_eq!(last.downcast_ref(), Some(&Value(String::from("end"))));
    assert_eq!(all.take_first(5).len(), 5);
    assert!(all.pop().is_none());
}

#[test]
fn values_move_to_the_start_with_the_memory() {
    let mut list = list(0..8_u64);
    drop(list.take_first(3));
    list.reserve(100);
    assert_eq!(values::<u64>(&list), [3, 4, 5, 6, 7]);
    (8..50_u64).for_each(|more| push(&mut list, more));
    assert_eq!(values::<u64>(&list), (3..50).collect::<Vec<_>>());
    drop(list.take_first(40));
    list.trim();
    assert_eq!(values::<u64>(&list), (43..50).collect::<Vec<_>>());
    assert_eq!(list.bytes(), 7 * 8);
    assert!(list.forget_plain() && list.is_empty());
    assert!(list.is_empty());
}

#[test]
fn an_empty_list_returns_no_value() {
    let mut list = list([7_u64]);
    let first = list.pop_first().unwrap().into_box();
    assert_eq!(first.downcast_ref(), Some(&Value(7_u64)));
    assert!(list.pop_first().is_none());
}
