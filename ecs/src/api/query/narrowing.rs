//! The filters of a query, as data.

use alloc::boxed::Box;
use alloc::sync::Arc;
use core::fmt;

use crate::matching::group::Group;
use crate::matching::matcher::{Condition, Matcher};
use crate::state::{Core, HasCore, check_own};
use crate::storage::bit_set::BitSet;

/// The requirements of a query beyond its terms.
pub(super) struct Narrowing<C> {
    /// Boxed, because most queries have none, and queries are moved while they are built.
    matcher: Option<Box<Matcher<C>>>,
    pub(super) group: Option<Group<C>>,
    pub(super) among: Among,
    /// Whether the context may have disabled entities, which are skipped by default.
    may_be_disabled: bool,
}

/// The rows that may be visited, whatever components they have.
#[derive(Clone, Default)]
pub(super) enum Among {
    #[default]
    All,
    /// Those drained into the query's set of rows, which is kept in the context.
    Taken,
    /// These rows, for a query that only reads the context.
    Rows(Arc<BitSet>),
}

impl<C: 'static> Narrowing<C> {
    /// No filters, except that disabled entities are skipped.
    #[inline]
    pub(super) fn of(core: &Core<C>) -> Self {
        Self {
            matcher: None,
            group: None,
            among: Among::All,
            may_be_disabled: core.world.columns().may_be_disabled(),
        }
    }

    /// Whether disabled entities are skipped, which they are unless a disabling component is named.
    /// A group decides that itself.
    #[inline]
    pub(super) fn hides_disabled(&self) -> bool {
        let names_it = |condition: &Condition| condition.has_disabled();
        self.may_be_disabled && self.group.is_none() && !self.condition().is_some_and(names_it)
    }

    /// Adds the requirements of `more`.
    pub(super) fn and(&mut self, more: impl FnOnce(Matcher<C>) -> Matcher<C>) {
        let asked = self
            .matcher
            .take()
            .map_or_else(Matcher::default, |asked| *asked);
        self.matcher = Some(Box::new(more(asked)));
    }

    /// The condition on components, if there is one.
    #[inline]
    pub(super) fn condition(&self) -> Option<&Condition> {
        self.matcher.as_ref().map(|matcher| matcher.condition())
    }

    /// Requires membership in a group of this context.
    #[track_caller]
    pub(super) fn in_group(&mut self, context: &C, group: Group<C>)
    where
        C: HasCore,
    {
        check_own(&context.core().world, group.instance, "group");
        self.group = Some(group);
    }

    /// Whether there are any filters.
    #[inline]
    pub(super) fn is_any(&self) -> bool {
        let rows = self.group.is_some() || !matches!(self.among, Among::All);
        self.matcher.is_some() || rows || self.hides_disabled()
    }

    pub(super) fn describe(&self, f: &mut fmt::DebugStruct<'_, '_>) -> fmt::Result {
        f.field("matcher", &self.matcher.as_deref())
            .field("group", &self.group)
            .field("narrowed", &!matches!(self.among, Among::All))
            .finish()
    }
}

// By hand, because a derive would require `C: Clone`.
impl<C> Clone for Narrowing<C> {
    fn clone(&self) -> Self {
        Self {
            matcher: self.matcher.clone(),
            among: self.among.clone(),
            group: self.group,
            may_be_disabled: self.may_be_disabled,
        }
    }
}
