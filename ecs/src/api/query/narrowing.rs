//! What narrows a query down, as data.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use crate::matching::group::Group;
use crate::state::{HasCore, check_own};
use crate::storage::bit_set::BitSet;
use crate::storage::registry::numbering;
use crate::words::component::Components;
use crate::words::signature::ComponentSet;

/// What a query asks of an entity beyond the components it hands out.
pub(super) struct Narrowing<C> {
    pub(super) with: ComponentSet,
    pub(super) without: ComponentSet,
    pub(super) group: Option<Group<C>>,
    pub(super) among: Among,
}

/// Which rows may be visited, whatever is there.
#[derive(Clone, Default)]
pub(super) enum Among {
    #[default]
    All,
    /// Those that have been taken for the query, which are kept in the context.
    Taken,
    /// These, for a query that only reads the context.
    Rows(Arc<BitSet>),
}

impl<C: 'static> Narrowing<C> {
    pub(super) fn none() -> Self {
        Self {
            with: ComponentSet::new(),
            without: ComponentSet::new(),
            group: None,
            among: Among::All,
        }
    }

    /// Asks for every component of `T`.
    pub(super) fn with<T: Components<C>>(&mut self) {
        T::visit(&mut |component| _ = self.with.insert(component.untyped()));
    }

    /// Asks for no component of `T`.
    pub(super) fn without<T: Components<C>>(&mut self) {
        T::visit(&mut |component| _ = self.without.insert(component.untyped()));
    }

    /// Asks for members of a group of this context.
    #[track_caller]
    pub(super) fn in_group(&mut self, context: &C, group: Group<C>)
    where
        C: HasCore,
    {
        check_own(context.core(), group.instance, "group");
        self.group = Some(group);
    }

    /// Whether it asks for anything.
    #[inline]
    pub(super) fn is_any(&self) -> bool {
        let components = !self.with.is_empty() || !self.without.is_empty();
        components || self.group.is_some() || !matches!(self.among, Among::All)
    }

    pub(super) fn describe(&self, f: &mut fmt::DebugStruct<'_, '_>) -> fmt::Result {
        let names = |set: &ComponentSet| {
            let names: Vec<_> = set.iter().map(|c| numbering::<C>().name(c)).collect();
            fmt::from_fn(move |f| f.debug_set().entries(&names).finish())
        };
        f.field("with", &names(&self.with))
            .field("without", &names(&self.without))
            .field("group", &self.group)
            .field("narrowed", &!matches!(self.among, Among::All))
            .finish()
    }
}

// By hand, because a derive would ask the same of `C`.
impl<C> Clone for Narrowing<C> {
    fn clone(&self) -> Self {
        Self {
            with: self.with.clone(),
            without: self.without.clone(),
            among: self.among.clone(),
            group: self.group,
        }
    }
}
