//! Resetting a pooled value to the default while keeping its memory.

use alloc::boxed::Box;
use alloc::collections::{BinaryHeap, VecDeque};
use alloc::string::String;
use alloc::vec::Vec;
use core::mem;

/// Resets a value but keeps its memory; for fields of `pooled` components.
///
/// `add_x_with` and `replace_x_with` pass a value equal to the default, whether or not it comes
/// from the pool. The derive recycles a struct field by field. It swaps as a whole: fields whose
/// type does not implement this trait, enums, and types that implement `Drop`. Implement the trait
/// for your own types to keep their memory.
///
/// Hash maps and sets do not implement it: their iteration order depends on their capacity, and a
/// program must not behave differently because of what is in a pool.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// use ecs::Recycle;
///
/// #[derive(Default)]
/// struct Path { steps: Vec<u32> }
///
/// impl Recycle for Path {
///     fn refresh(&mut self, fresh: &mut Self) {
///         self.steps.refresh(&mut fresh.steps);
///     }
/// }
///
/// #[derive(Component, Default)]
/// #[component(context = Game, pooled)]
/// struct Route { path: Path, done: usize }
///
/// let mut game = Game::new();
/// let path = Path { steps: Vec::with_capacity(100) };
/// game.create_entity().add_route(path, 7).remove_route();
/// let mut entity = game.create_entity();
/// entity.add_route_with(|route| assert!(route.path.steps.capacity() >= 100));
/// assert_eq!(entity.route().done, 0);
/// ```
pub trait Recycle {
    /// Makes this value equal to `fresh`, except for capacities. `fresh` is dropped afterwards, so
    /// it may be left in any state.
    fn refresh(&mut self, fresh: &mut Self);
}

/// The values that a pool starts with. An alias of `Default`, for an error that names the attribute.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is `pooled`, but not `Default`",
    label = "not `Default`",
    note = "`pooled`, and `add_with` and `replace_with`, start with a default value: add `#[derive(Default)]` \
            to `{Self}`, or remove `pooled`"
)]
pub trait Pooled: Default {}

#[diagnostic::do_not_recommend]
impl<T: Default> Pooled for T {}

/// Makes the first value equal to the second.
pub(crate) type RecycleValue<T> = fn(&mut T, &mut T);

impl<T> Recycle for Vec<T> {
    fn refresh(&mut self, fresh: &mut Self) {
        self.clear();
        self.append(fresh);
    }
}

impl<T> Recycle for VecDeque<T> {
    fn refresh(&mut self, fresh: &mut Self) {
        self.clear();
        self.append(fresh);
    }
}

/// The heap has the internal order of `fresh`.
impl<T: Ord> Recycle for BinaryHeap<T> {
    fn refresh(&mut self, fresh: &mut Self) {
        if fresh.is_empty() {
            self.clear();
        } else {
            mem::swap(self, fresh);
        }
    }
}

impl Recycle for String {
    fn refresh(&mut self, fresh: &mut Self) {
        self.clear();
        self.push_str(fresh);
    }
}

impl<T: Recycle + ?Sized> Recycle for Box<T> {
    fn refresh(&mut self, fresh: &mut Self) {
        (**self).refresh(fresh);
    }
}

impl<T: Recycle, const N: usize> Recycle for [T; N] {
    fn refresh(&mut self, fresh: &mut Self) {
        let pairs = self.iter_mut().zip(fresh);
        pairs.for_each(|(value, fresh)| value.refresh(fresh));
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    /// Recycles `value` so that it equals `fresh`.
    fn recycled<T: Recycle + Clone>(mut value: T, fresh: &T) -> T {
        value.refresh(&mut fresh.clone());
        value
    }

    #[test]
    fn recycling_keeps_the_memory() {
        for fresh in [vec![], vec![1_u8, 2]] {
            let list = recycled(Vec::with_capacity(100), &fresh);
            assert!(list == fresh && list.capacity() >= 100);
            let queue = recycled(VecDeque::with_capacity(100), &fresh.clone().into());
            assert!(queue == fresh && queue.capacity() >= 100);
            let heap = recycled(BinaryHeap::from(vec![7; 9]), &fresh.clone().into());
            assert_eq!(heap.into_vec(), BinaryHeap::from(fresh).into_vec());
        }
        for fresh in ["", "ab"] {
            let text = recycled(Box::new(String::from("before")), &Box::new(fresh.into()));
            assert!(*text == fresh && text.capacity() >= 6);
        }
        let lists = recycled([vec![1], vec![2, 3]], &[vec![4], vec![]]);
        assert_eq!(lists, [vec![4], vec![]]);
    }
}
