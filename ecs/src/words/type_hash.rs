//! Tables by type: the number of a type is as good as random already, so it is its own hash.

use core::hash::{BuildHasherDefault, Hasher};

/// How a table finds a [`TypeId`](core::any::TypeId).
pub(crate) type ByTypeId = BuildHasherDefault<TypeHasher>;

/// Takes what a `TypeId` hands over, which is random in all of its bits.
#[derive(Default)]
pub(crate) struct TypeHasher(u64);

impl Hasher for TypeHasher {
    #[inline]
    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }

    /// Of what else a `TypeId` may hand over one day, every byte counts.
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::any::TypeId;
    use core::hash::BuildHasher as _;

    #[test]
    fn types_have_different_hashes() {
        let hash = |id: TypeId| ByTypeId::default().hash_one(id);
        let all = [
            TypeId::of::<u8>(),
            TypeId::of::<u16>(),
            TypeId::of::<u32>(),
            TypeId::of::<()>(),
        ]
        .map(hash);
        for (at, one) in all.iter().enumerate() {
            assert!(!all[..at].contains(one));
        }
    }

    #[test]
    fn every_byte_counts_and_where_it_stands() {
        let hash = |bytes: &[u8]| {
            let mut hasher = TypeHasher::default();
            hasher.write(bytes);
            hasher.finish()
        };
        let all: [&[u8]; 5] = [&[1, 2, 3], &[1, 2, 4], &[1, 3, 3], &[2, 2, 3], &[3, 2, 1]];
        for (at, one) in all.iter().enumerate() {
            assert!(all[..at].iter().all(|other| hash(other) != hash(one)));
        }
    }
}
