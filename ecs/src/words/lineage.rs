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
            number: LAST.fetch_add(1, Ordering::Relaxed).wrapping_add(1),
        }
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

    #[test]
    fn it_takes_no_memory_unless_it_is_known() {
        assert_eq!(size_of::<Lineage>(), if Lineage::KNOWN { 4 } else { 0 });
    }
}
