//! Which context an id is of. It is known in builds with debug assertions alone; in others a
//! lineage takes no memory, and every comparison holds.
//!
//! A lineage is a number of its own, and not that of the context, because contexts can share it: a
//! copy of a context, or one that is loaded, has the same entities under the same ids.

#[cfg(debug_assertions)]
use core::sync::atomic::{AtomicU32, Ordering};

/// What an id and the contexts that it is good for have together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lineage {
    #[cfg(debug_assertions)]
    number: u32,
}

impl Lineage {
    /// Whether ids know which context they are of.
    pub(crate) const KNOWN: bool = cfg!(debug_assertions);

    /// That of an id that was made from a number, and is good for any context; and of a context that
    /// was loaded, for which the ids of the one that was saved are good.
    pub(crate) const ANY: Self = Self {
        #[cfg(debug_assertions)]
        number: 0,
    };

    /// A lineage that no other context has.
    pub(crate) fn new() -> Self {
        #[cfg(debug_assertions)]
        static LAST: AtomicU32 = AtomicU32::new(0);
        Self {
            #[cfg(debug_assertions)]
            number: Self::next(&LAST),
        }
    }

    /// The number after the last one. When all have been given out it is that of [`ANY`](Self::ANY):
    /// so ids are not told apart any more, and none is refused that should be accepted.
    #[cfg(debug_assertions)]
    fn next(last: &AtomicU32) -> u32 {
        let next = |number: u32| number.checked_add(1);
        let before = last.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next);
        before.map_or(Self::ANY.number, |before| before + 1)
    }

    /// The number of the lineage, for messages.
    pub(crate) const fn number(self) -> u32 {
        #[cfg(debug_assertions)]
        return self.number;
        #[cfg(not(debug_assertions))]
        0
    }

    /// Whether an id of lineage `id` may be one of a context of this lineage.
    #[inline]
    pub(crate) const fn accepts(self, id: Self) -> bool {
        let any = Self::ANY.number();
        !Self::KNOWN || id.number() == self.number() || id.number() == any || self.number() == any
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lineage_accepts_its_own_and_those_of_no_context() {
        let (one, other) = (Lineage::new(), Lineage::new());
        assert!(one.accepts(one) && one.accepts(Lineage::ANY));
        assert!(Lineage::ANY.accepts(one));
        assert_eq!(one.accepts(other), !Lineage::KNOWN);
    }

    /// F28.
    #[test]
    #[cfg(debug_assertions)]
    fn no_number_is_given_out_twice() {
        let last = AtomicU32::new(u32::MAX - 2);
        let numbers = [(); 4].map(|()| Lineage::next(&last));
        let any = Lineage::ANY.number();
        assert_eq!(numbers, [u32::MAX - 1, u32::MAX, any, any]);
    }

    #[test]
    fn it_takes_no_memory_unless_it_is_known() {
        assert_eq!(size_of::<Lineage>(), if Lineage::KNOWN { 4 } else { 0 });
    }
}
