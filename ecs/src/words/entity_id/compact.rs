//! Ids as small numbers, for weak references.

use super::EntityId;

impl<C> EntityId<C> {
    /// Returns the id as a small number for a weak reference outside of the program, such as the light user data of a
    /// script: `INDEX` bits of the slot's index, and above them the lowest `GENERATION` bits of the generation. `None`
    /// if the index does not fit.
    ///
    /// [`find_compact`](crate::Context::find_compact) returns the entity. It finds another entity in the same slot if
    /// the slot has been reused a multiple of 2<sup>`GENERATION`</sup> times since: with 8 bits, one of 256 outdated
    /// references to slots that are reused all the time.
    /// [`minimum_free`](macro@crate::context) makes that rare: with 1,024 free slots and 8 bits, such a slot is
    /// reached only after 262,144 entities have been destroyed. Use [`to_bits`](Self::to_bits) where 64 bits fit.
    ///
    /// # Examples
    ///
    /// ```
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// let bits: u32 = id.compact::<22, 8>().unwrap(); // 30 bits
    /// assert_eq!(game.find_compact::<22, 8>(bits), Some(id));
    /// game.destroy(id);
    /// game.create_entity(); // in the same slot
    /// assert_eq!(game.find_compact::<22, 8>(bits), None);
    /// ```
    ///
    /// A number of more than 32 bits does not compile.
    #[inline]
    pub const fn compact<const INDEX: u32, const GENERATION: u32>(self) -> Option<u32> {
        const { assert_compact(INDEX, GENERATION) }
        let (index, generation) = (self.index() as u64, self.generation() as u64);
        let low = generation & ((1 << GENERATION) - 1);
        match index >> INDEX {
            0 => Some((low << INDEX | index) as u32),
            _ => None,
        }
    }
}

/// Fails to compile if an index and a generation of so many bits do not fit into a compact id.
pub(crate) const fn assert_compact(index: u32, generation: u32) {
    assert!(
        index > 0 && index <= 32 && generation <= 32 - index,
        "a compact id has up to 32 bits, at least one of them for the index"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(index: u32, generation: u32) -> EntityId<()> {
        EntityId::try_new(index, generation).unwrap()
    }

    #[test]
    fn a_compact_id_has_the_low_bits_of_its_generation() {
        assert_eq!(id(5, 3).compact::<22, 8>(), Some(3 << 22 | 5));
        assert_eq!(id(5, 4 + 3).compact::<22, 2>(), Some(3 << 22 | 5));
        assert_eq!(id((1 << 22) - 1, 7).compact::<22, 3>(), Some((1 << 25) - 1));
        assert_eq!(id(1 << 22, 1).compact::<22, 8>(), None);
        assert_eq!(id(u32::MAX, 7).compact::<32, 0>(), Some(u32::MAX));
        assert_eq!(id(1, 3).compact::<1, 31>(), Some(3 << 1 | 1));
        assert_eq!(id(2, 3).compact::<1, 31>(), None);
    }
}
