//! The number that identifies a context in one run of the program.

use core::hash::{BuildHasher, Hash as _, Hasher as _};

use crate::words::atomic::{AtomicU64, Ordering};
use crate::words::checksum::ChecksumHasher;

/// Identifies a context within one run of the program.
pub(super) fn origin(run: u64, instance: u64) -> u64 {
    let mut hasher = ChecksumHasher::default();
    (run, instance).hash(&mut hasher);
    hasher.finish()
}

/// The number of this process: random, and the same at each call. Without the standard library it
/// is only as random as the addresses at which programs are loaded; without a source of randomness,
/// as on `wasm32-unknown-unknown`, it is the same for all processes.
pub(super) fn process() -> u64 {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    match NUMBER.load(Ordering::Relaxed) {
        0 => {
            let random = random().max(1);
            let first = NUMBER.compare_exchange(0, random, Ordering::Relaxed, Ordering::Relaxed);
            first.err().unwrap_or(random)
        }
        number => number,
    }
}

fn random() -> u64 {
    #[cfg(feature = "std")]
    let random = std::hash::RandomState::new();
    #[cfg(not(feature = "std"))]
    let random = hashbrown::DefaultHashBuilder::default();
    random.hash_one(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_has_one_number() {
        assert_eq!(process(), process());
        assert_ne!(process(), 0);
    }

    #[test]
    fn the_number_has_64_random_bits() {
        let bits = (0..64).fold(0, |bits, _| bits | random());
        assert_eq!(bits, u64::MAX);
    }
}
