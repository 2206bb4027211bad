//! A number that tells this process from others, also from one of the same program that runs later.

use core::hash::BuildHasher;
use core::num::NonZeroUsize;

use once_cell::race::OnceNonZeroUsize;

/// The number of this process: random, and the same at each call. Without the standard library it is
/// as random as the addresses are that programs are loaded to.
pub(crate) fn process() -> u64 {
    static NUMBER: OnceNonZeroUsize = OnceNonZeroUsize::new();
    let number = NUMBER.get_or_init(|| NonZeroUsize::MIN.saturating_add(random() as usize));
    number.get() as u64
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
