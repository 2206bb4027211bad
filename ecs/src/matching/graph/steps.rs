//! The components that an entity receives one after another, packed into a word, to look up the
//! resulting node at once.

use alloc::vec::Vec;

use crate::words::component::RawComponentIndex;
use crate::words::signature::RawComponentSet;

/// Bits per step, enough for the first 64 components.
const STEP: u32 = 6;

/// Up to ten of the first 64 components of a context, in the order in which an entity receives
/// them.
///
/// ```text
/// 0…0 1 │ first │ … │ last      six bits each; a marker bit above the first
/// 0…0 11 │ first │ … │ last     two marker bits if other components came before
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Steps(u64);

impl Steps {
    pub(crate) const NONE: Self = Self(1);

    /// No steps yet, after others that did not fit in the word.
    pub(crate) const AFTER_OTHERS: Self = Self(3);

    /// Whether no other components came before.
    pub(crate) fn are_all(self) -> bool {
        self.0 >> (self.len() * STEP) == Self::NONE.0
    }

    fn len(self) -> u32 {
        self.0.ilog2() / STEP
    }

    /// Returns these steps and one more, or `None` if it does not fit.
    #[inline]
    pub(crate) fn with(self, component: RawComponentIndex) -> Option<Self> {
        let step = component.get() as u64;
        let fits = step >> STEP == 0 && self.0 >> (u64::BITS - STEP) == 0;
        fits.then_some(Self(self.0 << STEP | step))
    }

    /// The steps as a unique word.
    #[inline]
    pub(super) fn word(self) -> u64 {
        self.0
    }

    /// The components, in order.
    pub(crate) fn iter(self) -> impl Iterator<Item = RawComponentIndex> {
        let step = move |nth: u32| self.0 >> (nth * STEP) & ((1 << STEP) - 1);
        (0..self.len())
            .rev()
            .map(move |nth| RawComponentIndex::new(step(nth) as usize))
    }

    /// The components, in order, preceded by `first` if others came before.
    pub(crate) fn after(self, first: &RawComponentSet) -> Vec<RawComponentIndex> {
        let first = first.iter().filter(|_| !self.are_all());
        first.chain(self.iter()).collect()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(crate) fn index(component: usize) -> RawComponentIndex {
        RawComponentIndex::new(component)
    }

    pub(crate) fn steps(components: &[usize]) -> Steps {
        let step = |steps: Steps, &component: &usize| steps.with(index(component)).unwrap();
        components.iter().fold(Steps::NONE, step)
    }

    #[test]
    fn steps_keep_their_order_up_to_ten_of_the_first_64() {
        let ten = [63, 0, 62, 1, 0, 31, 32, 33, 63, 5];
        for len in 0..=10 {
            let found: Vec<_> = steps(&ten[..len])
                .iter()
                .map(RawComponentIndex::get)
                .collect();
            assert_eq!(found, ten[..len]);
            assert!(steps(&ten[..len]).are_all());
        }
        assert_eq!(steps(&ten).with(index(0)), None);
        assert_eq!(Steps::NONE.with(index(64)), None);
    }

    #[test]
    fn steps_after_others_differ_from_complete_steps() {
        let mut after = Steps::AFTER_OTHERS;
        for len in 0..10 {
            assert!(!after.are_all() && after.iter().all(|step| step.get() == 63));
            assert_eq!(after.iter().count(), len);
            after = after.with(index(63)).unwrap();
            assert_ne!(after, steps(&[63; 10][..=len]));
        }
    }
}
