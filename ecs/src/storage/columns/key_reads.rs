//! Rejects key functions that read components which their index does not watch. Known in builds with debug assertions
//! only; in others this takes no memory, and every check passes.

use alloc::vec::Vec;

use super::Columns;
use crate::words::component::RawComponentIndex;
use crate::words::signature::RawComponentSet;

impl Columns {
    /// Sets the components that may be read, as long as a key function runs.
    #[cfg(debug_assertions)]
    pub(crate) fn restrict_reads(&mut self, named: Option<RawComponentSet>) {
        self.key_reads = named;
    }

    /// The components that the matcher of an index names, while its key function runs.
    #[inline(always)]
    fn key_reads(&self) -> Option<&RawComponentSet> {
        #[cfg(debug_assertions)]
        return self.key_reads.as_ref();
        #[cfg(not(debug_assertions))]
        None
    }

    /// Panics if a key function runs that must not read a component.
    #[inline(always)]
    #[track_caller]
    pub(crate) fn check_read(&self, component: RawComponentIndex) {
        if let Some(named) = self.key_reads()
            && !named.contains(component)
        {
            self.reject_read(named, component);
        }
    }

    #[cold]
    #[track_caller]
    fn reject_read(&self, named: &RawComponentSet, component: RawComponentIndex) -> ! {
        let name = |component| self.describe(component).names.component;
        let (read, context) = (name(component), self.describe(component).names.context);
        let named: Vec<_> = named.iter().map(name).collect();
        let named = named.join(", ");
        panic!(
            "the key function of an index of context `{context}` reads component `{read}`, but the matcher names only \
             ({named}), so the index would not notice when `{read}` changes. Name it in the matcher: \
             `.all_of::<{read}>()`, or `.any_of::<({named}, {read})>()` if an entity may lack it. A value that never \
             changes can be moved into the key function instead"
        )
    }
}
