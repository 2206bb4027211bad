//! The pool stack of a `pooled` component, its type of value known at run time alone. Other components
//! have none, and no code for any.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::any_value::{AnyValue, unboxed};

/// What can be done with a pool stack for values of one type.
pub(crate) struct PoolTable {
    /// An empty stack.
    pub(crate) new: fn() -> Box<AnyValue>,
    /// Puts a value that was taken out on the stack, or drops it if so many are there already.
    pub(crate) recycle: fn(&mut AnyValue, Box<AnyValue>, usize),
    /// How many values there is room for.
    pub(crate) capacity: fn(&AnyValue) -> usize,
    /// Frees the memory in which there are no values.
    pub(crate) trim: fn(&mut AnyValue),
}

impl PoolTable {
    pub(super) const fn of<T: Send + Sync + 'static>() -> &'static Self {
        &const {
            Self {
                new: new::<T>,
                recycle: recycle::<T>,
                capacity: capacity::<T>,
                trim: trim::<T>,
            }
        }
    }
}

fn new<T: Send + Sync + 'static>() -> Box<AnyValue> {
    Box::new(Vec::<T>::new())
}

fn recycle<T: 'static>(pool: &mut AnyValue, value: Box<AnyValue>, most: usize) {
    if let (Some(pool), Ok(value)) = (pool.downcast_mut::<Vec<T>>(), unboxed(value))
        && pool.len() < most
    {
        pool.push(value);
    }
}

fn capacity<T: 'static>(pool: &AnyValue) -> usize {
    pool.downcast_ref().map_or(0, Vec::<T>::capacity)
}

fn trim<T: 'static>(pool: &mut AnyValue) {
    if let Some(pool) = pool.downcast_mut::<Vec<T>>() {
        pool.shrink_to_fit();
    }
}
