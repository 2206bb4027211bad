//! What narrows a query down, as data.

use alloc::vec::Vec;
use core::fmt;

use crate::matching::group::Group;
use crate::storage::registry::numbering;
use crate::words::signature::ComponentSet;

/// What a query asks of an entity beyond the components it hands out.
pub(super) struct Narrowing<C> {
    pub(super) with: ComponentSet,
    pub(super) without: ComponentSet,
    pub(super) group: Option<Group<C>>,
    /// Whether it must be among those that have been drained from a collector last.
    pub(super) drained: bool,
}

impl<C: 'static> Narrowing<C> {
    pub(super) fn none() -> Self {
        Self {
            with: ComponentSet::new(),
            without: ComponentSet::new(),
            group: None,
            drained: false,
        }
    }

    pub(super) fn describe(&self, f: &mut fmt::DebugStruct<'_, '_>) -> fmt::Result {
        let names = |set: &ComponentSet| {
            let names: Vec<_> = set.iter().map(|c| numbering::<C>().name(c)).collect();
            fmt::from_fn(move |f| f.debug_set().entries(&names).finish())
        };
        f.field("with", &names(&self.with))
            .field("without", &names(&self.without))
            .field("group", &self.group)
            .field("drained", &self.drained)
            .finish()
    }
}

// By hand, because a derive would ask the same of `C`.
impl<C> Clone for Narrowing<C> {
    fn clone(&self) -> Self {
        Self {
            with: self.with.clone(),
            without: self.without.clone(),
            ..*self
        }
    }
}
