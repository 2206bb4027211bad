//! A number that tells this process from others, also from one of the same program that runs later.

use core::hash::BuildHasher;
use core::sync::atomic::{AtomicU64, Ordering};

/// The number of this process: random, and the same at each call. Without the standard library it is
/// as random as the addresses are that programs are loaded to; where there is no source of randomness,
/// as on `wasm32-unknown-unknown`, it is the same for all processes.
pub(crate) fn process() -> u64 {
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
}
