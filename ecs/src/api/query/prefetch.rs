//! Asking for memory before it is needed: what a walk does if values lie so scattered
//! that each has to be waited for (`walk.rs` says where).
//!
//! A hint and nothing else: whether it is heeded, and whether the processor has such a
//! thing at all, changes no result.

/// Asks for the line of memory at an address, so that it is there when it is read.
#[inline(always)]
pub(super) fn prefetch<T>(address: *const T) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a hint, for which any address will do: nothing is read from it that the
        // program could see, and none faults.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) };
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = address;
}
